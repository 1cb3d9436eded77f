import { and, desc, eq, inArray, lte, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Sort } from "../../shared/blogs.ts";
import { hot, type Connection, type Drizzle } from "../database/connection.ts";
import { blogs } from "../database/schema/blogs.ts";
import { media } from "../database/schema/media.ts";
import { blogLikes, blogSaves, follows } from "../database/schema/social.ts";
import { users } from "../database/schema/users.ts";
import { seesFewer, unmuted } from "../users/mute-queries.ts";
import { inSight } from "../users/wall-queries.ts";
import type { Kind } from "./policy.ts";

const viewer = sql.placeholder("viewer");
const cover = alias(media, "cover");

/** True where the viewer follows the blog's author. */
export const followsAuthor = sql<number>`exists (select 1 from ${follows} where follower_id = ${viewer} and followed_id = ${blogs.authorId})`;

/** What `canReadBlog` says, as a condition: lists never load a row that its reader may not see. */
export const visible = sql`(${blogs.authorId} = ${viewer} or (blogs.draft = 0 and ${inSight(blogs.authorId)} and ((blogs.private = 0 and ${users.private} = 0) or ${followsAuthor})))`;

const cardColumns = {
  number: blogs.number,
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
  author: { id: users.id, username: users.username, name: users.name, pictureId: users.pictureId },
  cover: { id: cover.id, width: cover.width, height: cover.height, color: cover.color, widths: cover.widths },
  liked: sql<number>`exists (select 1 from ${blogLikes} where blog_id = ${blogs.id} and user_id = ${viewer})`,
  saved: sql<number>`exists (select 1 from ${blogSaves} where blog_id = ${blogs.id} and user_id = ${viewer})`,
};

const cards = (db: Drizzle) =>
  db
    .select(cardColumns)
    .from(blogs)
    .innerJoin(users, eq(users.id, blogs.authorId))
    .leftJoin(cover, eq(cover.id, blogs.coverId));

/* A list is read in two steps: the numbers of one page, counted off along an index that says who may read what; then the cards
 * of those few. However far down a page is, no other blog is looked at. */

/** What `visible` says, by what stands in the index of a list. It holds as long as no account is unsettled. */
const marked = sql`(${blogs.open} = 1 or ${blogs.authorId} = ${viewer} or ${followsAuthor})`;

const page = { limit: sql.placeholder("limit"), offset: sql.placeholder("offset") };
// `draft = 0` is written out: a bound parameter would not match the partial indexes.
export const published = sql`blogs.draft = 0`;
const number = { number: blogs.number };

const orders = {
  latest: {
    // What is dated later than now, by a clock that was wrong, waits until `pullBackDates` has met it.
    where: and(published, lte(blogs.publishedAt, sql.placeholder("now"))),
    by: [desc(blogs.publishedAt), desc(blogs.id)],
  },
  likes: { where: published, by: [desc(blogs.likesCount), desc(blogs.publishedAt), desc(blogs.id)] },
};
const counted = (sort: Sort, which: SQL) =>
  hot((db) =>
    db
      .select(number)
      .from(blogs)
      .where(and(orders[sort].where, which))
      .orderBy(...orders[sort].by)
      .limit(page.limit)
      .offset(page.offset)
      .prepare(),
  );
const feed = (sort: Sort) => ({
  marked: counted(sort, marked),
  /** For whoever has walls or mutes: of forty thousand entries that are passed over each is asked about. */
  narrowed: counted(sort, sql`(${marked} and ${inSight(blogs.authorId)} and ${unmuted(blogs.authorId)})`),
  /** By the accounts themselves. */
  asked: hot((db) =>
    db
      .select(number)
      .from(blogs)
      .innerJoin(users, eq(users.id, blogs.authorId))
      .where(and(orders[sort].where, visible, unmuted(blogs.authorId)))
      .orderBy(...orders[sort].by)
      .limit(page.limit)
      .offset(page.offset)
      .prepare(),
  ),
});
const feeds = { latest: feed("latest"), likes: feed("likes") };
const ofAuthor = hot((db) =>
  db
    .select(number)
    .from(blogs)
    .where(
      and(
        eq(blogs.authorId, sql.placeholder("author")),
        published,
        eq(blogs.private, sql.placeholder("private")),
      ),
    )
    .orderBy(desc(blogs.publishedAt), desc(blogs.id))
    .limit(page.limit)
    .offset(page.offset)
    .prepare(),
);
/** From `drafts` and `closed` on (0 or 1): 1 and 1 are all, 0 and 0 those for everybody. */
const written = hot((db) =>
  db
    .select(number)
    .from(blogs)
    .where(
      and(
        eq(blogs.authorId, sql.placeholder("author")),
        // The sign keeps these from choosing the index: the order does, and has them in it.
        sql`+blogs.draft between ${sql.placeholder("draft")} and ${sql.placeholder("drafts")}`,
        sql`+blogs.private <= ${sql.placeholder("closed")}`,
      ),
    )
    .orderBy(desc(blogs.publishedAt), desc(blogs.id))
    .limit(page.limit)
    .offset(page.offset)
    .prepare(),
);
const likedBy = hot((db) =>
  db
    .select(number)
    .from(blogLikes)
    .innerJoin(blogs, eq(blogs.id, blogLikes.blogId))
    .innerJoin(users, eq(users.id, blogs.authorId))
    .where(and(eq(blogLikes.userId, sql.placeholder("owner")), published, visible))
    .orderBy(desc(blogLikes.createdAt), desc(blogLikes.blogId))
    .limit(page.limit)
    .offset(page.offset)
    .prepare(),
);
const savedBy = hot((db) =>
  db
    .select(number)
    .from(blogSaves)
    .innerJoin(blogs, eq(blogs.id, blogSaves.blogId))
    .innerJoin(users, eq(users.id, blogs.authorId))
    .where(and(eq(blogSaves.userId, sql.placeholder("owner")), published, visible))
    .orderBy(desc(blogSaves.createdAt), desc(blogSaves.blogId))
    .limit(page.limit)
    .offset(page.offset)
    .prepare(),
);
const cardsOf = hot((db) =>
  cards(db)
    .where(and(sql`${blogs.number} in (select value from json_each(${sql.placeholder("numbers")}))`, visible))
    .prepare(),
);
export type CardRow = Awaited<ReturnType<ReturnType<typeof cardsOf>["all"]>>[number];

