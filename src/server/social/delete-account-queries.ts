import { and, eq, inArray } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { addToCount as addToBlogs } from "../blogs/queries.ts";
import type { Connection } from "../database/connection.ts";
import { blogLikes, blogSaves, followRequests, follows } from "../database/schema/social.ts";
import { addToCount as addToPeople } from "../profiles/queries.ts";

type Kept = typeof blogLikes | typeof blogSaves;

/** Deletes some of an account's likes and saves with their counts. Returns their blogs. */
export async function deleteLikesAndSaves(
  tx: Connection,
  userId: string,
  limit: number,
): Promise<{ liked: string[]; saved: string[] }> {
  const takeBack = async (table: Kept, most: number) => {
    const some = tx.drizzle
      .select({ id: table.blogId })
      .from(table)
      .where(eq(table.userId, userId))
      .limit(most);
    const rows = await tx.drizzle
      .delete(table)
      .where(and(eq(table.userId, userId), inArray(table.blogId, some)))
      .returning({ id: table.blogId })
      .all();
    return rows.map(({ id }) => id);
  };
  const liked = await takeBack(blogLikes, limit);
  const saved = await takeBack(blogSaves, limit - liked.length);
  await addToBlogs(tx, "likesCount", liked, -1);
  await addToBlogs(tx, "savesCount", saved, -1);
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
    removed += (
      await tx.drizzle
        .delete(table)
        .where(and(eq(table.blogId, blogId), inArray(table.userId, people)))
        .run()
    ).changes;
  }
  return removed;
}

/** Deletes some of an account's follows and requests, and updates the others' counts. Returns those people. */
export async function deleteSomeFollows(
  tx: Connection,
  userId: string,
  limit: number,
): Promise<{ followed: string[]; followers: string[]; asked: string[]; asking: string[] }> {
  const { drizzle } = tx;
  let room = limit;
  const end = async (
    table: typeof follows | typeof followRequests,
    own: SQLiteColumn,
    other: SQLiteColumn,
  ) => {
    const some = drizzle.select({ id: other }).from(table).where(eq(own, userId)).limit(room);
    const rows = await drizzle
      .delete(table)
      .where(and(eq(own, userId), inArray(other, some)))
      .returning({ id: other })
      .all();
    room -= rows.length;
    return rows.map(({ id }) => id as string);
  };
  const followers = await end(follows, follows.followedId, follows.followerId);
  const followed = await end(follows, follows.followerId, follows.followedId);
  const asking = await end(followRequests, followRequests.ownerId, followRequests.requesterId);
  const asked = await end(followRequests, followRequests.requesterId, followRequests.ownerId);
  await addToPeople(tx, "followersCount", followed, -1);
  await addToPeople(tx, "followingCount", followers, -1);
  return { followed, followers, asked, asking };
}
