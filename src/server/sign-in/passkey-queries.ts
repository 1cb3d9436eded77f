import { and, asc, count, eq, gte, sql } from "drizzle-orm";
import { preparedQuery, type Connection, first, changes } from "../database/connection.ts";
import { passkeys } from "../database/schema/sign-in.ts";

export type PasskeyRow = typeof passkeys.$inferSelect;

const byId = preparedQuery((db) =>
  db
    .select()
    .from(passkeys)
    .where(eq(passkeys.id, sql.placeholder("id"))),
);

export const passkeyById = async (connection: Connection, id: string): Promise<PasskeyRow | undefined> =>
  byId(connection).get({ id });

/** Lists an account's passkeys, oldest first. */
export const passkeysOf = async (connection: Connection, userId: string): Promise<PasskeyRow[]> =>
  connection.drizzle
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(asc(passkeys.createdAt));

export async function countPasskeys(connection: Connection, userId: string): Promise<number> {
  const row = await first(
    connection.drizzle.select({ there: count() }).from(passkeys).where(eq(passkeys.userId, userId)),
  );
  return row?.there ?? 0;
}

export async function insertPasskey(tx: Connection, row: typeof passkeys.$inferInsert): Promise<void> {
  await tx.drizzle.insert(passkeys).values(row);
}

export async function updatePasskey(
  tx: Connection,
  { id, userId }: Pick<PasskeyRow, "id" | "userId">,
  change: Pick<PasskeyRow, "counter" | "usedAt">,
): Promise<boolean> {
  const changed = await changes(
    tx.drizzle
      .update(passkeys)
      .set(change)
      .where(and(eq(passkeys.id, id), eq(passkeys.userId, userId))),
  );
  return changed > 0;
}

export async function deletePasskey(tx: Connection, userId: string, id: string): Promise<boolean> {
  const changed = await changes(
    tx.drizzle.delete(passkeys).where(and(eq(passkeys.id, id), eq(passkeys.userId, userId))),
  );
  return changed > 0;
}

export async function deletePasskeysSince(tx: Connection, userId: string, since: number): Promise<void> {
  await tx.drizzle.delete(passkeys).where(and(eq(passkeys.userId, userId), gte(passkeys.createdAt, since)));
}
