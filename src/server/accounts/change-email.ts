import type { z } from "zod";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import type { EmailChange } from "../../shared/users.ts";
import { verifyOwnPassword } from "../auth/own-password.ts";
import type { Context, MemberContext } from "../context.ts";
import { isDuplicate } from "../database/errors.ts";
import type { Transaction } from "../database/writer.ts";
import { hashSecret } from "../runtime/ids.ts";
import { userTopic } from "../live/stored-events.ts";
import { emails } from "../mail/email-texts.ts";
import type { Mail } from "../mail/mailer.ts";
import { queueMail } from "../mail/mail-queue.ts";
import {
  issueToken,
  ownerOfLink,
  requireAddress,
  sendMail,
  invalidLinkError,
} from "../sign-in/mail-links.ts";
import { ownAccount } from "./own-account.ts";
import * as queries from "../profiles/queries.ts";
import { type LinkKind, type UserRow, updateUser } from "../profiles/queries.ts";
import { requireAllowedEmail } from "../sign-in/sign-up-blocks.ts";
import { endOtherSessions, requireSession } from "./sessions.ts";
import { endSessions } from "../sign-in/end-sessions.ts";
import { countPasskeys, deletePasskeysSince } from "../sign-in/passkey-queries.ts";
import {
  authenticatorOf,
  countRecoveryCodes,
  deleteAuthenticator,
  deleteRecoveryCodesSince,
} from "../sign-in/second-step-queries.ts";
import { deleteUnusedCodes } from "../sign-in/second-step.ts";

/*
 * An address changes by emailed links: without a password, one to the old address allows it; one to the new address does it;
 * one to the old address can undo it for some days.
 */

const day = 24 * 60 * 60 * 1000;
const advice = "Please ask for a new one in your settings.";
const tooMany = () =>
  new AppError("too_many", "We’ve already sent several emails there. Please open the latest one.", {
    field: "email",
    retryAfter: 3600,
  });

/**
 * Requests a new address, with the password if there is one. The response does not reveal whether that address has an account.
 */
export async function changeEmail(
  ctx: MemberContext,
  { email, password }: z.output<typeof EmailChange>,
): Promise<{ message: string }> {
  const user = await ownAccount(ctx);
  if (email === user.email)
    throw new AppError("bad_request", "That’s already your address.", { field: "email" });
  await requireAllowedEmail(ctx.database.read, email);
  const session = ctx.session?.handle ?? null;
  if (user.passwordHash === null) {
    await ctx.limits.take("access", user.id);
    const isSent = await sendMail(ctx, "allow-email", user.email, async (tx) => {
      await requireSession(tx, ctx.session);
      await requireAddress(tx, user);
      const token = await issueToken(tx, user.id, "allow-email", { email, session });
      return emails.allowEmail(ctx.config, user, email, token);
    });
    if (!isSent) throw tooMany();
    return { message: `We sent a link to ${user.email}. Open it, and we’ll send one to the new address.` };
  }
  await verifyOwnPassword(ctx, user, password ?? "");
  await ctx.limits.take("access", user.id);
  const compose = await composeMailToNew(ctx, user, email, session);
  const isSent = await sendMail(ctx, "email", email, async (tx) => {
    // An undo may have ended the caller's session meanwhile.
    await requireSession(tx, ctx.session);
    return compose(tx);
  });
  if (!isSent) throw tooMany();
  return { message: sentTo(email) };
}

const sentTo = (email: string) => `We sent a link to ${email}. Your address changes when you open it.`;

/** Composes the email to the new address, at the same cost if it has an account. */
async function composeMailToNew(
  ctx: Context,
  user: UserRow,
  email: string,
  session: string | null,
): Promise<(tx: Transaction) => Promise<Mail>> {
  const owner = await queries.userByEmail(ctx.database.read, email);
  return async (tx) => {
    if (owner && owner.verifiedAt !== null) {
      await queries.writeDummyValue(tx, Date.now());
      return emails.emailTaken(ctx.config, email);
    }
    const token = await issueToken(tx, user.id, "email", { email, session });
    return emails.newEmail(ctx.config, { email, name: user.name }, token);
  };
}

/** Follows a link about an address, once. Throws `bad_request` if it is invalid. */
export async function followEmailLink(
  ctx: Context,
  { token }: { token: string },
): Promise<{ title: string; message: string }> {
  const link = await queries.mailLink(ctx.database.read, hashSecret(token));
  if (link?.kind === "allow-email") return allowEmail(ctx, token, link);
  if (link?.kind === "undo-email" || link?.kind === "undo-access") return undoChange(ctx, token, link.kind);
  return setEmail(ctx, token);
}

