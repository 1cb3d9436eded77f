import { and, eq, notInArray, sql } from "drizzle-orm";
import { type Connection, first, rowsOf } from "../database/connection.ts";
import { sessions } from "../database/schema/auth.ts";
import type { Transaction } from "../database/writer.ts";
import { sessionEndedTopic } from "../live/signals.ts";

/** Deletes an account's sessions but `except` (handles), and closes their connections. Returns how many. */
export async function deleteSessionsOf(
  tx: Transaction,
  userId: string,
  except: string[] = [],
): Promise<number> {
  const rows = await tx.drizzle
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), notInArray(sessions.handle, except)))
    .returning({ hash: sessions.hash });
  for (const { hash } of rows) tx.signal(sessionEndedTopic(hash));
  return rows.length;
}

/** Replaces a session's secret, so that the old one and its connections end. Returns undefined if it has ended. */
export async function rekeySession(
  tx: Transaction,
  hash: string,
  next: string,
): Promise<{ createdAt: number } | undefined> {
  const [row] = await tx.drizzle
    .update(sessions)
    .set({ hash: next })
    .where(eq(sessions.hash, hash))
    .returning({ createdAt: sessions.createdAt });
  tx.signal(sessionEndedTopic(hash));
  return row;
}

export const sessionExists = async (connection: Connection, hash: string): Promise<boolean> =>
  (await first(
    connection.drizzle.select({ handle: sessions.handle }).from(sessions).where(eq(sessions.hash, hash)),
  )) !== undefined;

/** Truncates a user agent to its stored length. */
export const truncateUserAgent = (userAgent: string): string => userAgent.slice(0, 300);

export async function hasSessionWithUserAgent(
  connection: Connection,
  userId: string,
  userAgent: string,
): Promise<boolean> {
  const row = await first(
    connection.drizzle
      .select({ handle: sessions.handle })
      .from(sessions)
      .where(and(eq(sessions.userId, userId), eq(sessions.userAgent, truncateUserAgent(userAgent))))
      .limit(1),
  );
  return row !== undefined;
}

/** Deletes counts of rate limits that have ended, of PostgreSQL. Returns how many. */
export async function deleteEndedCounts(tx: Connection, now: number, limit: number): Promise<number> {
  // A count that begins again meanwhile stays.
  const rows = await rowsOf(
    tx,
    sql`delete from rate_limits where expire <= ${now} and key in
      (select key from rate_limits where expire <= ${now} limit ${limit}) returning 1`,
  );
  return rows.length;
}
