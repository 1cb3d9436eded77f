import { inArray } from "drizzle-orm";
import type { Connection } from "../database/connection.ts";
import { comments } from "../database/schema/comments.ts";

export async function threadsOf(connection: Connection, ids: string[]): Promise<Map<string, string>> {
  const rows = connection.drizzle
    .select({ id: comments.id, rootId: comments.rootId })
    .from(comments)
    .where(inArray(comments.id, ids));
  return new Map((await rows.all()).map(({ id, rootId }) => [id, rootId]));
}

export async function numbersOf(connection: Connection, ids: string[]): Promise<Map<string, number>> {
  const rows = connection.drizzle
    .select({ id: comments.id, seq: comments.seq })
    .from(comments)
    .where(inArray(comments.id, ids));
  return new Map((await rows.all()).map(({ id, seq }) => [id, seq]));
}
