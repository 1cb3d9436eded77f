import { and, asc, eq, gt, inArray, isNull, lt, not, or, sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { hot, type Connection } from "../database/connection.ts";
import { media } from "../database/schema/media.ts";
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

/** Which of these pictures there are, and whose. */
export const ownersOf = async (
  connection: Connection,
  ids: string[],
): Promise<Map<string, string | null>> => {
  if (ids.length === 0) return new Map();
  const rows = await connection.drizzle
    .select({ id: media.id, ownerId: media.ownerId })
    .from(media)
    .where(inArray(media.id, ids))
    .all();
  return new Map(rows.map((row) => [row.id, row.ownerId]));
};

/** A new picture; nothing shows it yet. */
export async function insertPicture(
  tx: Connection,
  ownerId: string,
  picture: StoredPicture & { hash: string },
  now: number,
): Promise<void> {
  await tx.drizzle
    .insert(media)
    .values({ ...picture, ownerId, createdAt: now, unusedAt: now })
    .run();
}

/** Another picture of the same files, as `insertPicture` takes it. */
export const pictureToCopy = async (
  connection: Connection,
  id: string,
): Promise<(StoredPicture & { hash: string }) | undefined> => {
  const row = await connection.drizzle.select().from(media).where(eq(media.id, id)).get();
  if (!row) return undefined;
  const { ownerId: _owner, createdAt: _created, unusedAt: _unused, ...picture } = row;
  return picture;
};

/** The site's own picture (`users/site-queries.ts`). */
const isOfSite = sql`exists (select 1 from meta where key = 'site.picture' and value = ${media.id})`;

const isShown = sql`(exists (select 1 from blogs where cover_id = ${media.id})
  or exists (select 1 from blog_media where media_id = ${media.id})
  or exists (select 1 from writing_media where media_id = ${media.id})
  or exists (select 1 from revisions where cover_id = ${media.id})
  or exists (select 1 from revision_media where media_id = ${media.id})
  or exists (select 1 from users where picture_id = ${media.id})
  or ${isOfSite})`;

/** Counts a picture that waits to be shown as stored now; false where it is gone. */
export async function renewPicture(tx: Connection, id: string, now: number): Promise<boolean> {
  const { changes } = await tx.drizzle
    .update(media)
    .set({ unusedAt: sql`case when ${media.unusedAt} is null then null else ${now} end` })
    .where(eq(media.id, id))
    .run();
  return changes > 0;
}

/** Pictures in one statement. */
const atOnce = 5_000;

/** Notes of these pictures whether something shows them, and if not, since when. Whatever begins or ends to show some says so here. */
export async function noteUse(
  tx: Connection,
  ids: (string | null | undefined)[],
  now: number,
): Promise<void> {
  const named = ids.filter((id) => typeof id === "string");
  for (let at = 0; at < named.length; at += atOnce)
    await tx.drizzle
      .update(media)
      .set({ unusedAt: sql`case when ${isShown} then null else coalesce(${media.unusedAt}, ${now}) end` })
      .where(inArray(media.id, named.slice(at, at + atOnce)))
      .run();
}

/** Ids of all pictures in their order, after `after`. */
export async function picturesAfter(connection: Connection, after: string, limit: number): Promise<string[]> {
  const rows = await connection.drizzle
    .select({ id: media.id })
    .from(media)
    .where(gt(media.id, after))
    .orderBy(asc(media.id))
    .limit(limit)
    .all();
  return rows.map((row) => row.id);
}

/** Those of which it is not noted rightly whether something shows them. */
export async function wronglyNoted(connection: Connection, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await connection.drizzle
    .select({ id: media.id })
    .from(media)
    .where(and(inArray(media.id, ids), sql`(${media.unusedAt} is null) <> ${isShown}`))
    .all();
  return rows.map((row) => row.id);
}

/** What is to go: unused since before a time, or of nobody any more. */
const droppable = (time: number) => and(or(lt(media.unusedAt, time), isNull(media.ownerId)), not(isShown));

/** Ids of pictures that are to go, in their order, after `after`. */
export async function picturesToDrop(
  connection: Connection,
  time: number,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await connection.drizzle
    .select({ id: media.id })
    .from(media)
    .where(and(gt(media.id, after), droppable(time)))
    .orderBy(asc(media.id))
    .limit(limit)
    .all();
  return rows.map((row) => row.id);
}

/** Deletes those of the pictures that are to go still; answers with which. */
export async function deletePictures(tx: Connection, ids: string[], time: number): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await tx.drizzle
    .delete(media)
    .where(and(inArray(media.id, ids), droppable(time)))
    .returning({ id: media.id })
    .all();
  return rows.map((row) => row.id);
}

