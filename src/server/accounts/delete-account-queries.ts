import { and, eq, inArray } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { addToCount as addToBlogs } from "../blogs/queries.ts";
import type { Connection } from "../database/connection.ts";
import { blogLikes, blogSaves } from "../database/schema/likes.ts";
import { followRequests, follows } from "../database/schema/follows.ts";
import { addToCount as addToPeople } from "../profiles/queries.ts";

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
      .returning({ id: table.blogId })
      .all();
    return rows.map(({ id }) => id);
  };
  const liked = await deleteRows(blogLikes, limit);
  const saved = await deleteRows(blogSaves, limit - liked.length);
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
): Promise<{ followed: string[]; followers: string[]; requested: string[]; requesters: string[] }> {
  const { drizzle } = tx;
  let remaining = limit;
  const end = async (
    table: typeof follows | typeof followRequests,
    ownColumn: SQLiteColumn,
    otherColumn: SQLiteColumn,
  ) => {
    const batch = drizzle
      .select({ id: otherColumn })
      .from(table)
      .where(eq(ownColumn, userId))
      .limit(remaining);
    const rows = await drizzle
      .delete(table)
      .where(and(eq(ownColumn, userId), inArray(otherColumn, batch)))
      .returning({ id: otherColumn })
      .all();
    remaining -= rows.length;
    return rows.map(({ id }) => id as string);
  };
  const followers = await end(follows, follows.followedId, follows.followerId);
  const followed = await end(follows, follows.followerId, follows.followedId);
  const requesters = await end(followRequests, followRequests.ownerId, followRequests.requesterId);
  const requested = await end(followRequests, followRequests.requesterId, followRequests.ownerId);
  await addToPeople(tx, "followersCount", followed, -1);
  await addToPeople(tx, "followingCount", followers, -1);
  return { followed, followers, requested, requesters };
}
