import { and, desc, eq, inArray, or, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Connection } from "../database/connection.ts";
import { blogs } from "../database/schema/blogs.ts";
import { commentLikes, comments } from "../database/schema/comments.ts";
import { notifications } from "../database/schema/notices.ts";
import { blogLikes, blogSaves, followRequests, follows } from "../database/schema/social.ts";
import { users } from "../database/schema/users.ts";

const listed = (ids: string[]) => sql`(select value from json_each(${JSON.stringify(ids)}))`;

/** Some of the account's comments, the newest first. */
export const newestCommentsOf = async (connection: Connection, userId: string, limit: number) =>
  connection.drizzle
    .select({ id: comments.id, blogId: comments.blogId, likesCount: comments.likesCount })
    .from(comments)
    .where(eq(comments.authorId, userId))
    .orderBy(desc(comments.number))
    .limit(limit)
    .all();

/** What stands directly below these comments. */
export const answersTo = async (connection: Connection, ids: string[]) =>
  connection.drizzle
    .select({ id: comments.id, parentId: comments.parentId })
    .from(comments)
    .where(inArray(comments.parentId, ids))
    .all();

/** Deletes some of the notices that are the account's or tell of it; answers with whose each was. */
export async function deleteNotices(tx: Connection, userId: string, limit: number): Promise<string[]> {
  const some = tx.drizzle
    .select({ id: notifications.id })
    .from(notifications)
    .where(or(eq(notifications.userId, userId), eq(notifications.actorId, userId)))
    .limit(limit);
  const rows = await tx.drizzle
    .delete(notifications)
    .where(inArray(notifications.id, some))
    .returning({ userId: notifications.userId })
    .all();
  return rows.map((row) => row.userId);
}

/** Takes back some of the account's likes and saves with their counts; answers with the blogs and comments they were on. */
export async function takeBackLikes(
  tx: Connection,
  userId: string,
  limit: number,
): Promise<{ liked: string[]; saved: string[]; comments: { id: string; blogId: string }[] }> {
  let room = limit;
  const takeBack = async (table: typeof blogLikes | typeof blogSaves) => {
    const some = tx.drizzle
      .select({ id: table.blogId })
      .from(table)
      .where(eq(table.userId, userId))
      .limit(room);
    const rows = await tx.drizzle
      .delete(table)
      .where(and(eq(table.userId, userId), inArray(table.blogId, some)))
      .returning({ id: table.blogId })
      .all();
    room -= rows.length;
    return rows.map(({ id }) => id);
  };
  const liked = await takeBack(blogLikes);
  const saved = await takeBack(blogSaves);
  const someComments = tx.drizzle
    .select({ id: commentLikes.commentId })
    .from(commentLikes)
    .where(eq(commentLikes.userId, userId))
    .limit(room);
  const likedComments = (
    await tx.drizzle
      .delete(commentLikes)
      .where(and(eq(commentLikes.userId, userId), inArray(commentLikes.commentId, someComments)))
      .returning({ id: commentLikes.commentId })
      .all()
  ).map(({ id }) => id);
  await tx.drizzle
    .update(blogs)
    .set({ likesCount: sql`likes_count - 1` })
    .where(inArray(blogs.id, listed(liked)))
    .run();
  await tx.drizzle
    .update(blogs)
    .set({ savesCount: sql`saves_count - 1` })
    .where(inArray(blogs.id, listed(saved)))
    .run();
  await tx.drizzle
    .update(comments)
    .set({ likesCount: sql`likes_count - 1` })
    .where(inArray(comments.id, listed(likedComments)))
    .run();
  const where = await tx.drizzle
    .select({ id: comments.id, blogId: comments.blogId })
    .from(comments)
    .where(inArray(comments.id, listed(likedComments)))
    .all();
  return { liked, saved, comments: where };
}

/** Ends some of the account's follows and requests with the counts of the others; answers with whom they concerned. */
export async function cutTies(
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
  await drizzle
    .update(users)
    .set({ followersCount: sql`followers_count - 1` })
    .where(inArray(users.id, listed(followed)))
    .run();
  await drizzle
    .update(users)
    .set({ followingCount: sql`following_count - 1` })
    .where(inArray(users.id, listed(followers)))
    .run();
  return { followed, followers, asked, asking };
}

/** Blogs of the account, with what decides whether the feed showed them. */
export const blogsOf = async (connection: Connection, userId: string, limit: number) =>
  connection.drizzle
    .select({ id: blogs.id, draft: blogs.draft, private: blogs.private })
    .from(blogs)
    .where(eq(blogs.authorId, userId))
    .limit(limit)
    .all();

export async function deleteUser(tx: Connection, userId: string): Promise<void> {
  await tx.drizzle.delete(users).where(eq(users.id, userId)).run();
}
