import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { PersonName, type Viewer } from "../../shared/users.ts";
import type { GoogleIdentity } from "../auth/google.ts";
import type { Context } from "../context.ts";
import { newId } from "../runtime/ids.ts";
import { requireSignupAllowed } from "./sign-up-policy.ts";
import { completeSignup, unknownGrounds, SignupPendingError } from "./sign-up-approval.ts";
import * as queries from "../profiles/queries.ts";
import type { UserRow } from "../profiles/queries.ts";
import { countSignUp } from "../profiles/quotas.ts";
import { knownBrowser } from "./known-browsers.ts";
import { passSecondStep } from "./second-step.ts";
import { beginSession } from "./sign-in.ts";
import { requireAllowedEmail, requireAllowedNetwork } from "./sign-up-blocks.ts";
import { withSkeleton, freeUsername } from "../profiles/usernames.ts";

/**
 * Signs in the linked account, the one with this address, or a new one. An unconfirmed account loses its name and password,
 * which another person may have set. `onSecondStep` may still refuse.
 */
export async function signInWithGoogle(
  ctx: Context,
  identity: GoogleIdentity,
  code?: string,
  onSecondStep?: () => Promise<void>,
): Promise<{ viewer: Viewer; token: string; message: string }> {
  const { read } = ctx.database;
  const existing =
    (await queries.userByGoogleId(read, identity.googleId)) ??
    (await queries.userByEmail(read, identity.email));
  // Before linking: Google replaces the password, not the second step.
  if (existing) await passSecondStep(ctx, existing, code, await knownBrowser(ctx, existing.id));
  await onSecondStep?.();
  if (!existing) {
    await requireAllowedNetwork(read, ctx.address);
    await requireAllowedEmail(read, identity.email);
  }
  const user = await ctx.database.write(async (tx): Promise<UserRow> => {
    const linkedUser = await queries.userByGoogleId(tx, identity.googleId);
    if (linkedUser) return linkedUser;
    const now = Date.now();
    const existingUser = await queries.userByEmail(tx, identity.email);
    const parsedName = PersonName.safeParse([...identity.name].slice(0, limits.name.max).join(""));
    const name = parsedName.data ?? "Writer";
    if (existingUser) {
      const isConfirmed = existingUser.verifiedAt !== null;
      const signUp = await queries.newestSignUp(tx, existingUser.id);
      // Its link would restore that sign-up's password.
      if (!isConfirmed) await queries.deleteMailTokens(tx, existingUser.id, "verify");
      await queries.updateUser(tx, existingUser.id, {
        googleId: identity.googleId,
        googleLinkedAt: now,
        ...(isConfirmed ? {} : { name, passwordHash: null }),
      });
      await completeSignup(tx, ctx.config, existingUser, signUp ?? unknownGrounds);
    } else {
      const outcome = await requireSignupAllowed(tx, {});
      await countSignUp(tx, ctx);
      const id = newId(now);
      await queries.insertUser(tx, {
        id,
        ...withSkeleton(await freeUsername(tx, name, ctx.config.siteName)),
        email: identity.email,
        name,
        googleId: identity.googleId,
        googleLinkedAt: now,
        createdAt: now,
      });
      await completeSignup(
        tx,
        ctx.config,
        { id, verifiedAt: null },
        { answer: outcome === "waits" ? "" : null, invitation: null },
      );
    }
    return (await queries.userByEmail(tx, identity.email)) as UserRow;
  });
  if (user.verifiedAt === null) throw new SignupPendingError();
  return beginSession(ctx, user);
}

/** Completes this browser's Google sign-in with the second step. */
export async function finishGoogle(
  ctx: Context,
  { code }: { code: string },
): Promise<{ viewer: Viewer; token: string; message: string }> {
  const identity = await ctx.challenges.find("google", ctx.browser?.begun);
  if (!identity) throw tooLate();
  return signInWithGoogle(ctx, identity, code, async () => {
    if (!(await ctx.challenges.take("google", ctx.browser?.begun))) throw tooLate();
  });
}

const tooLate = () =>
  new AppError("unauthorized", "That took too long. Please go back and try again with Google.");
