import { and, desc, eq, inArray, sql } from "drizzle-orm";
import type { ReadingPosition } from "../../shared/reading-position.ts";
import { preparedQuery, type Connection, changes } from "../database/connection.ts";
import { readingPositions } from "../database/schema/blogs.ts";

const { userId, blogId, block, words, part, leftAt } = readingPositions;

const ofReader = preparedQuery((db) =>
  db
    .select({ block, words, part })
    .from(readingPositions)
    .where(and(eq(userId, sql.placeholder("reader")), eq(blogId, sql.placeholder("blog")))),
);

export const readingPositionIn = async (
  connection: Connection,
  reader: string,
  blog: string,
): Promise<ReadingPosition | undefined> => ofReader(connection).get({ reader, blog });

export async function setReadingPosition(
  tx: Connection,
  reader: string,
  blog: string,
  place: ReadingPosition,
  now: number,
): Promise<void> {
  const row = { ...place, leftAt: now };
  await tx.drizzle
    .insert(readingPositions)
    .values({ userId: reader, blogId: blog, ...row })
    .onConflictDoUpdate({ target: [userId, blogId], set: row });
}

/** Deletes one reading position, or all of a person's. */
export async function deleteReadingPosition(tx: Connection, reader: string, blog?: string): Promise<void> {
  await tx.drizzle
    .delete(readingPositions)
    .where(and(eq(userId, reader), blog === undefined ? undefined : eq(blogId, blog)));
}

/** Deletes the oldest beyond the newest `limit`, up to ten. */
export async function deleteOldestReadingPositions(
  tx: Connection,
  reader: string,
  limit: number,
): Promise<void> {
  const excess = tx.drizzle
    .select({ blogId })
    .from(readingPositions)
    .where(eq(userId, reader))
    .orderBy(desc(leftAt), desc(blogId))
    .limit(10)
    .offset(limit);
  await tx.drizzle.delete(readingPositions).where(and(eq(userId, reader), inArray(blogId, excess)));
}

/** Deletes some reading positions in a deleted blog. Returns how many. */
export async function deleteSomeReadingPositionsIn(
  tx: Connection,
  blog: string,
  limit: number,
): Promise<number> {
  const batch = tx.drizzle.select({ userId }).from(readingPositions).where(eq(blogId, blog)).limit(limit);
  return await changes(
    tx.drizzle.delete(readingPositions).where(and(eq(blogId, blog), inArray(userId, batch))),
  );
}
