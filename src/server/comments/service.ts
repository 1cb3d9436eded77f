import { setImmediate } from "node:timers/promises";
import type { z } from "zod";
import type {
  CommentEdit,
  NewComment,
  Replying,
  ViewerComment,
  CommentMark,
  Mark,
} from "../../shared/comments.ts";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { blogRelation, blogToInteract, parseBlogKey, requireComment, writableBlog } from "../blogs/access.ts";
import { needsApproval, isListed } from "../blogs/policy.ts";
import { publishStoredCount } from "../blogs/events.ts";
import type { MemberContext } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { runInSteps } from "../database/run-in-steps.ts";
import type { Transaction } from "../database/writer.ts";
import { blogTopic, userTopic } from "../live/stored-events.ts";
import { recipientsOfComments } from "../notifications/recipient-queries.ts";
import { notify, withdraw } from "../notifications/service.ts";
import { fallBackToPreviousComment } from "../notifications/regroup-queries.ts";
import { publishWithdrawn } from "../notifications/events.ts";
import { enforceNewAccountLimit, addedLinksAndMentions } from "../profiles/new-account-limits.ts";
import { userById } from "../profiles/queries.ts";
import { publishStaffWork } from "../moderation/staff-events.ts";
import { takeQuota } from "../profiles/quotas.ts";
import { findRepliable, openComment } from "./access.ts";
import { addComment } from "./add.ts";
import { rejectFirstLink, needsLinkApproval } from "./first-link.ts";
import { deletePendingComment, queueForApproval } from "./pending.ts";
import { pendingById } from "./pending-queries.ts";
import { canDeleteComment, canEditComment, canMarkComment } from "./policy.ts";
import { presentPending, presentSeenComment } from "./present.ts";
import * as queries from "./queries.ts";
import { deleteComments } from "./removal-queries.ts";
import { pinnedOf, updateComment } from "./queries.ts";

/** Comments read at once, within some milliseconds. */
const threadChunk = 1_000;

/** Posts a comment or reply. A repeated id of the same author is a retry and returns the stored comment. */
export async function postComment(
  ctx: MemberContext,
  input: z.output<typeof NewComment>,
  options: { createdAt?: number } = {},
): Promise<ViewerComment> {
  await ctx.limits.take("comment", ctx.viewer.id);
  const comment = await ctx.database.write(async (tx) => {
    const [blog, before, pending] = await Promise.all([
      blogToInteract(tx, ctx.viewer, parseBlogKey(input.blogId)),
      queries.commentById(tx, input.id, ctx.viewer.id),
      pendingById(tx, input.id, ctx.viewer.id),
    ]);
    const existing = before ?? pending;
    if (existing && (existing.author?.id !== ctx.viewer.id || existing.blogId !== blog.id))
      throw new AppError("conflict", "That id is taken. Please try again.");
    if (before) return presentSeenComment(before);
    if (pending) return presentPending(pending);
    requireComment(ctx.viewer, blog);
    const parent = input.parentId ? await findRepliable(tx, ctx.viewer.id, input.parentId) : undefined;
    if (input.parentId && parent?.blogId !== blog.id)
      throw new AppError("not_found", "The comment you’re replying to was deleted.");
    const { id, parentId, text } = input;
    await takeQuota(tx, ctx, "dailyComments");
    const linksAndMentions = addedLinksAndMentions(text);
    if (linksAndMentions > 0) await enforceNewAccountLimit(tx, ctx, "firstDayLinks", () => linksAndMentions);
    const newComment = {
      id,
      parentId,
      text,
      authorId: ctx.viewer.id,
      createdAt: options.createdAt ?? Date.now(),
    };
    const forLink = await needsLinkApproval(tx, ctx, blog, text);
    if (forLink || needsApproval(blogRelation(ctx.viewer, blog), blog.commentsFrom))
      return queueForApproval(tx, newComment, blog, forLink);
    await addComment(tx, newComment, blog, parent);
    return readSeenComment(tx, ctx, id);
  });
  ctx.presence.stopReplying(comment.blogId, ctx.viewer.id);
  return comment;
}

