import { publishCounts } from "../blogs/events.ts";
import type { BlogFacts } from "../blogs/queries.ts";
import type { Transaction } from "../database/writer.ts";
import { blogTopic } from "../live/stored-events.ts";
import { commentById, insertComment, type NewGuestComment } from "./queries.ts";

/** A comment as another site had it, of somebody without an account here. */
export type GuestComment = Pick<NewGuestComment, "id" | "parentId" | "guestName" | "text" | "createdAt">;

/**
 * Puts comments of guests' names below a blog, none before what it answers. Open pages hear of them, and nobody is told of any.
 * Answers with those that have no place any more: what they answer was deleted here.
 */
export async function addGuestComments(
  tx: Transaction,
  blog: Pick<BlogFacts, "id" | "authorId">,
  comments: GuestComment[],
): Promise<GuestComment[]> {
  const placeless: GuestComment[] = [];
  for (const comment of comments) {
    const parent = comment.parentId === null ? undefined : await commentById(tx, comment.parentId, null);
    if (comment.parentId !== null && (!parent || parent.deletedAt !== null)) {
      placeless.push(comment);
      continue;
    }
    await insertComment(tx, { ...comment, blogId: blog.id, rootId: parent?.rootId ?? comment.id });
    await tx.emit(blogTopic(blog.id), { kind: "comment.created", commentId: comment.id });
  }
  if (placeless.length < comments.length) await publishCounts(tx, blog);
  return placeless;
}
