import { and, desc, eq, inArray, isNotNull, sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { hot, type Connection } from "../database/connection.ts";
import { follows } from "../database/schema/social.ts";
import { users, walls } from "../database/schema/users.ts";

/* Who is not there for whom (docs/decisions/0026-walls.md). Whatever shows people, or what is theirs, asks here. */

const viewer = sql.placeholder("viewer");
const other = sql.placeholder("other");
const hasSome = sql`exists (select 1 from walls where viewer_id = ${viewer})`;
// By the id, so that the index of those few is searched.
const someShut = sql`exists (select 1 from users where id > '' and suspended_at is not null)`;

const someSilenced = sql`exists (select 1 from users where id > '' and silenced_at is not null)`;

/** Whether moderators shut the account, for everybody. */
export const isShut = (person: SQLiteColumn | SQL): SQL =>
  sql`(${someShut} and exists (select 1 from users shut where shut.id = ${person} and shut.suspended_at is not null))`;

/** Whether moderators left the account to its followers, of whom the placeholder `viewer` is none; nor are they it. */
const isSilenced = (person: SQLiteColumn | SQL): SQL =>
  sql`(${someSilenced} and exists (select 1 from users hushed where hushed.id = ${person} and hushed.silenced_at is not null
    and hushed.id <> coalesce(${viewer}, '')
    and not exists (select 1 from follows where follower_id = ${viewer} and followed_id = hushed.id)))`;

/**
 * A wall of the placeholder `viewer` before this person, or one of those that moderators put up: before everybody by suspending
 * the account, before all but its followers by silencing it; false of nobody. Whether there is any is asked once a statement.
 */
export const behindWall = (person: SQLiteColumn | SQL): SQL =>
  sql`((${hasSome} and exists (select 1 from walls where viewer_id = ${viewer} and other_id = ${person}))
    or ${isShut(person)} or ${isSilenced(person)})`;

/** Nobody is behind a wall for the viewer: what need not be looked for then. */
export const withoutWalls: SQL = sql`(not ${hasSome} and not ${someShut} and not ${someSilenced})`;

/** True of rows of a person whom no wall hides from `viewer`: most have none, and pay for one look a statement. */
export const inSight = (person: SQLiteColumn | SQL): SQL => sql`(not ${behindWall(person)})`;

const between = hot((db) =>
  db
    .select({ blockedAt: walls.blockedAt })
    .from(walls)
    .where(and(eq(walls.viewerId, viewer), eq(walls.otherId, other)))
    .prepare(),
);
const ofViewer = hot((db) =>
  db.select({ id: walls.otherId }).from(walls).where(eq(walls.viewerId, viewer)).prepare(),
);
const anyOf = hot((db) =>
  db.select({ id: walls.otherId }).from(walls).where(eq(walls.viewerId, viewer)).limit(1).prepare(),
);
const shutAmongFollowed = hot((db) =>
  db
    .select({ id: users.id })
    .from(users)
    .innerJoin(follows, and(eq(follows.followerId, viewer), eq(follows.followedId, users.id)))
    .where(sql`${someShut} and users.suspended_at is not null`)
    .limit(1)
    .prepare(),
);
const silenced = hot((db) =>
  db
    .select({ id: users.id })
    .from(users)
    .where(sql`users.silenced_at is not null`)
    .prepare(),
);
const silencedAndSeen = hot((db) =>
  db
    .select({ id: users.id })
    .from(users)
    .where(
      sql`users.silenced_at is not null and (users.id = ${viewer}
        or exists (select 1 from ${follows} where follower_id = ${viewer} and followed_id = users.id))`,
    )
    .prepare(),
);
const blockedBy = hot((db) =>
  db
    .select({ id: users.id, username: users.username, name: users.name, pictureId: users.pictureId })
    .from(walls)
    .innerJoin(users, eq(users.id, walls.otherId))
    .where(and(eq(walls.viewerId, viewer), sql`walls.blocked_at is not null`))
    .orderBy(desc(walls.blockedAt), desc(walls.otherId))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/** What stands between two people: whether anything does, and whether the viewer put it there. */
export async function wallBetween(
  connection: Connection,
  viewerId: string,
  otherId: string,
): Promise<{ stands: boolean; own: boolean }> {
  const row = await between(connection).get({ viewer: viewerId, other: otherId });
  return { stands: row !== undefined, own: typeof row?.blockedAt === "number" };
}

const isHidden = hot((db) =>
  db
    .select({ behind: sql<number>`${behindWall(users.id)}` })
    .from(users)
    .where(eq(users.id, other))
    .prepare(),
);
/** Whether anything hides a person from somebody: a wall of either, or what moderators decided. */
export const isBehindWall = async (
  connection: Connection,
  viewerId: string,
  otherId: string,
): Promise<boolean> =>
  Boolean((await isHidden(connection).get({ viewer: viewerId, other: otherId }))?.behind);

/** Everybody whom a wall hides from somebody. */
export const wallsOf = async (connection: Connection, viewerId: string): Promise<string[]> =>
  (await ofViewer(connection).all({ viewer: viewerId })).map(({ id }) => id);

/** Everybody whom moderators left to their followers. */
export const silencedIds = async (connection: Connection): Promise<string[]> =>
  (await silenced(connection).all()).map(({ id }) => id);

/** Those of them whom somebody follows, or is. */
export const silencedSeenBy = async (connection: Connection, viewerId: string): Promise<string[]> =>
  (await silencedAndSeen(connection).all({ viewer: viewerId })).map(({ id }) => id);

/**
 * Whether somebody may see fewer or more than what is kept for everybody says: the marks of blogs (`blogs.open`) with those of
 * people whom they follow, or lists of who likes and comments.
 */
export const hasWalls = async (connection: Connection, viewerId: string): Promise<boolean> =>
  (await anyOf(connection).get({ viewer: viewerId })) !== undefined ||
  (await shutAmongFollowed(connection).get({ viewer: viewerId })) !== undefined ||
  (await silencedAndSeen(connection).get({ viewer: viewerId })) !== undefined;

/** Whom somebody has blocked, the newest first. */
export const listBlocked = async (connection: Connection, viewerId: string, limit: number) =>
  blockedBy(connection).all({ viewer: viewerId, limit });

/** Puts a wall between two people, as the doing of the first. */
export async function raiseWall(
  tx: Connection,
  ownerId: string,
  otherId: string,
  now: number,
): Promise<void> {
  await tx.drizzle
    .insert(walls)
    .values({ viewerId: ownerId, otherId, blockedAt: now })
    .onConflictDoUpdate({ target: [walls.viewerId, walls.otherId], set: { blockedAt: now } })
    .run();
  await tx.drizzle.insert(walls).values({ viewerId: otherId, otherId: ownerId }).onConflictDoNothing().run();
}

/** Takes the first one's wall away; where the other has put one there too, that stays. True where none is left. */
export async function lowerWall(tx: Connection, ownerId: string, otherId: string): Promise<boolean> {
  if ((await wallBetween(tx, otherId, ownerId)).own) {
    await tx.drizzle
      .update(walls)
      .set({ blockedAt: null })
      .where(and(eq(walls.viewerId, ownerId), eq(walls.otherId, otherId)))
      .run();
    return false;
  }
  for (const [one, another] of [
    [ownerId, otherId],
    [otherId, ownerId],
  ] as const)
    await tx.drizzle
      .delete(walls)
      .where(and(eq(walls.viewerId, one), eq(walls.otherId, another)))
      .run();
  return true;
}

/** How many somebody has blocked. */
export const countBlocked = async (connection: Connection, ownerId: string): Promise<number> =>
  connection.drizzle.$count(walls, and(eq(walls.viewerId, ownerId), isNotNull(walls.blockedAt)));

/** Takes away some of what stands between an account that ends and others; answers with how many they were. */
export async function forgetWalls(tx: Connection, userId: string, limit: number): Promise<number> {
  let removed = 0;
  for (const [own, others] of [
    [walls.viewerId, walls.otherId],
    [walls.otherId, walls.viewerId],
  ] as const) {
    const some = tx.drizzle
      .select({ id: others })
      .from(walls)
      .where(eq(own, userId))
      .limit(limit - removed);
    removed += (
      await tx.drizzle
        .delete(walls)
        .where(and(eq(own, userId), inArray(others, some)))
        .run()
    ).changes;
  }
  return removed;
}
