import { desc, eq } from "drizzle-orm";
import type { Connection } from "../database/connection.ts";
import { staffNotes } from "../database/schema/moderation.ts";

/** The newest first. */
export const listNotes = async (connection: Connection, userId: string, limit: number) =>
  connection.drizzle
    .select()
    .from(staffNotes)
    .where(eq(staffNotes.userId, userId))
    .orderBy(desc(staffNotes.createdAt), desc(staffNotes.id))
    .limit(limit)
    .all();

export const noteById = async (connection: Connection, id: string) =>
  connection.drizzle.select().from(staffNotes).where(eq(staffNotes.id, id)).get();

export async function insertNote(tx: Connection, row: typeof staffNotes.$inferInsert): Promise<void> {
  await tx.drizzle.insert(staffNotes).values(row).run();
}

export async function deleteNote(tx: Connection, id: string): Promise<void> {
  await tx.drizzle.delete(staffNotes).where(eq(staffNotes.id, id)).run();
}
