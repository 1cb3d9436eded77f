import { and, desc, eq, sql, type SQL } from "drizzle-orm";
import type { StoredColumn } from "../database/schema/columns.ts";
import { preparedQuery, type Connection, changes } from "../database/connection.ts";
import { mutes } from "../database/schema/blocks.ts";
import { users } from "../database/schema/profiles.ts";
import { filtersPeople } from "./queries.ts";

/* Mutes filter the viewer's lists, and change no permissions (docs/decisions/0014-visibility-blocks-and-mutes.md). */

const viewer = sql.placeholder("viewer");
const hasSome = sql`exists (select 1 from mutes where owner_id = ${viewer})`;

/** True of a person whom the placeholder `viewer` has muted. */
export const muted = (person: StoredColumn | SQL): SQL =>
  sql`(${hasSome} and exists (select 1 from mutes where owner_id = ${viewer} and muted_id = ${person}))`;

export const mutesNobody: SQL = sql`(not ${hasSome})`;

export const unmuted = (person: StoredColumn | SQL): SQL => sql`(not ${muted(person)})`;

const mutedUsers = preparedQuery((db) =>
  db
    .select({ id: users.id, username: users.username, name: users.name, pictureId: users.pictureId })
    .from(mutes)
    .innerJoin(users, eq(users.id, mutes.mutedId))
    .where(eq(mutes.ownerId, viewer))
    .orderBy(desc(mutes.mutedAt), desc(mutes.mutedId))
    .limit(sql.placeholder("limit")),
);
const ids = preparedQuery((db) =>
  db.select({ id: mutes.mutedId }).from(mutes).where(eq(mutes.ownerId, viewer)),
);
const mutedWordsById = preparedQuery((db) =>
  db
    .select({ words: users.mutedWords })
    .from(users)
    .where(eq(users.id, sql.placeholder("id"))),
);
const filtered = preparedQuery((db) =>
  db.select({ some: sql<number>`(${filtersPeople} or ${hasSome})` }).from(sql`(select 1) as one`),
);

/** Returns whether blocks, suspensions, limits or mutes filter the viewer's lists. */
export const hasFilteredLists = async (connection: Connection, viewerId: string): Promise<boolean> =>
  Boolean((await filtered(connection).get({ viewer: viewerId }))?.some);

/** Lists muted people, newest first. */
export const listMuted = async (connection: Connection, ownerId: string, limit: number) =>
  mutedUsers(connection).all({ viewer: ownerId, limit });

export const mutedBy = async (connection: Connection, ownerId: string): Promise<string[]> =>
  (await ids(connection).all({ viewer: ownerId })).map(({ id }) => id);

/** Returns muted words and tags; none for a guest. */
export const mutedWordsOf = async (connection: Connection, userId: string | null): Promise<string[]> =>
  userId === null ? [] : ((await mutedWordsById(connection).get({ id: userId }))?.words ?? []);

/** Sets a mute. Returns whether that changed anything. */
export async function setMute(
  tx: Connection,
  ownerId: string,
  mutedId: string,
  isMuted: boolean,
  now: number,
): Promise<boolean> {
  const changed = await changes(
    isMuted
      ? tx.drizzle.insert(mutes).values({ ownerId, mutedId, mutedAt: now }).onConflictDoNothing()
      : tx.drizzle.delete(mutes).where(and(eq(mutes.ownerId, ownerId), eq(mutes.mutedId, mutedId))),
  );
  return changed > 0;
}

export const countMuted = async (connection: Connection, ownerId: string): Promise<number> =>
  connection.drizzle.$count(mutes, eq(mutes.ownerId, ownerId));
