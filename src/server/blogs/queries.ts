import { and, eq, gt, inArray, max, min, sql, type SQL } from "drizzle-orm";
import type { BlogCount } from "../../shared/feed-sorts.ts";
import { untitled } from "../database/blog-title.ts";
import { preparedQuery, type Connection, changes, first } from "../database/connection.ts";
import { listedTexts } from "../database/dialect.ts";
import { blogMedia, blogs, oldSlugs } from "../database/schema/blogs.ts";
import { users } from "../database/schema/profiles.ts";
import { isVisibleTo } from "../blocks/queries.ts";
import { followsAuthor, isCoAuthor, published } from "./card-queries.ts";
import { draftsShown, isUnpublished } from "../writing/queries.ts";

/** A row to store; its document is JSON already. */
export type NewBlogRow = Omit<typeof blogs.$inferInsert, "document"> & { document: string };
const factsWhere = (condition: SQL) =>
  preparedQuery((db) =>
    db
      .select({
        id: blogs.id,
        slug: blogs.slug,
        title: blogs.title,
        authorId: blogs.authorId,
        coverId: blogs.coverId,
        draft: blogs.draft,
        private: blogs.private,
        etag: blogs.etag,
        createdAt: blogs.createdAt,
        editedAt: blogs.editedAt,
        publishedAt: blogs.publishedAt,
        likesCount: blogs.likesCount,
        commentsCount: blogs.commentsCount,
        commentsFrom: blogs.commentsFrom,
        savesCount: blogs.savesCount,
        takedownReason: blogs.takedownReason,
        liveSince: blogs.liveSince,
        liveEnded: blogs.liveEnded,
        summary: blogs.summary,
        embeddable: blogs.embeddable,
        canonicalUrl: blogs.canonicalUrl,
        searchTitle: blogs.searchTitle,
        searchDescription: blogs.searchDescription,
        language: blogs.language,
        guessedLanguage: blogs.guessedLanguage,
        authorName: users.name,
        authorPrivate: users.private,
        authorVerifiedAt: users.verifiedAt,
        followsAuthor,
        isCoAuthor,
        isVisible: sql<number>`${isVisibleTo(blogs.authorId)}`,
      })
      .from(blogs)
      .innerJoin(users, eq(users.id, blogs.authorId))
      .where(condition),
  );
const factsById = factsWhere(eq(blogs.id, sql.placeholder("key")));
const factsBySlug = factsWhere(eq(blogs.slug, sql.placeholder("key")));

/** What the policy and most callers need of a blog. */
export type BlogFacts = NonNullable<Awaited<ReturnType<ReturnType<typeof factsById>["get"]>>>;

const slugBefore = preparedQuery((db) =>
  db
    .select({ blogId: oldSlugs.blogId })
    .from(oldSlugs)
    .where(eq(oldSlugs.slug, sql.placeholder("slug"))),
);
const htmlOf = preparedQuery((db) =>
  db
    .select({ html: blogs.html })
    .from(blogs)
    .where(eq(blogs.id, sql.placeholder("id"))),
);
const textOf = preparedQuery((db) =>
  db
    .select({ text: blogs.text })
    .from(blogs)
    .where(eq(blogs.id, sql.placeholder("id"))),
);
export const blogFactsById = async (
  connection: Connection,
  id: string,
  viewerId: string | null,
): Promise<BlogFacts | undefined> =>
  withDraft(connection, await factsById(connection).get({ key: id, viewer: viewerId }));

/** Returns a blog's facts with what the draft of an unpublished one says. */
async function withDraft(
  connection: Connection,
  blog: BlogFacts | undefined,
): Promise<BlogFacts | undefined> {
  if (!blog || !isUnpublished(blog)) return blog;
  const draft = (await draftsShown(connection, [blog.id])).get(blog.id);
  if (!draft) return blog;
  const { title, coverId, canonicalUrl, searchTitle, searchDescription, language } = draft.fields;
  const shown = { title: title.trim() || untitled, coverId, private: draft.fields.private };
  return { ...blog, ...shown, canonicalUrl, searchTitle, searchDescription, language };
}
export async function blogFactsBySlug(
  connection: Connection,
  slug: string,
  viewerId: string | null,
): Promise<BlogFacts | undefined> {
  const current = await factsBySlug(connection).get({ key: slug, viewer: viewerId });
  if (current) return withDraft(connection, current);
  const before = await slugBefore(connection).get({ slug });
  return before && blogFactsById(connection, before.blogId, viewerId);
}
const documentOf = preparedQuery((db) =>
  db
    .select({ document: sql<string>`${blogs.document}`, html: blogs.html, etag: blogs.etag })
    .from(blogs)
    .where(eq(blogs.id, sql.placeholder("id"))),
);
export const blogHtml = async (connection: Connection, id: string): Promise<string> =>
  (await htmlOf(connection).get({ id }))?.html ?? "";
