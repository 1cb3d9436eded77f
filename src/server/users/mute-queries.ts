import { and, desc, eq, sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { hot, type Connection } from "../database/connection.ts";
import { mutes, users } from "../database/schema/users.ts";
import { hasWalls } from "./wall-queries.ts";

/* What somebody does not want to see in lists (docs/decisions/0026-walls.md): theirs alone, and no right of anybody's. */

const viewer = sql.placeholder("viewer");
const hasSome = sql`exists (select 1 from mutes where owner_id = ${viewer})`;

/** Whether `viewer` has muted this person. Whether they have muted anybody is asked once a statement. */
export const muted = (person: SQLiteColumn | SQL): SQL =>
  sql`(${hasSome} and exists (select 1 from mutes where owner_id = ${viewer} and muted_id = ${person}))`;

/** The viewer has muted nobody. */
export const withoutMutes: SQL = sql`(not ${hasSome})`;

/** True of rows that belong into a list of the viewer's. */
export const unmuted = (person: SQLiteColumn | SQL): SQL => sql`(not ${muted(person)})`;

const of = hot((db) =>
  db
    .select({ id: users.id, username: users.username, name: users.name, pictureId: users.pictureId })
    .from(mutes)
    .innerJoin(users, eq(users.id, mutes.mutedId))
    .where(eq(mutes.ownerId, viewer))
    .orderBy(desc(mutes.mutedAt), desc(mutes.mutedId))
    .limit(sql.placeholder("limit"))
    .prepare(),
);
const ids = hot((db) =>
  db.select({ id: mutes.mutedId }).from(mutes).where(eq(mutes.ownerId, viewer)).prepare(),
);
const words = hot((db) =>
  db
    .select({ words: users.mutedWords })
    .from(users)
    .where(eq(users.id, sql.placeholder("id")))
    .prepare(),
);
const anyOf = hot((db) =>
  db.select({ id: mutes.mutedId }).from(mutes).where(eq(mutes.ownerId, viewer)).limit(1).prepare(),
);

/** Whether lists leave out anybody for this viewer, by a wall or a mute. */
export const seesFewer = async (connection: Connection, viewerId: string): Promise<boolean> =>
  (await hasWalls(connection, viewerId)) || (await anyOf(connection).get({ viewer: viewerId })) !== undefined;

/** Whom somebody has muted, the newest first. */
export const listMuted = async (connection: Connection, ownerId: string, limit: number) =>
  of(connection).all({ viewer: ownerId, limit });

export const mutedBy = async (connection: Connection, ownerId: string): Promise<string[]> =>
  (await ids(connection).all({ viewer: ownerId })).map(({ id }) => id);

/** The words and tags that somebody has muted; none of a guest's. */
export const mutedWordsOf = async (connection: Connection, userId: string | null): Promise<string[]> =>
  userId === null ? [] : ((await words(connection).get({ id: userId }))?.words ?? []);

/** Sets whether somebody has muted another; true where that changed anything. */
export async function setMute(
  tx: Connection,
  ownerId: string,
  mutedId: string,
  on: boolean,
  now: number,
): Promise<boolean> {
  const { changes } = on
    ? await tx.drizzle.insert(mutes).values({ ownerId, mutedId, mutedAt: now }).onConflictDoNothing().run()
    : await tx.drizzle
        .delete(mutes)
        .where(and(eq(mutes.ownerId, ownerId), eq(mutes.mutedId, mutedId)))
        .run();
  return changes > 0;
}

export const countMuted = async (connection: Connection, ownerId: string): Promise<number> =>
  connection.drizzle.$count(mutes, eq(mutes.ownerId, ownerId));
