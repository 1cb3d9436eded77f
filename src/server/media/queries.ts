import { and, asc, eq, gt, inArray, isNull, lt, not, or, sql, type SQL } from "drizzle-orm";
import type { StoredColumn } from "../database/schema/columns.ts";
import { preparedQuery, type Connection, first, changes } from "../database/connection.ts";
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

const byId = preparedQuery((db) =>
  db
    .select({ ...columns, ownerId: media.ownerId, type: media.type })
    .from(media)
    .where(eq(media.id, sql.placeholder("id"))),
);
const byHash = preparedQuery((db) =>
  db
    .select({ ...columns, type: media.type })
    .from(media)
    .where(and(eq(media.ownerId, sql.placeholder("ownerId")), eq(media.hash, sql.placeholder("hash")))),
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
  ids.length === 0 ? [] : connection.drizzle.select(columns).from(media).where(inArray(media.id, ids));

/** Returns the owners of those pictures that exist. */
export const ownersOf = async (
  connection: Connection,
  ids: string[],
): Promise<Map<string, string | null>> => {
  if (ids.length === 0) return new Map();
  const rows = await connection.drizzle
    .select({ id: media.id, ownerId: media.ownerId })
    .from(media)
    .where(inArray(media.id, ids));
  return new Map(rows.map((row) => [row.id, row.ownerId]));
};

/** Inserts a picture that nothing shows yet. */
export async function insertPicture(
  tx: Connection,
  ownerId: string,
  picture: StoredPicture & { hash: string },
  now: number,
): Promise<void> {
  await tx.drizzle.insert(media).values({ ...picture, ownerId, createdAt: now, unusedAt: now });
}

/** Returns a picture for `insertPicture` to copy. */
export const pictureToCopy = async (
  connection: Connection,
  id: string,
): Promise<(StoredPicture & { hash: string }) | undefined> => {
  const row = await first(connection.drizzle.select().from(media).where(eq(media.id, id)));
  if (!row) return undefined;
  const { ownerId: _owner, createdAt: _created, unusedAt: _unused, ...picture } = row;
  return picture;
};

/** The site's logo (`site/queries.ts`). */
const isSitePicture = sql`exists (select 1 from meta where key = 'site.picture' and value = ${media.id})`;

const isShown = sql`(exists (select 1 from blogs where cover_id = ${media.id})
  or exists (select 1 from blog_media where media_id = ${media.id})
  or exists (select 1 from entry_media where media_id = ${media.id})
  or exists (select 1 from draft_media where media_id = ${media.id})
  or exists (select 1 from versions where cover_id = ${media.id})
  or exists (select 1 from version_media where media_id = ${media.id})
  or exists (select 1 from users where picture_id = ${media.id})
  or ${isSitePicture})`;

/** Restarts the waiting time of an unused picture. Returns false when it is gone. */
export async function renewPicture(tx: Connection, id: string, now: number): Promise<boolean> {
  const changed = await changes(
    tx.drizzle
      .update(media)
      .set({ unusedAt: sql`case when ${media.unusedAt} is null then null else cast(${now} as bigint) end` })
      .where(eq(media.id, id)),
  );
  return changed > 0;
}

/** Pictures per statement. */
const batchSize = 5_000;

/** Updates since when nothing shows these pictures. Call after changing what shows them. */
export async function updateUnusedSince(
  tx: Connection,
  ids: (string | null | undefined)[],
  now: number,
): Promise<void> {
  const pictureIds = ids.filter((id) => typeof id === "string");
  for (let start = 0; start < pictureIds.length; start += batchSize)
    await tx.drizzle
      .update(media)
      .set({ unusedAt: sql`case when ${isShown} then null else coalesce(${media.unusedAt}, ${now}) end` })
      .where(inArray(media.id, pictureIds.slice(start, start + batchSize)));
}

/** Returns ids of pictures in order, after `after`. */
export async function picturesAfter(connection: Connection, after: string, limit: number): Promise<string[]> {
  const rows = await connection.drizzle
    .select({ id: media.id })
    .from(media)
    .where(gt(media.id, after))
    .orderBy(asc(media.id))
    .limit(limit);
  return rows.map((row) => row.id);
}

/** Returns those whose `unused_at` is wrong. */
export async function withWrongUnusedSince(connection: Connection, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await connection.drizzle
    .select({ id: media.id })
    .from(media)
    .where(and(inArray(media.id, ids), sql`(${media.unusedAt} is null) <> ${isShown}`));
  return rows.map((row) => row.id);
}

/** Unused since before a time, or without owner. */
const isDeletable = (time: number) => and(or(lt(media.unusedAt, time), isNull(media.ownerId)), not(isShown));

/** Returns ids of pictures to delete in order, after `after`. */
export async function picturesToDelete(
  connection: Connection,
  time: number,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await connection.drizzle
    .select({ id: media.id })
    .from(media)
    .where(and(gt(media.id, after), isDeletable(time)))
    .orderBy(asc(media.id))
    .limit(limit);
  return rows.map((row) => row.id);
}

/** Deletes those still to be deleted. Returns their ids. */
export async function deletePictures(tx: Connection, ids: string[], time: number): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await tx.drizzle
    .delete(media)
    .where(and(inArray(media.id, ids), isDeletable(time)))
    .returning({ id: media.id });
  return rows.map((row) => row.id);
}

