import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { begunCookie, type BegunAs, type BegunKind } from "../auth/challenges.ts";
import { askOwnPassword } from "../auth/own-password.ts";
import { checkAnswer, checkCreated, creationOptions, requestOptions } from "../auth/webauthn.ts";
import type { Context, MemberContext } from "../context.ts";
import { isDuplicate } from "../database/errors.ts";
import { userTopic } from "../live/stored-events.ts";
import { reportAccessChange } from "./access-report.ts";
import { ownAccount } from "./own-account.ts";
import * as queries from "./passkey-queries.ts";
import { updateUser, userById } from "./queries.ts";
import { dropNeedlessCodes } from "./second-step.ts";
import { beginSession, type SignedIn } from "./sign-in.ts";

const tooLate = () => new AppError("bad_request", "That took too long. Please try again.");

/** Has this browser make a passkey, for whoever knows the password. */
export async function beginPasskey(ctx: MemberContext, { password }: { password: string }) {
  const user = await ownAccount(ctx);
  await askOwnPassword(ctx, user, password);
  await ctx.limits.take("access", user.id);
  const known = await queries.passkeysOf(ctx.database.read, user.id);
  if (known.length >= limits.passkeys.most)
    throw new AppError("conflict", "You have the maximum number of passkeys. Remove one first.");
  const options = await creationOptions(ctx.config, user, known);
  begin(ctx, "making", { userId: user.id, challenge: options.challenge });
  return { options };
}

/** Keeps the passkey that this browser was asked to make. */
export async function addPasskey(
  ctx: MemberContext,
  { name, response }: { name: string; response: unknown },
): Promise<{ message: string }> {
  const user = await ownAccount(ctx);
  const begun = ctx.challenges.take("making", ctx.browser?.begun);
  if (begun?.userId !== user.id) throw tooLate();
  const key = await checkCreated(ctx.config, response, begun.challenge);
  try {
    await ctx.database.write(async (tx) => {
      await queries.insertPasskey(tx, { ...key, userId: user.id, name, createdAt: Date.now() });
      await reportAccessChange(tx, ctx, user, "A passkey was added");
    });
  } catch (error) {
    if (!isDuplicate(error, "passkeys.id")) throw error;
    throw new AppError("conflict", "That passkey is already added.");
  }
  return { message: "Passkey added. You can sign in with it now." };
}

/** Removes a passkey; what it can do no more without one is turned off. */
export async function removePasskey(
  ctx: MemberContext,
  { id, password }: { id: string; password: string },
): Promise<{ message: string }> {
  const user = await ownAccount(ctx);
  await askOwnPassword(ctx, user, password);
  await ctx.database.write(async (tx) => {
    if (!(await queries.deletePasskey(tx, user.id, id))) throw notThere();
    if ((await queries.countPasskeys(tx, user.id)) === 0) {
      await updateUser(tx, user.id, { passkeyStep: false });
      await dropNeedlessCodes(tx, user.id);
    }
    await reportAccessChange(tx, ctx, user, "A passkey was removed");
  });
  return { message: "Passkey removed." };
}

const notThere = () => new AppError("not_found", "That passkey was already removed.");

/** Asks this browser for a passkey of the site, whoever's it is. */
export async function passkeyOptions(ctx: Context) {
  await ctx.limits.take("passkey", ctx.address);
  const options = await requestOptions(ctx.config);
  begin(ctx, "passkey", { challenge: options.challenge });
  return { options };
}

/**
 * Signs in with a passkey alone. The device has asked for a finger, a face or a PIN: it is two steps in one, so that nothing else
 * is asked for.
 */
export async function signInWithPasskey(
  ctx: Context,
  { response }: { response: { id: string; response: { userHandle?: string | undefined } } },
): Promise<SignedIn> {
  await ctx.limits.take("passkey", ctx.address);
  const begun = ctx.challenges.take("passkey", ctx.browser?.begun);
  if (!begun) throw tooLate();
  const key = await queries.passkeyById(ctx.database.read, response.id);
  const user = key && (await userById(ctx.database.read, key.userId));
  if (!key || !user)
    throw new AppError(
      "unauthorized",
      "That passkey was removed from its account. Please sign in with your password.",
    );
  const counter = await checkAnswer(ctx.config, response, begun.challenge, key);
  const { userHandle } = response.response;
  if (userHandle !== undefined && Buffer.from(userHandle, "base64url").toString() !== user.id)
    throw new AppError("unauthorized", "That passkey belongs to another account.");
  const isThere = await ctx.database.write(async (tx) => {
    await tx.emit(userTopic(user.id), { kind: "viewer.signInChanged" });
    return queries.updatePasskey(tx, key, { counter, usedAt: Date.now() });
  });
  if (!isThere) throw notThere();
  return beginSession(ctx, user);
}

/** Begins what this browser alone can go on with, once and soon. */
function begin<Kind extends BegunKind>(ctx: Context, kind: Kind, value: BegunAs<Kind>): void {
  ctx.setCookie(begunCookie(ctx.challenges.begin(kind, value), ctx.config.https));
}