/** Shows the blog's readers what the viewer is writing, if the blog is public and the viewer shows presence. */
export async function publishReplying(
  ctx: MemberContext,
  { blogId, what }: z.output<typeof Replying>,
): Promise<{ told: boolean }> {
  await ctx.limits.take("typing", ctx.viewer.id);
  const blog = await blogToInteract(ctx.database.read, ctx.viewer, { id: blogId });
  if (what === "entry") await writableBlog(ctx.database.read, ctx.viewer, { id: blogId });
  else requireComment(ctx.viewer, blog);
  const person = await userById(ctx.database.read, ctx.viewer.id);
  const isShown = person !== undefined && person.showPresence && isListed(blog);
  if (isShown) ctx.presence.startReplying(blog.id, { id: person.id, name: person.name, what });
  return { told: isShown };
}

export async function editComment(
  ctx: MemberContext,
  { id, text }: z.output<typeof CommentEdit>,
): Promise<ViewerComment> {
  return ctx.database.write(async (tx) => {
    const { comment, blog, relation } = await openComment(tx, ctx.viewer, id);
    if (!canEditComment(relation)) throw new AppError("forbidden", "Only its author can edit a comment.");
    if (comment.text !== text) {
      await rejectFirstLink(tx, ctx, blog, { before: comment.text, after: text });
      await enforceNewAccountLimit(tx, ctx, "firstDayLinks", () => addedLinksAndMentions(text, comment.text));
      await queries.updateComment(tx, id, { text, editedAt: Date.now() });
      tx.emit(blogTopic(comment.blogId), { kind: "comment.edited", commentId: id });
    }
    return readSeenComment(tx, ctx, id);
  });
}

/** Counts the replies that would be deleted with a comment. */
export async function countReplies(
  ctx: MemberContext,
  { id }: { id: string },
): Promise<{ repliesCount: number }> {
  const { read } = ctx.database;
  await openComment(read, ctx.viewer, id);
  return { repliesCount: await queries.countDescendants(read, id) };
}

/** Returns a comment that the caller can delete; throws otherwise. */
type AuthorizeRemoval = (connection: Connection) => Promise<queries.CommentRow>;

/** Deletes a comment with its replies, or a pending one, for its author and the blog's. */
export async function deleteComment(ctx: MemberContext, { id }: { id: string }): Promise<Removed> {
  const { read } = ctx.database;
  if (await pendingById(read, id, ctx.viewer.id)) {
    const { blogId } = await deletePendingComment(ctx, id);
    return { ...removed(id), commentsCount: await queries.countComments(read, blogId) };
  }
  return removeComment(ctx, id, async (connection) => {
    const opened = await openComment(connection, ctx.viewer, id);
    if (!canDeleteComment(opened.relation))
      throw new AppError("forbidden", "Only its author and the author of the blog can delete a comment.");
    return opened.comment;
  });
}

interface Removed {
  message: string;
  commentIds: string[];
  emptied: string[];
  commentsCount: number;
}
const removed = (id: string): Removed => ({
  message: "Comment deleted.",
  commentIds: [id],
  emptied: [],
  commentsCount: 0,
});

/**
 * Deletes a comment with its replies while `authorize` permits, in transactions of limited size, newest replies first: other
 * writes run in between, and no reply loses its parent. Returns the ids of the last step.
 */
export async function removeComment(
  { database }: Pick<MemberContext, "database">,
  id: string,
  authorize: AuthorizeRemoval,
): Promise<Removed> {
  const descendants = await readDescendants(database.read, await authorize(database.read));
  let answer = removed(id);
  await runInSteps(database, async (tx) => {
    const isLast = descendants.length <= limits.replies.step;
    const batch = isLast ? [id] : descendants.splice(0, limits.replies.step);
    const { commentIds, blogId } = await deleteStep(tx, authorize, batch);
    answer = { ...answer, commentIds, commentsCount: await queries.countComments(tx, blogId) };
    return isLast;
  });
  return answer;
}

