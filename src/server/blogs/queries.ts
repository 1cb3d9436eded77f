import { and, asc, count, desc, eq, gt, inArray, lte, sql, sum, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Sort } from "../../shared/blogs.ts";
import { limits } from "../../shared/limits.ts";
import { hot, type Connection, type Drizzle } from "../database/connection.ts";
import {
  blogLikes,
  blogMedia,
  blogSaves,
  blogs,
  follows,
  imports,
  media,
  meta,
  notifications,
  oldSlugs,
  users,
} from "../database/schema.ts";
import type { Kind } from "./policy.ts";

/** A row as it is stored; its document is JSON already. */
export type NewBlogRow = Omit<typeof blogs.$inferInsert, "document"> & { document: string };

const viewer = sql.placeholder("viewer");
const cover = alias(media, "cover");

/** True where the viewer follows the blog's author. */
const followsAuthor = sql<number>`exists (select 1 from ${follows} where follower_id = ${viewer} and followed_id = ${blogs.authorId})`;

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
const published = sql`blogs.draft = 0`;

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

const facts = (condition: SQL) =>
  hot((db) =>
    db
      .select({
        id: blogs.id,
        slug: blogs.slug,
        title: blogs.title,
        authorId: blogs.authorId,
        coverId: blogs.coverId,
        draft: blogs.draft,
        private: blogs.private,
        version: blogs.version,
        createdAt: blogs.createdAt,
        editedAt: blogs.editedAt,
        likesCount: blogs.likesCount,
        commentsCount: blogs.commentsCount,
        savesCount: blogs.savesCount,
        authorPrivate: users.private,
        followsAuthor,
      })
      .from(blogs)
      .innerJoin(users, eq(users.id, blogs.authorId))
      .where(condition)
      .prepare(),
  );
const factsById = facts(eq(blogs.id, sql.placeholder("key")));
const factsBySlug = facts(eq(blogs.slug, sql.placeholder("key")));

/** What the policy needs to know of a blog, and what most callers do. */
export type BlogFacts = NonNullable<Awaited<ReturnType<ReturnType<typeof factsById>["get"]>>>;

const slugBefore = hot((db) =>
  db
    .select({ blogId: oldSlugs.blogId })
    .from(oldSlugs)
    .where(eq(oldSlugs.slug, sql.placeholder("slug")))
    .prepare(),
);
const htmlOf = hot((db) =>
  db
    .select({ html: blogs.html })
    .from(blogs)
    .where(eq(blogs.id, sql.placeholder("id")))
    .prepare(),
);
const textOf = hot((db) =>
  db
    .select({ text: blogs.text })
    .from(blogs)
    .where(eq(blogs.id, sql.placeholder("id")))
    .prepare(),
);
const bodyOf = hot((db) =>
  db
    .select({ document: blogs.document })
    .from(blogs)
    .where(eq(blogs.id, sql.placeholder("id")))
    .prepare(),
);

export const blogFactsById = async (
  connection: Connection,
  id: string,
  viewerId: string | null,
): Promise<BlogFacts | undefined> => factsById(connection).get({ key: id, viewer: viewerId });
export async function blogFactsBySlug(
  connection: Connection,
  slug: string,
  viewerId: string | null,
): Promise<BlogFacts | undefined> {
  const found = await factsBySlug(connection).get({ key: slug, viewer: viewerId });
  if (found) return found;
  const before = await slugBefore(connection).get({ slug });
  return before && blogFactsById(connection, before.blogId, viewerId);
}
const documentOf = hot((db) =>
  db
    .select({ document: sql<string>`${blogs.document}`, html: blogs.html, version: blogs.version })
    .from(blogs)
    .where(eq(blogs.id, sql.placeholder("id")))
    .prepare(),
);
export const blogHtml = async (connection: Connection, id: string): Promise<string> =>
  (await htmlOf(connection).get({ id }))?.html ?? "";
export const blogBody = async (connection: Connection, id: string) => bodyOf(connection).get({ id });
export const blogText = async (connection: Connection, id: string): Promise<string> =>
  (await textOf(connection).get({ id }))?.text ?? "";
/** A blog's document as it is stored, JSON. */
export const blogDocument = async (connection: Connection, id: string) => documentOf(connection).get({ id });

/** The id of the blog that is, or was, found at an address. */
export const slugHolder = async (connection: Connection, slug: string): Promise<string | undefined> =>
  (await blogFactsBySlug(connection, slug, null))?.id;

export const countOldSlugs = async (connection: Connection, blogId: string): Promise<number> =>
  connection.drizzle.$count(oldSlugs, eq(oldSlugs.blogId, blogId));

/** Gives a blog another address; the one that it leaves leads there, one that it comes back to is its own again. */
export async function moveSlug(
  tx: Connection,
  blog: { id: string; slug: string },
  slug: string,
): Promise<void> {
  await tx.drizzle.delete(oldSlugs).where(eq(oldSlugs.slug, slug)).run();
  await tx.drizzle.insert(oldSlugs).values({ slug: blog.slug, blogId: blog.id }).run();
  await tx.drizzle.update(blogs).set({ slug }).where(eq(blogs.id, blog.id)).run();
}