export const blogText = async (connection: Connection, id: string): Promise<string> =>
  (await textOf(connection).get({ id }))?.text ?? "";
export const blogDocument = async (connection: Connection, id: string) => documentOf(connection).get({ id });

/** Returns the id of the blog with this slug, now or formerly. */
export const slugHolder = async (connection: Connection, slug: string): Promise<string | undefined> =>
  (await blogFactsBySlug(connection, slug, null))?.id;

const askedSlugs = listedTexts(sql.placeholder("slugs"));
const holdersNow = preparedQuery((db) =>
  db.select({ slug: blogs.slug, id: blogs.id }).from(blogs).where(inArray(blogs.slug, askedSlugs)),
);
const holdersBefore = preparedQuery((db) =>
  db
    .select({ slug: oldSlugs.slug, id: oldSlugs.blogId })
    .from(oldSlugs)
    .where(inArray(oldSlugs.slug, askedSlugs)),
);
/** Returns the ids of the blogs with these slugs, now or formerly. */
export async function slugHolders(connection: Connection, slugs: string[]): Promise<Map<string, string>> {
  const parameters = { slugs: JSON.stringify(slugs) };
  const before = await holdersBefore(connection).all(parameters);
  // A current slug overrides a former one.
  return new Map(
    [...before, ...(await holdersNow(connection).all(parameters))].map(({ slug, id }) => [slug, id]),
  );
}

export const countOldSlugs = async (connection: Connection, blogId: string): Promise<number> =>
  connection.drizzle.$count(oldSlugs, eq(oldSlugs.blogId, blogId));

/** Makes the slug that readers know redirect after it changes. */
export async function keepSlug(tx: Connection, { id, slug }: { id: string; slug: string }): Promise<void> {
  await tx.drizzle.insert(oldSlugs).values({ slug, blogId: id }).onConflictDoNothing();
}

export async function forgetSlugs(tx: Connection, blogId: string): Promise<void> {
  await tx.drizzle.delete(oldSlugs).where(eq(oldSlugs.blogId, blogId));
}

export async function changeSlug(tx: Connection, blogId: string, slug: string): Promise<void> {
  await tx.drizzle.update(blogs).set({ slug }).where(eq(blogs.id, blogId));
}

// Up to a megabyte from a worker thread: not parsed and serialized again.
const asJson = (text: string) => sql`${text}`;

/** What an unpublished blog has in place of a text: its draft has that. */
export const noText = {
  title: "",
  description: "",
  tags: [],
  coverId: null,
  coverFocus: null,
  canonicalUrl: "",
  searchTitle: "",
  searchDescription: "",
  language: "",
  guessedLanguage: "",
  document: "null",
  html: "",
  text: "",
  excerpt: "",
  words: 0,
  readingMinutes: 1,
} satisfies Partial<NewBlogRow>;

/** Stores a new blog that is not published. */
export async function insertUnpublished(
  tx: Connection,
  { at, ...blog }: { id: string; slug: string; authorId: string; at: number; etag?: number },
): Promise<void> {
  const dates = { createdAt: at, publishedAt: at };
  await insertBlog(tx, { ...noText, ...blog, ...dates, draft: true, private: false });
}

/**
 * Makes a published blog a draft: its text is in its draft alone. A live blog ends with that; without entries it is an ordinary blog
 * again.
 */
export async function removeText(tx: Connection, id: string, now: number): Promise<void> {
  const hasEntries = sql`exists (select 1 from entries where blog_id = blogs.id and withdrawn_at is null)`;
  const liveState = {
    liveSince: sql`case when ${hasEntries} then live_since end`,
    liveEnded: sql`case when live_since is not null and ${hasEntries} then coalesce(live_ended, ${now}) end`,
  };
  await updateBlog(tx, id, { ...noText, draft: true, publishedAt: now, editedAt: now });
  await tx.drizzle.update(blogs).set(liveState).where(eq(blogs.id, id));
  await setBlogPictures(tx, id, []);
}

const touched = preparedQuery((db) =>
  db
    .update(blogs)
    .set({ publishedAt: sql`${sql.placeholder("at")}`, etag: sql`etag + 1` })
    .where(eq(blogs.id, sql.placeholder("id"))),
);
/** Records that an unpublished blog's draft has changed. */
export async function touchBlog(tx: Connection, id: string, at: number): Promise<void> {
  await touched(tx).run({ id, at });
}

export async function insertBlog(tx: Connection, blog: NewBlogRow): Promise<void> {
  await tx.drizzle.insert(blogs).values({ ...blog, document: asJson(blog.document) });
}

export async function updateBlog(tx: Connection, id: string, change: Partial<NewBlogRow>): Promise<void> {
  const { document, ...fields } = change;
  await tx.drizzle
    .update(blogs)
    .set({
      ...fields,
      ...(document === undefined ? {} : { document: asJson(document) }),
      etag: sql`etag + 1`,
    })
    .where(eq(blogs.id, id));
}

