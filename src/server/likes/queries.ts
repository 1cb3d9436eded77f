import { and, eq, sql } from "drizzle-orm";
import { addToCount } from "../blogs/queries.ts";
import { preparedQuery, type Connection } from "../database/connection.ts";
import { blogs } from "../database/schema/blogs.ts";
import { blogLikes, blogSaves } from "../database/schema/likes.ts";

/** Sets a like and its count. Returns whether that changed anything. */
export async function setBlogLike(
  tx: Connection,
  blogId: string,
  userId: string,
  liked: boolean,
  now: number,
): Promise<boolean> {
  const { changes } = liked
    ? await tx.drizzle
        .insert(blogLikes)
        .values({ blogId, userId, createdAt: now })
        .onConflictDoNothing()
        .run()
    : await tx.drizzle
        .delete(blogLikes)
        .where(and(eq(blogLikes.blogId, blogId), eq(blogLikes.userId, userId)))
        .run();
  if (changes > 0) await addToCount(tx, "likesCount", [blogId], liked ? 1 : -1);
  return changes > 0;
}

/** Sets a save and its count. Returns whether that changed anything. */
export async function setBlogSave(
  tx: Connection,
  blogId: string,
  userId: string,
  saved: boolean,
  now: number,
): Promise<boolean> {
  const { changes } = saved
    ? await tx.drizzle
        .insert(blogSaves)
        .values({ blogId, userId, createdAt: now })
        .onConflictDoNothing()
        .run()
    : await tx.drizzle
        .delete(blogSaves)
        .where(and(eq(blogSaves.blogId, blogId), eq(blogSaves.userId, userId)))
        .run();
  if (changes > 0) await addToCount(tx, "savesCount", [blogId], saved ? 1 : -1);
  return changes > 0;
}

const liked = preparedQuery((db) =>
  db
    .select({ at: blogLikes.createdAt })
    .from(blogLikes)
    .where(
      and(eq(blogLikes.blogId, sql.placeholder("blogId")), eq(blogLikes.userId, sql.placeholder("userId"))),
    )
    .prepare(),
);
const saved = preparedQuery((db) =>
  db
    .select({ at: blogSaves.createdAt })
    .from(blogSaves)
    .where(
      and(eq(blogSaves.blogId, sql.placeholder("blogId")), eq(blogSaves.userId, sql.placeholder("userId"))),
    )
    .prepare(),
);
export const hasLiked = async (connection: Connection, blogId: string, userId: string): Promise<boolean> =>
  (await liked(connection).get({ blogId, userId })) !== undefined;
export const hasSaved = async (connection: Connection, blogId: string, userId: string): Promise<boolean> =>
  (await saved(connection).get({ blogId, userId })) !== undefined;

const counts = preparedQuery((db) =>
  db
    .select({ likes: blogs.likesCount, saves: blogs.savesCount })
    .from(blogs)
    .where(eq(blogs.id, sql.placeholder("id")))
    .prepare(),
);
export const blogCounts = async (
  connection: Connection,
  id: string,
): Promise<{ likes: number; saves: number }> =>
  (await counts(connection).get({ id })) ?? { likes: 0, saves: 0 };
