import { and, asc, count, desc, eq, inArray, isNull, sql, type SQL } from "drizzle-orm";
import type { EntryOrder } from "../../shared/entries.ts";
import { isHiddenFrom, isSuspended } from "../blocks/queries.ts";
import { preparedQuery, type Connection, type Drizzle, changes } from "../database/connection.ts";
import { listedTexts } from "../database/dialect.ts";
import { entries, entryLikes, entryMedia } from "../database/schema/entries.ts";
import { users } from "../database/schema/profiles.ts";
import { firstIndexedPart } from "../database/search/words.ts";

const viewer = sql.placeholder("viewer");
const blogId = sql.placeholder("blogId");
const limit = sql.placeholder("limit");

/** The beginning of its text, for excerpts. */
export const beginning = sql<string>`substr(${entries.text}, 1, 300)`;

const rows = (db: Drizzle, isHidden = isHiddenFrom(entries.authorId)) =>
  db
    .select({
      id: entries.id,
      blogId: entries.blogId,
      authorId: entries.authorId,
      at: entries.at,
      title: entries.title,
      isKey: entries.isKey,
      excerpt: beginning,
      html: entries.html,
      likesCount: entries.likesCount,
      editedAt: entries.editedAt,
      withdrawnAt: entries.withdrawnAt,
      author: { id: users.id, username: users.username, name: users.name, pictureId: users.pictureId },
      isHidden: sql<number>`${isHidden}`,
      liked: sql<number>`exists (select 1 from ${entryLikes} where entry_id = ${entries.id} and user_id = ${viewer})`,
    })
    .from(entries)
    .leftJoin(users, eq(users.id, entries.authorId));

/** The time and id of an entry. */
export type Position = Pick<typeof entries.$inferSelect, "at" | "id">;

const shown = and(eq(entries.blogId, blogId), isNull(entries.withdrawnAt));
const inOrder: Record<EntryOrder, { by: SQL[]; after: SQL }> = {
  newest: {
    by: [desc(entries.at), desc(entries.id)],
    after: sql`(${entries.at}, ${entries.id}) < (${sql.placeholder("at")}, ${sql.placeholder("id")})`,
  },
  oldest: {
    by: [asc(entries.at), asc(entries.id)],
    after: sql`(${entries.at}, ${entries.id}) > (${sql.placeholder("at")}, ${sql.placeholder("id")})`,
  },
};
const firstIn = (order: EntryOrder) =>
  preparedQuery((db) =>
    rows(db)
      .where(shown)
      .orderBy(...inOrder[order].by)
      .limit(limit),
  );
const afterIn = (order: EntryOrder) =>
  preparedQuery((db) =>
    rows(db)
      .where(and(shown, inOrder[order].after))
      .orderBy(...inOrder[order].by)
      .limit(limit),
  );
const pages = {
  newest: { first: firstIn("newest"), after: afterIn("newest") },
  oldest: { first: firstIn("oldest"), after: afterIn("oldest") },
};
const byId = preparedQuery((db) => rows(db).where(eq(entries.id, sql.placeholder("id"))));
// For all viewers: streams leave out whom a block or a limit hides.
const byIds = preparedQuery((db) =>
  rows(db, isSuspended(entries.authorId)).where(inArray(entries.id, listedTexts(sql.placeholder("ids")))),
);
const keys = preparedQuery((db) =>
  db
    .select({ id: entries.id, at: entries.at, title: entries.title, excerpt: beginning })
    .from(entries)
    .where(and(shown, sql`${entries.isKey} = 1`))
    .orderBy(desc(entries.at), desc(entries.id))
    .limit(limit),
);
const shownCount = preparedQuery((db) => db.select({ total: count() }).from(entries).where(shown));

export type EntryRow = Awaited<ReturnType<ReturnType<typeof byIds>["all"]>>[number];

