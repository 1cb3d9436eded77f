import { sql } from "drizzle-orm";
import { preparedQuery, type Connection } from "../database/connection.ts";
import { blogs, blogTags } from "../database/schema/blogs.ts";
import { isVisibleTo } from "../blocks/queries.ts";

/* Public data of the newest blogs: the same for all viewers, at a constant cost. */

const newest = (limit: number) => sql`(select looked_at.seq from (
    select blogs.seq, blogs.is_public from blogs where blogs.draft = 0 and blogs.published_at <= ${sql.placeholder("now")}
    order by blogs.published_at desc, blogs.id desc limit ${sql.raw(`${limit}`)}) as looked_at
  where looked_at.is_public = 1)`;

/** Exported for the query plan test. */
export const statements = {
  recent: preparedQuery((db) =>
    db
      .select({
        id: blogs.id,
        authorId: blogs.authorId,
        coverId: blogs.coverId,
        likesCount: blogs.likesCount,
        commentsCount: blogs.commentsCount,
        publishedAt: blogs.publishedAt,
      })
      .from(blogs)
      .where(sql`${blogs.seq} in ${newest(80)} and ${isVisibleTo(blogs.authorId)}`),
  ),
  tags: preparedQuery((db) =>
    db
      .select({
        tag: blogTags.tag,
        people: sql<number>`count(distinct ${blogTags.authorId})`.as("people"),
        blogs: sql<number>`count(*)`.as("how_many"),
      })
      .from(blogTags)
      .where(
        sql`${blogTags.blogSeq} in ${newest(300)} and ${blogTags.isPublic} = 1 and ${isVisibleTo(blogTags.authorId)}`,
      )
      .groupBy(blogTags.tag)
      .having(sql`count(*) > 1`)
      .orderBy(sql`people desc`, sql`how_many desc`, blogTags.tag)
      .limit(sql.placeholder("limit")),
  ),
};

export type Recent = Awaited<ReturnType<ReturnType<typeof statements.recent>["all"]>>[number];

export const recentPublicBlogs = async (connection: Connection): Promise<Recent[]> =>
  statements.recent(connection).all({ viewer: null, now: Date.now() });

/** Returns the tags that most people use in the newest public blogs, if used more than once. */
export const tagsInUse = async (connection: Connection, limit: number): Promise<string[]> =>
  (await statements.tags(connection).all({ viewer: null, now: Date.now(), limit })).map(({ tag }) => tag);
