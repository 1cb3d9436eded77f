import { setImmediate } from "node:timers/promises";
import type { z } from "zod";
import type { CommentEdit, CommentsOf, NewComment, SeenComment } from "../../shared/comments.ts";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { blogStanding, openBlog, requireComment } from "../blogs/access.ts";
import { needsApproval, isListed } from "../blogs/policy.ts";
import { publishCounts } from "../blogs/events.ts";
import type { BlogFacts } from "../blogs/queries.ts";
import type { MemberContext } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { inSteps } from "../database/steps.ts";
import type { Transaction } from "../database/writer.ts";
import { blogTopic, userTopic } from "../live/stored-events.ts";
import { recipientsOfComments } from "../notifications/recipient-queries.ts";
import { notify, withdraw } from "../notifications/service.ts";
import { fallBackToPreviousComment } from "../notifications/regroup-queries.ts";
import { publishWithdrawn } from "../notifications/events.ts";
import { enforceNewAccountLimit, addedLinksAndMentions } from "../users/new-account-limits.ts";
import { userById } from "../users/queries.ts";
import { takeQuota } from "../users/quotas.ts";
import { answerable, openComment } from "./access.ts";
import { addComment } from "./add.ts";
import { refuseFirstLink, waitsForLink } from "./first-link.ts";
import { deletePendingComment, queueForApproval } from "./pending.ts";
import { pendingById } from "./pending-queries.ts";
import { canDeleteComment, canEditComment } from "./policy.ts";
import { presentPending, presentSeenComment } from "./present.ts";
import * as queries from "./queries.ts";
import { deleteComments } from "./removal-queries.ts";

/** Comments of a thread that are read at once: some milliseconds. */
const stretchOfThread = 1_000;

/** Writes a comment or a reply. The same id again by the same author is a retry: it answers with what stands. */
export async function postComment(
  ctx: MemberContext,
  input: z.output<typeof NewComment>,
  when: { createdAt?: number } = {},
): Promise<SeenComment> {
  await ctx.limits.take("comment", ctx.viewer.id);
  const comment = await ctx.database.write(async (tx) => {
    const blog = await openBlog(tx, ctx.viewer, { id: input.blogId });
    const before = await queries.commentById(tx, input.id, ctx.viewer.id);
    const pending = before ? undefined : await pendingById(tx, input.id, ctx.viewer.id);
    const known = before ?? pending;
    if (known && (known.author?.id !== ctx.viewer.id || known.blogId !== blog.id))
      throw new AppError("conflict", "That id is taken. Please try again.");
    if (before) return presentSeenComment(before);
    if (pending) return presentPending(pending);
    requireComment(ctx.viewer, blog);
    const parent = input.parentId ? await answerable(tx, ctx.viewer.id, input.parentId) : undefined;
    if (input.parentId && parent?.blogId !== blog.id)
      throw new AppError("not_found", "The comment you’re replying to was deleted.");
    const { id, parentId, text } = input;
    await takeQuota(tx, ctx, "dailyComments");
    const named = addedLinksAndMentions(text);
    if (named > 0) await enforceNewAccountLimit(tx, ctx, "firstDayTalk", () => named);
    const written = { id, parentId, text, authorId: ctx.viewer.id, createdAt: when.createdAt ?? Date.now() };
    const forLink = await waitsForLink(tx, ctx, blog, text);
    if (forLink || needsApproval(blogStanding(ctx.viewer, blog), blog.commentsFrom))
      return queueForApproval(tx, written, blog, forLink);
    await addComment(tx, written, blog, parent);
    return seen(tx, ctx, id);
  });
  ctx.presence.stopReplying(comment.blogId, ctx.viewer.id);
  return comment;
}

/**
 * The viewer is writing a comment: whoever is at the blog is told, where everybody may read it and the viewer shows such things.
 */
export async function sayReplying(
  ctx: MemberContext,
  { blogId }: z.output<typeof CommentsOf>,
): Promise<{ told: boolean }> {
  await ctx.limits.take("typing", ctx.viewer.id);
  const blog = await openBlog(ctx.database.read, ctx.viewer, { id: blogId });
  requireComment(ctx.viewer, blog);
  const person = await userById(ctx.database.read, ctx.viewer.id);
  const told = person !== undefined && person.showPresence && isListed(blog);
  if (told) ctx.presence.startReplying(blog.id, { id: person.id, name: person.name });
  return { told };
}

/** Changes a comment's text; its author alone may. */
export async function editComment(
  ctx: MemberContext,
  { id, text }: z.output<typeof CommentEdit>,
): Promise<SeenComment> {
  return ctx.database.write(async (tx) => {
    const { comment, blog, standing } = await openComment(tx, ctx.viewer, id);
    if (!canEditComment(standing)) throw new AppError("forbidden", "Only its author can edit a comment.");
    if (comment.text !== text) {
      await refuseFirstLink(tx, ctx, blog, { before: comment.text, after: text });
      await enforceNewAccountLimit(tx, ctx, "firstDayTalk", () => addedLinksAndMentions(text, comment.text));
      await queries.updateComment(tx, id, { text, editedAt: Date.now() });
      await tx.emit(blogTopic(comment.blogId), { kind: "comment.edited", commentId: id });
    }
    return seen(tx, ctx, id);
  });
}

