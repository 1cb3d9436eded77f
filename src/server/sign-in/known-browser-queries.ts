import { and, desc, eq, inArray, lt, ne, notInArray, sql } from "drizzle-orm";
import { preparedQuery, type Connection, changes } from "../database/connection.ts";
import { knownBrowsers } from "../database/schema/sign-in.ts";

const browserByHash = preparedQuery((db) =>
  db
    .select({ seenAt: knownBrowsers.seenAt })
    .from(knownBrowsers)
    .where(eq(knownBrowsers.hash, sql.placeholder("hash"))),
);

export const isKnownBrowser = async (connection: Connection, hash: string): Promise<boolean> =>
  (await browserByHash(connection).get({ hash })) !== undefined;

/** Stores a browser that signed in to an account, and keeps the newest `limit`. */
export async function storeBrowser(
  tx: Connection,
  row: typeof knownBrowsers.$inferInsert,
  limit: number,
): Promise<void> {
  const { drizzle } = tx;
  await drizzle
    .insert(knownBrowsers)
    .values(row)
    .onConflictDoUpdate({ target: knownBrowsers.hash, set: { seenAt: row.seenAt } });
  const newest = drizzle
    .select({ hash: knownBrowsers.hash })
    .from(knownBrowsers)
    .where(eq(knownBrowsers.userId, row.userId))
    .orderBy(desc(knownBrowsers.seenAt), desc(knownBrowsers.hash))
    .limit(limit);
  await drizzle
    .delete(knownBrowsers)
    .where(and(eq(knownBrowsers.userId, row.userId), notInArray(knownBrowsers.hash, newest)));
}

/** Forgets an account's browsers except one. */
export async function forgetBrowsers(tx: Connection, userId: string, except: string): Promise<void> {
  await tx.drizzle
    .delete(knownBrowsers)
    .where(and(eq(knownBrowsers.userId, userId), ne(knownBrowsers.hash, except)));
}

/** Forgets browsers whose cookies have expired. */
export async function forgetOldBrowsers(tx: Connection, before: number, limit: number): Promise<number> {
  const { drizzle } = tx;
  const expired = drizzle
    .select({ hash: knownBrowsers.hash })
    .from(knownBrowsers)
    .where(lt(knownBrowsers.seenAt, before))
    .limit(limit);
  return await changes(drizzle.delete(knownBrowsers).where(inArray(knownBrowsers.hash, expired)));
}