// Made by a worker, a megabyte of it: it is not read and written once more on its way.
const asJson = (text: string) => sql`${text}`;

export async function insertBlog(tx: Connection, blog: NewBlogRow): Promise<void> {
  await tx.drizzle
    .insert(blogs)
    .values({ ...blog, document: asJson(blog.document) })
    .run();
}

export async function updateBlog(tx: Connection, id: string, change: Partial<NewBlogRow>): Promise<void> {
  const { document, ...rest } = change;
  await tx.drizzle
    .update(blogs)
    .set({
      ...rest,
      ...(document === undefined ? {} : { document: asJson(document) }),
      version: sql`version + 1`,
    })
    .where(eq(blogs.id, id))
    .run();
}

/** Nothing that is published is dated later than now: what is, is from when it was written. Gives how many were. */
export async function pullBackDates(tx: Connection, now: number): Promise<number> {
  const { changes } = await tx.drizzle
    .update(blogs)
    .set({ publishedAt: sql`case when ${blogs.createdAt} < ${now} then ${blogs.createdAt} else ${now} end` })
    .where(and(published, gt(blogs.publishedAt, now)))
    .run();
  return changes;
}

/** Sets which pictures the text of a blog shows. */
export async function setBlogPictures(tx: Connection, blogId: string, pictureIds: string[]): Promise<void> {
  await tx.drizzle.delete(blogMedia).where(eq(blogMedia.blogId, blogId)).run();
  if (pictureIds.length > 0)
    await tx.drizzle
      .insert(blogMedia)
      .values(pictureIds.map((mediaId) => ({ blogId, mediaId })))
      .run();
}

/** Every picture a blog shows: those of its text and its cover. */
export async function picturesOfBlog(connection: Connection, blogId: string): Promise<string[]> {
  const rows = await connection.drizzle
    .select({ id: blogMedia.mediaId })
    .from(blogMedia)
    .where(eq(blogMedia.blogId, blogId))
    .all();
  const row = await connection.drizzle
    .select({ id: blogs.coverId })
    .from(blogs)
    .where(eq(blogs.id, blogId))
    .get();
  return [...rows.map(({ id }) => id), ...(row?.id ? [row.id] : [])];
}

/** Who has notices about a blog, a thousand at most, those with unread ones first: they come and go with who may read it. */
export async function noticedOfBlog(connection: Connection, blogId: string): Promise<string[]> {
  const rows = await connection.drizzle
    .select({ userId: notifications.userId })
    .from(notifications)
    .where(eq(notifications.blogId, blogId))
    .groupBy(notifications.userId)
    .orderBy(sql`count(${notifications.readAt}) = count(*)`)
    .limit(limits.people.most)
    .all();
  return rows.map((row) => row.userId);
}

export const importedBlog = async (
  connection: Connection,
  authorId: string,
  source: string,
): Promise<{ blogId: string | null } | undefined> =>
  connection.drizzle
    .select({ blogId: imports.blogId })
    .from(imports)
    .where(and(eq(imports.authorId, authorId), eq(imports.source, source)))
    .get();

export async function rememberImport(
  tx: Connection,
  authorId: string,
  source: string,
  blogId: string,
  now: number,
): Promise<void> {
  const row = { authorId, source, blogId, importedAt: now };
  await tx.drizzle
    .insert(imports)
    .values(row)
    .onConflictDoUpdate({ target: [imports.authorId, imports.source], set: row })
    .run();
}

const adoption = eq(meta.key, "foreign_pictures");
/** How far blogs of before were looked through for pictures from elsewhere: a blog's number, or that it is done. */
export async function adoptedUntil(connection: Connection): Promise<number | "done"> {
  const row = await connection.drizzle.select({ value: meta.value }).from(meta).where(adoption).get();
  return row?.value === "done" ? "done" : Number(row?.value ?? 0);
}
export async function setAdoptedUntil(tx: Connection, until: number | "done"): Promise<void> {
  const row = { key: "foreign_pictures", value: String(until) };
  await tx.drizzle.insert(meta).values(row).onConflictDoUpdate({ target: meta.key, set: row }).run();
}

/** The next blogs by their number, and whether their text shows a picture from elsewhere. */
export const blogsAfter = async (connection: Connection, number: number, most: number) =>
  connection.drizzle
    .select({
      number: blogs.number,
      id: blogs.id,
      authorId: blogs.authorId,
      showsForeign: sql`html like '%<img src="http%'`.mapWith(Boolean),
    })
    .from(blogs)
    .where(gt(blogs.number, number))
    .orderBy(asc(blogs.number))
    .limit(most)
    .all();

/** Puts another text in the place of one that means the same: no save of its author's. False where there is one since. */
export async function replaceText(
  tx: Connection,
  id: string,
  version: number,
  { document, ...rest }: Pick<NewBlogRow, "document"> & Partial<NewBlogRow>,
): Promise<boolean> {
  const { changes } = await tx.drizzle
    .update(blogs)
    .set({ ...rest, document: asJson(document) })
    .where(and(eq(blogs.id, id), eq(blogs.version, version)))
    .run();
  return changes > 0;
}