/** Deletes and returns a link with its account. */
async function takeLink(tx: Transaction, token: string, kind: LinkKind) {
  const link = await queries.takeMailToken(tx, hashSecret(token), kind, Date.now());
  const user = link && (await queries.userById(tx, link.userId));
  if (!link?.email || !user) throw invalidLinkError(advice);
  return { ...link, email: link.email, user };
}

async function allowEmail(
  ctx: Context,
  token: string,
  { email: newEmail, session }: { email: string | null; session: string | null },
): Promise<{ title: string; message: string }> {
  const user = await ownerOfLink(ctx, token, "allow-email", advice);
  const email = newEmail ?? "";
  const compose = await composeMailToNew(ctx, user, email, session);
  const isSent = await sendMail(ctx, "email", email, async (tx) => {
    await takeLink(tx, token, "allow-email");
    return compose(tx);
  });
  if (!isSent) throw tooMany();
  return { title: "One more link", message: sentTo(email) };
}

/** Changes the address. Ends every session except the requester's and the caller's. */
async function setEmail(ctx: Context, token: string): Promise<{ title: string; message: string }> {
  await ownerOfLink(ctx, token, "email", advice);
  const { email, newCookie } = await ctx.database
    .write(async (tx) => {
      const link = await takeLink(tx, token, "email");
      const { user } = link;
      await queries.deleteUnconfirmed(tx, link.email);
      await queries.updateUser(tx, user.id, { email: link.email });
      const undo = await issueToken(tx, user.id, "undo-email", { email: user.email });
      await queueMail(tx, emails.emailChanged(ctx.config, user, link.email, undo));
      tx.emit(userTopic(user.id), { kind: "viewer.profileChanged" });
      return {
        email: link.email,
        newCookie: await endOtherSessions(tx, ctx, user.id, link.session),
      };
    })
    .catch(rethrowAsTaken);
  if (newCookie) ctx.setCookie(newCookie);
  return {
    title: "Your address is changed",
    message: `You sign in as ${email} from now on. You’ve been signed out everywhere else.`,
  };
}

/**
 * Restores an account to the address that got the email. Removes the password and recent sign-in methods, ends all sessions,
 * and emails a link for a new password.
 */
async function undoChange(
  ctx: Context,
  token: string,
  kind: "undo-email" | "undo-access",
): Promise<{ title: string; message: string }> {
  const { email, isRestored } = await ctx.database
    .write(async (tx) => {
      const { user, email: address, expiresAt } = await takeLink(tx, token, kind);
      const isMoved = address !== user.email;
      if (isMoved) await queries.deleteUnconfirmed(tx, address);
      await queries.updateUser(tx, user.id, { email: address });
      await queries.deleteLaterUndo(tx, user.id, expiresAt);
      // Undoes as many days before the email as its link is valid after.
      await undoAccessChanges(tx, user, expiresAt - 2 * limits.token.undoDays * day);
      const render = isMoved ? emails.emailBack : emails.accessBack;
      const reset = await issueToken(tx, user.id, "reset");
      await queueMail(tx, render(ctx.config, { ...user, email: address }, reset));
      return { email: address, isRestored: isMoved };
    })
    .catch(rethrowAsTaken);
  return {
    title: isRestored ? "Your address is back" : "It is undone",
    message: `Everyone is signed out. We sent a link to ${email}. Open it to choose a new password.`,
  };
}

function rethrowAsTaken(error: unknown): never {
  if (!isDuplicate(error, "users.email")) throw error;
  throw new AppError("conflict", "Another account uses that address now. Nothing was changed.");
}

/** Removes sign-in methods added or changed since a time, possibly by a thief, and always the password and all sessions. */
async function undoAccessChanges(tx: Transaction, user: UserRow, since: number): Promise<void> {
  const { id, googleLinkedAt } = user;
  const app = await authenticatorOf(tx, id);
  // The person who started an unconfirmed setup could confirm it.
  if (app && (app.confirmedAt === null || app.confirmedAt >= since)) await deleteAuthenticator(tx, id);
  await deletePasskeysSince(tx, id, since);
  await deleteRecoveryCodesSince(tx, id, since);
  await updateUser(tx, id, {
    passwordHash: null,
    // Without codes a lost passkey locks the owner out, and a thief may have turned this step on.
    ...((await countPasskeys(tx, id)) === 0 || (await countRecoveryCodes(tx, id)) === 0
      ? { passkeyStep: false }
      : {}),
    ...(googleLinkedAt !== null && googleLinkedAt >= since ? { googleId: null, googleLinkedAt: null } : {}),
  });
  await deleteUnusedCodes(tx, id);
  await endSessions(tx, id);
}
