import { AppError } from "../../shared/errors.ts";
import type { Viewer } from "../../shared/users.ts";
import { pairOf } from "../auth/limits.ts";
import { isPassword } from "../auth/passwords.ts";
import { hasSessionOf } from "../auth/queries.ts";
import type { Context } from "../context.ts";
import { emails } from "../mail/emails.ts";
import { post } from "../mail/post.ts";
import { isSignupPending, SignupPendingError } from "./signup-approval.ts";
import { remind } from "./accounts.ts";
import { keepBrowser, knownBrowser } from "./browsers.ts";
import { issueUndo } from "./mail-links.ts";
import { presentViewer } from "./present.ts";
import * as queries from "./queries.ts";
import type { UserRow } from "./queries.ts";
import { passSecondStep } from "./second-step.ts";

/** Somebody who is signed in now: `token` is the secret, which a page's script never gets. */
export interface SignedIn {
  viewer: Viewer;
  token: string;
  message: string;
}

/** Signs in with a password. An unverified account gets its mail again and is told so; only the right password learns that. */
export async function signIn(
  ctx: Context,
  input: { email: string; password: string; code?: string | undefined },
): Promise<SignedIn> {
  const user = await queries.userByEmail(ctx.database.read, input.email);
  const { known, forgive } = await countTry(ctx, input.email, user?.id);
  const right = await isPassword(user?.passwordHash, input.password);
  if (!user || !right) throw wrongPair();
  if (await isSignupPending(ctx, user)) throw new SignupPendingError();
  if (user.verifiedAt === null) {
    // The link is for whoever knows this password, not for who signed up with the address last.
    const isSent = await remind(ctx, user, { name: user.name, passwordHash: user.passwordHash });
    const where = isSent ? "we’ve sent you the link again" : "the link is in the emails we sent you";
    throw new AppError("forbidden", `Please confirm your email address first: ${where}.`);
  }
  await passSecondStep(ctx, user, input.code, known);
  await forgive();
  return beginSession(ctx, user);
}

/**
 * Counts a try. A browser that signed in to the account before, and whoever has just chosen its password anew, have a count of
 * their own: what others try, for this account or from this address, does not lock them out (docs/decisions/0015-locked-out.md).
 */
async function countTry(
  ctx: Context,
  email: string,
  userId: string | undefined,
): Promise<{ known: string | null; forgive: () => Promise<void> }> {
  const pair = pairOf(ctx.address, email);
  const known = (await knownBrowser(ctx, userId)) ?? (ctx.limits.isLetThrough(pair) ? pair : null);
  if (known !== null) {
    await ctx.limits.take("signInKnown", known);
    return { known, forgive: () => ctx.limits.forgive("signInKnown", known) };
  }
  await ctx.limits.take("signInAddress", ctx.address);
  await ctx.limits.take("signInPair", pair);
  return { known, forgive: () => ctx.limits.forgive("signInPair", pair) };
}

/** For whoever has shown that it is their account. */
const suspended = ({ suspensionReason }: UserRow) =>
  new AppError(
    "forbidden",
    `This account is suspended${suspensionReason ? `: ${suspensionReason}` : "."} If you think this is a mistake, contact the people who run the site.`,
  );

const wrongPair = () => new AppError("unauthorized", "That email address and password don’t match.");

/**
 * Whether the account's owner hears of a sign-in: from a browser that has not signed in to it before, or a program of a name
 * that is not signed in. Not of the first one after the sign-up.
 */
async function isToBeTold(ctx: Context, user: UserRow): Promise<boolean> {
  if (user.signedInAt === null) return false;
  const isKnown = ctx.browser
    ? (await knownBrowser(ctx, user.id)) !== null
    : await hasSessionOf(ctx.database.read, user.id, ctx.userAgent);
  if (isKnown) return false;
  return ctx.limits.take("mailTo", `sign-in ${user.email}`).then(
    () => true,
    () => false,
  );
}

/** Starts a session for somebody who has shown who they are, in place of the one that the browser held, and sets its cookie. */
export async function beginSession(ctx: Context, user: UserRow): Promise<SignedIn> {
  if (user.suspendedAt !== null) throw suspended(user);
  const isNews = await isToBeTold(ctx, user);
  const session = await ctx.sessions.begin(user.id, ctx.userAgent);
  const known = await ctx.database.write(async (tx) => {
    // Looked at once more now that there is a session: what came in between, a new password, an undo or a suspension, has not ended it.
    const now = await queries.userById(tx, user.id);
    const isSame = now?.passwordHash === user.passwordHash && now.googleId === user.googleId;
    if (!isSame || now.suspendedAt !== null) return undefined;
    await queries.updateUser(tx, user.id, { signedInAt: Date.now() });
    if (isNews) await post(tx, emails.newSignIn(ctx.config, now, ctx, await issueUndo(tx, now)));
    return { cookie: await keepBrowser(tx, ctx, user.id) };
  });
  if (!known) {
    await ctx.sessions.end(session.token);
    throw wrongPair();
  }
  ctx.setCookie(session.cookie);
  if (known.cookie) ctx.setCookie(known.cookie);
  if (ctx.browser?.token) await ctx.sessions.end(ctx.browser.token);
  return {
    viewer: presentViewer(user, session.handle),
    token: session.token,
    message: `Welcome, ${user.name}.`,
  };
}
