import { and, desc, eq, gt, inArray, lte, notInArray, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { CoverPoint } from "../../shared/blogs.ts";
import { unsavedReasons, type RevisionReason } from "../../shared/revisions.ts";
import { preparedQuery, type Connection } from "../database/connection.ts";
import { setSiteValue, siteValue } from "../database/meta.ts";
import { blogs } from "../database/schema/blogs.ts";
import { revisionMedia, revisions } from "../database/schema/revisions.ts";
import { users } from "../database/schema/profiles.ts";
import { isVisibleTo } from "../blocks/queries.ts";

const newest = [desc(revisions.createdAt), desc(revisions.id)];
const latest = preparedQuery((db) =>
  db
    .select({ createdAt: revisions.createdAt })
    .from(revisions)
    .where(eq(revisions.blogId, sql.placeholder("blogId")))
    .orderBy(...newest)
    .limit(1)
    .prepare(),
);

/** Returns when a blog's last revision was saved. */
export const lastRevisedAt = async (connection: Connection, blogId: string): Promise<number | undefined> =>
  (await latest(connection).get({ blogId }))?.createdAt;

export interface NewRevision {
  id: string;
  blogId: string;
  authorId: string;
  why: RevisionReason;
  createdAt: number;
  restoredFrom: string | null;
}

/** Stores the blog's current row as a revision. Copies within SQLite: a text may have a megabyte. */
export async function insertRevision(tx: Connection, revision: NewRevision): Promise<void> {
  const { id, blogId, authorId, why, createdAt, restoredFrom } = revision;
  await tx.drizzle.run(sql`insert into revisions
    (id, blog_id, author_id, why, title, description, tags, cover_id, cover_focus, words, draft, created_at, restored_from, document)
    select ${id}, id, ${authorId}, ${why}, title, description, tags, cover_id, cover_focus, words, draft,
      cast(${createdAt} as integer), ${restoredFrom}, document
    from blogs where id = ${blogId}`);
  await tx.drizzle.run(sql`insert into revision_media (revision_id, media_id)
    select ${id}, media_id from blog_media where blog_id = ${blogId}`);
}

/** What a working copy adds to the history. The document is JSON. */
export interface RevisionContent {
  title: string;
  description: string;
  tags: string[];
  coverId: string | null;
  coverFocus: CoverPoint | null;
  document: string;
}

/** Stores content that readers do not see as a revision, with the pictures in its text. */
export async function insertWritingRevision(
  tx: Connection,
  revision: NewRevision,
  { document, ...content }: RevisionContent & { words: number },
  pictureIds: string[],
): Promise<void> {
  await tx.drizzle
    .insert(revisions)
    .values({ ...revision, ...content, draft: true, document: sql`${document}` })
    .run();
  if (pictureIds.length === 0) return;
  const { id: revisionId } = revision;
  await tx.drizzle
    .insert(revisionMedia)
    .values(pictureIds.map((mediaId) => ({ revisionId, mediaId })))
    .run();
}

/** Compared in this order; the document, which may have a megabyte, only if nothing else differs. */
const contentColumns = ["title", "description", "tags", "coverId", "coverFocus", "document"] as const;
const isCurrent = sql<number>`(${and(
  ...contentColumns.map((name) => sql`${revisions[name]} is not distinct from ${blogs[name]}`),
)})`.mapWith(Boolean);
const isUnsaved = inArray(revisions.why, [...unsavedReasons]);
const isSaved = notInArray(revisions.why, [...unsavedReasons]);

const latestSaved = preparedQuery((db) =>
  db
    .select({ id: revisions.id, why: revisions.why, isCurrent })
    .from(revisions)
    .innerJoin(blogs, eq(blogs.id, revisions.blogId))
    .where(and(eq(revisions.blogId, sql.placeholder("blogId")), isSaved))
    .orderBy(...newest)
    .limit(1)
    .prepare(),
);
/** Returns the newest revision of what the blog itself said, and whether it still says so. */
export const newestSavedRevision = async (connection: Connection, blogId: string) =>
  latestSaved(connection).get({ blogId });

const latestWithUse = preparedQuery((db) =>
  db
    .select({
      id: revisions.id,
      createdAt: revisions.createdAt,
      isNowSaved: sql<number>`(${isUnsaved} and ${isCurrent})`.mapWith(Boolean),
    })
    .from(revisions)
    .innerJoin(blogs, eq(blogs.id, revisions.blogId))
    .where(eq(revisions.blogId, sql.placeholder("blogId")))
    .orderBy(...newest)
    .limit(1)
    .prepare(),
);
/** Returns the newest revision, and whether it is of unpublished or discarded changes that the blog now says. */
export const newestRevision = async (connection: Connection, blogId: string) =>
  latestWithUse(connection).get({ blogId });

const savedId = preparedQuery((db) =>
  db
    .select({ id: revisions.id })
    .from(revisions)
    .where(and(eq(revisions.blogId, sql.placeholder("blogId")), isSaved))
    .orderBy(...newest)
    .limit(1)
    .prepare(),
);
/** Returns the id of `newestSavedRevision`, without comparing texts. */
export const newestSavedId = async (connection: Connection, blogId: string): Promise<string | null> =>
  (await savedId(connection).get({ blogId }))?.id ?? null;

const hasContent = (
  table: typeof revisions | typeof blogs,
  { tags, coverFocus, ...content }: RevisionContent,
): SQL<boolean> => {
  const values = {
    ...content,
    tags: JSON.stringify(tags),
    coverFocus: coverFocus && JSON.stringify(coverFocus),
  };
  return sql<boolean>`(${and(
    ...contentColumns.map((name) => sql`${table[name]} is not distinct from ${values[name]}`),
  )})`.mapWith(Boolean);
};

/** Returns whether the blog says exactly this. */
export const isContentOfBlog = async (
  connection: Connection,
  blogId: string,
  content: RevisionContent,
): Promise<boolean> =>
  (
    await connection.drizzle
      .select({ is: hasContent(blogs, content) })
      .from(blogs)
      .where(eq(blogs.id, blogId))
      .get()
  )?.is ?? false;

/** Returns a blog's newest revision if it holds exactly this. */
export async function newestWithContent(connection: Connection, blogId: string, content: RevisionContent) {
  const row = await connection.drizzle
    .select({ id: revisions.id, why: revisions.why, is: hasContent(revisions, content) })
    .from(revisions)
    .where(eq(revisions.blogId, blogId))
    .orderBy(...newest)
    .limit(1)
    .get();
  return row?.is ? row : undefined;
}

export async function setReason(
  tx: Connection,
  id: string,
  change: { why: RevisionReason; restoredFrom?: string },
): Promise<void> {
  await tx.drizzle.update(revisions).set(change).where(eq(revisions.id, id)).run();
}

const sourceRevisions = alias(revisions, "taken");
const list = preparedQuery((db) =>
  db
    .select({
      id: revisions.id,
      why: revisions.why,
      createdAt: revisions.createdAt,
      title: revisions.title,
      words: revisions.words,
      draft: revisions.draft,
      restoredAt: sourceRevisions.createdAt,
      author: { id: users.id, username: users.username, name: users.name, pictureId: users.pictureId },
    })
    .from(revisions)
    .leftJoin(users, and(eq(users.id, revisions.authorId), isVisibleTo(users.id)))
    .leftJoin(sourceRevisions, eq(sourceRevisions.id, revisions.restoredFrom))
    .where(
      and(
        eq(revisions.blogId, sql.placeholder("blogId")),
        sql`(${revisions.createdAt}, ${revisions.id}) < (${sql.placeholder("at")}, ${sql.placeholder("id")})`,
      ),
    )
    .orderBy(...newest)
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/** The position after which a list continues. */
export interface Before {
  at: number;
  id: string;
}
const atTheStart: Before = { at: Number.MAX_SAFE_INTEGER, id: "" };

/** Returns a blog's newest revisions before a position, without texts. */
export const listRevisions = async (
  connection: Connection,
  blogId: string,
  { viewer, before = atTheStart, limit }: { viewer: string; before?: Before | undefined; limit: number },
) => list(connection).all({ ...before, blogId, viewer, limit });
export type RevisionRow = Awaited<ReturnType<typeof listRevisions>>[number];

const revisionById = preparedQuery((db) =>
  db
    .select({
      id: revisions.id,
      createdAt: revisions.createdAt,
      title: revisions.title,
      description: revisions.description,
      tags: revisions.tags,
      coverId: revisions.coverId,
      coverFocus: revisions.coverFocus,
      document: revisions.document,
    })
    .from(revisions)
    .where(and(eq(revisions.id, sql.placeholder("id")), eq(revisions.blogId, sql.placeholder("blogId"))))
    .prepare(),
);

export const revisionOf = async (connection: Connection, blogId: string, id: string) =>
  revisionById(connection).get({ blogId, id });

const existingRevision = preparedQuery((db) =>
  db
    .select({ id: revisions.id })
    .from(revisions)
    .where(and(eq(revisions.id, sql.placeholder("id")), eq(revisions.blogId, sql.placeholder("blogId"))))
    .prepare(),
);
export const isRevisionOf = async (connection: Connection, blogId: string, id: string): Promise<boolean> =>
  (await existingRevision(connection).get({ blogId, id })) !== undefined;

/** Returns the blogs with a revision after `after`, up to `until`. */
export async function revisedBetween(
  connection: Connection,
  after: number,
  until: number,
): Promise<string[]> {
  const rows = await connection.drizzle
    .selectDistinct({ id: revisions.blogId })
    .from(revisions)
    .where(and(gt(revisions.createdAt, after), lte(revisions.createdAt, until)))
    .all();
  return rows.map(({ id }) => id);
}

const ages = preparedQuery((db) =>
  db
    .select({ id: revisions.id, at: revisions.createdAt, draft: revisions.draft })
    .from(revisions)
    .where(eq(revisions.blogId, sql.placeholder("blogId")))
    .orderBy(...newest)
    .prepare(),
);
/** Returns dates of a blog's revisions, newest first. */
export const revisionDates = async (connection: Connection, blogId: string) =>
  ages(connection).all({ blogId });

const recent = preparedQuery((db) =>
  db
    .select({ count: sql<number>`count(*)` })
    .from(
      db
        .select({ id: revisions.id })
        .from(revisions)
        .where(
          and(
            eq(revisions.blogId, sql.placeholder("blogId")),
            gt(revisions.createdAt, sql.placeholder("since")),
          ),
        )
        .limit(sql.placeholder("most"))
        .as("recent"),
    )
    .prepare(),
);
/** Counts a blog's revisions since a time, up to `limit`. */
export const countSince = async (
  connection: Connection,
  blogId: string,
  since: number,
  limit: number,
): Promise<number> => (await recent(connection).get({ blogId, since, most: limit }))?.count ?? 0;

/** Returns some revisions of a blog with their word counts. */
export const someRevisions = async (connection: Connection, blogId: string, limit: number) =>
  connection.drizzle
    .select({ id: revisions.id, words: revisions.words })
    .from(revisions)
    .where(eq(revisions.blogId, blogId))
    .limit(limit)
    .all();

/** Deletes revisions; returns the pictures they showed. */
export async function deleteRevisions(tx: Connection, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const textPictures = await tx.drizzle
    .selectDistinct({ id: revisionMedia.mediaId })
    .from(revisionMedia)
    .where(inArray(revisionMedia.revisionId, ids))
    .all();
  const deletedCovers = await tx.drizzle
    .delete(revisions)
    .where(inArray(revisions.id, ids))
    .returning({ id: revisions.coverId })
    .all();
  return [...new Set([...textPictures, ...deletedCovers].flatMap(({ id }) => id ?? []))];
}

const thinnedKey = "revisions_thinned";
export const thinnedUntil = async (connection: Connection): Promise<number> =>
  Number((await siteValue(connection, thinnedKey)) ?? 0);
export const setThinnedUntil = (tx: Connection, until: number): Promise<void> =>
  setSiteValue(tx, thinnedKey, String(until));
