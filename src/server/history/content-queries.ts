import { and, eq, sql, type SQL } from "drizzle-orm";
import type { CoverPoint } from "../../shared/blogs.ts";
import { preparedQuery, type Connection, first } from "../database/connection.ts";
import { blogs } from "../database/schema/blogs.ts";
import { versionMedia, versions } from "../database/schema/history.ts";
import { newestFirst, type NewVersion } from "./queries.ts";

/* Which version holds what a blog or its draft says. */

/** What a draft adds to the history. The document is JSON. */
export interface VersionContent {
  title: string;
  description: string;
  tags: string[];
  coverId: string | null;
  coverFocus: CoverPoint | null;
  document: string;
}

/** Stores what a draft says as a version, with the pictures in its text. */
export async function insertDraftVersion(
  tx: Connection,
  version: NewVersion,
  { document, ...content }: VersionContent & { words: number },
  pictureIds: string[],
): Promise<void> {
  await tx.drizzle.insert(versions).values({ ...version, ...content, document: sql`${document}` });
  if (pictureIds.length === 0) return;
  const { id: versionId } = version;
  await tx.drizzle.insert(versionMedia).values(pictureIds.map((mediaId) => ({ versionId, mediaId })));
}

/** Compared in this order; the document, which may have a megabyte, only if nothing else differs. */
const contentColumns = ["title", "description", "tags", "coverId", "coverFocus", "document"] as const;
const isCurrent = sql<number>`(${and(
  ...contentColumns.map((name) => sql`${versions[name]} is not distinct from ${blogs[name]}`),
)})`.mapWith(Boolean);

const newest = (condition?: SQL) =>
  preparedQuery((db) =>
    db
      .select({ id: versions.id, reason: versions.reason, createdAt: versions.createdAt, isCurrent })
      .from(versions)
      .innerJoin(blogs, eq(blogs.id, versions.blogId))
      .where(and(eq(versions.blogId, sql.placeholder("blogId")), condition))
      .orderBy(...newestFirst)
      .limit(1),
  );
const newestOfAll = newest();
const newestOfPublished = newest(eq(versions.reason, "published"));
/** Returns the newest version, and whether it is what the blog says to its readers. */
export const newestVersion = async (connection: Connection, blogId: string) =>
  newestOfAll(connection).get({ blogId });
/** Returns the version that was published last, and whether it is what the blog says. */
export const newestPublished = async (connection: Connection, blogId: string) =>
  newestOfPublished(connection).get({ blogId });

const hasContent = (
  table: typeof versions | typeof blogs,
  { tags, coverFocus, ...content }: VersionContent,
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
  content: VersionContent,
): Promise<boolean> =>
  (
    await first(
      connection.drizzle
        .select({ is: hasContent(blogs, content) })
        .from(blogs)
        .where(eq(blogs.id, blogId)),
    )
  )?.is ?? false;

/** Returns a blog's newest version if it holds exactly this. */
export async function newestWithContent(connection: Connection, blogId: string, content: VersionContent) {
  const row = await first(
    connection.drizzle
      .select({ id: versions.id, reason: versions.reason, is: hasContent(versions, content) })
      .from(versions)
      .where(eq(versions.blogId, blogId))
      .orderBy(...newestFirst)
      .limit(1),
  );
  return row?.is ? row : undefined;
}