const viewer = sql`${sql.placeholder("viewer")}`;
const id = sql.placeholder("id");
/** Whether a blog with the picture, as its cover or in its text, is one of these (blogs/policy.ts has the rule). */
const shownBy = (blogs: SQL) => sql<number>`(
  exists (select 1 from blogs b join users a on a.id = b.author_id where b.cover_id = ${media.id} and ${blogs})
  or exists (select 1 from blog_media m join blogs b on b.id = m.blog_id join users a on a.id = b.author_id
    where m.media_id = ${media.id} and ${blogs}))`;
/** What a suspended account shows is nobody's to see but, of its own picture, moderators'; what a limited one does, its followers'. */
const isOpen = sql<number>`(exists (select 1 from users where picture_id = ${media.id} and suspended_at is null and silenced_at is null)
  or ${isOfSite}
  or ${shownBy(sql`b.draft = 0 and b.private = 0 and a.private = 0 and a.suspended_at is null and a.silenced_at is null`)})`;

/** Whether a blog `b` is this person's, or they write it with whose it is. */
const isWrittenBy = (person: SQL | SQLiteColumn): SQL =>
  sql`(b.author_id = ${person} or exists (select 1 from blog_authors w where w.blog_id = b.id and w.user_id = ${person} and w.accepted_at is not null))`;
/** Whether this person brought the picture into the working copy `m` themselves, whoever writes it by now. */
const isBroughtBy = (person: SQLiteColumn): SQL =>
  sql`exists (select 1 from writing_commits c where c.blog_id = m.blog_id and c.author_id = ${person}
    and (cast(c.steps as text) like '%' || ${media.id} || '%' or cast(c.fields as text) like '%' || ${media.id} || '%'))`;
/**
 * What those who write a blog show each other: in its working copy what is one of theirs, or was as somebody wrote it there who was taken
 * out since; in its history what it said.
 */
const shownToAuthors = sql`(
  exists (select 1 from writing_media m join blogs b on b.id = m.blog_id
    where m.media_id = ${media.id} and ${isWrittenBy(viewer)} and (${isWrittenBy(media.ownerId)} or ${isBroughtBy(media.ownerId)}))
  or exists (select 1 from revisions r join blogs b on b.id = r.blog_id where r.cover_id = ${media.id} and ${isWrittenBy(viewer)})
  or exists (select 1 from revision_media m join revisions r on r.id = m.revision_id join blogs b on b.id = r.blog_id
    where m.media_id = ${media.id} and ${isWrittenBy(viewer)}))`;

const open = hot((db) =>
  db
    .select({ id: media.id })
    .from(media)
    .where(and(eq(media.id, id), isOpen))
    .prepare(),
);
const seen = hot((db) =>
  db
    .select({ id: media.id })
    .from(media)
    .where(
      and(
        eq(media.id, id),
        or(
          eq(media.ownerId, viewer),
          shownToAuthors,
          shownBy(sql`(${isWrittenBy(viewer)} or (b.draft = 0 and a.suspended_at is null and exists (
            select 1 from follows where follower_id = ${viewer} and followed_id = b.author_id)))`),
          sql`exists (select 1 from users u join follows f on f.followed_id = u.id and f.follower_id = ${viewer}
            where u.picture_id = ${media.id} and u.suspended_at is null)`,
          sql`(exists (select 1 from users where picture_id = ${media.id})
            and exists (select 1 from users where id = ${viewer} and (is_admin = 1 or is_moderator = 1)))`,
        ),
      ),
    )
    .prepare(),
);

/** Whether something that everybody may read shows the picture: a public blog, or a person whose picture it is. */
export const isOpenPicture = async (connection: Connection, picture: string): Promise<boolean> =>
  (await open(connection).get({ id: picture })) !== undefined;

/** Whether it is this member's own, or shown by what is for them to read and not for everybody. */
export const isPictureFor = async (
  connection: Connection,
  picture: string,
  viewerId: string,
): Promise<boolean> => (await seen(connection).get({ id: picture, viewer: viewerId })) !== undefined;

/** Which of these pictures are for everybody. */
export async function openPictures(connection: Connection, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await connection.drizzle
    .select({ id: media.id })
    .from(media)
    .where(and(inArray(media.id, ids), isOpen))
    .all();
  return new Set(rows.map((row) => row.id));
}