/** How many replies go with a comment that is deleted. */
export async function countReplies(
  ctx: MemberContext,
  { id }: { id: string },
): Promise<{ repliesCount: number }> {
  const { read } = ctx.database;
  await openComment(read, ctx.viewer, id);
  return { repliesCount: await queries.countBelow(read, id) };
}

/** Opens a comment and its blog to whoever may delete it. */
type Door = (connection: Connection) => Promise<{ comment: queries.CommentRow; blog: BlogFacts }>;

/** Deletes a comment with all its replies, or one that waits to be let in; its author and the blog's may. */
export async function deleteComment(ctx: MemberContext, { id }: { id: string }): Promise<Removed> {
  const { read } = ctx.database;
  if (await pendingById(read, id, ctx.viewer.id)) {
    const { blogId } = await deletePendingComment(ctx, id);
    return { ...removed(id), commentsCount: await queries.countComments(read, blogId) };
  }
  return removeComment(ctx, id, async (connection) => {
    const known = await openComment(connection, ctx.viewer, id);
    if (!canDeleteComment(known.standing))
      throw new AppError("forbidden", "Only its author and the author of the blog can delete a comment.");
    return known;
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
 * Deletes a comment with all its replies, as long as its door opens. A long thread goes in steps, the newest replies
 * first, each a write of its own: nobody waits for all of it, and at no time is there a reply to nothing. The answer names
 * what went in the last step.
 */
export async function removeComment(
  { database }: Pick<MemberContext, "database">,
  id: string,
  door: Door,
): Promise<Removed> {
  const below = await readBelow(database.read, (await door(database.read)).comment);
  let answer = removed(id);
  await inSteps(database, async (tx) => {
    const isLast = below.length <= limits.replies.step;
    const some = isLast ? [id] : below.splice(0, limits.replies.step);
    const { commentIds, blogId } = await deleteStep(tx, door, some);
    answer = { ...answer, commentIds, commentsCount: await queries.countComments(tx, blogId) };
    return isLast;
  });
  return answer;
}

/** The ids of a comment and of all below it, the newest first; a long thread is read a stretch at a time, with a pause after each. */
async function readBelow(connection: Connection, comment: queries.CommentRow): Promise<string[]> {
  const below = new Set([comment.id]);
  let at: queries.TimeAndId | undefined = comment;
  while (at) {
    // Of no reply there is one before what it answers.
    const stretch = await queries.listPlaces(connection, comment.rootId, stretchOfThread, at);
    for (const { id, parentId } of stretch) if (parentId !== null && below.has(parentId)) below.add(id);
    at = stretch.length < stretchOfThread ? undefined : stretch.at(-1);
    if (at) await setImmediate();
  }
  return [...below].toReversed();
}

/** Deletes some of the comments that go with one, with all below them; the answer has them oldest first. */
async function deleteStep(tx: Transaction, door: Door, some: string[]) {
  const { comment, blog } = await door(tx);
  const { blogId, rootId } = comment;
  const commentIds = (await queries.idsBelow(tx, some)).toReversed();
  const recipients = await recipientsOfComments(tx, commentIds);
  await fallBackToPreviousComment(tx, commentIds);
  await deleteComments(tx, blogId, commentIds);
  await publishWithdrawn(tx, recipients);
  await tx.emit(blogTopic(blogId), { kind: "comment.deleted", commentIds, emptied: [], rootIds: [rootId] });
  await publishCounts(tx, blog);
  return { commentIds, blogId };
}

/** Sets whether the viewer likes a comment; `toggle` turns round what stands. */
export async function likeComment(
  ctx: MemberContext,
  { id, liked: wanted }: { id: string; liked: boolean | "toggle" },
): Promise<{ liked: boolean; likesCount: number }> {
  return ctx.database.write(async (tx) => {
    const { comment, standing } = await openComment(tx, ctx.viewer, id);
    if (standing.deleted) throw new AppError("not_found", "This comment no longer exists.");
    const liked = wanted === "toggle" ? !comment.liked : wanted;
    if (await queries.setCommentLike(tx, id, ctx.viewer.id, liked, Date.now())) {
      await tx.emit(blogTopic(comment.blogId), { kind: "comment.liked", commentId: id });
      await tx.emit(userTopic(ctx.viewer.id), {
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
    return { liked, likesCount: (await seen(tx, ctx, id)).likesCount };
  });
}

async function seen(tx: Connection, ctx: MemberContext, id: string): Promise<SeenComment> {
  const row = await queries.commentById(tx, id, ctx.viewer.id);
  if (!row) throw new AppError("not_found", "This comment no longer exists.");
  return presentSeenComment(row);
}
