import { and, asc, count, eq, gte, sql } from "drizzle-orm";
import { preparedQuery, type Connection } from "../database/connection.ts";
import { passkeys } from "../database/schema/sign-in.ts";

export type PasskeyRow = typeof passkeys.$inferSelect;

const byId = preparedQuery((db) =>
  db
    .select()
    .from(passkeys)
    .where(eq(passkeys.id, sql.placeholder("id")))
    .prepare(),
);

export const passkeyById = async (connection: Connection, id: string): Promise<PasskeyRow | undefined> =>
  byId(connection).get({ id });

/** Lists an account's passkeys, oldest first. */
export const passkeysOf = async (connection: Connection, userId: string): Promise<PasskeyRow[]> =>
  connection.drizzle
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(asc(passkeys.createdAt))
    .all();

export async function countPasskeys(connection: Connection, userId: string): Promise<number> {
  const row = await connection.drizzle
    .select({ there: count() })
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .get();
  return row?.there ?? 0;
}

export async function insertPasskey(tx: Connection, row: typeof passkeys.$inferInsert): Promise<void> {
  await tx.drizzle.insert(passkeys).values(row).run();
}

export async function updatePasskey(
  tx: Connection,
  { id, userId }: Pick<PasskeyRow, "id" | "userId">,
  change: Pick<PasskeyRow, "counter" | "usedAt">,
): Promise<boolean> {
  const { changes } = await tx.drizzle
    .update(passkeys)
    .set(change)
    .where(and(eq(passkeys.id, id), eq(passkeys.userId, userId)))
    .run();
  return changes > 0;
}

export async function deletePasskey(tx: Connection, userId: string, id: string): Promise<boolean> {
  const { changes } = await tx.drizzle
    .delete(passkeys)
    .where(and(eq(passkeys.id, id), eq(passkeys.userId, userId)))
    .run();
  return changes > 0;
}

export async function deletePasskeysSince(tx: Connection, userId: string, since: number): Promise<void> {
  await tx.drizzle
    .delete(passkeys)
    .where(and(eq(passkeys.userId, userId), gte(passkeys.createdAt, since)))
    .run();
}
