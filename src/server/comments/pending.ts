import type { Comment, ViewerComment } from "../../shared/comments.ts";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { blogToInteract } from "../blogs/access.ts";
import type { BlogFacts } from "../blogs/queries.ts";
import type { MemberContext } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import type { Transaction } from "../database/writer.ts";
import { userTopic } from "../live/stored-events.ts";
import { notify, withdraw } from "../notifications/service.ts";
import { staffIds } from "../moderation/staff-queries.ts";
import { findRepliable } from "./access.ts";
import { addComment, type CommentInput } from "./add.ts";
import * as queries from "./pending-queries.ts";
import { presentPending } from "./present.ts";

/**
 * Stores a comment until the blog's author approves it, or moderators if held `forLink`. Throws `conflict` if too many are
 * pending.
 */
export async function queueForApproval(
  tx: Transaction,
  comment: CommentInput,
  blog: BlogFacts,
  forLink: boolean,
): Promise<ViewerComment> {
  const { id, parentId, authorId, text, createdAt } = comment;
  const { ofOne, ofBlog } = limits.pendingComments;
  if ((await queries.countPending(tx, blog.id, authorId)) >= ofOne)
    throw new AppError(
      "conflict",
      `${ofOne} of your comments are waiting for approval here. You can write more once the author has answered them.`,
    );
  if ((await queries.countVisiblePending(tx, blog.id, blog.authorId)) >= ofBlog)
    throw new AppError(
      "conflict",
      "Too many comments are waiting for the author’s approval. Please try again another day.",
    );
  await queries.insertPending(tx, { id, blogId: blog.id, parentId, authorId, text, createdAt, forLink });
  await publishPendingChange(tx, blog, { authorId, forLink });
  await notify(tx, pendingNotification(blog, authorId));
  const pending = await queries.pendingById(tx, id, authorId);
  if (!pending) throw new AppError("not_found", "This comment no longer exists.");
  return presentPending(pending);
}

/** Returns a blog's pending comments: all for its author, their own for others. */
export async function pendingFor(
  connection: Connection,
  blog: BlogFacts,
  viewer: { id: string },
): Promise<{ pending?: Comment[] }> {
  const ownOnly = blog.authorId !== viewer.id;
  const rows = await queries.listPending(connection, blog.id, viewer.id, {
    own: ownOnly,
    limit: limits.pendingComments.shown,
  });
  return rows.length > 0 ? { pending: rows.map(presentPending) } : {};
}

/** Approves a comment, for the blog's author. */
export async function approveComment(
  ctx: MemberContext,
  { id }: { id: string },
): Promise<{ message: string }> {
  return ctx.database.write(async (tx) => {
    const { pending, blog } = await openPending(tx, ctx.viewer, id);
    if (blog.authorId !== ctx.viewer.id)
      throw new AppError("forbidden", "Only the author can approve comments here.");
    await publishPending(tx, pending, blog, [blog.authorId]);
    return { message: "Comment approved." };
  });
}

/** Publishes a pending comment with the current time, without notifying those in `know`. */
export async function publishPending(
  tx: Transaction,
  pending: queries.PendingRow,
  blog: BlogFacts,
  know: string[] = [],
): Promise<void> {
  const { id, author, text } = pending;
  // If its parent was deleted meanwhile, it becomes a top-level comment.
  const parent = pending.parentId ? await findRepliable(tx, author.id, pending.parentId) : undefined;
  await queries.deletePending(tx, id);
  const comment = { id, parentId: parent?.id ?? null, text, authorId: author.id, createdAt: Date.now() };
  await addComment(tx, comment, blog, parent, know);
  await publishAnswered(tx, blog, pending);
}

/** Deletes a pending comment, for its writer and the blog's author. */
export async function deletePendingComment(ctx: MemberContext, id: string): Promise<{ blogId: string }> {
  return ctx.database.write(async (tx) => {
    const { pending, blog } = await openPending(tx, ctx.viewer, id);
    await removePending(tx, pending, blog);
    return { blogId: blog.id };
  });
}

/** Deletes a pending comment, after the caller's permission check in the same transaction. */
export async function removePending(
  tx: Transaction,
  pending: queries.PendingRow,
  blog: BlogFacts,
): Promise<void> {
  await queries.deletePending(tx, pending.id);
  await publishAnswered(tx, blog, pending);
}

/** Returns a pending comment for its writer and the blog's author. Throws `not_found` otherwise. */
async function openPending(tx: Connection, viewer: MemberContext["viewer"], id: string) {
  const notFound = new AppError("not_found", "This comment is no longer waiting for approval.");
  const pending = await queries.pendingById(tx, id, viewer.id);
  if (!pending) throw notFound;
  const blog = await blogToInteract(tx, viewer, { id: pending.blogId }).catch(() => {
    throw notFound;
  });
  if (![pending.author.id, blog.authorId].includes(viewer.id)) throw notFound;
  return { pending, blog };
}

const pendingNotification = (blog: BlogFacts, writerId: string) =>
  ({
    userId: blog.authorId,
    kind: "pending-comment",
    actorId: writerId,
    target: blog.id,
    blogId: blog.id,
  }) as const;

async function publishPendingChange(
  tx: Transaction,
  blog: BlogFacts,
  { authorId, forLink }: { authorId: string; forLink: boolean },
): Promise<void> {
  const staff = forLink ? await staffIds(tx) : [];
  for (const userId of new Set([blog.authorId, authorId, ...staff]))
    tx.emit(userTopic(userId), { kind: "viewer.pendingChanged", blogId: blog.id });
}

async function publishAnswered(
  tx: Transaction,
  blog: BlogFacts,
  { author, forLink }: queries.PendingRow,
): Promise<void> {
  await publishPendingChange(tx, blog, { authorId: author.id, forLink });
  if ((await queries.countPending(tx, blog.id, author.id)) === 0)
    await withdraw(tx, pendingNotification(blog, author.id));
}