const viewer = sql`${sql.placeholder("viewer")}`;
const id = sql.placeholder("id");
/** Whether one of these blogs shows it, as cover, in its text or in an entry (rule: blogs/policy.ts). */
const shownBy = (blogs: SQL) => sql<number>`(
  exists (select 1 from blogs b join users a on a.id = b.author_id where b.cover_id = ${media.id} and ${blogs})
  or exists (select 1 from blog_media m join blogs b on b.id = m.blog_id join users a on a.id = b.author_id
    where m.media_id = ${media.id} and ${blogs})
  or exists (select 1 from entry_media m join entries e on e.id = m.entry_id join blogs b on b.id = e.blog_id
    join users a on a.id = b.author_id where m.media_id = ${media.id} and e.withdrawn_at is null and ${blogs}))`;
/**
 * Leaves out what suspended and limited accounts show: only moderators see a suspended account's own picture, only followers
 * what a limited one shows.
 */
const isPublic = sql<number>`(exists (select 1 from users where picture_id = ${media.id} and suspended_at is null and limited_at is null)
  or ${isSitePicture}
  or ${shownBy(sql`b.draft = 0 and b.private = 0 and a.private = 0 and a.suspended_at is null and a.limited_at is null`)})`;

/** Whether the person is author or co-author of blog `b`. */
const isWrittenBy = (person: SQL | StoredColumn): SQL =>
  sql`(b.author_id = ${person} or exists (select 1 from blog_authors w where w.blog_id = b.id and w.user_id = ${person} and w.accepted_at is not null))`;
/**
 * Shared by co-authors: their own pictures in a draft, those of a former co-author there, all of its history, and of its entries,
 * withdrawn ones, too.
 */
const shownToAuthors = sql`(
  exists (select 1 from draft_media m join blogs b on b.id = m.blog_id
    where m.media_id = ${media.id} and ${isWrittenBy(viewer)} and (m.shared = 1 or ${isWrittenBy(media.ownerId)}))
  or exists (select 1 from versions r join blogs b on b.id = r.blog_id where r.cover_id = ${media.id} and ${isWrittenBy(viewer)})
  or exists (select 1 from version_media m join versions r on r.id = m.version_id join blogs b on b.id = r.blog_id
    where m.media_id = ${media.id} and ${isWrittenBy(viewer)})
  or exists (select 1 from entry_media m join entries e on e.id = m.entry_id join blogs b on b.id = e.blog_id
    where m.media_id = ${media.id} and ${isWrittenBy(viewer)}))`;

/** Returns which of these pictures a blog's authors can see in its text, draft or history, or own. */
export async function picturesForAuthorsOf(
  connection: Connection,
  blogId: string,
  ids: string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await connection.drizzle
    .select({ id: media.id })
    .from(media)
    .where(
      and(
        inArray(media.id, ids),
        sql`(exists (select 1 from blogs b where b.id = ${blogId} and ${isWrittenBy(media.ownerId)})
          or exists (select 1 from blog_media m where m.blog_id = ${blogId} and m.media_id = ${media.id})
          or exists (select 1 from entry_media m join entries e on e.id = m.entry_id
            where m.media_id = ${media.id} and e.blog_id = ${blogId})
          or exists (select 1 from version_media m join versions r on r.id = m.version_id
            where m.media_id = ${media.id} and r.blog_id = ${blogId})
          or exists (select 1 from draft_media m where m.blog_id = ${blogId} and m.media_id = ${media.id} and m.shared = 1))`,
      ),
    );
  return rows.map((row) => row.id);
}

const publicPicture = preparedQuery((db) =>
  db
    .select({ id: media.id })
    .from(media)
    .where(and(eq(media.id, id), isPublic)),
);
const visiblePicture = preparedQuery((db) =>
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
    ),
);

/** Whether something public shows it. */
export const isPublicPicture = async (connection: Connection, picture: string): Promise<boolean> =>
  (await publicPicture(connection).get({ id: picture })) !== undefined;

/** Whether it is the viewer's own, or shown by something not public that they can read. */
export const isPictureVisibleTo = async (
  connection: Connection,
  picture: string,
  viewerId: string,
): Promise<boolean> =>
  (await visiblePicture(connection).get({ id: picture, viewer: viewerId })) !== undefined;

/** Returns which of these pictures are public. */
export async function publicPictures(connection: Connection, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await connection.drizzle
    .select({ id: media.id })
    .from(media)
    .where(and(inArray(media.id, ids), isPublic));
  return new Set(rows.map((row) => row.id));
}
