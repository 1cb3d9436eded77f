import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { PersonName, type Viewer } from "../../shared/users.ts";
import type { GoogleIdentity } from "../auth/google.ts";
import type { Context } from "../context.ts";
import { newId } from "../ids.ts";
import { claimInvitation } from "./signup-policy.ts";
import { completeSignup, SignupPendingError } from "./signup-approval.ts";
import * as queries from "./queries.ts";
import type { UserRow } from "./queries.ts";
import { takeSignUp } from "./quotas.ts";
import { knownBrowser } from "./browsers.ts";
import { passSecondStep } from "./second-step.ts";
import { beginSession } from "./sign-in.ts";
import { requireAllowedEmail, requireAllowedNetwork } from "./signup-blocks.ts";
import { asUsername, freeUsername } from "./usernames.ts";

/**
 * Signs in whoever Google says it is: the account linked before, the one with the same address, or a new one. An account
 * that never confirmed its address loses its name and password: who gave them was not shown to be the address's owner.
 */
export async function signInWithGoogle(
  ctx: Context,
  identity: GoogleIdentity,
  code?: string,
): Promise<{ viewer: Viewer; token: string; message: string }> {
  const { read } = ctx.database;
  const there =
    (await queries.userByGoogleId(read, identity.googleId)) ??
    (await queries.userByEmail(read, identity.email));
  // Before anything is linked: Google's word stands in place of the password, not of both steps.
  if (there) await passSecondStep(ctx, there, code, await knownBrowser(ctx, there.id));
  if (!there) {
    await requireAllowedNetwork(read, ctx.address);
    await requireAllowedEmail(read, identity.email);
  }
  const user = await ctx.database.write(async (tx): Promise<UserRow> => {
    const linked = await queries.userByGoogleId(tx, identity.googleId);
    if (linked) return linked;
    const now = Date.now();
    const known = await queries.userByEmail(tx, identity.email);
    const given = PersonName.safeParse([...identity.name].slice(0, limits.name.max).join(""));
    const name = given.data ?? "Writer";
    if (known) {
      const confirmed = known.verifiedAt !== null;
      const signUp = await queries.newestSignUp(tx, known.id);
      // A link of that sign-up would bring its password back.
      if (!confirmed) await queries.deleteMailTokens(tx, known.id, "verify");
      await queries.updateUser(tx, known.id, {
        googleId: identity.googleId,
        googleLinkedAt: now,
        ...(confirmed ? {} : { name, passwordHash: null }),
      });
      await completeSignup(tx, known, signUp ? signUp.answer : "");
    } else {
      const admitted = await claimInvitation(tx, undefined);
      await takeSignUp(tx, ctx);
      const id = newId(now);
      await queries.insertUser(tx, {
        id,
        ...asUsername(await freeUsername(tx, name, ctx.config.siteName)),
        email: identity.email,
        name,
        googleId: identity.googleId,
        googleLinkedAt: now,
        createdAt: now,
      });
      await completeSignup(tx, { id, verifiedAt: null }, admitted === "waits" ? "" : null);
    }
    return (await queries.userByEmail(tx, identity.email)) as UserRow;
  });
  if (user.verifiedAt === null) throw new SignupPendingError();
  return beginSession(ctx, user);
}

/** Keeps that Google has said who it is until the second step is shown, too; the secret is for the browser's cookie. */
export const keepIdentity = (ctx: Context, identity: GoogleIdentity): string =>
  ctx.challenges.begin("google", identity);

/** Goes on with a sign-in by Google that this browser began, by the code of the second step. */
export async function finishGoogle(
  ctx: Context,
  { code }: { code: string },
): Promise<{ viewer: Viewer; token: string; message: string }> {
  const identity = ctx.challenges.find("google", ctx.browser?.begun);
  if (!identity)
    throw new AppError("unauthorized", "That took too long. Please go back and try again with Google.");
  const signedIn = await signInWithGoogle(ctx, identity, code);
  ctx.challenges.take("google", ctx.browser?.begun);
  return signedIn;
}
