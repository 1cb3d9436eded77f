import { and, eq, inArray, notInArray, sql, type SQL } from "drizzle-orm";
import type { CoverPoint } from "../../shared/blogs.ts";
import { unsavedReasons } from "../../shared/revisions.ts";
import { preparedQuery, type Connection } from "../database/connection.ts";
import { blogs } from "../database/schema/blogs.ts";
import { revisionMedia, revisions } from "../database/schema/revisions.ts";
import { newestFirst, type NewRevision } from "./revision-queries.ts";

/* Which revision holds what a blog or its working copy says. */

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
    .orderBy(...newestFirst)
    .limit(1)
    .prepare(),
);
/** Returns the newest revision of what the blog itself said, and whether it still says so. */
export const newestSavedRevision = async (connection: Connection, blogId: string) =>
  latestSaved(connection).get({ blogId });

const latest = preparedQuery((db) =>
  db
    .select({
      id: revisions.id,
      createdAt: revisions.createdAt,
      isNowSaved: sql<number>`(${isUnsaved} and ${isCurrent})`.mapWith(Boolean),
    })
    .from(revisions)
    .innerJoin(blogs, eq(blogs.id, revisions.blogId))
    .where(eq(revisions.blogId, sql.placeholder("blogId")))
    .orderBy(...newestFirst)
    .limit(1)
    .prepare(),
);
/** Returns the newest revision, and whether it is of unpublished or discarded changes that the blog now says. */
export const newestRevision = async (connection: Connection, blogId: string) =>
  latest(connection).get({ blogId });

const savedId = preparedQuery((db) =>
  db
    .select({ id: revisions.id })
    .from(revisions)
    .where(and(eq(revisions.blogId, sql.placeholder("blogId")), isSaved))
    .orderBy(...newestFirst)
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
    .orderBy(...newestFirst)
    .limit(1)
    .get();
  return row?.is ? row : undefined;
}
