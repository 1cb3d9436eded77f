import { and, asc, eq, gt, inArray, lt, sql } from "drizzle-orm";
import { hot, type Connection } from "../database/connection.ts";
import { media } from "../database/schema.ts";
import type { StoredPicture } from "./store.ts";
import type { PictureRow } from "./paths.ts";

const columns = {
  id: media.id,
  width: media.width,
  height: media.height,
  color: media.color,
  widths: media.widths,
};

const byId = hot((db) =>
  db
    .select({ ...columns, ownerId: media.ownerId, type: media.type })
    .from(media)
    .where(eq(media.id, sql.placeholder("id")))
    .prepare(),
);
const byHash = hot((db) =>
  db
    .select({ ...columns, type: media.type })
    .from(media)
    .where(and(eq(media.ownerId, sql.placeholder("ownerId")), eq(media.hash, sql.placeholder("hash"))))
    .prepare(),
);

export const pictureById = async (
  connection: Connection,
  id: string,
): Promise<(PictureRow & { ownerId: string | null; type: string }) | undefined> =>
  byId(connection).get({ id });
export const pictureByHash = async (
  connection: Connection,
  ownerId: string,
  hash: string,
): Promise<(PictureRow & { type: string }) | undefined> => byHash(connection).get({ ownerId, hash });

export const picturesByIds = async (connection: Connection, ids: string[]): Promise<PictureRow[]> =>
  ids.length === 0 ? [] : connection.drizzle.select(columns).from(media).where(inArray(media.id, ids)).all();

export async function insertPicture(
  tx: Connection,
  ownerId: string,
  picture: StoredPicture & { hash: string },
  now: number,
): Promise<void> {
  await tx.drizzle
    .insert(media)
    .values({ ...picture, ownerId, createdAt: now })
    .run();
}

/** Counts a picture as stored now; false where it is gone. */
export async function renewPicture(tx: Connection, id: string, now: number): Promise<boolean> {
  const { changes } = await tx.drizzle.update(media).set({ createdAt: now }).where(eq(media.id, id)).run();
  return changes > 0;
}

/** Ids of pictures that were stored before a time, in the order of their ids after `after`. */
export async function picturesBefore(
  connection: Connection,
  time: number,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await connection.drizzle
    .select({ id: media.id })
    .from(media)
    .where(and(gt(media.id, after), lt(media.createdAt, time)))
    .orderBy(asc(media.id))
    .limit(limit)
    .all();
  return rows.map((row) => row.id);
}

/** Pictures of the list that nothing shows any more: no cover, no text, no person. */
export async function unusedPictures(connection: Connection, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await connection.drizzle
    .select({ id: media.id })
    .from(media)
    .where(
      and(
        inArray(media.id, ids),
        sql`not exists (select 1 from blogs where cover_id = ${media.id})`,
        sql`not exists (select 1 from blog_media where media_id = ${media.id})`,
        sql`not exists (select 1 from users where picture_id = ${media.id})`,
      ),
    )
    .all();
  return rows.map((row) => row.id);
}

export async function deletePictures(tx: Connection, ids: string[]): Promise<void> {
  if (ids.length > 0) await tx.drizzle.delete(media).where(inArray(media.id, ids)).run();
}
