import { and, asc, eq, gt, max, sql } from "drizzle-orm";
import { type Connection, first, changes } from "../database/connection.ts";
import { setSiteValue, siteValue } from "../database/meta.ts";
import { blogs } from "../database/schema/blogs.ts";
import { users } from "../database/schema/profiles.ts";
import { lastEntryNumber } from "../entries/rebuild-queries.ts";

export { reindexBlog, reindexEntry, reindexPeople } from "../database/search/reindex.ts";

/** The last processed numbers of a rebuild. */
export interface RebuildPosition {
  blogs: number;
  entries: number;
  people: number;
}

const key = "rebuild";

/** Returns where a rebuild was interrupted, if one was. */
export async function rebuildPosition(connection: Connection): Promise<RebuildPosition | undefined> {
  const stored = await siteValue(connection, key);
  return stored ? (JSON.parse(stored) as RebuildPosition) : undefined;
}

export const storeRebuildPosition = (tx: Connection, place: RebuildPosition | undefined): Promise<void> =>
  setSiteValue(tx, key, place ? JSON.stringify(place) : "");

export type BlogToRebuild = Awaited<ReturnType<typeof blogsToRebuild>>[number];

/** Returns the next blogs by number, with their documents as JSON. */
export const blogsToRebuild = async (connection: Connection, after: number, limit: number) =>
  connection.drizzle
    .select({
      seq: blogs.seq,
      id: blogs.id,
      etag: blogs.etag,
      document: sql<string>`${blogs.document}`,
    })
    .from(blogs)
    .where(and(gt(blogs.seq, after), sql`(blogs.draft = 0 or takedown_reason is not null)`))
    .orderBy(asc(blogs.seq))
    .limit(limit);

export async function lastNumbers(connection: Connection): Promise<RebuildPosition> {
  const blog = await first(connection.drizzle.select({ last: max(blogs.seq) }).from(blogs));
  const person = await first(connection.drizzle.select({ last: max(users.seq) }).from(users));
  return {
    blogs: blog?.last ?? 0,
    entries: await lastEntryNumber(connection),
    people: person?.last ?? 0,
  };
}

const derivedColumns = ["html", "text", "excerpt", "words", "readingMinutes", "guessedLanguage"] as const;

/** Stores derived data. Returns false if the blog was saved meanwhile or nothing differs. */
export async function storeDerived(
  tx: Connection,
  { id, etag }: Pick<BlogToRebuild, "id" | "etag">,
  derived: Pick<typeof blogs.$inferSelect, (typeof derivedColumns)[number]>,
): Promise<boolean> {
  const change = Object.fromEntries(derivedColumns.map((column) => [column, derived[column]]));
  const differs = sql.join(
    derivedColumns.map((column) => sql`${blogs[column]} <> ${derived[column]}`),
    sql` or `,
  );
  const changed = await changes(
    tx.drizzle
      .update(blogs)
      .set(change)
      .where(and(eq(blogs.id, id), eq(blogs.etag, etag), sql`(${differs})`)),
  );
  return changed > 0;
}
