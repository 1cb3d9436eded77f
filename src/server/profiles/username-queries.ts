import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, ne, or, sql } from "drizzle-orm";
import { limits } from "../../shared/limits.ts";
import type { NamedAccount } from "../../shared/mentions.ts";
import { skeletonOf } from "../../shared/username-skeleton.ts";
import { preparedQuery, type Connection, first, changes } from "../database/connection.ts";
import { textsAs } from "../database/dialect.ts";
import { reservedUsernames, users } from "../database/schema/profiles.ts";
import { isVisibleTo } from "../blocks/queries.ts";

/** Who requests a name, and when. */
interface UsernameRequest {
  userId?: string | undefined;
  now: number;
}

const heldFromUser = ({ userId, now }: UsernameRequest) =>
  and(
    gt(reservedUsernames.until, now),
    userId === undefined
      ? undefined
      : or(isNull(reservedUsernames.userId), ne(reservedUsernames.userId, userId)),
  );
const others = ({ userId }: UsernameRequest) => (userId === undefined ? undefined : ne(users.id, userId));

/** Returns whether another person has this username, or it is held for one. */
export async function isTaken(
  connection: Connection,
  username: string,
  request: UsernameRequest,
): Promise<boolean> {
  const { drizzle } = connection;
  const owner = await first(
    drizzle
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.username, username), others(request))),
  );
  const reservation = await first(
    drizzle
      .select({ until: reservedUsernames.until })
      .from(reservedUsernames)
      .where(and(eq(reservedUsernames.username, username), heldFromUser(request))),
  );
  return owner !== undefined || reservation !== undefined;
}

/** Returns which skeletons match another person's current or held username. */
export async function takenSkeletons(
  connection: Connection,
  skeletons: string[],
  request: UsernameRequest,
): Promise<Set<string>> {
  const { drizzle } = connection;
  const owned = await drizzle
    .select({ look: users.usernameSkeleton })
    .from(users)
    .where(and(inArray(users.usernameSkeleton, skeletons), others(request)));
  // Few are held, for a month each: their skeletons are not stored.
  const reserved = await drizzle
    .select({ username: reservedUsernames.username })
    .from(reservedUsernames)
    .where(heldFromUser(request));
  const requested = new Set(skeletons);
  return new Set(
    [
      ...owned.map(({ look: skeleton }) => skeleton),
      ...reserved.map(({ username }) => skeletonOf(username)),
    ].filter((skeleton) => requested.has(skeleton)),
  );
}

const formerOwner = preparedQuery((db) =>
  db
    .select({ userId: reservedUsernames.userId })
    .from(reservedUsernames)
    .where(eq(reservedUsernames.username, sql.placeholder("username"))),
);

/** Returns who gave up a username, however long ago. Look up its current owner first. */
export async function formerOwnerOf(connection: Connection, username: string): Promise<string | undefined> {
  const row = await formerOwner(connection).get({ username: username.toLowerCase() });
  return row?.userId ?? undefined;
}

const accountsByUsername = preparedQuery((db) =>
  db
    .select({ asked: sql<string>`asked.value`, id: users.id, username: users.username })
    .from(textsAs(sql.placeholder("usernames"), "asked"))
    .innerJoin(
      users,
      sql`${users.id} = coalesce((select id from users had where had.username = asked.value),
        (select user_id from reserved_usernames where username = asked.value))`,
    )
    .where(and(isNotNull(users.verifiedAt), isVisibleTo(users.id))),
);

/** Returns the visible people that these current or former usernames lead to. */
export const peopleByUsernames = async (
  connection: Connection,
  usernames: string[],
  viewerId: string | null,
): Promise<NamedAccount[]> =>
  accountsByUsername(connection).all({ usernames: JSON.stringify(usernames), viewer: viewerId });

/** Returns which usernames redirect to former owners. */
export async function redirecting(connection: Connection, usernames: string[]): Promise<Set<string>> {
  const rows = await connection.drizzle
    .select({ username: reservedUsernames.username })
    .from(reservedUsernames)
    .where(and(inArray(reservedUsernames.username, usernames), isNotNull(reservedUsernames.userId)));
  return new Set(rows.map(({ username }) => username));
}

/** Returns usernames held for a person, the first to expire first. */
export const heldBy = async (connection: Connection, userId: string, now: number) =>
  connection.drizzle
    .select({ username: reservedUsernames.username, until: reservedUsernames.until })
    .from(reservedUsernames)
    .where(and(eq(reservedUsernames.userId, userId), gt(reservedUsernames.until, now)))
    .orderBy(asc(reservedUsernames.until));

/** Holds a given-up username. It redirects to `userId` until another person takes it; null redirects nowhere. */
export async function holdUsername(tx: Connection, username: string, userId: string | null): Promise<void> {
  const row = { username, userId, until: Date.now() + limits.username.heldDays * 24 * 60 * 60 * 1000 };
  await tx.drizzle
    .insert(reservedUsernames)
    .values(row)
    .onConflictDoUpdate({ target: reservedUsernames.username, set: row });
}

export async function releaseUsername(tx: Connection, username: string): Promise<void> {
  await tx.drizzle.delete(reservedUsernames).where(eq(reservedUsernames.username, username));
}

/** Deletes expired held names of deleted accounts; redirects stay. */
export async function releaseUsernames(tx: Connection, now: number, limit: number): Promise<number> {
  const { drizzle } = tx;
  const expired = drizzle
    .select({ username: reservedUsernames.username })
    .from(reservedUsernames)
    .where(and(isNull(reservedUsernames.userId), lte(reservedUsernames.until, now)))
    .limit(limit);
  return await changes(drizzle.delete(reservedUsernames).where(inArray(reservedUsernames.username, expired)));
}
