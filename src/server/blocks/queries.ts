import { and, desc, eq, inArray, isNotNull, sql, type SQL } from "drizzle-orm";
import type { StoredColumn } from "../database/schema/columns.ts";
import { preparedQuery, type Connection, changes } from "../database/connection.ts";
import { follows } from "../database/schema/follows.ts";
import { blocks } from "../database/schema/blocks.ts";
import { users } from "../database/schema/profiles.ts";

/*
 * Each query that returns people or their content must use `isVisibleTo` (docs/decisions/0014-visibility-blocks-and-mutes.md).
 * The conditions use the placeholder `viewer`, and check once a statement whether any blocks, suspensions or limits exist.
 */

const viewer = sql.placeholder("viewer");
const other = sql.placeholder("other");
const hasSome = sql`exists (select 1 from blocks where viewer_id = ${viewer})`;
// `id` makes SQLite use the small partial index.
const someSuspended = sql`exists (select 1 from users where id > '' and suspended_at is not null)`;

const someLimited = sql`exists (select 1 from users where id > '' and limited_at is not null)`;

export const isSuspended = (person: StoredColumn | SQL): SQL =>
  sql`(${someSuspended} and exists (select 1 from users suspended_user where suspended_user.id = ${person} and suspended_user.suspended_at is not null))`;

/** True of a limited account that the viewer neither follows nor owns. */
const isLimited = (person: StoredColumn | SQL): SQL =>
  sql`(${someLimited} and exists (select 1 from users limited_user where limited_user.id = ${person} and limited_user.limited_at is not null
    and limited_user.id <> coalesce(${viewer}, '')
    and not exists (select 1 from follows where follower_id = ${viewer} and followed_id = limited_user.id)))`;

/** True of a person hidden from the viewer by a block, suspension or limit; false for null. */
export const isHiddenFrom = (person: StoredColumn | SQL): SQL =>
  sql`((${hasSome} and exists (select 1 from blocks where viewer_id = ${viewer} and other_id = ${person}))
    or ${isSuspended(person)} or ${isLimited(person)})`;

/** True where nothing hides anyone from the viewer. */
export const hidesNobody: SQL = sql`(not ${hasSome} and not ${someSuspended} and not ${someLimited})`;

export const isVisibleTo = (person: StoredColumn | SQL): SQL => sql`(not ${isHiddenFrom(person)})`;

const blockRow = preparedQuery((db) =>
  db
    .select({ blockedAt: blocks.blockedAt })
    .from(blocks)
    .where(and(eq(blocks.viewerId, viewer), eq(blocks.otherId, other))),
);
const ofViewer = preparedQuery((db) =>
  db.select({ id: blocks.otherId }).from(blocks).where(eq(blocks.viewerId, viewer)),
);
const limitedUsers = preparedQuery((db) =>
  db
    .select({ id: users.id })
    .from(users)
    .where(sql`users.limited_at is not null`),
);
const isLimitedAndVisible = sql`users.limited_at is not null and (users.id = ${viewer}
  or exists (select 1 from ${follows} where follower_id = ${viewer} and followed_id = users.id))`;
const limitedAndVisible = preparedQuery((db) =>
  db.select({ id: users.id }).from(users).where(isLimitedAndVisible),
);

/** True if the viewer sees fewer or more than shared caches and marks (`blogs.open`) assume. */
export const filtersPeople: SQL = sql`(${hasSome}
  or (${someSuspended} and exists (select 1 from users, follows
    where follower_id = ${viewer} and followed_id = users.id and users.suspended_at is not null))
  or exists (select 1 from users where ${isLimitedAndVisible}))`;
const blockedBy = preparedQuery((db) =>
  db
    .select({ id: users.id, username: users.username, name: users.name, pictureId: users.pictureId })
    .from(blocks)
    .innerJoin(users, eq(users.id, blocks.otherId))
    .where(and(eq(blocks.viewerId, viewer), sql`blocks.blocked_at is not null`))
    .orderBy(desc(blocks.blockedAt), desc(blocks.otherId))
    .limit(sql.placeholder("limit")),
);

