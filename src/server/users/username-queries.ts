import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, ne, or, sql } from "drizzle-orm";
import { limits } from "../../shared/limits.ts";
import type { Named } from "../../shared/mentions.ts";
import { lookOf } from "../../shared/look-alike.ts";
import { hot, type Connection } from "../database/connection.ts";
import { heldUsernames, users } from "../database/schema/users.ts";
import { isVisibleTo } from "./block-queries.ts";

/** Who asks for a name, and when. */
interface Asked {
  userId?: string | undefined;
  now: number;
}

const held = ({ userId, now }: Asked) =>
  and(
    gt(heldUsernames.until, now),
    userId === undefined ? undefined : or(isNull(heldUsernames.userId), ne(heldUsernames.userId, userId)),
  );
const others = ({ userId }: Asked) => (userId === undefined ? undefined : ne(users.id, userId));

/** Whether somebody else has this very username, or it is held for somebody else. */
export async function isTaken(connection: Connection, username: string, asked: Asked): Promise<boolean> {
  const { drizzle } = connection;
  const has = await drizzle
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.username, username), others(asked)))
    .get();
  const holds = await drizzle
    .select({ until: heldUsernames.until })
    .from(heldUsernames)
    .where(and(eq(heldUsernames.username, username), held(asked)))
    .get();
  return has !== undefined || holds !== undefined;
}

/** Which of these looks somebody else's username has, or one that is held for somebody else. */
export async function takenLooks(
  connection: Connection,
  looks: string[],
  asked: Asked,
): Promise<Set<string>> {
  const { drizzle } = connection;
  const had = await drizzle
    .select({ look: users.look })
    .from(users)
    .where(and(inArray(users.look, looks), others(asked)))
    .all();
  // Nobody holds more than a few back from others, and each for a month: there are too few to keep their looks for.
  const kept = await drizzle
    .select({ username: heldUsernames.username })
    .from(heldUsernames)
    .where(held(asked))
    .all();
  const wanted = new Set(looks);
  return new Set(
    [...had.map(({ look }) => look), ...kept.map(({ username }) => lookOf(username))].filter((look) =>
      wanted.has(look),
    ),
  );
}

const formerOwner = hot((db) =>
  db
    .select({ userId: heldUsernames.userId })
    .from(heldUsernames)
    .where(eq(heldUsernames.username, sql.placeholder("username")))
    .prepare(),
);

/** Whom a username leads to that was given up, however long ago. Whoever has it now comes first: ask for them before. */
export async function formerOwnerOf(connection: Connection, username: string): Promise<string | undefined> {
  const row = await formerOwner(connection).get({ username: username.toLowerCase() });
  return row?.userId ?? undefined;
}

const named = hot((db) =>
  db
    .select({ asked: sql<string>`asked.value`, id: users.id, username: users.username })
    .from(sql`json_each(${sql.placeholder("usernames")}) asked`)
    .innerJoin(
      users,
      sql`${users.id} = coalesce((select id from users had where had.username = asked.value),
        (select user_id from held_usernames where username = asked.value))`,
    )
    .where(and(isNotNull(users.verifiedAt), isVisibleTo(users.id)))
    .prepare(),
);

/** Whom of these usernames lead to somebody whom the viewer finds: theirs, or one that they gave up. */
export const namedAmong = async (
  connection: Connection,
  usernames: string[],
  viewerId: string | null,
): Promise<Named[]> => named(connection).all({ usernames: JSON.stringify(usernames), viewer: viewerId });

/** Which of these usernames lead to somebody who gave them up. */
export async function leadingElsewhere(connection: Connection, usernames: string[]): Promise<Set<string>> {
  const rows = await connection.drizzle
    .select({ username: heldUsernames.username })
    .from(heldUsernames)
    .where(and(inArray(heldUsernames.username, usernames), isNotNull(heldUsernames.userId)))
    .all();
  return new Set(rows.map(({ username }) => username));
}

/** The usernames that are held for somebody, the one that is free first in front. */
export const heldBy = async (connection: Connection, userId: string, now: number) =>
  connection.drizzle
    .select({ username: heldUsernames.username, until: heldUsernames.until })
    .from(heldUsernames)
    .where(and(eq(heldUsernames.userId, userId), gt(heldUsernames.until, now)))
    .orderBy(asc(heldUsernames.until))
    .all();

/**
 * Keeps a username that was given up from everybody else for a while; it leads to `userId` until another takes it, or nowhere
 * where the account is gone.
 */
export async function holdUsername(tx: Connection, username: string, userId: string | null): Promise<void> {
  const row = { username, userId, until: Date.now() + limits.username.heldDays * 24 * 60 * 60 * 1000 };
  await tx.drizzle
    .insert(heldUsernames)
    .values(row)
    .onConflictDoUpdate({ target: heldUsernames.username, set: row })
    .run();
}

export async function releaseUsername(tx: Connection, username: string): Promise<void> {
  await tx.drizzle.delete(heldUsernames).where(eq(heldUsernames.username, username)).run();
}

/** Forgets the names of accounts that are gone, when their time is over; what leads to somebody goes on doing so. */
export async function releaseUsernames(tx: Connection, now: number, limit: number): Promise<number> {
  const { drizzle } = tx;
  const some = drizzle
    .select({ username: heldUsernames.username })
    .from(heldUsernames)
    .where(and(isNull(heldUsernames.userId), lte(heldUsernames.until, now)))
    .limit(limit);
  return (await drizzle.delete(heldUsernames).where(inArray(heldUsernames.username, some)).run()).changes;
}
