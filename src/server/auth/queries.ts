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