/** Returns whether either has blocked the other, and whether the viewer has (`own`). */
export async function blockBetween(
  connection: Connection,
  viewerId: string,
  otherId: string,
): Promise<{ exists: boolean; own: boolean }> {
  const row = await blockRow(connection).get({ viewer: viewerId, other: otherId });
  return { exists: row !== undefined, own: typeof row?.blockedAt === "number" };
}

const isHidden = preparedQuery((db) =>
  db
    .select({ hidden: sql<number>`${isHiddenFrom(users.id)}` })
    .from(users)
    .where(eq(users.id, other)),
);
export const isPersonHidden = async (
  connection: Connection,
  viewerId: string,
  otherId: string,
): Promise<boolean> =>
  Boolean((await isHidden(connection).get({ viewer: viewerId, other: otherId }))?.hidden);

/** Returns the ids of all people in a block with the viewer, by either. */
export const blockedEitherWay = async (connection: Connection, viewerId: string): Promise<string[]> =>
  (await ofViewer(connection).all({ viewer: viewerId })).map(({ id }) => id);

export const limitedIds = async (connection: Connection): Promise<string[]> =>
  (await limitedUsers(connection).all()).map(({ id }) => id);

/** Returns the ids of limited accounts that the viewer follows or owns. */
export const limitedIdsVisibleTo = async (connection: Connection, viewerId: string): Promise<string[]> =>
  (await limitedAndVisible(connection).all({ viewer: viewerId })).map(({ id }) => id);

/** Lists people the viewer has blocked, newest first. */
export const listBlocked = async (connection: Connection, viewerId: string, limit: number) =>
  blockedBy(connection).all({ viewer: viewerId, limit });

/** Inserts a row for each direction, so that every condition looks into one index. */
export async function insertBlock(
  tx: Connection,
  ownerId: string,
  otherId: string,
  now: number,
): Promise<void> {
  await tx.drizzle
    .insert(blocks)
    .values({ viewerId: ownerId, otherId, blockedAt: now })
    .onConflictDoUpdate({ target: [blocks.viewerId, blocks.otherId], set: { blockedAt: now } });
  await tx.drizzle.insert(blocks).values({ viewerId: otherId, otherId: ownerId }).onConflictDoNothing();
}

/** Removes the block by `ownerId`. Returns false if the other's block keeps the rows. */
export async function removeBlock(tx: Connection, ownerId: string, otherId: string): Promise<boolean> {
  if ((await blockBetween(tx, otherId, ownerId)).own) {
    await tx.drizzle
      .update(blocks)
      .set({ blockedAt: null })
      .where(and(eq(blocks.viewerId, ownerId), eq(blocks.otherId, otherId)));
    return false;
  }
  for (const [viewerId, otherUserId] of [
    [ownerId, otherId],
    [otherId, ownerId],
  ] as const)
    await tx.drizzle
      .delete(blocks)
      .where(and(eq(blocks.viewerId, viewerId), eq(blocks.otherId, otherUserId)));
  return true;
}

export const countBlocked = async (connection: Connection, ownerId: string): Promise<number> =>
  connection.drizzle.$count(blocks, and(eq(blocks.viewerId, ownerId), isNotNull(blocks.blockedAt)));

/** Deletes up to `limit` rows of a deleted account's blocks. Returns how many. */
export async function deleteBlocks(tx: Connection, userId: string, limit: number): Promise<number> {
  let removed = 0;
  for (const [ownColumn, otherColumn] of [
    [blocks.viewerId, blocks.otherId],
    [blocks.otherId, blocks.viewerId],
  ] as const) {
    const batch = tx.drizzle
      .select({ id: otherColumn })
      .from(blocks)
      .where(eq(ownColumn, userId))
      .limit(limit - removed);
    removed += await changes(
      tx.drizzle.delete(blocks).where(and(eq(ownColumn, userId), inArray(otherColumn, batch))),
    );
  }
  return removed;
}
