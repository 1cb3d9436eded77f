import { and, count, desc, eq, inArray, lte, sql, sum } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Sort } from "../../shared/blogs.ts";
import { hot, type Connection, type Drizzle } from "../database/connection.ts";
import { blogs } from "../database/schema/blogs.ts";
import { media } from "../database/schema/media.ts";
import { blogLikes, blogSaves, follows } from "../database/schema/social.ts";
import { users } from "../database/schema/users.ts";
import type { Kind } from "./policy.ts";

const viewer = sql.placeholder("viewer");
const cover = alias(media, "cover");

/** True where the viewer follows the blog's author. */
export const followsAuthor = sql<number>`exists (select 1 from ${follows} where follower_id = ${viewer} and followed_id = ${blogs.authorId})`;

/** What `canReadBlog` says, as a condition: lists never load a row that its reader may not see. */
export const visible = sql`(${blogs.authorId} = ${viewer} or (blogs.draft = 0 and ((blogs.private = 0 and ${users.private} = 0) or ${followsAuthor})))`;

const cardColumns = {
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

export type CardRow = Awaited<ReturnType<ReturnType<typeof latest>["all"]>>[number];

const page = { limit: sql.placeholder("limit"), offset: sql.placeholder("offset") };
// `draft = 0` is written out: a bound parameter would not match the partial indexes.
export const published = sql`blogs.draft = 0`;

const latest = hot((db) =>
  cards(db)
    // What is dated later than now, by a clock that was wrong, waits until `pullBackDates` has met it.
    .where(and(published, lte(blogs.publishedAt, sql.placeholder("now")), visible))
    .orderBy(desc(blogs.publishedAt), desc(blogs.id))
    .limit(page.limit)
    .offset(page.offset)
    .prepare(),
);
const mostLiked = hot((db) =>
  cards(db)
    .where(and(published, visible))
    .orderBy(desc(blogs.likesCount), desc(blogs.publishedAt), desc(blogs.id))
    .limit(page.limit)
    .offset(page.offset)
    .prepare(),
);
const ofAuthor = hot((db) =>
  cards(db)
    .where(
      and(
        eq(blogs.authorId, sql.placeholder("author")),
        eq(blogs.draft, sql.placeholder("draft")),
        eq(blogs.private, sql.placeholder("private")),
        visible,
      ),
    )
    .orderBy(desc(blogs.publishedAt), desc(blogs.id))
    .limit(page.limit)
    .offset(page.offset)
    .prepare(),
);
const draftsOf = hot((db) =>
  cards(db)
    .where(and(eq(blogs.authorId, sql.placeholder("author")), eq(blogs.draft, sql`1`), visible))
    .orderBy(desc(blogs.publishedAt), desc(blogs.id))
    .limit(page.limit)
    .offset(page.offset)
    .prepare(),
);
const likedBy = hot((db) =>
  cards(db)
    .innerJoin(blogLikes, eq(blogLikes.blogId, blogs.id))
    .where(and(eq(blogLikes.userId, sql.placeholder("owner")), published, visible))
    .orderBy(desc(blogLikes.createdAt), desc(blogLikes.blogId))
    .limit(page.limit)
    .offset(page.offset)
    .prepare(),
);
const savedBy = hot((db) =>
  cards(db)
    .innerJoin(blogSaves, eq(blogSaves.blogId, blogs.id))
    .where(and(eq(blogSaves.userId, sql.placeholder("owner")), published, visible))
    .orderBy(desc(blogSaves.createdAt), desc(blogSaves.blogId))
    .limit(page.limit)
    .offset(page.offset)
    .prepare(),
);
/** What the viewer may read of an author's, as what `cards` is narrowed to: sorted before the rest of a card is looked up. */
const readableOf = sql`(select ${blogs.number} from ${blogs} inner join ${users} on ${users.id} = ${blogs.authorId}
  where ${blogs.authorId} = ${sql.placeholder("author")} and ${visible}
  order by ${blogs.publishedAt} desc, ${blogs.id} desc limit ${page.limit} offset ${page.offset})`;
const allOf = hot((db) =>
  cards(db)
    .where(sql`${blogs.number} in ${readableOf}`)
    .orderBy(desc(blogs.publishedAt), desc(blogs.id))
    .prepare(),
);
const readableCount = hot((db) =>
  db
    .select({ total: count() })
    .from(blogs)
    .innerJoin(users, eq(users.id, blogs.authorId))
    .where(and(eq(blogs.authorId, sql.placeholder("author")), visible))
    .prepare(),
);
const stats = hot((db) =>
  db
    .select({
      blogs: count(),
      likes: sum(blogs.likesCount).mapWith(Number),
      comments: sum(blogs.commentsCount).mapWith(Number),
    })
    .from(blogs)
    .where(eq(blogs.authorId, sql.placeholder("author")))
    .prepare(),
);
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

/** Beyond so many it is not counted how many blogs everybody may read. */
const counted = 1_000;
const listed = hot((db) =>
  db
    .select({ id: blogs.id })
    .from(blogs)
    .innerJoin(users, eq(users.id, blogs.authorId))
    .where(and(published, eq(blogs.private, false), eq(users.private, false)))
    .limit(counted)
    .prepare(),
);
export const countListed = async (connection: Connection): Promise<number> =>
  (await listed(connection).all()).length;

export interface ListPage {
  viewer: string | null;
  limit: number;
  offset: number;
}

export const listBlogs = async (connection: Connection, sort: Sort, at: ListPage): Promise<CardRow[]> =>
  sort === "likes"
    ? mostLiked(connection).all({ ...at })
    : latest(connection).all({ ...at, now: Date.now() });
export const listByAuthor = async (
  connection: Connection,
  author: string,
  kind: Kind,
  at: ListPage,
): Promise<CardRow[]> =>
  kind === "drafts"
    ? draftsOf(connection).all({ author, ...at })
    : ofAuthor(connection).all({ author, draft: 0, private: kind === "private" ? 1 : 0, ...at });
/** All that the viewer may read of an author's, newest first: of their own, drafts too. */
export const listReadable = async (
  connection: Connection,
  author: string,
  at: ListPage,
): Promise<CardRow[]> => allOf(connection).all({ author, ...at });
export const countReadable = async (
  connection: Connection,
  author: string,
  viewerId: string | null,
): Promise<number> => (await readableCount(connection).get({ author, viewer: viewerId }))?.total ?? 0;
/** Sums over everything somebody wrote. */
export const authorSums = async (
  connection: Connection,
  author: string,
): Promise<{ blogs: number; likes: number; comments: number }> => {
  const row = await stats(connection).get({ author });
  return { blogs: row?.blogs ?? 0, likes: row?.likes ?? 0, comments: row?.comments ?? 0 };
};
export const listLiked = async (connection: Connection, owner: string, at: ListPage): Promise<CardRow[]> =>
  likedBy(connection).all({ owner, ...at });
export const listSaved = async (connection: Connection, owner: string, at: ListPage): Promise<CardRow[]> =>
  savedBy(connection).all({ owner, ...at });
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
