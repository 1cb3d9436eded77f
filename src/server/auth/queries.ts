import { and, eq, notInArray } from "drizzle-orm";
import { type Connection, first } from "../database/connection.ts";
import { sessions } from "../database/schema/auth.ts";

/** Deletes an account's sessions but `except` (handles). Returns their hashes, to close their connections after the commit. */
export async function deleteSessionsOf(
  tx: Connection,
  userId: string,
  except: string[] = [],
): Promise<string[]> {
  const rows = await tx.drizzle
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), notInArray(sessions.handle, except)))
    .returning({ hash: sessions.hash });
  return rows.map(({ hash }) => hash);
}

/** Replaces a session's secret, so that the old one stops working. Returns undefined if it has ended. */
export async function rekeySession(
  tx: Connection,
  hash: string,
  next: string,
): Promise<{ createdAt: number } | undefined> {
  const [row] = await tx.drizzle
    .update(sessions)
    .set({ hash: next })
    .where(eq(sessions.hash, hash))
    .returning({ createdAt: sessions.createdAt });
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
