import { AppError } from "../../shared/errors.ts";
import type { Viewer } from "../../shared/users.ts";
import { pairKey } from "../auth/rate-limits.ts";
import { verifyPassword } from "../auth/passwords.ts";
import { hasSessionWithUserAgent } from "../auth/queries.ts";
import type { Context } from "../context.ts";
import { emails } from "../mail/email-texts.ts";
import { queueMail } from "../mail/mail-queue.ts";
import { isSignupPending, SignupPendingError } from "./sign-up-approval.ts";
import { sendSignUpReminder } from "./sign-up.ts";
import { rememberBrowser, knownBrowser } from "./known-browsers.ts";
import { issueUndo } from "./mail-links.ts";
import { presentViewer } from "../profiles/present.ts";
import type { Config } from "../runtime/config.ts";
import { storedSettings, type StoredSettings } from "../site/queries.ts";
import * as queries from "../profiles/queries.ts";
import type { UserRow } from "../profiles/queries.ts";
import { passSecondStep } from "./second-step.ts";

/** `token` is the secret, which scripts never get. */
export interface SignedIn {
  viewer: Viewer;
  token: string;
  message: string;
}

/** Signs in with a password. Only the right one reveals that an account is unverified, and resends its email. */
export async function signIn(
  ctx: Context,
  input: { email: string; password: string; code?: string | undefined },
): Promise<SignedIn> {
  const user = await queries.userByEmail(ctx.database.read, input.email);
  const { knownBrowserKey, resetLimit } = await countAttempt(ctx, input.email, user?.id);
  const isCorrect = await verifyPassword(user?.passwordHash, input.password);
  if (!user || !isCorrect) throw wrongCredentials();
  if (await isSignupPending(ctx, user)) throw new SignupPendingError();
  if (user.verifiedAt === null) {
    // The link must belong to this password, not to the address's last sign-up.
    const isSent = await sendSignUpReminder(ctx, user, { name: user.name, passwordHash: user.passwordHash });
    const hint = isSent ? "we’ve sent you the link again" : "the link is in the emails we sent you";
    throw new AppError("forbidden", `Please confirm your email address first: ${hint}.`);
  }
  await passSecondStep(ctx, user, input.code, knownBrowserKey);
  await resetLimit();
  return beginSession(ctx, user);
}

/**
 * Counts an attempt. Known browsers and recent password resets count separately, so that strangers cannot lock them out
 * (docs/decisions/0012-accounts-sessions-and-two-factor.md).
 */
async function countAttempt(
  ctx: Context,
  email: string,
  userId: string | undefined,
): Promise<{ knownBrowserKey: string | null; resetLimit: () => Promise<void> }> {
  const pair = pairKey(ctx.address, email);
  const knownBrowserKey =
    (await knownBrowser(ctx, userId)) ?? ((await ctx.limits.isExempt(pair)) ? pair : null);
  if (knownBrowserKey !== null) {
    await ctx.limits.take("signInKnown", knownBrowserKey);
    return { knownBrowserKey, resetLimit: () => ctx.limits.reset("signInKnown", knownBrowserKey) };
  }
  await ctx.limits.take("signInAddress", ctx.address);
  await ctx.limits.take("signInPair", pair);
  return { knownBrowserKey, resetLimit: () => ctx.limits.reset("signInPair", pair) };
}

/** Only for the account's proven owner. Says whom to write to. */
async function suspended(ctx: Context, { suspensionReason }: UserRow): Promise<AppError> {
  const contact =
    contactOf(await storedSettings(ctx.database.read), ctx.config) ?? "the people who run the site";
  const reason = suspensionReason ? `: ${suspensionReason.replace(/\.$/, "")}` : "";
  return new AppError(
    "forbidden",
    `This account is suspended${reason}. If you think this is a mistake, write to ${contact}.`,
  );
}

/** Returns the site's address to write to: as set, or else the sender of its emails, if somebody can read answers there. */
function contactOf(
  { securityContact }: StoredSettings,
  { mailFrom = "" }: Pick<Config, "mailFrom">,
): string | undefined {
  const [sender = ""] = /[^\s<>]+@[^\s<>]+/.exec(mailFrom) ?? [];
  return securityContact || (/^(no|do-?not)-?reply@/i.test(sender) ? "" : sender) || undefined;
}

const wrongCredentials = () => new AppError("unauthorized", "That email address and password don’t match.");

/** Returns whether to email the owner: for an unknown browser, or a program without a session. Not for the first sign-in. */
async function shouldReportSignIn(ctx: Context, user: UserRow): Promise<boolean> {
  if (user.signedInAt === null) return false;
  const isKnownBrowser = ctx.browser
    ? (await knownBrowser(ctx, user.id)) !== null
    : await hasSessionWithUserAgent(ctx.database.read, user.id, ctx.userAgent);
  if (isKnownBrowser) return false;
  return ctx.limits.take("mailTo", `sign-in ${user.email}`).then(
    () => true,
    () => false,
  );
}

/** Starts a session for an authenticated person, replaces the browser's, and sets its cookie. */
export async function beginSession(ctx: Context, user: UserRow): Promise<SignedIn> {
  if (user.suspendedAt !== null) throw await suspended(ctx, user);
  const shouldReport = await shouldReportSignIn(ctx, user);
  const session = await ctx.sessions.begin(user.id, ctx.userAgent);
  const confirmed = await ctx.database.write(async (tx) => {
    // Checked again: a password change, undo or suspension before the session existed has not ended it.
    const current = await queries.userById(tx, user.id);
    const isUnchanged = current?.passwordHash === user.passwordHash && current.googleId === user.googleId;
    if (!isUnchanged || current.suspendedAt !== null) return undefined;
    await queries.updateUser(tx, user.id, { signedInAt: Date.now() });
    if (shouldReport)
      await queueMail(tx, emails.newSignIn(ctx.config, current, ctx, await issueUndo(tx, current)));
    return { cookie: await rememberBrowser(tx, ctx, user.id) };
  });
  if (!confirmed) {
    await ctx.sessions.end(session.token);
    throw wrongCredentials();
  }
  ctx.setCookie(session.cookie);
  if (confirmed.cookie) ctx.setCookie(confirmed.cookie);
  if (ctx.browser?.token) await ctx.sessions.end(ctx.browser.token);
  return {
    viewer: presentViewer(user, session.handle),
    token: session.token,
    message: `Welcome, ${user.name}.`,
  };
}
