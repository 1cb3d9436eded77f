import { mentionsIn } from "../../shared/mentions.ts";
import type { NotificationKind } from "../../shared/notifications.ts";
import type { BlogFacts } from "../blogs/queries.ts";
import { publishCount } from "../blogs/events.ts";
import type { Transaction } from "../database/writer.ts";
import { blogTopic } from "../live/stored-events.ts";
import { notify } from "../notifications/service.ts";
import { userByUsername } from "../profiles/queries.ts";
import { insertComment, type CommentRow, type NewComment } from "./queries.ts";
import { notifySubscribers } from "./notify-subscribers.ts";

/** A new comment before it is stored. */
export type CommentInput = Pick<NewComment, "id" | "parentId" | "authorId" | "text" | "createdAt">;

/** Inserts and publishes a comment, and notifies those concerned except `know`. `blog` was read in this transaction, before it. */
export async function addComment(
  tx: Transaction,
  comment: CommentInput,
  blog: BlogFacts,
  parent: CommentRow | undefined,
  know: string[] = [],
): Promise<void> {
  const { id, authorId, text } = comment;
  await insertComment(tx, {
    ...comment,
    blogId: blog.id,
    rootId: parent?.rootId ?? id,
    // Later than its parent, so that a thread's first replies include the ones they answer.
    createdAt: Math.max(comment.createdAt, parent ? parent.createdAt + 1 : 0),
  });
  tx.emit(blogTopic(blog.id), { kind: "comment.created", commentId: id });
  publishCount(tx, { ...blog, commentsCount: blog.commentsCount + 1 }, "commentsCount", 1);
  await notifyOfComment(tx, { id, authorId, text, blog, parent, know });
  await notifySubscribers(tx, { id, blogId: blog.id });
}

/** Notifies the parent's author, the blog's author and mentioned people, each once. */
async function notifyOfComment(
  tx: Transaction,
  comment: Pick<CommentInput, "id" | "authorId" | "text"> & {
    blog: BlogFacts;
    parent: CommentRow | undefined;
    know: string[];
  },
): Promise<void> {
  const reference = { actorId: comment.authorId, blogId: comment.blog.id, commentId: comment.id };
  const notified = new Set<string>([comment.authorId, ...comment.know]);
  const notifyOnce = async (userId: string | undefined, kind: NotificationKind, target: string) => {
    if (!userId || notified.has(userId)) return;
    notified.add(userId);
    await notify(tx, { ...reference, userId, kind, target });
  };
  await notifyOnce(comment.parent?.author?.id, "reply", comment.parent?.id ?? "");
  await notifyOnce(comment.blog.authorId, "comment", comment.blog.id);
  for (const username of mentionsIn(comment.text))
    await notifyOnce((await userByUsername(tx, username))?.id, "mention", comment.id);
}
