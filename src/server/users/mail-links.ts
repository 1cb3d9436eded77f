import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { pairOf } from "../auth/limits.ts";
import type { Context } from "../context.ts";
import type { Transaction } from "../database/writer.ts";
import { hashSecret, newSecret } from "../ids.ts";
import type { Mail } from "../mail/mailer.ts";
import { post, postNothing, type Counted } from "../mail/post.ts";
import * as queries from "./queries.ts";
import type { LinkKind } from "./queries.ts";

/** What somebody gave at a sign-up: a link opens the account with what its own mail's sign-up gave, never with a stranger's. */
export type Given = { name: string | null; passwordHash: string | null; answer?: string | null };

/** Links beside which older ones of their kind go on working: people open the mail that came first, or take back what was done first. */
const undoing: LinkKind[] = ["undo-email", "undo-access"];
const manyWork: LinkKind[] = ["verify", ...undoing];

/** Makes a link that works once, for a day, or to undo for some; of most kinds it takes the place of those before it. */
export async function issueToken(
  tx: Transaction,
  userId: string,
  kind: LinkKind,
  given?: Partial<Given & { email: string; session: string | null }>,
): Promise<string> {
  const token = newSecret();
  if (!manyWork.includes(kind)) await queries.deleteMailTokens(tx, userId, kind);
  const hours = undoing.includes(kind) ? limits.token.undoDays * 24 : limits.token.hours;
  await queries.insertMailToken(tx, {
    hash: hashSecret(token),
    kind,
    userId,
    ...given,
    expiresAt: Date.now() + hours * 60 * 60 * 1000,
  });
  return token;
}

/** Makes the link of a mail to an account's address that undoes what was changed about signing in to it. */
export const issueUndo = (tx: Transaction, { id, email }: queries.UserRow): Promise<string> =>
  issueToken(tx, id, "undo-access", { email });

/** Takes back the links that were mailed for an account, but those that undo: what they were asked for with has changed. */
export async function revokeMailLinks(tx: Transaction, userId: string): Promise<void> {
  for (const kind of ["verify", "reset", "delete", "email", "allow-email"] as const)
    await queries.deleteMailTokens(tx, userId, kind);
}

/**
 * Sends a mail, which `compose` writes in the transaction that makes its link. False where enough of the kind have gone to
 * that mailbox: telling a guest would tell that the address has an account. Only what is sent counts.
 */
export async function sendMail(
  ctx: Context,
  kind: LinkKind | "there-already",
  email: string,
  compose: (tx: Transaction) => Promise<Mail>,
): Promise<boolean> {
  const counted: Counted[] = [
    { rule: "mailFrom", key: pairOf(ctx.address, `${kind} ${email}`) },
    { rule: "mailTo", key: `${kind} ${email}` },
  ];
  for (const [index, { rule, key }] of counted.entries()) {
    const isRefused = await ctx.limits.take(rule, key).then(
      () => false,
      () => true,
    );
    if (!isRefused) continue;
    for (const before of counted.slice(0, index)) await ctx.limits.giveBack(before.rule, before.key);
    await sendNothing(ctx);
    return false;
  }
  try {
    await ctx.database.write(async (tx) => post(tx, await compose(tx), counted));
  } catch (error) {
    for (const { rule, key } of counted) await ctx.limits.giveBack(rule, key);
    throw error;
  }
  return true;
}

/**
 * Throws `conflict` where an account's address is another than when it was read: a mail to that one would give its reader a link
 * that was asked for the account's owner.
 */
export async function requireAddress(tx: Transaction, { id, email }: queries.UserRow): Promise<void> {
  if ((await queries.userById(tx, id))?.email === email) return;
  throw new AppError("conflict", "The address of this account has just changed. Please try again.");
}

/** Writes as much as where a mail is sent, so that the time of an answer does not tell whether there was one to send. */
export const sendNothing = (ctx: Context): Promise<void> =>
  ctx.database.write(async (tx) => {
    await queries.leaveTrace(tx, Date.now());
    await postNothing(tx);
  });

/**
 * Whose link this is. Throws `bad_request` where it opens nothing, and counts only that: a link that is right always opens.
 * The write that uses it takes it.
 */
export async function ownerOfLink(
  ctx: Context,
  token: string,
  kind: LinkKind,
  advice: string,
): Promise<queries.UserRow> {
  const user = await queries.userByMailToken(ctx.database.read, hashSecret(token), kind, Date.now());
  if (user) return user;
  await ctx.limits.take("wrongLink", ctx.address);
  throw wrongLink(advice);
}

export const wrongLink = (advice: string) =>
  new AppError("bad_request", `This link was already used, has expired or is incomplete. ${advice}`);
