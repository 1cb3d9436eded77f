import { and, asc, desc, eq, sql } from "drizzle-orm";
import { hot, type Connection } from "../database/connection.ts";
import { blogLikes, blogSaves, commentLikes, comments, follows, users } from "../database/schema.ts";
import { personColumns } from "../users/queries.ts";

/* What /api/v1 shows beside what the areas do: lists of ids next to exact counts, newest first. */

const limit = sql.placeholder("limit");

const likers = hot((db) =>
  db
    .select({ id: blogLikes.userId })
    .from(blogLikes)
    .where(eq(blogLikes.blogId, sql.placeholder("id")))
    .orderBy(desc(blogLikes.createdAt))
    .limit(limit)
    .prepare(),
);
const savers = hot((db) =>
  db
    .select({ id: blogSaves.userId })
    .from(blogSaves)
    .where(eq(blogSaves.blogId, sql.placeholder("id")))
    .orderBy(desc(blogSaves.createdAt))
    .limit(limit)
    .prepare(),
);
const commentIds = hot((db) =>
  db
    .select({ id: comments.id })
    .from(comments)
    .where(and(eq(comments.blogId, sql.placeholder("id")), sql`comments.parent_id is null`))
    .orderBy(desc(comments.createdAt))
    .limit(limit)
    .prepare(),
);
const ofBlog = hot((db) =>
  db
    .select({
      id: comments.id,
      parentId: comments.parentId,
      text: comments.text,
      createdAt: comments.createdAt,
      deletedAt: comments.deletedAt,
      author: personColumns,
      likes: sql`(select json_group_array(user_id) from (select user_id from comment_likes
        where comment_id = ${comments.id} order by created_at desc limit ${sql.placeholder("likes")}))`.mapWith(
        (value: string) => JSON.parse(value) as string[],
      ),
      liked:
        sql`exists (select 1 from comment_likes where comment_id = ${comments.id} and user_id = ${sql.placeholder("viewer")})`.mapWith(
          Boolean,
        ),
    })
    .from(comments)
    .leftJoin(users, eq(users.id, comments.authorId))
    .where(eq(comments.blogId, sql.placeholder("id")))
    .orderBy(asc(comments.createdAt), asc(comments.id))
    .limit(limit)
    .prepare(),
);
const commentLikerIds = hot((db) =>
  db
    .select({ id: commentLikes.userId })
    .from(commentLikes)
    .where(eq(commentLikes.commentId, sql.placeholder("id")))
    .orderBy(desc(commentLikes.createdAt))
    .limit(limit)
    .prepare(),
);
const followerIds = hot((db) =>
  db
    .select({ id: follows.followerId })
    .from(follows)
    .where(eq(follows.followedId, sql.placeholder("id")))
    .orderBy(desc(follows.createdAt))
    .limit(limit)
    .prepare(),
);
const followingIds = hot((db) =>
  db
    .select({ id: follows.followedId })
    .from(follows)
    .where(eq(follows.followerId, sql.placeholder("id")))
    .orderBy(desc(follows.createdAt))
    .limit(limit)
    .prepare(),
);

const ids = (rows: { id: string }[]) => rows.map((row) => row.id);

export type BlogCommentRow = Awaited<ReturnType<ReturnType<typeof ofBlog>["all"]>>[number];

export const likerIds = async (connection: Connection, id: string, most: number) =>
  ids(await likers(connection).all({ id, limit: most }));
export const saverIds = async (connection: Connection, id: string, most: number) =>
  ids(await savers(connection).all({ id, limit: most }));
export const topCommentIds = async (connection: Connection, id: string, most: number) =>
  ids(await commentIds(connection).all({ id, limit: most }));
export const followerIdsOf = async (connection: Connection, id: string, most: number) =>
  ids(await followerIds(connection).all({ id, limit: most }));
export const followingIdsOf = async (connection: Connection, id: string, most: number) =>
  ids(await followingIds(connection).all({ id, limit: most }));

export const commentLikers = async (connection: Connection, id: string, most: number) =>
  ids(await commentLikerIds(connection).all({ id, limit: most }));

/** Comments and replies of a blog, oldest first, each with its newest likes and whether the viewer's is one of all. */
export const commentsOfBlog = async (
  connection: Connection,
  id: string,
  at: { viewer: string | null; limit: number; likes: number },
): Promise<BlogCommentRow[]> => ofBlog(connection).all({ id, ...at });
