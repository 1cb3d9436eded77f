import { and, count, desc, eq, inArray, isNull, ne, or, sql } from "drizzle-orm";
import { limits } from "../../shared/limits.ts";
import { addToCount } from "../blogs/queries.ts";
import { type Connection, first, changes } from "../database/connection.ts";
import { listedTexts } from "../database/dialect.ts";
import { commentLikes, comments } from "../database/schema/comments.ts";
import { detachFrom } from "./pending-queries.ts";

const idList = (ids: string[]) => listedTexts(JSON.stringify(ids));
const isAmong = (ids: string[]) => sql`${comments.id} in ${idList(ids)}`;

/** Returns the first rows whose weight (one plus likes) fits `room`, and that weight. */
export function withinBudget<Row extends { likesCount: number }>(rows: Row[], room: number): [Row[], number] {
  let weight = 0;
  const fitting = rows.filter(({ likesCount }) => weight < room && (weight += 1 + likesCount) > 0);
  return [fitting, weight];
}

export const newestCommentsOf = async (connection: Connection, userId: string, limit: number) =>
  connection.drizzle
    .select({ id: comments.id, blogId: comments.blogId, likesCount: comments.likesCount })
    .from(comments)
    .where(eq(comments.authorId, userId))
    .orderBy(desc(comments.seq))
    .limit(limit);

/** Returns whether any other member, even a deleted one, commented on a blog. */
export const isAnsweredByOthers = async (
  connection: Connection,
  blogId: string,
  authorId: string,
): Promise<boolean> =>
  (await first(
    connection.drizzle
      .select({ id: comments.id })
      .from(comments)
      .where(
        and(
          eq(comments.blogId, blogId),
          isNull(comments.deletedAt),
          isNull(comments.guestName),
          or(isNull(comments.authorId), ne(comments.authorId, authorId)),
        ),
      )
      .limit(1),
  )) !== undefined;

export const repliesTo = async (connection: Connection, ids: string[]) =>
  connection.drizzle
    .select({ id: comments.id, parentId: comments.parentId })
    .from(comments)
    .where(inArray(comments.parentId, ids));

/** Deletes some comments of a blog in deletion. Returns how many rows, likes included. */
export async function deleteCommentsOfBlog(tx: Connection, blogId: string, room: number): Promise<number> {
  // Newest first: replies before parents.
  const newest = await tx.drizzle
    .select({ id: comments.id, likesCount: comments.likesCount })
    .from(comments)
    .where(eq(comments.blogId, blogId))
    .orderBy(desc(comments.seq))
    .limit(room);
  const [fitting, weight] = withinBudget(newest, room);
  const condition = isAmong(fitting.map(({ id }) => id));
  // SQLite takes twenty times as long to delete a chain.
  await tx.drizzle.update(comments).set({ parentId: null }).where(condition);
  await tx.drizzle.delete(comments).where(condition);
  return weight;
}

/** Deletes comments, among which all their replies must be. Returns by how much the blog's count fell. */
export async function deleteComments(tx: Connection, blogId: string, ids: string[]): Promise<number> {
  const counted = await first(
    tx.drizzle
      .select({ total: count() })
      .from(comments)
      .where(and(isAmong(ids), isNull(comments.deletedAt))),
  );
  await detachFrom(tx, ids);
  // Newest first, in steps: SQLite follows references at most a thousand deep, and threads can be deeper.
  for (let remaining = ids.length; remaining > 0; remaining -= limits.replies.step)
    await tx.drizzle.delete(comments).where(
      sql`${comments.id} in (select c.id from comments c where c.id in ${idList(ids)}
          order by c.created_at desc, c.id desc limit ${limits.replies.step})`,
    );
  const total = counted?.total ?? 0;
  await addToCount(tx, "commentsCount", [blogId], -total);
  return total;
}

/** Turns comments with replies into "deleted" rows without an author, which are not counted. Returns how many it emptied. */
export async function emptyComments(
  tx: Connection,
  blogId: string,
  ids: string[],
  now: number,
): Promise<number> {
  const changed = await changes(
    tx.drizzle
      .update(comments)
      .set({ text: "", authorId: null, deletedAt: now, likesCount: 0, mark: null })
      .where(and(isAmong(ids), isNull(comments.deletedAt))),
  );
  await tx.drizzle.delete(commentLikes).where(sql`${commentLikes.commentId} in ${idList(ids)}`);
  await addToCount(tx, "commentsCount", [blogId], -changed);
  return changed;
}

/** Deletes up to `limit` comment likes of an account and updates the counts. Returns the comments. */
export async function deleteCommentLikes(
  tx: Connection,
  userId: string,
  limit: number,
): Promise<{ id: string; blogId: string }[]> {
  const batch = tx.drizzle
    .select({ id: commentLikes.commentId })
    .from(commentLikes)
    .where(eq(commentLikes.userId, userId))
    .limit(limit);
  const rows = await tx.drizzle
    .delete(commentLikes)
    .where(and(eq(commentLikes.userId, userId), inArray(commentLikes.commentId, batch)))
    .returning({ id: commentLikes.commentId });
  return tx.drizzle
    .update(comments)
    .set({ likesCount: sql`${comments.likesCount} - 1` })
    .where(isAmong(rows.map(({ id }) => id)))
    .returning({ id: comments.id, blogId: comments.blogId });
}