/** Returns a comment's id and those of all replies below, newest first, with pauses in long threads. */
async function readDescendants(connection: Connection, comment: queries.CommentRow): Promise<string[]> {
  const descendants = new Set([comment.id]);
  let at: queries.TimeAndId | undefined = comment;
  while (at) {
    // Replies are never older than their parents, so one pass finds all.
    const chunk = await queries.listIdsAfter(connection, comment.rootId, threadChunk, at);
    for (const { id, parentId } of chunk)
      if (parentId !== null && descendants.has(parentId)) descendants.add(id);
    at = chunk.length < threadChunk ? undefined : chunk.at(-1);
    if (at) await setImmediate();
  }
  return [...descendants].toReversed();
}

/** Deletes some comments with all replies below. Returns their ids, oldest first. */
async function deleteStep(tx: Transaction, authorize: AuthorizeRemoval, ids: string[]) {
  const { blogId, rootId } = await authorize(tx);
  const commentIds = (await queries.idsWithDescendants(tx, ids)).toReversed();
  const recipients = await recipientsOfComments(tx, commentIds);
  await fallBackToPreviousComment(tx, commentIds);
  await publishStaffWork(tx);
  const removedCount = await deleteComments(tx, blogId, commentIds);
  publishWithdrawn(tx, recipients);
  tx.emit(blogTopic(blogId), { kind: "comment.deleted", commentIds, emptied: [], rootIds: [rootId] });
  await publishStoredCount(tx, blogId, "commentsCount", -removedCount);
  return { commentIds, blogId };
}

/** Sets or toggles the viewer's like. */
export async function likeComment(
  ctx: MemberContext,
  { id, liked: requested }: { id: string; liked: boolean | "toggle" },
): Promise<{ liked: boolean; likesCount: number }> {
  return ctx.database.write(async (tx) => {
    const { comment, relation } = await openComment(tx, ctx.viewer, id);
    if (relation.deleted) throw new AppError("not_found", "This comment no longer exists.");
    const liked = requested === "toggle" ? !comment.liked : requested;
    if (await queries.setCommentLike(tx, id, ctx.viewer.id, liked, Date.now())) {
      tx.emit(blogTopic(comment.blogId), { kind: "comment.liked", commentId: id });
      tx.emit(userTopic(ctx.viewer.id), {
        kind: "viewer.commentLike",
        commentId: id,
        blogId: comment.blogId,
        liked,
      });
      const notification = {
        userId: comment.author?.id ?? ctx.viewer.id,
        kind: "comment-like",
        actorId: ctx.viewer.id,
        target: id,
      } as const;
      await (liked
        ? notify(tx, { ...notification, blogId: comment.blogId, commentId: id })
        : withdraw(tx, notification));
    }
    return { liked, likesCount: (await readSeenComment(tx, ctx, id)).likesCount };
  });
}

async function readSeenComment(tx: Connection, ctx: MemberContext, id: string): Promise<ViewerComment> {
  const row = await queries.commentById(tx, id, ctx.viewer.id);
  if (!row) throw new AppError("not_found", "This comment no longer exists.");
  return presentSeenComment(row);
}

/** Pins or hides a comment, or removes the mark, for the blog's author. Pinning unpins the previous one. */
export async function markComment(
  ctx: MemberContext,
  { id, mark }: z.output<typeof CommentMark>,
): Promise<{ mark: Mark | null }> {
  return ctx.database.write(async (tx) => {
    const { comment, relation } = await openComment(tx, ctx.viewer, id);
    if (!canMarkComment(relation))
      throw new AppError("forbidden", "Only the author of the blog can pin or hide a comment.");
    if (mark === "pinned" && comment.parentId !== null)
      throw new AppError("bad_request", "A reply stays where it is. Please pin the comment that it answers.");
    if (comment.mark === mark) return { mark };
    const before = mark === "pinned" ? await pinnedOf(tx, comment.blogId) : undefined;
    if (before) await updateComment(tx, before, { mark: null });
    await updateComment(tx, id, { mark });
    tx.emit(blogTopic(comment.blogId), { kind: "comment.marked", commentId: id });
    // Notifications quote comments that are not hidden.
    if ([comment.mark, mark].includes("hidden")) publishWithdrawn(tx, await recipientsOfComments(tx, [id]));
    return { mark };
  });
}
