import { AppError } from "../../shared/errors.ts";
import { hashPassword, rejectCommonPassword, rejectPersonalPassword } from "../auth/passwords.ts";
import type { Context } from "../context.ts";
import { isDuplicate } from "../database/errors.ts";
import type { Transaction } from "../database/writer.ts";
import { hashSecret, newId } from "../runtime/ids.ts";
import { searchTopic } from "../live/stored-events.ts";
import { emails } from "../mail/email-texts.ts";
import { requireSignupAllowed, isWithinPlaces } from "./sign-up-policy.ts";
import { findSignupRequest } from "./sign-up-request-queries.ts";
import { completeSignup, unknownGrounds } from "./sign-up-approval.ts";
import {
  issueToken,
  ownerOfLink,
  sendMail,
  sendNoMail,
  invalidLinkError,
  type SignUpValues,
} from "./mail-links.ts";
import * as queries from "../profiles/queries.ts";
import type { UserRow } from "../profiles/queries.ts";
import { countSignUp } from "../profiles/quotas.ts";
import { requireAllowedEmail, requireAllowedNetwork } from "./sign-up-blocks.ts";
import { storedSettings } from "../site/queries.ts";
import { withSkeleton, claimUsername, freeUsername } from "../profiles/usernames.ts";

const checkEmailMessage = "Please check your email: we sent you a link to confirm your address.";

/**
 * Adds an account with a confirmed address, for the person who runs the site; `also` runs in its transaction. Without a password,
 * its owner sets one by email. Throws `conflict`.
 */
export async function addAccount(
  services: Pick<Context, "config" | "database">,
  input: { name: string; email: string; password?: string; username?: string; isAdmin?: boolean },
  also?: (tx: Transaction, added: { id: string; isAdmin: boolean }) => Promise<void>,
): Promise<{ id: string; username: string }> {
  const { password } = input;
  if (password !== undefined) {
    rejectCommonPassword(password);
    rejectPersonalPassword(password, input);
  }
  const passwordHash = password === undefined ? null : await hashPassword(password);
  const id = newId();
  const now = Date.now();
  try {
    const username = await services.database.write(async (tx) => {
      const { siteName } = services.config;
      // Somebody else's sign-up does not reserve the address.
      await queries.deleteUnconfirmed(tx, input.email);
      if (input.username !== undefined) await claimUsername(tx, input.username, { siteName, now });
      const name = input.username ?? (await freeUsername(tx, input.name, siteName));
      const isAdmin = input.isAdmin ?? (await queries.hasNoVerifiedUser(tx));
      await queries.insertUser(tx, {
        id,
        ...withSkeleton(name),
        email: input.email,
        name: input.name,
        passwordHash,
        isAdmin,
        verifiedAt: now,
        createdAt: now,
      });
      tx.emit(searchTopic, { kind: "search.people" });
      await also?.(tx, { id, isAdmin });
      return name;
    });
    return { id, username };
  } catch (error) {
    if (isDuplicate(error, "users.email"))
      throw new AppError("conflict", "There’s already an account with that email address.", {
        field: "email",
      });
    throw error;
  }
}

/** Returns the task for a browser while the form is filled in; null if none is required. */
export const beginSignUp = async (ctx: Context): Promise<{ task: string | null }> => ({
  task: (await requiresProofOfWork(ctx)) ? await ctx.proofOfWork.issue() : null,
});

/** Browsers only: programs are limited by network, or cannot sign up. */
async function requiresProofOfWork(ctx: Context): Promise<boolean> {
  const { signUpWork } = await storedSettings(ctx.database.read);
  if (signUpWork === "only" && !ctx.browser)
    throw new AppError("forbidden", "You can only sign up on the site itself. Please sign up there.");
  return ctx.config.rateLimit && ctx.browser !== null && signUpWork !== "off";
}

async function verifyProofOfWork(ctx: Context, solution: string | undefined): Promise<void> {
  if (!(await requiresProofOfWork(ctx))) return;
  if (solution === undefined || !(await ctx.proofOfWork.redeem(solution)))
    throw new AppError(
      "forbidden",
      "Your browser couldn’t complete the check against bots. Please try again. If that doesn’t help, update it or use another one.",
      { field: "work" },
    );
}

