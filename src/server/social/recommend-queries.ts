import { and, desc, eq, ne, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { visible } from "../blogs/card-queries.ts";
import { hot, type Connection, type Drizzle } from "../database/connection.ts";
import { newestBlogsWith } from "../database/full-text.ts";
import { blogs } from "../database/schema/blogs.ts";
import { blogLikes, blogSaves, follows } from "../database/schema/social.ts";
import { users } from "../database/schema/users.ts";
import { personColumns } from "../users/queries.ts";

const viewer = sql.placeholder("viewer");
const liker = alias(users, "liker");

const columns = {
  id: blogs.id,
  authorId: blogs.authorId,
  title: blogs.title,
  description: blogs.description,
  tags: blogs.tags,
  likesCount: blogs.likesCount,
  publishedAt: blogs.publishedAt,
};
const author = { author: personColumns };

/** Published, readable, not the viewer's own, and neither liked nor saved by them. */
const newToViewer = and(
  sql`blogs.draft = 0`,
  ne(blogs.authorId, viewer),
  visible,
  sql`not exists (select 1 from ${blogLikes} where blog_id = ${blogs.id} and user_id = ${viewer})`,
  sql`not exists (select 1 from ${blogSaves} where blog_id = ${blogs.id} and user_id = ${viewer})`,
);

/** Whom the viewer follows, those they chose last: 200 say enough. */
const followed = (db: Drizzle) =>
  db
    .select({ id: follows.followedId })
    .from(follows)
    .where(eq(follows.followerId, viewer))
    .orderBy(desc(follows.createdAt), desc(follows.followedId))
    .limit(200)
    .as("followed");

/** Exported for the test on their plans. */
export const candidates = {
  /** Of each FTS5 expression in `wanted` (a JSON list) the newest blogs; `wanted` of a row is the expression's index. */
  byWords: hot((db) =>
    db
      .select({ ...columns, ...author, wanted: sql<number>`wanted.key` })
      .from(blogs)
      .innerJoin(
        sql`json_each(${sql.placeholder("wanted")}) as wanted`,
        sql`${blogs.number} in ${newestBlogsWith(sql`wanted.value`, sql`${sql.placeholder("each")}`)}`,
      )
      .innerJoin(users, eq(users.id, blogs.authorId))
      .where(newToViewer)
      .orderBy(desc(blogs.publishedAt), desc(blogs.id), sql`wanted.key`)
      .prepare(),
  ),
  byFollowed: hot((db) => {
    const by = followed(db);
    return (
      db
        .select({ ...columns, ...author })
        .from(by)
        // The index has `private` before the date: each of the two is read from its end.
        .innerJoin(sql`(select 0 as private union all select 1) as kind`, sql`true`)
        .innerJoin(
          blogs,
          sql`${blogs.number} in (select own.number from blogs own where own.author_id = ${by.id} and own.draft = 0 and own.private = kind.private order by own.published_at desc, own.id desc limit 4)`,
        )
        .innerJoin(users, eq(users.id, blogs.authorId))
        .where(newToViewer)
        .orderBy(desc(blogs.publishedAt), desc(blogs.id))
        .limit(300)
        .prepare()
    );
  }),
  /** Of each person followed, whose likes are shown, the last they liked. */
  byLikes: hot((db) => {
    const by = followed(db);
    return db
      .select({
        ...columns,
        ...author,
        liker: { id: liker.id, username: liker.username, name: liker.name, pictureId: liker.pictureId },
      })
      .from(by)
      .innerJoin(liker, and(eq(liker.id, by.id), eq(liker.showLikedBlogs, sql`1`)))
      .innerJoin(
        blogs,
        sql`${blogs.id} in (select liked.blog_id from blog_likes liked where liked.user_id = ${by.id} order by liked.created_at desc, liked.blog_id desc limit 6)`,
      )
      .innerJoin(users, eq(users.id, blogs.authorId))
      .where(and(newToViewer, ne(blogs.authorId, by.id)))
      .orderBy(desc(blogs.publishedAt), desc(blogs.id), liker.id)
      .limit(400)
      .prepare();
  }),
  newest: hot((db) =>
    db
      .select({ ...columns, ...author })
      .from(blogs)
      .innerJoin(users, eq(users.id, blogs.authorId))
      .where(newToViewer)
      .orderBy(desc(blogs.publishedAt), desc(blogs.id))
      .limit(40)
      .prepare(),
  ),
};

export type CandidateRow = Awaited<ReturnType<ReturnType<typeof candidates.newest>["all"]>>[number];
export type WantedRow = Awaited<ReturnType<ReturnType<typeof candidates.byWords>["all"]>>[number];
export type LikedRow = Awaited<ReturnType<ReturnType<typeof candidates.byLikes>["all"]>>[number];

export const blogsWithWords = async (
  connection: Connection,
  viewerId: string,
  wanted: string[],
  each: number,
): Promise<WantedRow[]> =>
  wanted.length === 0
    ? []
    : candidates.byWords(connection).all({ viewer: viewerId, wanted: JSON.stringify(wanted), each });
export const blogsOfFollowed = async (connection: Connection, viewerId: string): Promise<CandidateRow[]> =>
  candidates.byFollowed(connection).all({ viewer: viewerId });
export const blogsLikedByFollowed = async (connection: Connection, viewerId: string): Promise<LikedRow[]> =>
  candidates.byLikes(connection).all({ viewer: viewerId });
export const newestBlogs = async (connection: Connection, viewerId: string): Promise<CandidateRow[]> =>
  candidates.newest(connection).all({ viewer: viewerId });