/**
 * Updates the public flag of up to `limit` blogs after the account's visibility changed; returns how many. Triggers maintain
 * single blogs.
 */
export async function updatePublicFlags(
  tx: Connection,
  authorId: string,
  isPublic: boolean,
  limit: number,
): Promise<number> {
  const others = tx.drizzle
    .select({ seq: blogs.seq })
    .from(blogs)
    .where(
      and(eq(blogs.authorId, authorId), published, eq(blogs.private, false), eq(blogs.isPublic, !isPublic)),
    )
    .limit(limit);
  return await changes(tx.drizzle.update(blogs).set({ isPublic }).where(inArray(blogs.seq, others)));
}

/** Corrects future dates of published blogs to their creation. Returns how many. */
export async function correctFutureDates(tx: Connection, now: number): Promise<number> {
  const changed = await changes(
    tx.drizzle
      .update(blogs)
      .set({
        publishedAt: sql`case when ${blogs.createdAt} < ${now} then ${blogs.createdAt} else ${now} end`,
      })
      .where(and(published, gt(blogs.publishedAt, now))),
  );
  return changed;
}

export async function setBlogPictures(tx: Connection, blogId: string, pictureIds: string[]): Promise<void> {
  await tx.drizzle.delete(blogMedia).where(eq(blogMedia.blogId, blogId));
  if (pictureIds.length > 0)
    await tx.drizzle.insert(blogMedia).values(pictureIds.map((mediaId) => ({ blogId, mediaId })));
}

export async function picturesOfBlog(connection: Connection, blogId: string): Promise<string[]> {
  const rows = await connection.drizzle
    .select({ id: blogMedia.mediaId })
    .from(blogMedia)
    .where(eq(blogMedia.blogId, blogId));
  const row = await first(
    connection.drizzle.select({ id: blogs.coverId }).from(blogs).where(eq(blogs.id, blogId)),
  );
  return [...rows.map(({ id }) => id), ...(row?.id ? [row.id] : [])];
}

const span = preparedQuery((db) =>
  db
    .select({ oldest: min(blogs.publishedAt), newest: max(blogs.publishedAt) })
    .from(blogs)
    .where(and(eq(blogs.authorId, sql.placeholder("author")), published, eq(blogs.private, false))),
);
/** Returns the dates of an account's oldest and newest public blog, if any. */
export async function publicDateRange(
  connection: Connection,
  author: string,
): Promise<{ oldest: string; newest: string } | undefined> {
  const { oldest = null, newest = null } = (await span(connection).get({ author })) ?? {};
  if (oldest === null || newest === null) return undefined;
  return { oldest: new Date(oldest).toISOString(), newest: new Date(newest).toISOString() };
}

export const firstBlogOf = async (connection: Connection, authorId: string): Promise<string | undefined> =>
  (
    await first(
      connection.drizzle.select({ id: blogs.id }).from(blogs).where(eq(blogs.authorId, authorId)).limit(1),
    )
  )?.id;

const counts = (column: BlogCount) =>
  preparedQuery((db) =>
    db
      .update(blogs)
      .set({ [column]: sql`${blogs[column]} + ${sql.placeholder("by")}` })
      .where(eq(blogs.id, sql.placeholder("id"))),
  );
const addTo = {
  likesCount: counts("likesCount"),
  savesCount: counts("savesCount"),
  commentsCount: counts("commentsCount"),
};

/** Adds to a stored count. Call where the counted rows are written. */
export async function addToCount(
  tx: Connection,
  column: keyof typeof addTo,
  blogIds: string[],
  change: number,
): Promise<void> {
  for (const id of blogIds) await addTo[column](tx).run({ id, by: change });
}

const likesAndSaves = preparedQuery((db) =>
  db
    .select({ likes: blogs.likesCount, saves: blogs.savesCount })
    .from(blogs)
    .where(eq(blogs.id, sql.placeholder("id"))),
);
export const likesAndSavesOf = async (
  connection: Connection,
  id: string,
): Promise<{ likes: number; saves: number }> =>
  (await likesAndSaves(connection).get({ id })) ?? { likes: 0, saves: 0 };

export async function setLiveState(
  tx: Connection,
  id: string,
  state: Partial<Pick<BlogFacts, "liveSince" | "liveEnded" | "summary" | "embeddable">>,
): Promise<void> {
  await tx.drizzle.update(blogs).set(state).where(eq(blogs.id, id));
}

export async function setCommentsFrom(
  tx: Connection,
  id: string,
  commentsFrom: BlogFacts["commentsFrom"],
): Promise<void> {
  await tx.drizzle.update(blogs).set({ commentsFrom }).where(eq(blogs.id, id));
}

export async function deleteBlogRow(tx: Connection, id: string): Promise<void> {
  await tx.drizzle.delete(blogs).where(eq(blogs.id, id));
}
