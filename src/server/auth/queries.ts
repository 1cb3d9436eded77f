import { and, eq, notInArray } from "drizzle-orm";
import type { Connection } from "../database/connection.ts";
import { sessions } from "../database/schema/auth.ts";

/**
 * Ends every session of an account but those with these handles; answers with their hashes, whose sockets are to be closed
 * after the commit.
 */
export async function deleteSessionsOf(
  tx: Connection,
  userId: string,
  except: string[] = [],
): Promise<string[]> {
  const rows = await tx.drizzle
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), notInArray(sessions.handle, except)))
    .returning({ hash: sessions.hash })
    .all();
  return rows.map(({ hash }) => hash);
}

/** Gives a session another secret: what the old one opened, it opens no more. Undefined where it has ended. */
export async function rekeySession(
  tx: Connection,
  hash: string,
  next: string,
): Promise<{ createdAt: number } | undefined> {
  const [row] = await tx.drizzle
    .update(sessions)
    .set({ hash: next })
    .where(eq(sessions.hash, hash))
    .returning({ createdAt: sessions.createdAt })
    .all();
  return row;
}

/** Whether a session with this secret is there. */
export const isSession = async (connection: Connection, hash: string): Promise<boolean> =>
  (await connection.drizzle
    .select({ handle: sessions.handle })
    .from(sessions)
    .where(eq(sessions.hash, hash))
    .get()) !== undefined;

/** Of what a browser or a program calls itself, as much as is kept. */
export const asKept = (userAgent: string): string => userAgent.slice(0, 300);

/** Whether an account is signed in by something of this name. */
export async function hasSessionOf(
  connection: Connection,
  userId: string,
  userAgent: string,
): Promise<boolean> {
  const row = await connection.drizzle
    .select({ handle: sessions.handle })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), eq(sessions.userAgent, asKept(userAgent))))
    .limit(1)
    .get();
  return row !== undefined;
}
