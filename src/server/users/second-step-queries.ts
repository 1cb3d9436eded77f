import { and, count, eq, gte, lt, sql } from "drizzle-orm";
import { hot, type Connection } from "../database/connection.ts";
import { authenticators, recoveryCodes } from "../database/schema/access.ts";

export type Authenticator = typeof authenticators.$inferSelect;

const authenticator = hot((db) =>
  db
    .select()
    .from(authenticators)
    .where(eq(authenticators.userId, sql.placeholder("userId")))
    .prepare(),
);

export const authenticatorOf = async (
  connection: Connection,
  userId: string,
): Promise<Authenticator | undefined> => authenticator(connection).get({ userId });

/** Sets an app up that is not confirmed yet, in place of one that never was. */
export async function putAuthenticator(
  tx: Connection,
  row: typeof authenticators.$inferInsert,
): Promise<void> {
  await tx.drizzle.delete(authenticators).where(eq(authenticators.userId, row.userId)).run();
  await tx.drizzle.insert(authenticators).values(row).run();
}

/** Notes that the code of a half minute was used: false where it, or a newer one, was used before. */
export async function takeStep(tx: Connection, userId: string, step: number): Promise<boolean> {
  const { changes } = await tx.drizzle
    .update(authenticators)
    .set({ usedStep: step })
    .where(and(eq(authenticators.userId, userId), lt(authenticators.usedStep, step)))
    .run();
  return changes > 0;
}

export async function confirmAuthenticator(tx: Connection, userId: string, now: number): Promise<void> {
  await tx.drizzle
    .update(authenticators)
    .set({ confirmedAt: now })
    .where(eq(authenticators.userId, userId))
    .run();
}

export async function deleteAuthenticator(tx: Connection, userId: string): Promise<void> {
  await tx.drizzle.delete(authenticators).where(eq(authenticators.userId, userId)).run();
}

/** The recovery codes of an account, in place of those it had. */
export async function putRecoveryCodes(tx: Connection, userId: string, hashes: string[]): Promise<void> {
  await tx.drizzle.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId)).run();
  if (hashes.length > 0)
    await tx.drizzle
      .insert(recoveryCodes)
      .values(hashes.map((hash) => ({ hash, userId, createdAt: Date.now() })))
      .run();
}

export async function deleteRecoveryCodesSince(tx: Connection, userId: string, since: number): Promise<void> {
  await tx.drizzle
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), gte(recoveryCodes.createdAt, since)))
    .run();
}

/** Takes a recovery code: it works once. */
export async function takeRecoveryCode(tx: Connection, userId: string, hash: string): Promise<boolean> {
  const { changes } = await tx.drizzle
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.hash, hash), eq(recoveryCodes.userId, userId)))
    .run();
  return changes > 0;
}

export async function countRecoveryCodes(connection: Connection, userId: string): Promise<number> {
  const row = await connection.drizzle
    .select({ left: count() })
    .from(recoveryCodes)
    .where(eq(recoveryCodes.userId, userId))
    .get();
  return row?.left ?? 0;
}
