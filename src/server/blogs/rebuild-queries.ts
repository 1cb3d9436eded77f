import { and, asc, eq, gt, max, sql } from "drizzle-orm";
import type { Connection } from "../database/connection.ts";
import { setSiteValue, siteValue } from "../database/meta.ts";
import { blogs } from "../database/schema/blogs.ts";
import { users } from "../database/schema/users.ts";

export { reindexBlog, reindexPeople } from "../database/reindex.ts";

/** As far as a rebuild has come, by the numbers of what it has looked at last. */
export interface Place {
  blogs: number;
  people: number;
}

const key = "rebuild";

/** Where a rebuild was cut off; undefined where none was. */
export async function placeOfRebuild(connection: Connection): Promise<Place | undefined> {
  const stored = await siteValue(connection, key);
  return stored ? (JSON.parse(stored) as Place) : undefined;
}

export const keepPlace = (tx: Connection, place: Place | undefined): Promise<void> =>
  setSiteValue(tx, key, place ? JSON.stringify(place) : "");

export type BlogToRebuild = Awaited<ReturnType<typeof blogsToRebuild>>[number];

/** Blogs in the order of their numbers, with their documents as they are stored. */
export const blogsToRebuild = async (connection: Connection, after: number, limit: number) =>
  connection.drizzle
    .select({
      number: blogs.number,
      id: blogs.id,
      version: blogs.version,
      document: sql<string>`${blogs.document}`,
    })
    .from(blogs)
    .where(gt(blogs.number, after))
    .orderBy(asc(blogs.number))
    .limit(limit)
    .all();

export async function lastNumbers(connection: Connection): Promise<{ blogs: number; people: number }> {
  const blog = await connection.drizzle
    .select({ last: max(blogs.number) })
    .from(blogs)
    .get();
  const person = await connection.drizzle
    .select({ last: max(users.number) })
    .from(users)
    .get();
  return { blogs: blog?.last ?? 0, people: person?.last ?? 0 };
}

const derivedColumns = ["html", "text", "excerpt", "words", "readingMinutes", "guessedLanguage"] as const;

/** Stores what is derived of a blog that was not saved meanwhile. False where it was, or where nothing is otherwise. */
export async function storeDerived(
  tx: Connection,
  { id, version }: Pick<BlogToRebuild, "id" | "version">,
  derived: Pick<typeof blogs.$inferSelect, (typeof derivedColumns)[number]>,
): Promise<boolean> {
  const change = Object.fromEntries(derivedColumns.map((column) => [column, derived[column]]));
  const isOther = sql.join(
    derivedColumns.map((column) => sql`${blogs[column]} <> ${derived[column]}`),
    sql` or `,
  );
  const { changes } = await tx.drizzle
    .update(blogs)
    .set(change)
    .where(and(eq(blogs.id, id), eq(blogs.version, version), sql`(${isOther})`))
    .run();
  return changes > 0;
}
