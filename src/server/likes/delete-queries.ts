import { and, eq, inArray } from "drizzle-orm";
import { addToCount } from "../blogs/queries.ts";
import { type Connection, changes } from "../database/connection.ts";
import { blogLikes, blogSaves } from "../database/schema/likes.ts";

type LikesOrSaves = typeof blogLikes | typeof blogSaves;

/** Deletes some of an account's likes and saves with their counts. Returns their blogs. */
export async function deleteLikesAndSaves(
  tx: Connection,
  userId: string,
  limit: number,
): Promise<{ liked: string[]; saved: string[] }> {
  const deleteRows = async (table: LikesOrSaves, count: number) => {
    const blogIds = tx.drizzle
      .select({ id: table.blogId })
      .from(table)
      .where(eq(table.userId, userId))
      .limit(count);
    const rows = await tx.drizzle
      .delete(table)
      .where(and(eq(table.userId, userId), inArray(table.blogId, blogIds)))
      .returning({ id: table.blogId });
    return rows.map(({ id }) => id);
  };
  const liked = await deleteRows(blogLikes, limit);
  const saved = await deleteRows(blogSaves, limit - liked.length);
  await addToCount(tx, "likesCount", liked, -1);
  await addToCount(tx, "savesCount", saved, -1);
  return { liked, saved };
}

/** Deletes some likes and saves of a blog before its deletion. Returns how many. */
export async function deleteLikesOf(tx: Connection, blogId: string, limit: number): Promise<number> {
  let removed = 0;
  for (const table of [blogLikes, blogSaves]) {
    const people = tx.drizzle
      .select({ userId: table.userId })
      .from(table)
      .where(eq(table.blogId, blogId))
      .limit(limit - removed);
    removed += await changes(
      tx.drizzle.delete(table).where(and(eq(table.blogId, blogId), inArray(table.userId, people))),
    );
  }
  return removed;
}
