import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import type { SignInMethods, AuthenticatorSetup } from "../../shared/users.ts";
import {
  appSetup,
  isAppCode,
  newAppSecret,
  newRecoveryCode,
  recoveryHash,
  sealSecret,
  timeStepOf,
} from "../auth/second-step-codes.ts";
import { verifyOwnPassword } from "../auth/own-password.ts";
import type { Context, MemberContext, Services } from "../context.ts";
import type { Transaction } from "../database/writer.ts";
import { userTopic } from "../live/stored-events.ts";
import { reportAccessChange } from "../accounts/access-report.ts";
import { ownAccount } from "../accounts/own-account.ts";
import * as passkeys from "./passkey-queries.ts";
import { updateUser, userById, type UserRow } from "../profiles/queries.ts";
import * as queries from "./second-step-queries.ts";

const wrongCode = (code: "unauthorized" | "forbidden") =>
  new AppError(code, "That code is wrong or was already used. Enter the current one.", {
    field: "code",
  });

/** The password was right, but the second step is missing. */
export class SecondStepRequired extends AppError {
  constructor() {
    super(
      "forbidden",
      "This account needs a second step: a code from the authenticator app, or a recovery code. Programs send it as “code” with the password.",
      { field: "code" },
    );
  }
}

/**
 * Checks the second step after a password or Google. `knownBrowserKey` is the rate limit key of a known browser; others share
 * one. Throws `SecondStepRequired` without a code.
 */
export async function passSecondStep(
  ctx: Context,
  user: UserRow,
  code: string | undefined,
  knownBrowserKey: string | null,
): Promise<void> {
  const app = await queries.authenticatorOf(ctx.database.read, user.id);
  if (!app?.confirmedAt && !user.passkeyStep) return;
  if (code === undefined) throw new SecondStepRequired();
  const [rule, key] =
    knownBrowserKey === null ? (["code", user.id] as const) : (["codeKnown", knownBrowserKey] as const);
  await ctx.limits.take(rule, key);
  if (!(await acceptCode(ctx, user.id, app, code))) throw wrongCode("unauthorized");
  await ctx.limits.reset(rule, key);
}

/** Accepts a current code of the app, or a recovery code, once. */
async function acceptCode(
  ctx: Context,
  userId: string,
  app: queries.Authenticator | undefined,
  code: string,
): Promise<boolean> {
  if (!isAppCode(code))
    return ctx.database.write(async (tx) => {
      if (!(await queries.takeRecoveryCode(tx, userId, recoveryHash(userId, code)))) return false;
      tx.emit(userTopic(userId), { kind: "viewer.signInChanged" });
      return true;
    });
  if (!app?.confirmedAt) return false;
  const step = await timeStepOf(ctx.database.read, app, code, Date.now());
  return step !== undefined && ctx.database.write((tx) => queries.consumeTimeStep(tx, userId, step));
}

/** Returns the viewer's sign-in methods. */
export async function accessFacts(ctx: MemberContext): Promise<SignInMethods> {
  const { read } = ctx.database;
  const user = await ownAccount(ctx);
  const keys = await passkeys.passkeysOf(read, user.id);
  return {
    app: Boolean((await queries.authenticatorOf(read, user.id))?.confirmedAt),
    passkeyStep: user.passkeyStep,
    feedRenewals: user.feedRenewals,
    codesLeft: await queries.countRecoveryCodes(read, user.id),
    passkeys: keys.map(({ id, name, createdAt, usedAt }) => ({
      id,
      name,
      createdAt: new Date(createdAt).toISOString(),
      usedAt: usedAt === null ? null : new Date(usedAt).toISOString(),
    })),
  };
}

/** Sets up an app, which is inactive until its first code is entered. */
export async function beginApp(
  ctx: MemberContext,
  { password }: { password: string },
): Promise<AuthenticatorSetup> {
  const user = await ownAccount(ctx);
  await verifyOwnPassword(ctx, user, password);
  await ctx.limits.take("access", user.id);
  const secret = newAppSecret();
  const sealedSecret = await sealSecret(ctx.database.read, user.id, secret);
  await ctx.database.write(async (tx) => {
    if ((await queries.authenticatorOf(tx, user.id))?.confirmedAt)
      throw new AppError("conflict", "An authenticator app is already set up. Turn it off first.");
    await queries.putAuthenticator(tx, { userId: user.id, secret: sealedSecret, createdAt: Date.now() });
  });
  return appSetup(secret, { issuer: ctx.config.siteName, label: user.email });
}