/** Signs up. The response does not reveal whether the address has an account. */
export async function signUp(
  ctx: Context,
  input: {
    name: string;
    email: string;
    password: string;
    invitation?: string | undefined;
    answer?: string;
    contact_url?: string;
    work?: string | undefined;
  },
): Promise<{ message: string }> {
  await requireAllowedNetwork(ctx.database.read, ctx.address);
  await requireAllowedEmail(ctx.database.read, input.email);
  // An honest answer, since some browsers fill in hidden fields, too.
  if (input.contact_url)
    throw new AppError(
      "bad_request",
      "The hidden field “contact_url” was filled in, as bots do. Please leave it empty.",
      { field: "contact_url" },
    );
  const outcome = await requireSignupAllowed(ctx.database.read, input);
  const answer = outcome === "waits" ? (input.answer ?? "") : null;
  const invitation = outcome === "invited" ? (input.invitation ?? null) : null;
  rejectCommonPassword(input.password);
  rejectPersonalPassword(input.password, input);
  await verifyProofOfWork(ctx, input.work);
  // In its own transaction, before any costly work and look-up of the address, so that all attempts count. Invitations have
  // their own limit, as many sign-ups at a time as places.
  await ctx.database.write(async (tx) => {
    if (!(invitation && (await isWithinPlaces(tx, invitation)))) await countSignUp(tx, ctx);
  });
  const passwordHash = await hashPassword(input.password);
  const existing = await queries.userByEmail(ctx.database.read, input.email);
  if (existing) {
    await sendSignUpReminder(ctx, existing, { name: input.name, passwordHash, answer, invitation });
    return { message: checkEmailMessage };
  }
  const id = newId();
  try {
    await sendMail(ctx, "verify", input.email, async (tx) => {
      const username = await freeUsername(tx, input.name, ctx.config.siteName);
      await queries.insertUser(tx, {
        id,
        ...withSkeleton(username),
        email: input.email,
        name: input.name,
        passwordHash,
        createdAt: Date.now(),
      });
      const token = await issueToken(tx, id, "verify", {
        name: input.name,
        passwordHash,
        answer,
        invitation,
      });
      return emails.verify(ctx.config, input, token);
    });
  } catch (error) {
    // A concurrent sign-up with this address has sent its email.
    if (!isDuplicate(error, "users.email")) throw error;
  }
  return { message: checkEmailMessage };
}

/**
 * Emails that the account exists, or how to confirm it. `signUpValues` is the sign-up concerned, if known. Returns false if too
 * many emails went there.
 */
export function sendSignUpReminder(
  ctx: Context,
  user: UserRow,
  signUpValues?: SignUpValues,
): Promise<boolean> {
  if (user.verifiedAt !== null)
    return sendMail(ctx, "there-already", user.email, async (tx) => {
      await queries.writeDummyValue(tx, Date.now());
      return emails.alreadyThere(ctx.config, user);
    });
  return sendMail(ctx, "verify", user.email, async (tx) => {
    if (await findSignupRequest(tx, user.id)) {
      await queries.writeDummyValue(tx, Date.now());
      return emails.signupPending(ctx.config, user);
    }
    // The answer and the invitation may have expired, but the account still needs approval.
    const newest = (await queries.newestSignUp(tx, user.id)) ?? unknownGrounds;
    const values: Partial<SignUpValues> = signUpValues ?? newest;
    const token = await issueToken(tx, user.id, "verify", {
      ...values,
      answer: values.answer ?? newest.answer,
      invitation: values.invitation ?? newest.invitation,
    });
    return emails.verify(ctx.config, { email: user.email, name: values.name ?? user.name }, token);
  });
}

/** Sends the confirmation email again. The response is always the same. */
export async function resendVerification(
  ctx: Context,
  input: { email: string },
): Promise<{ message: string }> {
  await ctx.limits.take("resendVerification", ctx.address);
  const user = await queries.userByEmail(ctx.database.read, input.email);
  if (user) await sendSignUpReminder(ctx, user);
  else await sendNoMail(ctx);
  return { message: checkEmailMessage };
}

interface Confirmed {
  message: string;
  /** Moderators have to approve the account. */
  waits: boolean;
  /** Prefills the sign-in form; null if the link was used before. */
  email: string | null;
}

/** Confirms an address. A site's first account may become administrator. Idempotent for the signed-in owner. */
export async function verifyEmail(ctx: Context, input: { token: string }): Promise<Confirmed> {
  const advice = "Sign in to get a new one.";
  const hash = hashSecret(input.token);
  if (ctx.viewer) {
    const owner = await queries.userByMailToken(ctx.database.read, hash, "verified", Date.now());
    if (owner?.id === ctx.viewer.id)
      return { message: "Your address is confirmed.", waits: false, email: null };
  }
  await ownerOfLink(ctx, input.token, "verify", advice);
  const [isIn, email] = await ctx.database.write(async (tx) => {
    const token = await queries.takeMailToken(tx, hash, "verify", Date.now());
    const user = token && (await queries.userById(tx, token.userId));
    if (!user) throw invalidLinkError(advice);
    await queries.deleteMailTokens(tx, user.id, "verify");
    const { name, passwordHash, userId, expiresAt } = token;
    await queries.insertMailToken(tx, { hash, kind: "verified", userId, expiresAt });
    await queries.updateUser(tx, user.id, {
      ...(name ? { name } : {}),
      ...(passwordHash ? { passwordHash } : {}),
    });
    return [await completeSignup(tx, ctx.config, user, token), user.email] as const;
  });
  return {
    waits: !isIn,
    email,
    message: isIn
      ? "Your address is confirmed. You can sign in now."
      : "Your address is confirmed. The moderators review new accounts. We’ll email you as soon as they decide.",
  };
}
