import { and, desc, eq, inArray, lte, sql, type SQL } from "drizzle-orm";
import { alias } from "../database/schema/columns.ts";
import { readingMinutes } from "../../shared/document/to-text.ts";
import { bySort, feedSorts, type Sort } from "../../shared/feed-sorts.ts";
import { untitled } from "../database/blog-title.ts";
import { preparedQuery, type Connection, type Drizzle } from "../database/connection.ts";
import { jsonArrayOfJson, jsonObject, listedNumbers, listedTexts } from "../database/dialect.ts";
import { blogAuthors } from "../database/schema/authors.ts";
import { blogs } from "../database/schema/blogs.ts";
import { media } from "../database/schema/media.ts";
import { blogLikes, blogSaves } from "../database/schema/likes.ts";
import { follows } from "../database/schema/follows.ts";
import { users } from "../database/schema/profiles.ts";
import { draftsShown } from "../writing/queries.ts";
import { hasFilteredLists, unmuted } from "../blocks/mute-queries.ts";
import { isVisibleTo } from "../blocks/queries.ts";

const viewer = sql.placeholder("viewer");
const cover = alias(media, "cover");

export const followsAuthor = sql<number>`exists (select 1 from ${follows} where follower_id = ${viewer} and followed_id = ${blogs.authorId})`;

export const isAnyCoAuthor = sql`exists (select 1 from ${blogAuthors} where user_id = ${viewer} and accepted_at is not null)`;
/** True where the viewer is a co-author. Whether they are anywhere is evaluated once per statement. */
export const isCoAuthor = sql<number>`(${isAnyCoAuthor} and exists (select 1 from ${blogAuthors} where blog_id = ${blogs.id} and user_id = ${viewer} and accepted_at is not null))`;

/** `canReadBlog` as a condition: lists never load a row that the viewer cannot read. */
export const visible = sql`(${blogs.authorId} = ${viewer} or ${isCoAuthor} or (blogs.draft = 0 and ${isVisibleTo(blogs.authorId)} and ((blogs.private = 0 and ${users.private} = 0) or ${followsAuthor})))`;

/** The co-authors visible to the viewer, as JSON in the order they joined, or null. */
const coAuthors = sql<string | null>`(select ${jsonArrayOfJson(sql`person`)} from (
  select ${jsonObject}('id', u.id, 'username', u.username, 'name', u.name, 'pictureId', u.picture_id) as person
  from ${blogAuthors} w inner join users u on u.id = w.user_id
  where w.blog_id = ${blogs.id} and w.accepted_at is not null and ${isVisibleTo(sql`u.id`)}
  order by w.accepted_at, w.user_id) joined having count(*) > 0)`;

const cardColumns = {
  seq: blogs.seq,
  id: blogs.id,
  slug: blogs.slug,
  title: blogs.title,
  description: blogs.description,
  excerpt: blogs.excerpt,
  tags: blogs.tags,
  draft: blogs.draft,
  private: blogs.private,
  publishedAt: blogs.publishedAt,
  readingMinutes: blogs.readingMinutes,
  likesCount: blogs.likesCount,
  commentsCount: blogs.commentsCount,
  savesCount: blogs.savesCount,
  liveSince: blogs.liveSince,
  liveEnded: blogs.liveEnded,
  author: { id: users.id, username: users.username, name: users.name, pictureId: users.pictureId },
  cover: { id: cover.id, width: cover.width, height: cover.height, color: cover.color, widths: cover.widths },
  coverFocus: blogs.coverFocus,
  liked: sql<number>`exists (select 1 from ${blogLikes} where blog_id = ${blogs.id} and user_id = ${viewer})`,
  language: sql<string>`coalesce(nullif(${blogs.language}, ''), ${blogs.guessedLanguage})`,
  coAuthors,
  saved: sql<number>`exists (select 1 from ${blogSaves} where blog_id = ${blogs.id} and user_id = ${viewer})`,
};

const cards = (db: Drizzle) =>
  db
    .select(cardColumns)
    .from(blogs)
    .innerJoin(users, eq(users.id, blogs.authorId))
    .leftJoin(cover, eq(cover.id, blogs.coverId));

/* Lists read the numbers of one page from a covering index, then those cards. Even deep pages read no other rows. */

/** `visible` by the columns of a list's index. Correct only while no visibility sync is pending. */
const marked = sql`(${blogs.isPublic} = 1 or ${blogs.authorId} = ${viewer} or ${followsAuthor} or ${isCoAuthor})`;

