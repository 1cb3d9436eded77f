import { and, desc, eq, inArray, isNotNull, sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { hot, type Connection } from "../database/connection.ts";
import { follows } from "../database/schema/social.ts";
import { users, blocks } from "../database/schema/users.ts";

/*
 * Conditions of blocks, suspensions and limits: each query that returns people or their content must use `isVisibleTo`
 * (docs/decisions/0026-blocks.md). They are about the placeholder `viewer`, and look once a statement whether there is any.
 */

const viewer = sql.placeholder("viewer");
const other = sql.placeholder("other");
const hasSome = sql`exists (select 1 from walls where viewer_id = ${viewer})`;
// By the id, so that the index of those few is searched.
const someSuspended = sql`exists (select 1 from users where id > '' and suspended_at is not null)`;

const someLimited = sql`exists (select 1 from users where id > '' and silenced_at is not null)`;

/** True of a suspended account. */
export const isSuspended = (person: SQLiteColumn | SQL): SQL =>
  sql`(${someSuspended} and exists (select 1 from users suspended_user where suspended_user.id = ${person} and suspended_user.suspended_at is not null))`;

/** True of a limited account that the viewer neither follows nor owns. */
const isLimited = (person: SQLiteColumn | SQL): SQL =>
  sql`(${someLimited} and exists (select 1 from users limited_user where limited_user.id = ${person} and limited_user.silenced_at is not null
    and limited_user.id <> coalesce(${viewer}, '')
    and not exists (select 1 from follows where follower_id = ${viewer} and followed_id = limited_user.id)))`;

/** True of a person whom a block, a suspension or a limit hides from the viewer; false where `person` is null. */
export const isHiddenFrom = (person: SQLiteColumn | SQL): SQL =>
  sql`((${hasSome} and exists (select 1 from walls where viewer_id = ${viewer} and other_id = ${person}))
    or ${isSuspended(person)} or ${isLimited(person)})`;

/** True where `isHiddenFrom` is true of nobody. */
export const hidesNobody: SQL = sql`(not ${hasSome} and not ${someSuspended} and not ${someLimited})`;

/** True of a person whom nothing hides from the viewer. */
export const isVisibleTo = (person: SQLiteColumn | SQL): SQL => sql`(not ${isHiddenFrom(person)})`;

const between = hot((db) =>
  db
    .select({ blockedAt: blocks.blockedAt })
    .from(blocks)
    .where(and(eq(blocks.viewerId, viewer), eq(blocks.otherId, other)))
    .prepare(),
);
const ofViewer = hot((db) =>
  db.select({ id: blocks.otherId }).from(blocks).where(eq(blocks.viewerId, viewer)).prepare(),
);
const anyOf = hot((db) =>
  db.select({ id: blocks.otherId }).from(blocks).where(eq(blocks.viewerId, viewer)).limit(1).prepare(),
);
const suspendedAmongFollowed = hot((db) =>
  db
    .select({ id: users.id })
    .from(users)
    .innerJoin(follows, and(eq(follows.followerId, viewer), eq(follows.followedId, users.id)))
    .where(sql`${someSuspended} and users.suspended_at is not null`)
    .limit(1)
    .prepare(),
);
const limitedUsers = hot((db) =>
  db
    .select({ id: users.id })
    .from(users)
    .where(sql`users.silenced_at is not null`)
    .prepare(),
);
const limitedAndVisible = hot((db) =>
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
    .from(blocks)
    .innerJoin(users, eq(users.id, blocks.otherId))
    .where(and(eq(blocks.viewerId, viewer), sql`walls.blocked_at is not null`))
    .orderBy(desc(blocks.blockedAt), desc(blocks.otherId))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/** Returns whether either has blocked the other, and whether the viewer has (`own`). */
export async function blockBetween(
  connection: Connection,
  viewerId: string,
  otherId: string,
): Promise<{ exists: boolean; own: boolean }> {
  const row = await between(connection).get({ viewer: viewerId, other: otherId });
  return { exists: row !== undefined, own: typeof row?.blockedAt === "number" };
}

const isHidden = hot((db) =>
  db
    .select({ hidden: sql<number>`${isHiddenFrom(users.id)}` })
    .from(users)
    .where(eq(users.id, other))
    .prepare(),
);
/** Returns whether a block, a suspension or a limit hides a person from the viewer. */
export const isPersonHidden = async (
  connection: Connection,
  viewerId: string,
  otherId: string,
): Promise<boolean> =>
  Boolean((await isHidden(connection).get({ viewer: viewerId, other: otherId }))?.hidden);

/** Returns the ids of all with whom the viewer has a block, whichever of the two made it. */
export const blockedEitherWay = async (connection: Connection, viewerId: string): Promise<string[]> =>
  (await ofViewer(connection).all({ viewer: viewerId })).map(({ id }) => id);

/** Returns the ids of all limited accounts. */
export const limitedIds = async (connection: Connection): Promise<string[]> =>
  (await limitedUsers(connection).all()).map(({ id }) => id);

/** Returns the ids of those limited accounts that the viewer follows or owns. */
export const limitedIdsVisibleTo = async (connection: Connection, viewerId: string): Promise<string[]> =>
  (await limitedAndVisible(connection).all({ viewer: viewerId })).map(({ id }) => id);

/** Returns whether cached lists and marks (`blogs.open`) are wrong for the viewer, who sees fewer or more than everybody does. */
export const hasPersonalVisibility = async (connection: Connection, viewerId: string): Promise<boolean> =>
  (await anyOf(connection).get({ viewer: viewerId })) !== undefined ||
  (await suspendedAmongFollowed(connection).get({ viewer: viewerId })) !== undefined ||
  (await limitedAndVisible(connection).get({ viewer: viewerId })) !== undefined;

/** Returns whom the viewer has blocked, the newest first. */
export const listBlocked = async (connection: Connection, viewerId: string, limit: number) =>
  blockedBy(connection).all({ viewer: viewerId, limit });

/** Has `ownerId` block `otherId`: a row for each direction, so that every condition looks into one index. */
export async function insertBlock(
  tx: Connection,
  ownerId: string,
  otherId: string,
  now: number,
): Promise<void> {
  await tx.drizzle
    .insert(blocks)
    .values({ viewerId: ownerId, otherId, blockedAt: now })
    .onConflictDoUpdate({ target: [blocks.viewerId, blocks.otherId], set: { blockedAt: now } })
    .run();
  await tx.drizzle.insert(blocks).values({ viewerId: otherId, otherId: ownerId }).onConflictDoNothing().run();
}

/** Ends the block that `ownerId` made. Returns false where the other has blocked them, too: the rows stay. */
export async function removeBlock(tx: Connection, ownerId: string, otherId: string): Promise<boolean> {
  if ((await blockBetween(tx, otherId, ownerId)).own) {
    await tx.drizzle
      .update(blocks)
      .set({ blockedAt: null })
      .where(and(eq(blocks.viewerId, ownerId), eq(blocks.otherId, otherId)))
      .run();
    return false;
  }
  for (const [one, another] of [
    [ownerId, otherId],
    [otherId, ownerId],
  ] as const)
    await tx.drizzle
      .delete(blocks)
      .where(and(eq(blocks.viewerId, one), eq(blocks.otherId, another)))
      .run();
  return true;
}

/** Returns how many people `ownerId` has blocked. */
export const countBlocked = async (connection: Connection, ownerId: string): Promise<number> =>
  connection.drizzle.$count(blocks, and(eq(blocks.viewerId, ownerId), isNotNull(blocks.blockedAt)));

/** Deletes up to `limit` rows of blocks of an account that is deleted, and returns how many. */
export async function deleteBlocks(tx: Connection, userId: string, limit: number): Promise<number> {
  let removed = 0;
  for (const [own, others] of [
    [blocks.viewerId, blocks.otherId],
    [blocks.otherId, blocks.viewerId],
  ] as const) {
    const some = tx.drizzle
      .select({ id: others })
      .from(blocks)
      .where(eq(own, userId))
      .limit(limit - removed);
    removed += (
      await tx.drizzle
        .delete(blocks)
        .where(and(eq(own, userId), inArray(others, some)))
        .run()
    ).changes;
  }
  return removed;
}
