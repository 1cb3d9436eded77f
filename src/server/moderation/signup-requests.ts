import type { z } from "zod";
import { AppError } from "../../shared/errors.ts";
import { staffLimits } from "../../shared/staff-limits.ts";
import type {
  SignupRequests,
  PersonId,
  RejectSignup,
  SetSignupBlock,
  SetQuestion,
  StaffList,
} from "../../shared/moderation.ts";
import { isBeyondLastPage } from "../../shared/paging.ts";
import type { MemberContext } from "../context.ts";
import type { Transaction } from "../database/writer.ts";
import { peopleTopic } from "../live/signals.ts";
import { emails } from "../mail/email-texts.ts";
import { queueMail } from "../mail/mail-queue.ts";
import { setSignUpQuestion, signUpQuestion } from "../signup/signup-policy-queries.ts";
import {
  countSignupRequests,
  deleteSignupRequest,
  findSignupRequest,
  listSignupRequests,
} from "../signup/signup-request-queries.ts";
import { approveSignup } from "../signup/signup-approval.ts";
import { deleteUser, userById, type UserRow } from "../profiles/queries.ts";
import { deleteSignupBlock, insertSignupBlock, listSignupBlocks } from "../signup/signup-block-queries.ts";
import { parseSignupBlock } from "../signup/signup-blocks.ts";
import { requireActionTarget, requireAdmin, requireStaff, gone } from "./access.ts";
import { note, noteOfSite, type Actor } from "./log.ts";

/** Returns accounts that wait for approval, oldest first, with email addresses only for administrators. */
export async function signupRequests(
  ctx: MemberContext,
  { page }: z.output<typeof StaffList>,
): Promise<SignupRequests> {
  const { read } = ctx.database;
  const me = await requireStaff(read, ctx.viewer);
  const { page: size } = staffLimits.reports;
  const rows = isBeyondLastPage(page, size)
    ? []
    : await listSignupRequests(read, size + 1, (page - 1) * size);
  return {
    waiting: await countSignupRequests(read),
    people: rows.slice(0, size).map(({ id, name, email, googleId, answer, requestedAt }) => ({
      id,
      name,
      email: me.isAdmin ? email : null,
      byGoogle: googleId !== null,
      answer,
      since: new Date(requestedAt).toISOString(),
    })),
    page,
    hasMore: rows.length > size,
  };
}

export const approveRequest = (
  ctx: MemberContext,
  { userId }: z.output<typeof PersonId>,
): Promise<{ message: string }> =>
  ctx.database.write(async (tx) => {
    const actor = await requireStaff(tx, ctx.viewer);
    const user = await takeRequest(tx, userId);
    await approveSignup(tx, userId);
    await queueMail(tx, emails.signupApproved(ctx.config, user));
    await note(tx, actor, "let-in", { kind: "profile", id: userId });
    return { message: `${user.name} can sign in now. We’ve sent them an email.` };
  });

/** Emails the person the reason and deletes the account. */
export const rejectRequest = (
  ctx: MemberContext,
  { userId, reason }: z.output<typeof RejectSignup>,
): Promise<{ message: string }> =>
  ctx.database.write(async (tx) => {
    const actor = await requireStaff(tx, ctx.viewer);
    const user = await takeRequest(tx, userId);
    await requireActionTarget(tx, actor, userId);
    await queueMail(tx, emails.signupRejected(ctx.config, user, reason));
    await note(tx, actor, "refuse", { kind: "profile", id: userId }, reason);
    await deleteUser(tx, userId);
    return { message: `The account is deleted. We’ve sent ${user.name} an email.` };
  });

async function takeRequest(tx: Transaction, userId: string): Promise<UserRow> {
  const user = await userById(tx, userId);
  if (!user || !(await findSignupRequest(tx, userId)))
    throw new AppError("conflict", "Another moderator has already decided.");
  await deleteSignupRequest(tx, userId);
  return user;
}

/** Sets the sign-up form's question for when accounts need approval. */
export const setQuestion = (
  ctx: MemberContext,
  { question }: z.output<typeof SetQuestion>,
): Promise<{ message: string }> =>
  ctx.database.write(async (tx) => {
    const actor = await requireAdmin(tx, ctx.viewer);
    if (question !== (await signUpQuestion(tx))) {
      await setSignUpQuestion(tx, question);
      await noteOfSite(tx, actor, "question", question);
      tx.signal(peopleTopic);
    }
    return { message: "Question saved." };
  });

export const setSignupBlock = (
  ctx: MemberContext,
  { value, blocked }: z.output<typeof SetSignupBlock>,
): Promise<{ message: string }> =>
  ctx.database.write(async (tx) => {
    const actor = await requireAdmin(tx, ctx.viewer);
    const stored = await changeSignupBlock(tx, actor, value, blocked);
    return {
      message: blocked
        ? `Sign-ups from ${stored} are blocked.`
        : `Sign-ups from ${stored} are allowed again.`,
    };
  });

/** Blocks or unblocks sign-ups from a domain or network. Returns its stored form. Throws `bad_request` for anything else. */
export async function changeSignupBlock(
  tx: Transaction,
  actor: Actor,
  text: string,
  blocked: boolean,
): Promise<string> {
  const known = parseSignupBlock(text);
  if (!known)
    throw new AppError(
      "bad_request",
      "Enter an email domain like example.org, or an IP address or network like 192.0.2.0/24.",
      { field: "value" },
    );
  const { most } = staffLimits.signupBlocks;
  if (blocked && (await listSignupBlocks(tx, most)).length === most)
    throw new AppError("conflict", `There are already ${most} blocks. Remove some first.`);
  const row = { ...known, author: actor.username, createdAt: Date.now() };
  const isNews = blocked
    ? await insertSignupBlock(tx, row)
    : // Older versions stored it as typed.
      (await deleteSignupBlock(tx, known)) ||
      (await deleteSignupBlock(tx, { ...known, value: text.trim().toLowerCase() }));
  if (isNews) await noteOfSite(tx, actor, blocked ? "refuse-sender" : "admit-sender", known.value);
  if (!isNews && !blocked) throw gone();
  return known.value;
}
