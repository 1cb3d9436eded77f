import { and, asc, eq, gt, inArray, max, min, sql, type SQL } from "drizzle-orm";
import { hot, type Connection } from "../database/connection.ts";
import { setSiteValue, siteValue } from "../database/meta.ts";
import { blogMedia, blogs, oldSlugs } from "../database/schema/blogs.ts";
import { users } from "../database/schema/users.ts";
import { isVisibleTo } from "../users/block-queries.ts";
import { followsAuthor, isCoAuthor, published } from "./card-queries.ts";

/** A row as it is stored; its document is JSON already. */
export type NewBlogRow = Omit<typeof blogs.$inferInsert, "document"> & { document: string };
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
        publishedAt: blogs.publishedAt,
        likesCount: blogs.likesCount,
        commentsCount: blogs.commentsCount,
        commentsFrom: blogs.commentsFrom,
        savesCount: blogs.savesCount,
        takedownReason: blogs.takedownReason,
        liveSince: blogs.liveSince,
        canonicalUrl: blogs.canonicalUrl,
        searchTitle: blogs.searchTitle,
        searchDescription: blogs.searchDescription,
        language: blogs.language,
        guessedLanguage: blogs.guessedLanguage,
        authorPrivate: users.private,
        authorVerifiedAt: users.verifiedAt,
        followsAuthor,
        isCoAuthor,
        isVisible: sql<number>`${isVisibleTo(blogs.authorId)}`,
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
export const blogText = async (connection: Connection, id: string): Promise<string> =>
  (await textOf(connection).get({ id }))?.text ?? "";
/** A blog's document as it is stored, JSON. */
export const blogDocument = async (connection: Connection, id: string) => documentOf(connection).get({ id });

/** The id of the blog that is, or was, found at an address. */
export const slugHolder = async (connection: Connection, slug: string): Promise<string | undefined> =>
  (await blogFactsBySlug(connection, slug, null))?.id;

const askedSlugs = sql`(select value from json_each(${sql.placeholder("slugs")}))`;
const holdersNow = hot((db) =>
  db.select({ slug: blogs.slug, id: blogs.id }).from(blogs).where(inArray(blogs.slug, askedSlugs)).prepare(),
);
const holdersBefore = hot((db) =>
  db
    .select({ slug: oldSlugs.slug, id: oldSlugs.blogId })
    .from(oldSlugs)
    .where(inArray(oldSlugs.slug, askedSlugs))
    .prepare(),
);
/** The ids of the blogs that are, or were, found at these addresses. */
export async function slugHolders(connection: Connection, slugs: string[]): Promise<Map<string, string>> {
  const asked = { slugs: JSON.stringify(slugs) };
  const before = await holdersBefore(connection).all(asked);
  // A blog that is there now has the address, whatever was there before.
  return new Map([...before, ...(await holdersNow(connection).all(asked))].map(({ slug, id }) => [slug, id]));
}

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

/**
 * Marks some of an author's blogs as open to everybody, or not, since the account became so; answers with how many. A mark of a
 * single blog is kept by the store.
 */
export async function markOpen(
  tx: Connection,
  authorId: string,
  open: boolean,
  limit: number,
): Promise<number> {
  const others = tx.drizzle
    .select({ number: blogs.number })
    .from(blogs)
    .where(and(eq(blogs.authorId, authorId), published, eq(blogs.private, false), eq(blogs.open, !open)))
    .limit(limit);
  return (await tx.drizzle.update(blogs).set({ open }).where(inArray(blogs.number, others)).run()).changes;
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

const span = hot((db) =>
  db
    .select({ oldest: min(blogs.publishedAt), newest: max(blogs.publishedAt) })
    .from(blogs)
    .where(and(eq(blogs.authorId, sql.placeholder("author")), published, eq(blogs.private, false)))
    .prepare(),
);
/** Between which dates an account has published for everybody; undefined where it has not. */
export async function publicSpan(
  connection: Connection,
  author: string,
): Promise<{ oldest: string; newest: string } | undefined> {
  const { oldest = null, newest = null } = (await span(connection).get({ author })) ?? {};
  if (oldest === null || newest === null) return undefined;
  return { oldest: new Date(oldest).toISOString(), newest: new Date(newest).toISOString() };
}

const adopted = "foreign_pictures";
/** How far blogs of before were looked through for pictures from elsewhere: a blog's number, or that it is done. */
export async function adoptedUntil(connection: Connection): Promise<number | "done"> {
  const value = await siteValue(connection, adopted);
  return value === "done" ? "done" : Number(value ?? 0);
}
export const setAdoptedUntil = (tx: Connection, until: number | "done"): Promise<void> =>
  setSiteValue(tx, adopted, String(until));

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

export const firstBlogOf = async (connection: Connection, authorId: string): Promise<string | undefined> =>
  (
    await connection.drizzle
      .select({ id: blogs.id })
      .from(blogs)
      .where(eq(blogs.authorId, authorId))
      .limit(1)
      .get()
  )?.id;

const counts = (counted: "likesCount" | "savesCount" | "commentsCount") =>
  hot((db) =>
    db
      .update(blogs)
      .set({ [counted]: sql`${blogs[counted]} + ${sql.placeholder("by")}` })
      .where(eq(blogs.id, sql.placeholder("id")))
      .prepare(),
  );
const addTo = {
  likesCount: counts("likesCount"),
  savesCount: counts("savesCount"),
  commentsCount: counts("commentsCount"),
};

/** Adds to a count that stands with each of these blogs: whoever stores what is counted keeps it. */
export async function addToCount(
  tx: Connection,
  counted: keyof typeof addTo,
  blogIds: string[],
  by: number,
): Promise<void> {
  for (const id of blogIds) await addTo[counted](tx).run({ id, by });
}

export async function setLiveSince(tx: Connection, id: string, liveSince: number | null): Promise<void> {
  await tx.drizzle.update(blogs).set({ liveSince }).where(eq(blogs.id, id)).run();
}

export async function setCommentsFrom(
  tx: Connection,
  id: string,
  commentsFrom: BlogFacts["commentsFrom"],
): Promise<void> {
  await tx.drizzle.update(blogs).set({ commentsFrom }).where(eq(blogs.id, id)).run();
}

/** Deletes a blog that nothing much hangs on any more. */
export async function deleteBlogRow(tx: Connection, id: string): Promise<void> {
  await tx.drizzle.delete(blogs).where(eq(blogs.id, id)).run();
}