/** Turns on the app by its first code. Returns recovery codes, shown only once. */
export async function confirmApp(
  ctx: MemberContext,
  { code }: { code: string },
): Promise<{ message: string; codes: string[] }> {
  const user = await ownAccount(ctx);
  const app = await queries.authenticatorOf(ctx.database.read, user.id);
  if (!app || app.confirmedAt !== null)
    throw new AppError("conflict", "The setup has expired. Please start again.");
  await ctx.limits.take("codeKnown", user.id);
  const step = await timeStepOf(ctx.database.read, app, code, Date.now());
  if (step === undefined) throw wrongCode("forbidden");
  const codes = await ctx.database.write(async (tx) => {
    const now = await queries.authenticatorOf(tx, user.id);
    if (now?.secret !== app.secret || !(await queries.consumeTimeStep(tx, user.id, step)))
      throw wrongCode("forbidden");
    await queries.confirmAuthenticator(tx, user.id, Date.now());
    await reportAccessChange(tx, ctx, user, "Two-factor authentication was turned on");
    return newCodes(tx, user.id);
  });
  return { message: "Two-factor authentication is on.", codes };
}

/** Turns the app off, and deletes recovery codes with the last second step. */
export async function turnAppOff(
  ctx: MemberContext,
  { password }: { password: string },
): Promise<{ message: string }> {
  const user = await ownAccount(ctx);
  await verifyOwnPassword(ctx, user, password);
  await ctx.limits.take("access", user.id);
  await ctx.database.write(async (tx) => {
    await queries.deleteAuthenticator(tx, user.id);
    await deleteUnusedCodes(tx, user.id);
    await reportAccessChange(tx, ctx, user, "The authenticator app was turned off");
  });
  return { message: "Authenticator app turned off." };
}

/** Sets whether a passkey is required after the password. */
export async function setPasskeyStep(
  ctx: MemberContext,
  { on, password }: { on: boolean; password: string },
): Promise<{ message: string; codes: string[] | null }> {
  const user = await ownAccount(ctx);
  await verifyOwnPassword(ctx, user, password);
  await ctx.limits.take("access", user.id);
  const codes = await ctx.database.write(async (tx) => {
    if (on && (await passkeys.countPasskeys(tx, user.id)) === 0)
      throw new AppError("conflict", "You don’t have a passkey yet. Add one first.");
    await updateUser(tx, user.id, { passkeyStep: on });
    await reportAccessChange(tx, ctx, user, `Two-factor authentication was turned ${on ? "on" : "off"}`);
    if (!on) await deleteUnusedCodes(tx, user.id);
    return on && (await queries.countRecoveryCodes(tx, user.id)) === 0 ? newCodes(tx, user.id) : null;
  });
  return {
    message: on
      ? "Your password alone is no longer enough to sign in."
      : "You can sign in with your password only again.",
    codes,
  };
}

/** Replaces the recovery codes, shown only once. */
export async function renewCodes(
  ctx: MemberContext,
  { password }: { password: string },
): Promise<{ codes: string[] }> {
  const user = await ownAccount(ctx);
  await verifyOwnPassword(ctx, user, password);
  await ctx.limits.take("access", user.id);
  const codes = await ctx.database.write(async (tx) => {
    if (!(await hasSecondStep(tx, user.id)))
      throw new AppError("conflict", "Turn on two-factor authentication first.");
    await reportAccessChange(tx, ctx, user, "New recovery codes were created");
    return newCodes(tx, user.id);
  });
  return { codes };
}

/**
 * Turns off all second steps for an operator, when a person lost device and codes. Also deletes passkeys, which a thief may
 * have added. `also` runs in the same transaction. Returns false for an unknown account.
 */
export async function turnOffSecondSteps(
  services: Pick<Services, "config" | "database">,
  userId: string,
  also?: (tx: Transaction) => Promise<void>,
): Promise<boolean> {
  return services.database.write(async (tx) => {
    const user = await userById(tx, userId);
    if (!user) return false;
    await queries.deleteAuthenticator(tx, userId);
    await passkeys.deletePasskeysSince(tx, userId, 0);
    await updateUser(tx, userId, { passkeyStep: false });
    await deleteUnusedCodes(tx, userId);
    await reportAccessChange(tx, services, user, "Two-factor authentication was turned off by an operator");
    await also?.(tx);
    return true;
  });
}

async function hasSecondStep(tx: Transaction, userId: string): Promise<boolean> {
  const app = await queries.authenticatorOf(tx, userId);
  return Boolean(app?.confirmedAt) || Boolean((await userById(tx, userId))?.passkeyStep);
}

/** Deletes recovery codes once no second step is left. */
export async function deleteUnusedCodes(tx: Transaction, userId: string): Promise<void> {
  if (!(await hasSecondStep(tx, userId))) await queries.putRecoveryCodes(tx, userId, []);
}

async function newCodes(tx: Transaction, userId: string): Promise<string[]> {
  const codes = Array.from({ length: limits.recoveryCodes }, newRecoveryCode);
  await queries.putRecoveryCodes(
    tx,
    userId,
    codes.map((code) => recoveryHash(userId, code)),
  );
  return codes;
}