export const page = { limit: sql.placeholder("limit"), offset: sql.placeholder("offset") };
// `draft = 0` is written out: a bound parameter would not match the partial indexes.
export const published = sql`blogs.draft = 0`;
export const number = { seq: blogs.seq };

const orders = bySort((sort) => {
  const { count } = feedSorts[sort];
  const newest = [desc(blogs.publishedAt), desc(blogs.id)];
  return count
    ? { where: published, by: [desc(blogs[count]), ...newest] }
    : // Leaves out future dates, from a wrong clock, until `correctFutureDates` corrects them.
      { where: and(published, lte(blogs.publishedAt, sql.placeholder("now"))), by: newest };
});
const listQuery = (sort: Sort, condition: SQL) =>
  preparedQuery((db) =>
    db
      .select(number)
      .from(blogs)
      .where(and(orders[sort].where, condition))
      .orderBy(...orders[sort].by)
      .limit(page.limit)
      .offset(page.offset),
  );
/** For viewers with blocks or mutes: checks each skipped entry, up to forty thousand. */
const markedAndFiltered = sql`(${marked} and ${isVisibleTo(blogs.authorId)} and ${unmuted(blogs.authorId)})`;
const feed = (sort: Sort) => ({
  marked: listQuery(sort, marked),
  narrowed: listQuery(sort, markedAndFiltered),
  /** By the accounts, while a visibility sync is pending. */
  asked: preparedQuery((db) =>
    db
      .select(number)
      .from(blogs)
      .innerJoin(users, eq(users.id, blogs.authorId))
      .where(and(orders[sort].where, visible, unmuted(blogs.authorId)))
      .orderBy(...orders[sort].by)
      .limit(page.limit)
      .offset(page.offset),
  ),
});
const feeds = bySort(feed);
const countQuery = (condition: SQL) =>
  preparedQuery((db) =>
    db.select({ count: sql<number>`count(*)` }).from(
      db
        .select(number)
        .from(blogs)
        .where(and(orders.latest.where, condition))
        .orderBy(...orders.latest.by)
        .limit(page.limit)
        .as("some"),
    ),
  );
/** Counts a feed. During a visibility sync the count may be off by that account's blogs. */
const lengths = { marked: countQuery(marked), narrowed: countQuery(markedAndFiltered) };
const likedBy = preparedQuery((db) =>
  db
    .select(number)
    .from(blogLikes)
    .innerJoin(blogs, eq(blogs.id, blogLikes.blogId))
    .innerJoin(users, eq(users.id, blogs.authorId))
    .where(and(eq(blogLikes.userId, sql.placeholder("owner")), published, visible))
    .orderBy(desc(blogLikes.createdAt), desc(blogLikes.blogId))
    .limit(page.limit)
    .offset(page.offset),
);
const savedBy = preparedQuery((db) =>
  db
    .select(number)
    .from(blogSaves)
    .innerJoin(blogs, eq(blogs.id, blogSaves.blogId))
    .innerJoin(users, eq(users.id, blogs.authorId))
    .where(and(eq(blogSaves.userId, sql.placeholder("owner")), published, visible))
    .orderBy(desc(blogSaves.createdAt), desc(blogSaves.blogId))
    .limit(page.limit)
    .offset(page.offset),
);
const cardsOf = preparedQuery((db) =>
  cards(db).where(and(sql`${blogs.seq} in ${listedNumbers(sql.placeholder("numbers"))}`, visible)),
);
export type CardRow = Awaited<ReturnType<ReturnType<typeof cardsOf>["all"]>>[number];

const card = preparedQuery((db) => cards(db).where(eq(blogs.id, sql.placeholder("id"))));
const cardsAmong = preparedQuery((db) =>
  cards(db).where(and(inArray(blogs.id, listedTexts(sql.placeholder("ids"))), published, visible)),
);

const rightsToMany = preparedQuery((db) =>
  db
    .select({ id: blogs.id, authorId: blogs.authorId, readable: sql<number>`${visible}`, isCoAuthor })
    .from(blogs)
    .innerJoin(users, eq(users.id, blogs.authorId))
    .where(inArray(blogs.id, listedTexts(sql.placeholder("ids")))),
);

