import { and, eq, inArray, isNotNull, ne, or, sql } from "drizzle-orm";
import type { Connection } from "../database/connection.ts";
import {
  blogLikes,
  blogMedia,
  blogSaves,
  blogs,
  commentLikes,
  comments,
  followRequests,
  follows,
  users,
} from "../database/schema.ts";

const listed = (ids: string[]) => sql`(select value from json_each(${JSON.stringify(ids)}))`;

/** The account's comments under other people's blogs, and which of them have an answer of somebody else below. */
export async function commentsOf(
  connection: Connection,
  userId: string,
): Promise<{ id: string; blogId: string; answered: boolean }[]> {
  const rows = await connection.drizzle
    .select({
      id: comments.id,
      blogId: comments.blogId,
      answered: sql<number>`exists (
        with recursive below(id, author_id) as (
          select c.id, c.author_id from comments c where c.parent_id = ${comments.id}
          union all
          select c.id, c.author_id from comments c join below on c.parent_id = below.id
        )
        select 1 from below where author_id is not ${userId}
      )`,
    })
    .from(comments)
    .innerJoin(blogs, eq(blogs.id, comments.blogId))
    .where(and(eq(comments.authorId, userId), ne(blogs.authorId, userId)))
    .all();
  return rows.map(({ answered, ...row }) => ({ ...row, answered: Boolean(answered) }));
}

/** Takes back the account's likes and saves with their counts; answers with the blogs and comments they were on. */
export async function takeBackLikes(
  tx: Connection,
  userId: string,
): Promise<{ liked: string[]; saved: string[]; comments: { id: string; blogId: string }[] }> {
  const liked = (
    await tx.drizzle
      .delete(blogLikes)
      .where(eq(blogLikes.userId, userId))
      .returning({ id: blogLikes.blogId })
      .all()
  ).map(({ id }) => id);
  const saved = (
    await tx.drizzle
      .delete(blogSaves)
      .where(eq(blogSaves.userId, userId))
      .returning({ id: blogSaves.blogId })
      .all()
  ).map(({ id }) => id);
  const likedComments = (
    await tx.drizzle
      .delete(commentLikes)
      .where(eq(commentLikes.userId, userId))
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

/** Ends the account's follows and requests with the counts of the others; answers with whom they concerned. */
export async function cutTies(
  tx: Connection,
  userId: string,
): Promise<{ followed: string[]; followers: string[]; asked: string[]; asking: string[] }> {
  const ties = await tx.drizzle
    .delete(follows)
    .where(or(eq(follows.followerId, userId), eq(follows.followedId, userId)))
    .returning()
    .all();
  const requests = await tx.drizzle
    .delete(followRequests)
    .where(or(eq(followRequests.requesterId, userId), eq(followRequests.ownerId, userId)))
    .returning()
    .all();
  const followed = ties.filter((tie) => tie.followerId === userId).map((tie) => tie.followedId);
  const followers = ties.filter((tie) => tie.followedId === userId).map((tie) => tie.followerId);
  await tx.drizzle
    .update(users)
    .set({ followersCount: sql`followers_count - 1` })
    .where(inArray(users.id, listed(followed)))
    .run();
  await tx.drizzle
    .update(users)
    .set({ followingCount: sql`following_count - 1` })
    .where(inArray(users.id, listed(followers)))
    .run();
  return {
    followed,
    followers,
    asked: requests.filter((request) => request.requesterId === userId).map((request) => request.ownerId),
    asking: requests.filter((request) => request.ownerId === userId).map((request) => request.requesterId),
  };
}

/** Blogs of the account, with what decides whether the feed showed them. */
export const blogsOf = async (connection: Connection, userId: string) =>
  connection.drizzle
    .select({ id: blogs.id, draft: blogs.draft, private: blogs.private })
    .from(blogs)
    .where(eq(blogs.authorId, userId))
    .all();

export async function picturesOf(connection: Connection, userId: string): Promise<string[]> {
  const rows = await connection.drizzle
    .select({ id: blogMedia.mediaId })
    .from(blogMedia)
    .innerJoin(blogs, eq(blogs.id, blogMedia.blogId))
    .where(eq(blogs.authorId, userId))
    .all();
  return rows.map((row) => row.id);
}

export async function deleteUser(tx: Connection, userId: string): Promise<void> {
  // As deleteBlog does: threads may be deeper than SQLite follows.
  const own = tx.drizzle.select({ id: blogs.id }).from(blogs).where(eq(blogs.authorId, userId));
  await tx.drizzle
    .update(comments)
    .set({ parentId: null })
    .where(and(inArray(comments.blogId, own), isNotNull(comments.parentId)))
    .run();
  await tx.drizzle.delete(users).where(eq(users.id, userId)).run();
}
