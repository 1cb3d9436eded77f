import type { z } from "zod";
import { AppError } from "../../shared/errors.ts";
import { staffLimits } from "../../shared/staff-limits.ts";
import type { SignupRequests, PersonId, RejectSignup, StaffList } from "../../shared/moderation.ts";
import { isBeyondLastPage } from "../../shared/paging.ts";
import type { MemberContext } from "../context.ts";
import type { Transaction } from "../database/writer.ts";
import { emails } from "../mail/email-texts.ts";
import { queueMail } from "../mail/mail-queue.ts";
import {
  countSignupRequests,
  deleteSignupRequest,
  findSignupRequest,
  listSignupRequests,
} from "../sign-in/sign-up-request-queries.ts";
import { approveSignup } from "../sign-in/sign-up-approval.ts";
import { deleteUser, userById, type UserRow } from "../profiles/queries.ts";
import { requireActionTarget, requireStaff } from "./access.ts";
import { logAction } from "./log.ts";

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
    await approveSignup(tx, ctx.config, userId);
    await queueMail(tx, emails.signupApproved(ctx.config, user));
    await logAction(tx, actor, "approve", { kind: "profile", id: userId });
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
    await requireActionTarget(tx, actor, user.id);
    await queueMail(tx, emails.signupRejected(ctx.config, user, reason));
    await logAction(tx, actor, "reject", { kind: "profile", id: userId }, reason);
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
