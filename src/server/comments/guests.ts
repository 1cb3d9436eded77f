import { publishStoredCount } from "../blogs/events.ts";
import type { Transaction } from "../database/writer.ts";
import { blogTopic } from "../live/stored-events.ts";
import { commentById, insertComment, type NewGuestComment } from "./queries.ts";

/** An imported comment of a writer without an account. */
export type GuestComment = Pick<NewGuestComment, "id" | "parentId" | "guestName" | "text" | "createdAt">;

/**
 * Inserts guest comments, parents first, without notifications. Returns those not inserted since their parent was deleted here.
 */
export async function addGuestComments(
  tx: Transaction,
  blog: { id: string },
  comments: GuestComment[],
): Promise<GuestComment[]> {
  const withoutParent: GuestComment[] = [];
  for (const comment of comments) {
    const parent = comment.parentId === null ? undefined : await commentById(tx, comment.parentId, null);
    if (comment.parentId !== null && (!parent || parent.deletedAt !== null)) {
      withoutParent.push(comment);
      continue;
    }
    await insertComment(tx, { ...comment, blogId: blog.id, rootId: parent?.rootId ?? comment.id });
    tx.emit(blogTopic(blog.id), { kind: "comment.created", commentId: comment.id });
  }
  const added = comments.length - withoutParent.length;
  if (added > 0) await publishStoredCount(tx, blog.id, "commentsCount", added);
  return withoutParent;
}
