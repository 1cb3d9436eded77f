import { desc, eq, sql } from "drizzle-orm";
import type { Connection } from "../database/connection.ts";
import { staffNotes } from "../database/schema/moderation.ts";
import { users } from "../database/schema/profiles.ts";

const notes = (connection: Connection) =>
  connection.drizzle
    .select({
      id: staffNotes.id,
      userId: staffNotes.userId,
      authorId: staffNotes.authorId,
      /** The current username, or the stored one of a deleted account. */
      author: sql<string>`coalesce(${users.username}, ${staffNotes.author})`,
      body: staffNotes.body,
      createdAt: staffNotes.createdAt,
    })
    .from(staffNotes)
    .leftJoin(users, eq(users.id, staffNotes.authorId));

export const listNotes = async (connection: Connection, userId: string, limit: number) =>
  notes(connection)
    .where(eq(staffNotes.userId, userId))
    .orderBy(desc(staffNotes.createdAt), desc(staffNotes.id))
    .limit(limit)
    .all();

export const noteById = async (connection: Connection, id: string) =>
  notes(connection).where(eq(staffNotes.id, id)).get();

export async function insertNote(tx: Connection, row: typeof staffNotes.$inferInsert): Promise<void> {
  await tx.drizzle.insert(staffNotes).values(row).run();
}

export async function deleteNote(tx: Connection, id: string): Promise<void> {
  await tx.drizzle.delete(staffNotes).where(eq(staffNotes.id, id)).run();
}