const card = hot((db) =>
  cards(db)
    .where(eq(blogs.id, sql.placeholder("id")))
    .prepare(),
);
const cardsAmong = hot((db) =>
  cards(db)
    .where(
      and(
        inArray(blogs.id, sql`(select value from json_each(${sql.placeholder("ids")}))`),
        published,
        visible,
      ),
    )
    .prepare(),
);

const rightsToMany = hot((db) =>
  db
    .select({ id: blogs.id, authorId: blogs.authorId, readable: sql<number>`${visible}` })
    .from(blogs)
    .innerJoin(users, eq(users.id, blogs.authorId))
    .where(inArray(blogs.id, sql`(select value from json_each(${sql.placeholder("ids")}))`))
    .prepare(),
);

/** Who wrote each of these blogs, and whether the viewer may read it: what a stream asks for all of its cards. */
export const rightsToBlogs = async (
  connection: Connection,
  ids: string[],
  viewerId: string | null,
): Promise<{ id: string; authorId: string; readable: boolean }[]> =>
  (await rightsToMany(connection).all({ ids: JSON.stringify(ids), viewer: viewerId })).map((row) => ({
    ...row,
    readable: Boolean(row.readable),
  }));

/** Whether an account has opened or closed whose blogs are not all marked so yet. */
const unsettled = hot((db) =>
  db
    .select({ id: users.id })
    .from(users)
    .where(sql`users.unsettled = 1`)
    .limit(1)
    .prepare(),
);
const isSettled = async (connection: Connection): Promise<boolean> =>
  (await unsettled(connection).get()) === undefined;

/** Beyond so many it is not counted how many blogs everybody may read. */
const mostCounted = 1_000;
export const countListed = async (connection: Connection): Promise<number> =>
  (await numbersOf(connection, "latest", { viewer: null, limit: mostCounted, offset: 0 })).length;

export interface ListPage {
  viewer: string | null;
  limit: number;
  offset: number;
}

async function numbersOf(connection: Connection, sort: Sort, at: ListPage): Promise<{ number: number }[]> {
  const { marked: byMark, narrowed, asked } = feeds[sort];
  const isNarrowed = at.viewer !== null && (await seesFewer(connection, at.viewer));
  const list = !(await isSettled(connection)) ? asked : isNarrowed ? narrowed : byMark;
  return list(connection).all({ ...at, now: Date.now() });
}

/** Cards in the order of the list. Who may read them is asked again: a list knows it by marks. */
async function asCards(
  connection: Connection,
  list: { number: number }[],
  viewerId: string | null,
): Promise<CardRow[]> {
  if (list.length === 0) return [];
  const numbers = JSON.stringify(list.map((row) => row.number));
  const rows = await cardsOf(connection).all({ numbers, viewer: viewerId });
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  return list.flatMap((row) => byNumber.get(row.number) ?? []);
}

export const listBlogs = async (connection: Connection, sort: Sort, at: ListPage): Promise<CardRow[]> =>
  asCards(connection, await numbersOf(connection, sort, at), at.viewer);
/** One kind of an author's blogs, for whoever may read them all. */
export const listByAuthor = async (
  connection: Connection,
  author: string,
  kind: Kind,
  at: ListPage,
): Promise<CardRow[]> => {
  const { viewer: viewerId, ...where } = at;
  const rows =
    kind === "drafts"
      ? await written(connection).all({ author, draft: 1, drafts: 1, closed: 1, ...where })
      : await ofAuthor(connection).all({ author, private: kind === "private" ? 1 : 0, ...where });
  return asCards(connection, rows, viewerId);
};
/** These kinds of an author's blogs, newest first: all that the viewer may read. */
export const listReadable = async (
  connection: Connection,
  author: string,
  kinds: Kind[],
  { viewer: viewerId, ...where }: ListPage,
): Promise<CardRow[]> => {
  const [drafts, closed] = [kinds.includes("drafts") ? 1 : 0, kinds.includes("private") ? 1 : 0];
  const rows = await written(connection).all({ author, draft: 0, drafts, closed, ...where });
  return asCards(connection, rows, viewerId);
};
export const listLiked = async (connection: Connection, owner: string, at: ListPage): Promise<CardRow[]> =>
  asCards(connection, await likedBy(connection).all({ owner, ...at }), at.viewer);
export const listSaved = async (connection: Connection, owner: string, at: ListPage): Promise<CardRow[]> =>
  asCards(connection, await savedBy(connection).all({ owner, ...at }), at.viewer);
export const cardById = async (
  connection: Connection,
  id: string,
  viewerId: string | null,
): Promise<CardRow | undefined> => card(connection).get({ id, viewer: viewerId });

/** Their cards, in this order; what is no longer published, or not for the viewer, is left out. */
export async function publishedCards(
  connection: Connection,
  ids: string[],
  viewerId: string | null,
): Promise<CardRow[]> {
  const rows = await cardsAmong(connection).all({ ids: JSON.stringify(ids), viewer: viewerId });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
