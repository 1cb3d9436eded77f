import { and, desc, eq, gt, inArray, lte, sql } from "drizzle-orm";
import { alias } from "../database/schema/columns.ts";
import type { VersionReason } from "../../shared/versions.ts";
import { preparedQuery, type Connection, execute } from "../database/connection.ts";
import { setSiteValue, siteValue } from "../database/meta.ts";
import { versionMedia, versions } from "../database/schema/history.ts";
import { users } from "../database/schema/profiles.ts";
import { isVisibleTo } from "../blocks/queries.ts";

/** The order of lists, along the index `versions_blog`. */
export const newestFirst = [desc(versions.createdAt), desc(versions.id)];
const latest = preparedQuery((db) =>
  db
    .select({ createdAt: versions.createdAt })
    .from(versions)
    .where(eq(versions.blogId, sql.placeholder("blogId")))
    .orderBy(...newestFirst)
    .limit(1),
);

/** Returns when a blog's last version was saved. */
export const lastVersionAt = async (connection: Connection, blogId: string): Promise<number | undefined> =>
  (await latest(connection).get({ blogId }))?.createdAt;

export interface NewVersion {
  id: string;
  blogId: string;
  authorId: string;
  reason: VersionReason;
  createdAt: number;
  restoredFrom: string | null;
}

/** Stores what readers of a blog see as a version. Copies within SQLite: a text may have a megabyte. */
export async function insertVersion(tx: Connection, version: NewVersion): Promise<void> {
  const { id, blogId, authorId, reason, createdAt, restoredFrom } = version;
  await execute(
    tx,
    sql`insert into versions
    (id, blog_id, author_id, reason, title, description, tags, cover_id, cover_focus, words, created_at, restored_from, document)
    select ${id}, id, ${authorId}, ${reason}, title, description, tags, cover_id, cover_focus, words,
      cast(${createdAt} as bigint), ${restoredFrom}, document
    from blogs where id = ${blogId}`,
  );
  await execute(
    tx,
    sql`insert into version_media (version_id, media_id)
    select ${id}, media_id from blog_media where blog_id = ${blogId}`,
  );
}

/** Changes why a version was recorded. */
export async function setReason(
  tx: Connection,
  id: string,
  change: { reason: VersionReason },
): Promise<void> {
  await tx.drizzle.update(versions).set(change).where(eq(versions.id, id));
}

const sourceVersions = alias(versions, "taken");
const list = preparedQuery((db) =>
  db
    .select({
      id: versions.id,
      reason: versions.reason,
      createdAt: versions.createdAt,
      title: versions.title,
      words: versions.words,
      restoredAt: sourceVersions.createdAt,
      author: { id: users.id, username: users.username, name: users.name, pictureId: users.pictureId },
    })
    .from(versions)
    .leftJoin(users, and(eq(users.id, versions.authorId), isVisibleTo(users.id)))
    .leftJoin(sourceVersions, eq(sourceVersions.id, versions.restoredFrom))
    .where(
      and(
        eq(versions.blogId, sql.placeholder("blogId")),
        sql`(${versions.createdAt}, ${versions.id}) < (${sql.placeholder("at")}, ${sql.placeholder("id")})`,
      ),
    )
    .orderBy(...newestFirst)
    .limit(sql.placeholder("limit")),
);

/** The position after which a list continues. */
export interface Before {
  at: number;
  id: string;
}
const atTheStart: Before = { at: Number.MAX_SAFE_INTEGER, id: "" };

/** Returns a blog's newest versions before a position, without texts. */
export const listVersions = async (
  connection: Connection,
  blogId: string,
  { viewer, before = atTheStart, limit }: { viewer: string; before?: Before | undefined; limit: number },
) => list(connection).all({ ...before, blogId, viewer, limit });
export type VersionRow = Awaited<ReturnType<typeof listVersions>>[number];

const versionById = preparedQuery((db) =>
  db
    .select({
      id: versions.id,
      createdAt: versions.createdAt,
      title: versions.title,
      description: versions.description,
      tags: versions.tags,
      coverId: versions.coverId,
      coverFocus: versions.coverFocus,
      document: versions.document,
    })
    .from(versions)
    .where(and(eq(versions.id, sql.placeholder("id")), eq(versions.blogId, sql.placeholder("blogId")))),
);

export const versionOf = async (connection: Connection, blogId: string, id: string) =>
  versionById(connection).get({ blogId, id });

const existingVersion = preparedQuery((db) =>
  db
    .select({ id: versions.id })
    .from(versions)
    .where(and(eq(versions.id, sql.placeholder("id")), eq(versions.blogId, sql.placeholder("blogId")))),
);
export const isVersionOf = async (connection: Connection, blogId: string, id: string): Promise<boolean> =>
  (await existingVersion(connection).get({ blogId, id })) !== undefined;

/** Returns the blogs with a version after `after`, up to `until`. */
export async function versionsBetween(
  connection: Connection,
  after: number,
  until: number,
): Promise<string[]> {
  const rows = await connection.drizzle
    .selectDistinct({ id: versions.blogId })
    .from(versions)
    .where(and(gt(versions.createdAt, after), lte(versions.createdAt, until)));
  return rows.map(({ id }) => id);
}

const ages = preparedQuery((db) =>
  db
    .select({ id: versions.id, at: versions.createdAt, reason: versions.reason })
    .from(versions)
    .where(eq(versions.blogId, sql.placeholder("blogId")))
    .orderBy(...newestFirst),
);
/** Returns dates of a blog's versions, newest first. */
export const versionDates = async (connection: Connection, blogId: string) =>
  ages(connection).all({ blogId });

/** Returns some versions of a blog with their word counts. */
export const someVersions = async (connection: Connection, blogId: string, limit: number) =>
  connection.drizzle
    .select({ id: versions.id, words: versions.words })
    .from(versions)
    .where(eq(versions.blogId, blogId))
    .limit(limit);

/** Deletes versions; returns the pictures they showed. */
export async function deleteVersions(tx: Connection, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const textPictures = await tx.drizzle
    .selectDistinct({ id: versionMedia.mediaId })
    .from(versionMedia)
    .where(inArray(versionMedia.versionId, ids));
  const deletedCovers = await tx.drizzle
    .delete(versions)
    .where(inArray(versions.id, ids))
    .returning({ id: versions.coverId });
  return [...new Set([...textPictures, ...deletedCovers].flatMap(({ id }) => id ?? []))];
}

const thinnedKey = "versions_thinned";
export const thinnedUntil = async (connection: Connection): Promise<number> =>
  Number((await siteValue(connection, thinnedKey)) ?? 0);
export const setThinnedUntil = (tx: Connection, until: number): Promise<void> =>
  setSiteValue(tx, thinnedKey, String(until));
