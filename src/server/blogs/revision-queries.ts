import { and, desc, eq, gt, inArray, lte, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { RevisionReason } from "../../shared/revisions.ts";
import { preparedQuery, type Connection } from "../database/connection.ts";
import { setSiteValue, siteValue } from "../database/meta.ts";
import { revisionMedia, revisions } from "../database/schema/revisions.ts";
import { users } from "../database/schema/profiles.ts";
import { isVisibleTo } from "../blocks/queries.ts";

/** The order of lists, along the index `revisions_blog`. */
export const newestFirst = [desc(revisions.createdAt), desc(revisions.id)];
const latest = preparedQuery((db) =>
  db
    .select({ createdAt: revisions.createdAt })
    .from(revisions)
    .where(eq(revisions.blogId, sql.placeholder("blogId")))
    .orderBy(...newestFirst)
    .limit(1)
    .prepare(),
);

/** Returns when a blog's last revision was saved. */
export const lastRevisedAt = async (connection: Connection, blogId: string): Promise<number | undefined> =>
  (await latest(connection).get({ blogId }))?.createdAt;

export interface NewRevision {
  id: string;
  blogId: string;
  authorId: string;
  why: RevisionReason;
  createdAt: number;
  restoredFrom: string | null;
}

/** Stores the blog's current row as a revision. Copies within SQLite: a text may have a megabyte. */
export async function insertRevision(tx: Connection, revision: NewRevision): Promise<void> {
  const { id, blogId, authorId, why, createdAt, restoredFrom } = revision;
  await tx.drizzle.run(sql`insert into revisions
    (id, blog_id, author_id, why, title, description, tags, cover_id, cover_focus, words, draft, created_at, restored_from, document)
    select ${id}, id, ${authorId}, ${why}, title, description, tags, cover_id, cover_focus, words, draft,
      cast(${createdAt} as integer), ${restoredFrom}, document
    from blogs where id = ${blogId}`);
  await tx.drizzle.run(sql`insert into revision_media (revision_id, media_id)
    select ${id}, media_id from blog_media where blog_id = ${blogId}`);
}

export async function setReason(
  tx: Connection,
  id: string,
  change: { why: RevisionReason; restoredFrom?: string },
): Promise<void> {
  await tx.drizzle.update(revisions).set(change).where(eq(revisions.id, id)).run();
}

const sourceRevisions = alias(revisions, "taken");
const list = preparedQuery((db) =>
  db
    .select({
      id: revisions.id,
      why: revisions.why,
      createdAt: revisions.createdAt,
      title: revisions.title,
      words: revisions.words,
      draft: revisions.draft,
      restoredAt: sourceRevisions.createdAt,
      author: { id: users.id, username: users.username, name: users.name, pictureId: users.pictureId },
    })
    .from(revisions)
    .leftJoin(users, and(eq(users.id, revisions.authorId), isVisibleTo(users.id)))
    .leftJoin(sourceRevisions, eq(sourceRevisions.id, revisions.restoredFrom))
    .where(
      and(
        eq(revisions.blogId, sql.placeholder("blogId")),
        sql`(${revisions.createdAt}, ${revisions.id}) < (${sql.placeholder("at")}, ${sql.placeholder("id")})`,
      ),
    )
    .orderBy(...newestFirst)
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/** The position after which a list continues. */
export interface Before {
  at: number;
  id: string;
}
const atTheStart: Before = { at: Number.MAX_SAFE_INTEGER, id: "" };

/** Returns a blog's newest revisions before a position, without texts. */
export const listRevisions = async (
  connection: Connection,
  blogId: string,
  { viewer, before = atTheStart, limit }: { viewer: string; before?: Before | undefined; limit: number },
) => list(connection).all({ ...before, blogId, viewer, limit });
export type RevisionRow = Awaited<ReturnType<typeof listRevisions>>[number];

const revisionById = preparedQuery((db) =>
  db
    .select({
      id: revisions.id,
      createdAt: revisions.createdAt,
      title: revisions.title,
      description: revisions.description,
      tags: revisions.tags,
      coverId: revisions.coverId,
      coverFocus: revisions.coverFocus,
      document: revisions.document,
    })
    .from(revisions)
    .where(and(eq(revisions.id, sql.placeholder("id")), eq(revisions.blogId, sql.placeholder("blogId"))))
    .prepare(),
);

export const revisionOf = async (connection: Connection, blogId: string, id: string) =>
  revisionById(connection).get({ blogId, id });

const existingRevision = preparedQuery((db) =>
  db
    .select({ id: revisions.id })
    .from(revisions)
    .where(and(eq(revisions.id, sql.placeholder("id")), eq(revisions.blogId, sql.placeholder("blogId"))))
    .prepare(),
);
export const isRevisionOf = async (connection: Connection, blogId: string, id: string): Promise<boolean> =>
  (await existingRevision(connection).get({ blogId, id })) !== undefined;

/** Returns the blogs with a revision after `after`, up to `until`. */
export async function revisedBetween(
  connection: Connection,
  after: number,
  until: number,
): Promise<string[]> {
  const rows = await connection.drizzle
    .selectDistinct({ id: revisions.blogId })
    .from(revisions)
    .where(and(gt(revisions.createdAt, after), lte(revisions.createdAt, until)))
    .all();
  return rows.map(({ id }) => id);
}

const ages = preparedQuery((db) =>
  db
    .select({ id: revisions.id, at: revisions.createdAt, draft: revisions.draft })
    .from(revisions)
    .where(eq(revisions.blogId, sql.placeholder("blogId")))
    .orderBy(...newestFirst)
    .prepare(),
);
/** Returns dates of a blog's revisions, newest first. */
export const revisionDates = async (connection: Connection, blogId: string) =>
  ages(connection).all({ blogId });

const recent = preparedQuery((db) =>
  db
    .select({ count: sql<number>`count(*)` })
    .from(
      db
        .select({ id: revisions.id })
        .from(revisions)
        .where(
          and(
            eq(revisions.blogId, sql.placeholder("blogId")),
            gt(revisions.createdAt, sql.placeholder("since")),
          ),
        )
        .limit(sql.placeholder("most"))
        .as("recent"),
    )
    .prepare(),
);
/** Counts a blog's revisions since a time, up to `limit`. */
export const countSince = async (
  connection: Connection,
  blogId: string,
  since: number,
  limit: number,
): Promise<number> => (await recent(connection).get({ blogId, since, most: limit }))?.count ?? 0;

/** Returns some revisions of a blog with their word counts. */
export const someRevisions = async (connection: Connection, blogId: string, limit: number) =>
  connection.drizzle
    .select({ id: revisions.id, words: revisions.words })
    .from(revisions)
    .where(eq(revisions.blogId, blogId))
    .limit(limit)
    .all();

/** Deletes revisions; returns the pictures they showed. */
export async function deleteRevisions(tx: Connection, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const textPictures = await tx.drizzle
    .selectDistinct({ id: revisionMedia.mediaId })
    .from(revisionMedia)
    .where(inArray(revisionMedia.revisionId, ids))
    .all();
  const deletedCovers = await tx.drizzle
    .delete(revisions)
    .where(inArray(revisions.id, ids))
    .returning({ id: revisions.coverId })
    .all();
  return [...new Set([...textPictures, ...deletedCovers].flatMap(({ id }) => id ?? []))];
}

const thinnedKey = "revisions_thinned";
export const thinnedUntil = async (connection: Connection): Promise<number> =>
  Number((await siteValue(connection, thinnedKey)) ?? 0);
export const setThinnedUntil = (tx: Connection, until: number): Promise<void> =>
  setSiteValue(tx, thinnedKey, String(until));
