import { and, asc, eq, gt, isNotNull, isNull, max, ne, or, sql, sum } from "drizzle-orm";
import type { Connection } from "../database/connection.ts";
import { sessions } from "../database/schema/auth.ts";
import { media } from "../database/schema/media.ts";
import { users } from "../database/schema/profiles.ts";
import type { UserRow } from "./queries.ts";

/** An account as operators see it. */
export type AccountRow = Awaited<ReturnType<typeof accountsAfter>>[number];

const columns = {
  seq: users.seq,
  id: users.id,
  username: users.username,
  email: users.email,
  name: users.name,
  isAdmin: users.isAdmin,
  verifiedAt: users.verifiedAt,
  createdAt: users.createdAt,
  blogs: sql<number>`${users.publicBlogs} + ${users.privateBlogs} + ${users.draftBlogs}`,
};

/** Returns accounts in order of creation whose username, address or name contains `words`. */
export async function accountsAfter(
  connection: Connection,
  number: number,
  { words = "", limit }: { words?: string | undefined; limit: number },
) {
  const contains = (column: typeof users.username | typeof users.email | typeof users.name) =>
    sql`lower(${column}) like ${`%${words.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`} escape '\\'`;
  const rows = await connection.drizzle
    .select(columns)
    .from(users)
    .where(
      and(
        gt(users.seq, number),
        words === "" ? undefined : or(contains(users.username), contains(users.email), contains(users.name)),
      ),
    )
    .orderBy(asc(users.seq))
    .limit(limit)
    .all();
  const lastSeen = await lastSeenOf(
    connection,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({ ...row, seenAt: lastSeen.get(row.id) ?? null }));
}

/** Returns when accounts with a session were last seen. */
async function lastSeenOf(connection: Connection, ids: string[]): Promise<Map<string, number>> {
  const rows = await connection.drizzle
    .select({ id: sessions.userId, at: max(sessions.seenAt) })
    .from(sessions)
    .where(sql`${sessions.userId} in (select value from json_each(${JSON.stringify(ids)}))`)
    .groupBy(sessions.userId)
    .all();
  return new Map(rows.flatMap(({ id, at }) => (at === null ? [] : [[id, at]])));
}

/** Returns the bytes of an account's pictures. */
export async function storageOf(connection: Connection, userId: string): Promise<number> {
  const row = await connection.drizzle
    .select({ bytes: sum(media.bytes) })
    .from(media)
    .where(eq(media.ownerId, userId))
    .get();
  return Number(row?.bytes ?? 0);
}

/** Returns the account with this username, address or id. */
export const findAccount = async (connection: Connection, word: string): Promise<UserRow | undefined> =>
  connection.drizzle
    .select()
    .from(users)
    .where(
      or(eq(users.username, word.toLowerCase()), eq(users.email, word.toLowerCase()), eq(users.id, word)),
    )
    .limit(1)
    .get();

/** Returns whether someone else is an administrator who can sign in. */
export const hasOtherAdmin = async (connection: Connection, userId: string): Promise<boolean> =>
  (await connection.drizzle
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        eq(users.isAdmin, true),
        ne(users.id, userId),
        isNotNull(users.verifiedAt),
        isNull(users.suspendedAt),
      ),
    )
    .limit(1)
    .get()) !== undefined;

export const hasAccounts = async (connection: Connection): Promise<boolean> =>
  (await connection.drizzle.select({ id: users.id }).from(users).limit(1).get()) !== undefined;
