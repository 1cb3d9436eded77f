import { and, asc, eq, gt, inArray, isNull, lte, ne, or, sql } from "drizzle-orm";
import { limits } from "../../shared/limits.ts";
import { lookOf } from "../../shared/look-alike.ts";
import { hot, type Connection } from "../database/connection.ts";
import { heldUsernames, users } from "../database/schema/users.ts";

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
  // Nobody holds more than a few, and each for a month: there are too few to keep their looks for.
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
    .select({ userId: heldUsernames.userId, until: heldUsernames.until })
    .from(heldUsernames)
    .where(eq(heldUsernames.username, sql.placeholder("username")))
    .prepare(),
);

/** Whom a username leads to that was given up a while ago. */
export async function formerOwnerOf(
  connection: Connection,
  username: string,
  now: number,
): Promise<string | undefined> {
  const row = await formerOwner(connection).get({ username: username.toLowerCase() });
  return row && row.until > now ? (row.userId ?? undefined) : undefined;
}

/** The usernames that are held for somebody, the one that is free first in front. */
export const heldBy = async (connection: Connection, userId: string, now: number) =>
  connection.drizzle
    .select({ username: heldUsernames.username, until: heldUsernames.until })
    .from(heldUsernames)
    .where(and(eq(heldUsernames.userId, userId), gt(heldUsernames.until, now)))
    .orderBy(asc(heldUsernames.until))
    .all();

/** Keeps a username that was given up from everybody else; it leads to `userId`, or nowhere where the account is gone. */
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

/** Gives back the names whose time is over. */
export async function releaseUsernames(tx: Connection, now: number, limit: number): Promise<number> {
  const { drizzle } = tx;
  const some = drizzle
    .select({ username: heldUsernames.username })
    .from(heldUsernames)
    .where(lte(heldUsernames.until, now))
    .limit(limit);
  return (await drizzle.delete(heldUsernames).where(inArray(heldUsernames.username, some)).run()).changes;
}
