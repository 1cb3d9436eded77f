import type { z } from "zod";
import { AppError } from "../../shared/errors.ts";
import { staffLimits } from "../../shared/staff-limits.ts";
import type { Appeal, OfAppeal, Report, ReportQueue, Target } from "../../shared/moderation.ts";
import { isBeyondLastPage } from "../../shared/paging.ts";
import { ownBlog, readableBlog } from "../blogs/access.ts";
import { appealOf } from "./appeal-queries.ts";
import { blogText } from "../blogs/queries.ts";
import { openComment } from "../comments/access.ts";
import type { MemberContext } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { userTopic } from "../live/stored-events.ts";
import { newId } from "../runtime/ids.ts";
import { visibleUser } from "../profiles/access.ts";
import { userById } from "../profiles/queries.ts";
import { blockBetween } from "../blocks/queries.ts";
import { requireStaff } from "./access.ts";
import { waitingForStaff } from "./staff-queries.ts";
import { publishStaffQueues } from "./staff-events.ts";
import { presentTarget } from "./present.ts";
import * as queries from "./queries.ts";

/** Reports something that the viewer can see. A repeated report replaces the earlier one. */
export async function report(
  ctx: MemberContext,
  { kind, id, reason, body }: z.output<typeof Report>,
): Promise<{ message: string }> {
  await ctx.limits.take("report", ctx.viewer.id);
  await ctx.database.write(async (tx) => {
    const reportable = await requireReportable(tx, ctx, { kind, id });
    const isOwn = reportable.ownerId === ctx.viewer.id;
    if (reason === "appeal" ? !(isOwn && reportable.hidden) : isOwn)
      throw new AppError(
        "bad_request",
        reason === "appeal"
          ? "You can only request a review of your own content that was taken down."
          : "This is your own. You can edit or delete it.",
      );
    if (reason === "appeal") await requireFirstAppeal(tx, id, body);
    const { hidden: _hidden, ...reported } = reportable;
    await queries.insertReport(tx, {
      id: newId(),
      reporterId: ctx.viewer.id,
      kind,
      target: id,
      ...reported,
      reason,
      body,
      createdAt: Date.now(),
    });
    if (reason === "appeal")
      tx.emit(userTopic(reported.ownerId), { kind: "viewer.appealChanged", blogId: id });
    await publishStaffQueues(tx, reason === "appeal" ? "new-appeals" : "new-reports");
  });
  return { message: "Thank you. Moderators will review it." };
}

/** A takedown can be appealed once. Throws `bad_request` without a text. */
async function requireFirstAppeal(connection: Connection, blogId: string, body: string): Promise<void> {
  if (body === "")
    throw new AppError("bad_request", "Please say why it should be restored.", { field: "body" });
  if (await appealOf(connection, blogId))
    throw new AppError("conflict", "You’ve already asked for a review of this decision.");
}

/** Returns the request of a blog's owner to review its takedown. */
export async function ownAppeal(
  ctx: MemberContext,
  { blogId }: z.output<typeof OfAppeal>,
): Promise<{ appeal: Appeal | null }> {
  const { read } = ctx.database;
  const blog = await ownBlog(read, ctx.viewer, { id: blogId });
  return { appeal: await appealOf(read, blog.id) };
}

/** Returns the owner and the text of a target that the viewer can see. Throws `not_found` otherwise. */
async function requireReportable(connection: Connection, ctx: MemberContext, { kind, id }: Target) {
  if (kind === "blog") {
    const blog = await readableBlog(connection, ctx.viewer, { id });
    const hidden = blog.takedownReason !== null;
    // A co-author can report a draft, which moderators never see.
    const isDraft = blog.draft && !hidden;
    return {
      ownerId: blog.authorId,
      blogId: id,
      commentId: null,
      hidden,
      text: isDraft ? "" : blog.title,
      beginning: isDraft ? "" : (await blogText(connection, id)).slice(0, staffLimits.reports.excerpt),
    };
  }
  if (kind === "comment") {
    const { comment } = await openComment(connection, ctx.viewer, id);
    if (comment.guestName !== null)
      throw new AppError(
        "bad_request",
        "A guest of another site wrote this. Please tell the author of the blog.",
      );
    if (!comment.author || comment.deletedAt !== null)
      throw new AppError("not_found", "This comment no longer exists.");
    const { blogId, text } = comment;
    return { ownerId: comment.author.id, blogId, commentId: id, hidden: false, text };
  }
  // Even a person whom the viewer blocked.
  const blocked = (await blockBetween(connection, ctx.viewer.id, id)).own;
  const user = blocked
    ? await userById(connection, id)
    : (await visibleUser(connection, ctx.viewer, { id })).user;
  if (!user) throw new AppError("not_found", "There’s no one with that name.");
  return { ownerId: user.id, blogId: null, commentId: null, hidden: false, text: user.bio };
}

/** Returns targets with open reports, the longest open first. */
export async function reportQueue(ctx: MemberContext, { page }: { page: number }): Promise<ReportQueue> {
  const { read } = ctx.database;
  await requireStaff(read, ctx.viewer);
  const { page: size, each } = staffLimits.reports;
  const waiting = await waitingForStaff(read);
  const openTargets = isBeyondLastPage(page, size)
    ? []
    : await queries.listOpenTargets(read, size + 1, (page - 1) * size);
  const targets = await Promise.all(
    openTargets
      .slice(0, size)
      .map(async (openTarget) =>
        presentTarget(openTarget, await queries.listOpenReports(read, openTarget, each)),
      ),
  );
  return {
    targets: targets.filter((reported) => reported !== undefined),
    waiting: waiting.reports + waiting.appeals,
    page,
    hasMore: openTargets.length > size,
  };
}
