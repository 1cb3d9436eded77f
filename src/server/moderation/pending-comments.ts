import type { z } from "zod";
import { AppError } from "../../shared/errors.ts";
import type { PendingCommentId, StaffPendingComment } from "../../shared/staff-content.ts";
import { staffLimits } from "../../shared/staff-limits.ts";
import { publishPending, removePending } from "../comments/pending.ts";
import { pendingById } from "../comments/pending-queries.ts";
import type { MemberContext } from "../context.ts";
import type { Transaction } from "../database/writer.ts";
import type { UserRow } from "../profiles/queries.ts";
import { isPersonHidden } from "../blocks/queries.ts";
import { requireActionTarget, requireStaff, notFound, staffBlog } from "./access.ts";
import { listPendingForLink } from "./content-queries.ts";
import { logAction } from "./log.ts";
import { canJudgePending } from "./policy.ts";
import { presentStaffPending } from "./present.ts";

type PendingCommentInput = z.output<typeof PendingCommentId>;

/** Returns the comments held for a first link, oldest first. */
export async function pendingComments(
  ctx: MemberContext,
): Promise<{ comments: StaffPendingComment[]; hasMore: boolean }> {
  const { read } = ctx.database;
  await requireStaff(read, ctx.viewer);
  const { page: size } = staffLimits.reports;
  const rows = await listPendingForLink(read, size + 1);
  const comments: StaffPendingComment[] = [];
  for (const row of rows.slice(0, size))
    comments.push(presentStaffPending(row, !(await isPersonHidden(read, ctx.viewer.id, row.owner.id))));
  return { comments, hasMore: rows.length > size };
}

export const approveComment = (
  ctx: MemberContext,
  { commentId }: PendingCommentInput,
): Promise<{ message: string }> =>
  ctx.database.write(async (tx) => {
    const { actor, pending, blog } = await openPending(tx, ctx, commentId);
    await publishPending(tx, pending, blog);
    await logAction(tx, actor, "approve", { kind: "comment", id: commentId });
    return { message: "Comment approved." };
  });

export const rejectComment = (
  ctx: MemberContext,
  { commentId }: PendingCommentInput,
): Promise<{ message: string }> =>
  ctx.database.write(async (tx) => {
    const { actor, pending, blog } = await openPending(tx, ctx, commentId);
    if (pending.author.id !== actor.id) await requireActionTarget(tx, actor, pending.author.id);
    await logAction(tx, actor, "take-down", { kind: "comment", id: commentId });
    await removePending(tx, pending, blog);
    return { message: "Comment deleted." };
  });

async function openPending(tx: Transaction, ctx: MemberContext, id: string) {
  const actor: UserRow = await requireStaff(tx, ctx.viewer);
  const pendingComment = await pendingById(tx, id, null);
  if (!pendingComment) throw notFound();
  const blog = await staffBlog(tx, pendingComment.blogId);
  // The author may have blocked the writer meanwhile.
  const pending = await pendingById(tx, id, blog.authorId);
  if (!pending || !canJudgePending(pending, blog)) throw notFound();
  if (pending.author.id === actor.id && !actor.isAdmin)
    throw new AppError("forbidden", "This is your own comment. Another moderator has to review it.");
  return { actor, pending, blog };
}
