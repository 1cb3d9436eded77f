import { and, desc, eq, inArray, lte, sql } from "drizzle-orm";
import { bySort, feedSorts, type Sort } from "../../shared/feed-sorts.ts";
import { preparedQuery, type Connection, type Drizzle } from "../database/connection.ts";
import { blogs, blogTags } from "../database/schema/blogs.ts";
import { follows } from "../database/schema/follows.ts";
import { users } from "../database/schema/profiles.ts";
import { hasFilteredLists, unmuted } from "../blocks/mute-queries.ts";
import { isVisibleTo } from "../blocks/queries.ts";
import {
  loadCards,
  isVisibilitySynced,
  published,
  visible,
  isAnyCoAuthor,
  type CardRow,
  type ListPage,
} from "./card-queries.ts";

/* Blogs with a tag, read along the tag's index like the feed (card-queries.ts). */

const viewer = sql.placeholder("viewer");
const marked = sql`(${blogTags.isPublic} = 1 or ${blogTags.authorId} = ${viewer}
  or exists (select 1 from ${follows} where follower_id = ${viewer} and followed_id = ${blogTags.authorId})
  or (${isAnyCoAuthor} and exists (select 1 from blog_authors w inner join blogs b on b.id = w.blog_id
    where w.user_id = ${viewer} and w.accepted_at is not null and b.seq = ${blogTags.blogSeq})))`;
const tagged = and(
  eq(blogTags.tag, sql.placeholder("tag")),
  // The sign keeps SQLite from choosing an index by date; the order chooses it.
  lte(sql`+${blogTags.publishedAt}`, sql.placeholder("now")),
);
const orderBy = (sort: Sort) => {
  const { count } = feedSorts[sort];
  return [...(count ? [desc(blogTags[count])] : []), desc(blogTags.publishedAt), desc(blogTags.blogSeq)];
};
const columns = { seq: blogTags.blogSeq };
const page = { limit: sql.placeholder("limit"), offset: sql.placeholder("offset") };

/* By the index; for viewers with blocks or mutes; by the accounts while a visibility sync is pending. */
const narrowedToo = sql`(${marked} and ${isVisibleTo(blogTags.authorId)} and ${unmuted(blogTags.authorId)})`;
const filters = {
  marked: (db: Drizzle) => db.select(columns).from(blogTags).where(and(tagged, marked)),
  narrowed: (db: Drizzle) => db.select(columns).from(blogTags).where(and(tagged, narrowedToo)),
  asked: (db: Drizzle) =>
    db
      .select(columns)
      .from(blogTags)
      .innerJoin(blogs, eq(blogs.seq, blogTags.blogSeq))
      .innerJoin(users, eq(users.id, blogs.authorId))
      .where(and(tagged, visible, unmuted(blogs.authorId))),
};
type ListVariant = keyof typeof filters;
const listQuery = (variant: ListVariant, sort: Sort) =>
  preparedQuery((db) =>
    filters[variant](db)
      .orderBy(...orderBy(sort))
      .limit(page.limit)
      .offset(page.offset),
  );
const countQuery = (variant: ListVariant) =>
  preparedQuery((db) =>
    db.select({ count: sql<number>`count(*)` }).from(filters[variant](db).limit(page.limit).as("some")),
  );
const lists = (variant: ListVariant) => ({
  page: bySort((sort) => listQuery(variant, sort)),
  count: countQuery(variant),
});
const variants = { marked: lists("marked"), narrowed: lists("narrowed"), asked: lists("asked") };

async function variantFor(connection: Connection, viewerId: string | null): Promise<ListVariant> {
  if (!(await isVisibilitySynced(connection))) return "asked";
  return viewerId !== null && (await hasFilteredLists(connection, viewerId)) ? "narrowed" : "marked";
}

const tagsOfAuthor = preparedQuery((db) =>
  db
    .selectDistinct({ tag: blogTags.tag })
    .from(blogTags)
    .where(
      inArray(
        blogTags.blogSeq,
        db
          .select({ seq: blogs.seq })
          .from(blogs)
          .where(and(eq(blogs.authorId, sql.placeholder("author")), published, eq(blogs.private, false)))
          .orderBy(desc(blogs.publishedAt), desc(blogs.id))
          .limit(sql.placeholder("limit")),
      ),
    ),
);

/** Returns the tags of an author's newest blogs, without private ones. */
export const tagsOfNewestBlogs = async (
  connection: Connection,
  author: string,
  limit: number,
): Promise<string[]> => (await tagsOfAuthor(connection).all({ author, limit })).map(({ tag }) => tag);

/** Returns readable blogs with a tag, without muted people. */
export const listTagged = async (
  connection: Connection,
  tag: string,
  sort: Sort,
  at: ListPage,
): Promise<CardRow[]> => {
  const list = variants[await variantFor(connection, at.viewer)].page[sort];
  return loadCards(connection, await list(connection).all({ ...at, tag, now: Date.now() }), at.viewer);
};

/** Counts that list up to `limit`. */
export async function countTagged(
  connection: Connection,
  tag: string,
  viewerId: string | null,
  limit: number,
): Promise<number> {
  const { count } = variants[await variantFor(connection, viewerId)];
  const parameters = { tag, viewer: viewerId, limit, now: Date.now() };
  return (await count(connection).get(parameters))?.count ?? 0;
}
