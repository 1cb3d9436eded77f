import { AppError } from "../../shared/errors.ts";
import { isListed } from "../blogs/policy.ts";
import { deleteComments, emptyComments } from "../comments/queries.ts";
import type { MemberContext } from "../context.ts";
import type { Transaction } from "../database/writer.ts";
import { blogTopic, feedTopic, peopleTopic, profileTopic, rightsTopic, userTopic } from "../live/outbox.ts";
import { noteUse } from "../media/queries.ts";
import { dropUnused } from "../media/service.ts";
import { recipientsOfActor, recipientsOfAuthor } from "../notices/queries.ts";
import { deleteSessionsOf, userById } from "../users/queries.ts";
import { holdUsername } from "../users/username-queries.ts";
import * as queries from "./leave-queries.ts";

/**
 * Deletes the viewer's account with everything of it. Comments that others answered stay as "deleted", so that what those
 * others wrote is kept (decisions, "Reading and writing"). Its open pages close at once.
 */
export async function deleteAccount(ctx: MemberContext): Promise<{ message: string }> {
  const { id } = ctx.viewer;
  const ended = await ctx.database.write(async (tx) => {
    const user = await userById(tx, id);
    if (!user) throw new AppError("not_found", "This account does not exist any more.");
    const shown = await queries.picturesOf(tx, id);
    await leaveConversations(tx, id);
    await leaveLikes(tx, id);
    await leavePeople(tx, id);
    for (const blog of await queries.blogsOf(tx, id)) {
      if (isListed({ ...blog, authorPrivate: user.private }))
        await tx.fact(feedTopic, { kind: "blog.gone", blogId: blog.id });
      tx.ring(rightsTopic(blog.id));
    }
    // Lists hold more of an account than its public blogs: they ask again.
    await tx.fact(feedTopic, { kind: "reset" });
    const noticed = [...(await recipientsOfActor(tx, id)), ...(await recipientsOfAuthor(tx, id))];
    for (const other of new Set(noticed)) await tx.fact(userTopic(other), { kind: "notification.withdrawn" });
    const sessions = await deleteSessionsOf(tx, id);
    await queries.deleteUser(tx, id);
    await holdUsername(tx, user.username, null);
    tx.ring(rightsTopic(id));
    tx.ring(peopleTopic);
    // Of somebody else's, which a text of before may show; the account's own are nobody's now.
    await noteUse(tx, shown, Date.now());
    return sessions;
  });
  ctx.sessions.closed(ended);
  ctx.setCookie(ctx.sessions.blankCookie);
  await dropUnused(ctx);
  return { message: "Your account is deleted." };
}

async function leaveConversations(tx: Transaction, userId: string): Promise<void> {
  const byBlog = new Map<string, { deleted: string[]; emptied: string[] }>();
  for (const { id, blogId, answered } of await queries.commentsOf(tx, userId)) {
    const group = byBlog.get(blogId) ?? { deleted: [], emptied: [] };
    byBlog.set(blogId, group);
    (answered ? group.emptied : group.deleted).push(id);
  }
  for (const [blogId, { deleted, emptied }] of byBlog) {
    await deleteComments(tx, blogId, deleted);
    await emptyComments(tx, blogId, emptied, Date.now());
    await tx.fact(blogTopic(blogId), { kind: "comment.deleted", commentIds: deleted, emptied });
  }
}

async function leaveLikes(tx: Transaction, userId: string): Promise<void> {
  const { liked, saved, comments } = await queries.takeBackLikes(tx, userId);
  for (const blogId of liked) await tx.fact(blogTopic(blogId), { kind: "blog.liked" });
  for (const blogId of saved) await tx.fact(blogTopic(blogId), { kind: "blog.saved" });
  for (const { id, blogId } of comments)
    await tx.fact(blogTopic(blogId), { kind: "comment.liked", commentId: id });
}

async function leavePeople(tx: Transaction, userId: string): Promise<void> {
  const { followed, followers, asked, asking } = await queries.cutTies(tx, userId);
  for (const other of [...followed, ...followers]) tx.ring(profileTopic(other));
  for (const other of followed) await tx.fact(userTopic(other), { kind: "follower.changed" });
  for (const other of asked)
    await tx.fact(userTopic(other), { kind: "follow.withdrawn", requesterId: userId });
  for (const other of [...followers, ...asking])
    await tx.fact(userTopic(other), { kind: "follow.settled", userId, status: "follow" });
}