/** Returns entries that readers see, in an order, after a position. */
export const listEntries = async (
  connection: Connection,
  about: { blogId: string; viewer: string | null; order: EntryOrder; limit: number },
  after?: Position,
): Promise<EntryRow[]> => {
  const { order, ...page } = about;
  return after
    ? pages[order].after(connection).all({ ...page, ...after })
    : pages[order].first(connection).all(page);
};

/** Returns entries by id, withdrawn ones, too, for live events. */
export const entriesByIds = async (connection: Connection, ids: string[]): Promise<EntryRow[]> =>
  byIds(connection).all({ ids: JSON.stringify(ids), viewer: null });

export const entryById = async (
  connection: Connection,
  id: string,
  viewerId: string | null,
): Promise<EntryRow | undefined> => byId(connection).get({ id, viewer: viewerId });

/** Returns the newest key moments, oldest first. */
export const keyMoments = async (connection: Connection, blog: string, most: number) =>
  (await keys(connection).all({ blogId: blog, limit: most })).toReversed();

/** Returns how many entries readers see. */
export const countEntries = async (connection: Connection, blog: string): Promise<number> =>
  (await shownCount(connection).get({ blogId: blog }))?.total ?? 0;

const documentsOf = preparedQuery((db) =>
  db
    .select({ id: entries.id, document: sql<string>`${entries.document}` })
    .from(entries)
    .where(inArray(entries.id, listedTexts(sql.placeholder("ids")))),
);

/** Returns the documents of entries as JSON, by their ids. */
export const entryDocuments = async (connection: Connection, ids: string[]): Promise<Map<string, string>> =>
  new Map(
    (await documentsOf(connection).all({ ids: JSON.stringify(ids) })).map((row) => [row.id, row.document]),
  );

/** Returns what an entry's row stores of its text. */
export const derived = ({ document, html, text }: Record<"document" | "html" | "text", string>) => ({
  document,
  html,
  text: firstIndexedPart(text),
});

type NewEntryRow = Omit<typeof entries.$inferInsert, "document"> & { document: string };

// JSON from a worker thread: not parsed and written again.
const asJson = (text: string) => sql`${text}`;

export async function insertEntry(tx: Connection, { document, ...entry }: NewEntryRow): Promise<void> {
  await tx.drizzle.insert(entries).values({ ...entry, document: asJson(document) });
}

export async function updateEntry(
  tx: Connection,
  id: string,
  { document, ...fields }: Partial<NewEntryRow>,
): Promise<void> {
  await tx.drizzle
    .update(entries)
    .set({ ...fields, ...(document === undefined ? {} : { document: asJson(document) }) })
    .where(eq(entries.id, id));
}

export async function setEntryPictures(tx: Connection, entryId: string, mediaIds: string[]): Promise<void> {
  await tx.drizzle.delete(entryMedia).where(eq(entryMedia.entryId, entryId));
  if (mediaIds.length > 0)
    await tx.drizzle.insert(entryMedia).values(mediaIds.map((mediaId) => ({ entryId, mediaId })));
}

export const picturesOfEntries = async (connection: Connection, ids: string[]): Promise<string[]> =>
  (
    await connection.drizzle
      .selectDistinct({ id: entryMedia.mediaId })
      .from(entryMedia)
      .where(inArray(entryMedia.entryId, ids))
  ).map(({ id }) => id);

/** Sets a like and the entry's count. Returns whether that changed anything. */
export async function setEntryLike(
  tx: Connection,
  entryId: string,
  userId: string,
  isSet: boolean,
  now: number,
): Promise<boolean> {
  const changed = await changes(
    isSet
      ? tx.drizzle.insert(entryLikes).values({ entryId, userId, createdAt: now }).onConflictDoNothing()
      : tx.drizzle
          .delete(entryLikes)
          .where(and(eq(entryLikes.entryId, entryId), eq(entryLikes.userId, userId))),
  );
  if (changed > 0)
    await tx.drizzle
      .update(entries)
      .set({ likesCount: sql`${entries.likesCount} + ${isSet ? 1 : -1}` })
      .where(eq(entries.id, entryId));
  return changed > 0;
}
