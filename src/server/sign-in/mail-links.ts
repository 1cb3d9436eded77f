import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { pairKey } from "../auth/rate-limits.ts";
import type { Context } from "../context.ts";
import type { Transaction } from "../database/writer.ts";
import { hashSecret, newSecret } from "../runtime/ids.ts";
import type { Mail } from "../mail/mailer.ts";
import { queueMail, queueNoMail, type RateCharge } from "../mail/mail-queue.ts";
import * as queries from "../profiles/queries.ts";
import type { LinkKind } from "../profiles/queries.ts";

/** The values of one sign-up: a link applies those of its own sign-up, never a stranger's. */
export type SignUpValues = {
  name: string | null;
  passwordHash: string | null;
  answer?: string | null;
  invitation?: string | null;
};

/** Kinds whose older links stay valid: people open the first email, or undo the first change. */
const undoKinds: LinkKind[] = ["undo-email", "undo-access"];
const coexistingKinds: LinkKind[] = ["verify", ...undoKinds];

/** Creates a link that works once, for a day or the undo period. Most kinds replace older ones. */
export async function issueToken(
  tx: Transaction,
  userId: string,
  kind: LinkKind,
  values?: Partial<SignUpValues & { email: string; session: string | null }>,
): Promise<string> {
  const token = newSecret();
  if (!coexistingKinds.includes(kind)) await queries.deleteMailTokens(tx, userId, kind);
  const hours = undoKinds.includes(kind) ? limits.token.undoDays * 24 : limits.token.hours;
  await queries.insertMailToken(tx, {
    hash: hashSecret(token),
    kind,
    userId,
    ...values,
    expiresAt: Date.now() + hours * 60 * 60 * 1000,
  });
  return token;
}

/** Creates the link of an email that undoes changes of sign-in methods. */
export const issueUndo = (tx: Transaction, { id, email }: queries.UserRow): Promise<string> =>
  issueToken(tx, id, "undo-access", { email });

/** Revokes an account's links except those that undo, after a change of what they relied on. */
export async function revokeMailLinks(tx: Transaction, userId: string): Promise<void> {
  for (const kind of ["verify", "reset", "delete", "email", "allow-email"] as const)
    await queries.deleteMailTokens(tx, userId, kind);
}

/**
 * Sends an email that `compose` writes in the transaction of its link. Returns false at the mailbox's limit, which guests must
 * not learn. Only sent emails count.
 */
export async function sendMail(
  ctx: Context,
  kind: LinkKind | "there-already",
  email: string,
  compose: (tx: Transaction) => Promise<Mail>,
): Promise<boolean> {
  const charges: RateCharge[] = [
    { rule: "mailFrom", key: pairKey(ctx.address, `${kind} ${email}`) },
    { rule: "mailTo", key: `${kind} ${email}` },
  ];
  for (const [index, { rule, key }] of charges.entries()) {
    const isRefused = await ctx.limits.take(rule, key).then(
      () => false,
      () => true,
    );
    if (!isRefused) continue;
    for (const before of charges.slice(0, index)) await ctx.limits.refund(before.rule, before.key);
    await sendNoMail(ctx);
    return false;
  }
  try {
    await ctx.database.write(async (tx) => queueMail(tx, await compose(tx), charges));
  } catch (error) {
    for (const { rule, key } of charges) await ctx.limits.refund(rule, key);
    throw error;
  }
  return true;
}

/** Throws `conflict` if the address has changed: another person would get the owner's link. */
export async function requireAddress(tx: Transaction, { id, email }: queries.UserRow): Promise<void> {
  if ((await queries.userById(tx, id))?.email === email) return;
  throw new AppError("conflict", "The address of this account has just changed. Please try again.");
}

/** Writes as much as `sendMail`, so that the response time reveals nothing. */
export const sendNoMail = (ctx: Context): Promise<void> =>
  ctx.database.write(async (tx) => {
    await queries.writeDummyValue(tx, Date.now());
    await queueNoMail(tx);
  });

/** Returns the owner of a link without using it up. Throws `bad_request` if it is invalid; only that is rate limited. */
export async function ownerOfLink(
  ctx: Context,
  token: string,
  kind: LinkKind,
  advice: string,
): Promise<queries.UserRow> {
  const user = await queries.userByMailToken(ctx.database.read, hashSecret(token), kind, Date.now());
  if (user) return user;
  await ctx.limits.take("wrongLink", ctx.address);
  throw invalidLinkError(advice);
}

export const invalidLinkError = (advice: string) =>
  new AppError("bad_request", `This link was already used, has expired or is incomplete. ${advice}`);