/** Returns each blog's author and whether the viewer can read and edit it, for all cards of a stream. */
export const rightsToBlogs = async (
  connection: Connection,
  ids: string[],
  viewerId: string | null,
): Promise<{ id: string; authorId: string; readable: boolean; writable: boolean }[]> =>
  (await rightsToMany(connection).all({ ids: JSON.stringify(ids), viewer: viewerId })).map(
    ({ id, authorId, readable, isCoAuthor: coAuthored }) => ({
      id,
      authorId,
      readable: Boolean(readable),
      writable: authorId === viewerId || Boolean(coAuthored),
    }),
  );

const syncPending = preparedQuery((db) =>
  db
    .select({ id: users.id })
    .from(users)
    .where(sql`users.visibility_sync_pending = 1`)
    .limit(1),
);
export const isVisibilitySynced = async (connection: Connection): Promise<boolean> =>
  (await syncPending(connection).get()) === undefined;

export const maxCounted = 1_000;
export const countListed = async (connection: Connection): Promise<number> =>
  (await listSeqs(connection, "latest", { viewer: null, limit: maxCounted, offset: 0 })).length;

/** Counts the viewer's feed, up to `maxCounted` + 1. */
export async function countFeed(connection: Connection, viewerId: string | null): Promise<number> {
  const isNarrowed = viewerId !== null && (await hasFilteredLists(connection, viewerId));
  const length = lengths[isNarrowed ? "narrowed" : "marked"];
  const parameters = { viewer: viewerId, limit: maxCounted + 1, now: Date.now() };
  return (await length(connection).get(parameters))?.count ?? 0;
}

export interface ListPage {
  viewer: string | null;
  limit: number;
  offset: number;
}

async function listSeqs(connection: Connection, sort: Sort, at: ListPage): Promise<{ seq: number }[]> {
  const { marked: byIndex, narrowed, asked } = feeds[sort];
  const isNarrowed = at.viewer !== null && (await hasFilteredLists(connection, at.viewer));
  const list = !(await isVisibilitySynced(connection)) ? asked : isNarrowed ? narrowed : byIndex;
  return list(connection).all({ ...at, now: Date.now() });
}

/** Returns cards in the order of the list, checking access again: the list relied on its index. */
export async function loadCards(
  connection: Connection,
  list: { seq: number }[],
  viewerId: string | null,
): Promise<CardRow[]> {
  if (list.length === 0) return [];
  const numbers = JSON.stringify(list.map((row) => row.seq));
  const rows = await cardsOf(connection).all({ numbers, viewer: viewerId });
  const byNumber = new Map((await withDrafts(connection, rows)).map((row) => [row.seq, row]));
  return list.flatMap((row) => byNumber.get(row.seq) ?? []);
}

/** Returns cards with what the drafts of unpublished blogs say. */
async function withDrafts(connection: Connection, rows: CardRow[]): Promise<CardRow[]> {
  const drafts = await draftsShown(
    connection,
    rows.flatMap(({ id, draft }) => (draft ? [id] : [])),
  );
  return rows.map((row) => {
    const draft = drafts.get(row.id);
    if (!draft) return row;
    const { title, description, tags, coverFocus, language } = draft.fields;
    return {
      ...row,
      title: title.trim() || untitled,
      description,
      tags,
      private: draft.fields.private,
      language,
      excerpt: draft.excerpt,
      readingMinutes: readingMinutes(draft.words),
      cover: draft.cover,
      coverFocus,
    };
  });
}

export const listBlogs = async (connection: Connection, sort: Sort, at: ListPage): Promise<CardRow[]> =>
  loadCards(connection, await listSeqs(connection, sort, at), at.viewer);
export const listLiked = async (connection: Connection, owner: string, at: ListPage): Promise<CardRow[]> =>
  loadCards(connection, await likedBy(connection).all({ owner, ...at }), at.viewer);
export const listSaved = async (connection: Connection, owner: string, at: ListPage): Promise<CardRow[]> =>
  loadCards(connection, await savedBy(connection).all({ owner, ...at }), at.viewer);
export const cardById = async (
  connection: Connection,
  id: string,
  viewerId: string | null,
): Promise<CardRow | undefined> => {
  const row = await card(connection).get({ id, viewer: viewerId });
  return row && (await withDrafts(connection, [row]))[0];
};

/** Returns cards in the order of `ids`, without unpublished or unreadable ones. */
export async function publishedCards(
  connection: Connection,
  ids: string[],
  viewerId: string | null,
): Promise<CardRow[]> {
  const rows = await cardsAmong(connection).all({ ids: JSON.stringify(ids), viewer: viewerId });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
