import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { challengeCookie, type ChallengeValue, type ChallengeKind } from "../auth/challenges.ts";
import { verifyOwnPassword } from "../auth/own-password.ts";
import {
  verifyAuthentication,
  verifyRegistration,
  registrationOptions,
  authenticationOptions,
} from "../auth/webauthn.ts";
import type { Context, MemberContext } from "../context.ts";
import { isDuplicate } from "../database/errors.ts";
import { userTopic } from "../live/stored-events.ts";
import { reportAccessChange } from "../accounts/access-report.ts";
import { ownAccount } from "../accounts/own-account.ts";
import * as queries from "./passkey-queries.ts";
import { updateUser, userById } from "../profiles/queries.ts";
import { deleteUnusedCodes } from "./second-step.ts";
import { beginSession, type SignedIn } from "./sign-in.ts";

const tooLate = () => new AppError("bad_request", "That took too long. Please try again.");

/** Returns options to create a passkey, after checking the password. */
export async function beginPasskey(ctx: MemberContext, { password }: { password: string }) {
  const user = await ownAccount(ctx);
  await verifyOwnPassword(ctx, user, password);
  await ctx.limits.take("access", user.id);
  const existing = await queries.passkeysOf(ctx.database.read, user.id);
  if (existing.length >= limits.passkeys.most)
    throw new AppError("conflict", "You have the maximum number of passkeys. Remove one first.");
  const options = await registrationOptions(ctx.config, user, existing);
  await startChallenge(ctx, "making", { userId: user.id, challenge: options.challenge });
  return { options };
}

/** Stores the created passkey. */
export async function addPasskey(
  ctx: MemberContext,
  { name, response }: { name: string; response: unknown },
): Promise<{ message: string }> {
  const user = await ownAccount(ctx);
  const challenge = await ctx.challenges.take("making", ctx.browser?.begun);
  if (challenge?.userId !== user.id) throw tooLate();
  const key = await verifyRegistration(ctx.config, response, challenge.challenge);
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

/** Removes a passkey, and with the last one the passkey step. */
export async function removePasskey(
  ctx: MemberContext,
  { id, password }: { id: string; password: string },
): Promise<{ message: string }> {
  const user = await ownAccount(ctx);
  await verifyOwnPassword(ctx, user, password);
  await ctx.database.write(async (tx) => {
    if (!(await queries.deletePasskey(tx, user.id, id))) throw passkeyNotFound();
    if ((await queries.countPasskeys(tx, user.id)) === 0) {
      await updateUser(tx, user.id, { passkeyStep: false });
      await deleteUnusedCodes(tx, user.id);
    }
    await reportAccessChange(tx, ctx, user, "A passkey was removed");
  });
  return { message: "Passkey removed." };
}

const passkeyNotFound = () => new AppError("not_found", "That passkey was already removed.");

/** Returns options to sign in with any passkey. */
export async function passkeyOptions(ctx: Context) {
  await ctx.limits.take("passkey", ctx.address);
  const options = await authenticationOptions(ctx.config);
  await startChallenge(ctx, "passkey", { challenge: options.challenge });
  return { options };
}

/** Signs in with a passkey, without a second step since the device verified its owner. */
export async function signInWithPasskey(
  ctx: Context,
  { response }: { response: { id: string; response: { userHandle?: string | undefined } } },
): Promise<SignedIn> {
  await ctx.limits.take("passkey", ctx.address);
  const challenge = await ctx.challenges.take("passkey", ctx.browser?.begun);
  if (!challenge) throw tooLate();
  const key = await queries.passkeyById(ctx.database.read, response.id);
  const user = key && (await userById(ctx.database.read, key.userId));
  if (!key || !user)
    throw new AppError(
      "unauthorized",
      "That passkey was removed from its account. Please sign in with your password.",
    );
  const counter = await verifyAuthentication(ctx.config, response, challenge.challenge, key);
  const { userHandle } = response.response;
  if (userHandle !== undefined && Buffer.from(userHandle, "base64url").toString() !== user.id)
    throw new AppError("unauthorized", "That passkey belongs to another account.");
  const exists = await ctx.database.write(async (tx) => {
    tx.emit(userTopic(user.id), { kind: "viewer.signInChanged" });
    return queries.updatePasskey(tx, key, { counter, usedAt: Date.now() });
  });
  if (!exists) throw passkeyNotFound();
  return beginSession(ctx, user);
}

/** Starts a challenge for this browser. */
async function startChallenge<Kind extends ChallengeKind>(
  ctx: Context,
  kind: Kind,
  value: ChallengeValue<Kind>,
): Promise<void> {
  ctx.setCookie(challengeCookie(await ctx.challenges.begin(kind, value), ctx.config.https));
}
