import { eq } from "drizzle-orm";
import type { Connection } from "../database/connection.ts";
import { sessions } from "../database/schema/auth.ts";

/** Ends every session of an account; answers with their hashes, whose sockets are to be closed after the commit. */
export async function deleteSessionsOf(tx: Connection, userId: string): Promise<string[]> {
  const rows = await tx.drizzle
    .delete(sessions)
    .where(eq(sessions.userId, userId))
    .returning({ hash: sessions.hash })
    .all();
  return rows.map(({ hash }) => hash);
}
