import { and, desc, eq, inArray, sql } from "drizzle-orm";
import type { ReadingPlace } from "../../shared/reading-place.ts";
import { hot, type Connection } from "../database/connection.ts";
import { readingPlaces } from "../database/schema/social.ts";

const { userId, blogId, block, words, part, leftAt } = readingPlaces;

const ofReader = hot((db) =>
  db
    .select({ block, words, part })
    .from(readingPlaces)
    .where(and(eq(userId, sql.placeholder("reader")), eq(blogId, sql.placeholder("blog"))))
    .prepare(),
);

/** Where somebody stopped reading a blog. */
export const placeIn = async (
  connection: Connection,
  reader: string,
  blog: string,
): Promise<ReadingPlace | undefined> => ofReader(connection).get({ reader, blog });

/** Keeps it in place of the one before. */
export async function setPlace(
  tx: Connection,
  reader: string,
  blog: string,
  place: ReadingPlace,
  now: number,
): Promise<void> {
  const row = { ...place, leftAt: now };
  await tx.drizzle
    .insert(readingPlaces)
    .values({ userId: reader, blogId: blog, ...row })
    .onConflictDoUpdate({ target: [userId, blogId], set: row })
    .run();
}

/** Forgets one, or all that somebody has. */
export async function forgetPlace(tx: Connection, reader: string, blog?: string): Promise<void> {
  await tx.drizzle
    .delete(readingPlaces)
    .where(and(eq(userId, reader), blog === undefined ? undefined : eq(blogId, blog)))
    .run();
}

/** Forgets the oldest of somebody's beyond the newest `most`. */
export async function forgetOldest(tx: Connection, reader: string, most: number): Promise<void> {
  const beyond = tx.drizzle
    .select({ blogId })
    .from(readingPlaces)
    .where(eq(userId, reader))
    .orderBy(desc(leftAt), desc(blogId))
    .limit(10)
    .offset(most);
  await tx.drizzle
    .delete(readingPlaces)
    .where(and(eq(userId, reader), inArray(blogId, beyond)))
    .run();
}

/** Forgets some of those in a blog that goes; answers with how many. */
export async function forgetPlacesIn(tx: Connection, blog: string, limit: number): Promise<number> {
  const some = tx.drizzle.select({ userId }).from(readingPlaces).where(eq(blogId, blog)).limit(limit);
  return (
    await tx.drizzle
      .delete(readingPlaces)
      .where(and(eq(blogId, blog), inArray(userId, some)))
      .run()
  ).changes;
}
