import { and, count, desc, eq, inArray, isNull, ne, or, sql } from "drizzle-orm";
import { limits } from "../../shared/limits.ts";
import { addToCount } from "../blogs/queries.ts";
import type { Connection } from "../database/connection.ts";
import { commentLikes, comments } from "../database/schema/comments.ts";
import { detachFrom } from "./pending-queries.ts";

const listed = (ids: string[]) => sql`(select value from json_each(${JSON.stringify(ids)}))`;
const among = (ids: string[]) => sql`${comments.id} in ${listed(ids)}`;

/** The first of these rows that together weigh as much as there is room for, a row as much as its likes and one. */
export function withinRoom<Row extends { likesCount: number }>(rows: Row[], room: number): [Row[], number] {
  let weight = 0;
  const taken = rows.filter(({ likesCount }) => weight < room && (weight += 1 + likesCount) > 0);
  return [taken, weight];
}

/** Some of an account's comments, the newest first. */
export const newestCommentsOf = async (connection: Connection, userId: string, limit: number) =>
  connection.drizzle
    .select({ id: comments.id, blogId: comments.blogId, likesCount: comments.likesCount })
    .from(comments)
    .where(eq(comments.authorId, userId))
    .orderBy(desc(comments.number))
    .limit(limit)
    .all();

/** Whether anybody but this one has written a comment under a blog here, be it one of an account that is gone. */
export const isAnsweredByOthers = async (
  connection: Connection,
  blogId: string,
  authorId: string,
): Promise<boolean> =>
  (await connection.drizzle
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
    .limit(1)
    .get()) !== undefined;

/** What stands directly below these comments. */
export const answersTo = async (connection: Connection, ids: string[]) =>
  connection.drizzle
    .select({ id: comments.id, parentId: comments.parentId })
    .from(comments)
    .where(inArray(comments.parentId, ids))
    .all();

/** Deletes some of the comments under a blog that goes with them; answers with how much they and their likes were. */
export async function deleteSomeUnder(tx: Connection, blogId: string, room: number): Promise<number> {
  // The newest first: answers go before what they answer.
  const newest = await tx.drizzle
    .select({ id: comments.id, likesCount: comments.likesCount })
    .from(comments)
    .where(eq(comments.blogId, blogId))
    .orderBy(desc(comments.number))
    .limit(room)
    .all();
  const [taken, weight] = withinRoom(newest, room);
  const which = among(taken.map(({ id }) => id));
  // Cut loose from each other first: SQLite takes twenty times as long for a chain.
  await tx.drizzle.update(comments).set({ parentId: null }).where(which).run();
  await tx.drizzle.delete(comments).where(which).run();
  return weight;
}

/** Deletes these comments; whatever answers one of them must be among them. */
export async function deleteComments(tx: Connection, blogId: string, ids: string[]): Promise<void> {
  const shown = await tx.drizzle
    .select({ total: count() })
    .from(comments)
    .where(and(among(ids), isNull(comments.deletedAt)))
    .get();
  await detachFrom(tx, ids);
  // The newest first, few at a time: SQLite follows references at most a thousand deep, and a thread may be deeper.
  for (let left = ids.length; left > 0; left -= limits.replies.step)
    await tx.drizzle
      .delete(comments)
      .where(
        sql`${comments.id} in (select c.id from comments c where c.id in ${listed(ids)}
          order by c.created_at desc, c.id desc limit ${limits.replies.step})`,
      )
      .run();
  await addToCount(tx, "commentsCount", [blogId], -(shown?.total ?? 0));
}

/** Empties comments that others answered: they stay as "deleted", nobody's. They count no longer. */
export async function emptyComments(
  tx: Connection,
  blogId: string,
  ids: string[],
  now: number,
): Promise<void> {
  const { changes } = await tx.drizzle
    .update(comments)
    .set({ text: "", authorId: null, deletedAt: now, likesCount: 0, mark: null })
    .where(and(among(ids), isNull(comments.deletedAt)))
    .run();
  await tx.drizzle
    .delete(commentLikes)
    .where(sql`${commentLikes.commentId} in ${listed(ids)}`)
    .run();
  await addToCount(tx, "commentsCount", [blogId], -changes);
}

/** Takes back some of an account's likes of comments, with their counts; answers with which they were on. */
export async function deleteCommentLikes(
  tx: Connection,
  userId: string,
  limit: number,
): Promise<{ id: string; blogId: string }[]> {
  const some = tx.drizzle
    .select({ id: commentLikes.commentId })
    .from(commentLikes)
    .where(eq(commentLikes.userId, userId))
    .limit(limit);
  const rows = await tx.drizzle
    .delete(commentLikes)
    .where(and(eq(commentLikes.userId, userId), inArray(commentLikes.commentId, some)))
    .returning({ id: commentLikes.commentId })
    .all();
  return tx.drizzle
    .update(comments)
    .set({ likesCount: sql`${comments.likesCount} - 1` })
    .where(among(rows.map(({ id }) => id)))
    .returning({ id: comments.id, blogId: comments.blogId })
    .all();
}
