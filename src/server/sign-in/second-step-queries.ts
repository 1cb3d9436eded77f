import { and, count, eq, gte, lt, sql } from "drizzle-orm";
import { preparedQuery, type Connection, first, changes } from "../database/connection.ts";
import { authenticators, recoveryCodes } from "../database/schema/sign-in.ts";

export type Authenticator = typeof authenticators.$inferSelect;

const authenticator = preparedQuery((db) =>
  db
    .select()
    .from(authenticators)
    .where(eq(authenticators.userId, sql.placeholder("userId"))),
);

export const authenticatorOf = async (
  connection: Connection,
  userId: string,
): Promise<Authenticator | undefined> => authenticator(connection).get({ userId });

/** Stores an unconfirmed app in place of a previous one. */
export async function putAuthenticator(
  tx: Connection,
  row: typeof authenticators.$inferInsert,
): Promise<void> {
  await tx.drizzle.delete(authenticators).where(eq(authenticators.userId, row.userId));
  await tx.drizzle.insert(authenticators).values(row);
}

/** Marks a time step as used. Returns false if it or a later one already was. */
export async function consumeTimeStep(tx: Connection, userId: string, step: number): Promise<boolean> {
  const changed = await changes(
    tx.drizzle
      .update(authenticators)
      .set({ usedStep: step })
      .where(and(eq(authenticators.userId, userId), lt(authenticators.usedStep, step))),
  );
  return changed > 0;
}

export async function confirmAuthenticator(tx: Connection, userId: string, now: number): Promise<void> {
  await tx.drizzle.update(authenticators).set({ confirmedAt: now }).where(eq(authenticators.userId, userId));
}

export async function deleteAuthenticator(tx: Connection, userId: string): Promise<void> {
  await tx.drizzle.delete(authenticators).where(eq(authenticators.userId, userId));
}

/** Replaces an account's recovery codes. */
export async function putRecoveryCodes(tx: Connection, userId: string, hashes: string[]): Promise<void> {
  await tx.drizzle.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  if (hashes.length > 0)
    await tx.drizzle
      .insert(recoveryCodes)
      .values(hashes.map((hash) => ({ hash, userId, createdAt: Date.now() })));
}

export async function deleteRecoveryCodesSince(tx: Connection, userId: string, since: number): Promise<void> {
  await tx.drizzle
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), gte(recoveryCodes.createdAt, since)));
}

/** Deletes a recovery code, which works once. Returns false if there is none. */
export async function takeRecoveryCode(tx: Connection, userId: string, hash: string): Promise<boolean> {
  const changed = await changes(
    tx.drizzle
      .delete(recoveryCodes)
      .where(and(eq(recoveryCodes.hash, hash), eq(recoveryCodes.userId, userId))),
  );
  return changed > 0;
}

export async function countRecoveryCodes(connection: Connection, userId: string): Promise<number> {
  const row = await first(
    connection.drizzle.select({ left: count() }).from(recoveryCodes).where(eq(recoveryCodes.userId, userId)),
  );
  return row?.left ?? 0;
}
