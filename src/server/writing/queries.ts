import { and, asc, count, desc, eq, gt, isNotNull, isNull, lt, lte, max, sql, type SQL } from "drizzle-orm";
import { alias } from "../database/schema/columns.ts";
import { draftLimits } from "../../shared/drafts.ts";
import { preparedQuery, type Connection, first, changes } from "../database/connection.ts";
import { jsonField, listedTexts } from "../database/dialect.ts";
import { blogs } from "../database/schema/blogs.ts";
import { draftCommits, draftMedia, drafts } from "../database/schema/writing.ts";
import { media } from "../database/schema/media.ts";

export type DraftRow = typeof drafts.$inferSelect;
export type CommitRow = typeof draftCommits.$inferSelect;

const draftHead = preparedQuery((db) => {
  return db
    .select(columnsOfDraft)
    .from(drafts)
    .innerJoin(blogs, eq(blogs.id, drafts.blogId))
    .where(eq(drafts.blogId, sql.placeholder("id")));
});
const columnsOfDraft = {
  blogId: drafts.blogId,
  seq: drafts.seq,
  head: drafts.head,
  fields: drafts.fields,
  documentSeq: drafts.documentSeq,
  savedSeq: drafts.savedSeq,
  namedFor: drafts.namedFor,
  begunBy: drafts.begunBy,
  changedAt: drafts.changedAt,
  nextVersionAt: drafts.nextVersionAt,
  authorId: blogs.authorId,
  draft: blogs.draft,
  takedownReason: blogs.takedownReason,
};
/** A draft without its document. */
export type DraftHead = Omit<DraftRow, "document" | "excerpt" | "words"> &
  Pick<typeof blogs.$inferSelect, "authorId" | "draft" | "takedownReason">;
export const draftOf = async (connection: Connection, blogId: string): Promise<DraftHead | undefined> =>
  draftHead(connection).get({ id: blogId });

const documentOfDraft = preparedQuery((db) =>
  db
    .select({ document: drafts.document })
    .from(drafts)
    .where(eq(drafts.blogId, sql.placeholder("id"))),
);
/** Returns the stored document as JSON, as of `documentSeq`. */
export const writtenDocument = async (connection: Connection, blogId: string): Promise<string | undefined> =>
  (await documentOfDraft(connection).get({ id: blogId }))?.document;

export async function insertDraft(tx: Connection, row: typeof drafts.$inferInsert): Promise<void> {
  await tx.drizzle.insert(drafts).values(row);
}

/** Records a stored commit; `beginning`: what lists show of an unpublished text. */
export async function recordCommit(
  tx: Connection,
  id: string,
  change: Pick<DraftRow, "seq" | "head" | "changedAt" | "nextVersionAt"> &
    Partial<Pick<DraftRow, "excerpt" | "words">>,
): Promise<void> {
  const { excerpt, words, ...head } = change;
  if (excerpt === undefined) await recordedCommit(tx).run({ id, ...head });
  else await recordedBeginning(tx).run({ id, ...head, excerpt, words });
}
const headColumns = (names: readonly (keyof DraftRow)[]) =>
  Object.fromEntries(names.map((name) => [name, sql`${sql.placeholder(name)}`]));
const headUpdate = (names: readonly (keyof DraftRow)[]) =>
  preparedQuery((db) =>
    db
      .update(drafts)
      .set(headColumns(names))
      .where(eq(drafts.blogId, sql.placeholder("id"))),
  );
const head = ["seq", "head", "changedAt", "nextVersionAt"] as const;
const recordedCommit = headUpdate(head);
const recordedBeginning = headUpdate([...head, "excerpt", "words"]);

export async function updateDraft(
  tx: Connection,
  blogId: string,
  change: Partial<Omit<DraftRow, "blogId">>,
): Promise<void> {
  await tx.drizzle.update(drafts).set(change).where(eq(drafts.blogId, blogId));
}

const insertedCommit = preparedQuery((db) =>
  db.insert(draftCommits).values({
    blogId: sql.placeholder("blogId"),
    seq: sql.placeholder("seq"),
    client: sql.placeholder("client"),
    number: sql.placeholder("number"),
    authorId: sql.placeholder("authorId"),
    steps: sql`${sql.placeholder("steps")}`,
    fields: sql`${sql.placeholder("fields")}`,
    createdAt: sql.placeholder("createdAt"),
    digest: sql.placeholder("digest"),
  }),
);
/** `steps` and `fields` are JSON. */
export async function insertCommit(
  tx: Connection,
  row: Omit<CommitRow, "steps" | "fields"> & { steps: string; fields: string },
): Promise<void> {
  await insertedCommit(tx).run({ ...row });
}

const bytes = sql<number>`octet_length(${draftCommits.steps}) + octet_length(${draftCommits.fields})`;
const hasSteps = sql`octet_length(${draftCommits.steps}) > 0`;
const isBetween = and(
  eq(draftCommits.blogId, sql.placeholder("id")),
  gt(draftCommits.seq, sql.placeholder("seq")),
  lt(draftCommits.seq, sql.placeholder("before")),
  hasSteps,
);

const commitsAfter = preparedQuery((db) =>
  db.select().from(draftCommits).where(isBetween).orderBy(asc(draftCommits.seq)),
);
/** Returns the commits between two, exclusive, in order, without those whose steps are deleted. Weigh them first. */
export const commitsBetween = async (
  connection: Connection,
  blogId: string,
  after: number,
  before: number,
): Promise<CommitRow[]> => commitsAfter(connection).all({ id: blogId, seq: after, before });

const weights = preparedQuery((db) =>
  db
    .select({
      commits: count(),
      bytes: sql<number>`coalesce(sum(${bytes}), 0)`.mapWith(Number),
    })
    .from(draftCommits)
    .where(isBetween),
);
/** Returns how many commits `commitsBetween` would read, and their bytes, without reading them. */
export const weighCommits = async (
  connection: Connection,
  blogId: string,
  after: number,
  before: number,
): Promise<{ commits: number; bytes: number }> =>
  (await weights(connection).get({ id: blogId, seq: after, before })) ?? { commits: 0, bytes: 0 };

const commitOfClient = preparedQuery((db) =>
  db
    .select({ seq: draftCommits.seq, digest: draftCommits.digest })
    .from(draftCommits)
    .where(
      and(
        eq(draftCommits.blogId, sql.placeholder("id")),
        eq(draftCommits.authorId, sql.placeholder("author")),
        eq(draftCommits.client, sql.placeholder("client")),
        eq(draftCommits.number, sql.placeholder("number")),
      ),
    ),
);
/** Returns the commit that an author's page stored under a number. Another author's page may have the same name. */
export const commitBy = async (
  connection: Connection,
  blogId: string,
  author: string,
  { client, number }: Pick<CommitRow, "client" | "number">,
): Promise<Pick<CommitRow, "seq" | "digest"> | undefined> =>
  commitOfClient(connection).get({ id: blogId, author, client, number });

const lastAuthor = preparedQuery((db) =>
  db
    .select({ id: draftCommits.authorId })
    .from(draftCommits)
    .where(
      and(
        eq(draftCommits.blogId, sql.placeholder("id")),
        lte(draftCommits.seq, sql.placeholder("upTo")),
        isNotNull(draftCommits.authorId),
      ),
    )
    .orderBy(desc(draftCommits.seq))
    .limit(1),
);
/** Returns who made the last stored commit up to a number, apart from those of the site. */
export const lastCommitAuthor = async (
  connection: Connection,
  blogId: string,
  upTo: number,
): Promise<string | undefined> => (await lastAuthor(connection).get({ id: blogId, upTo }))?.id ?? undefined;

const begunRows = preparedQuery((db) =>
  db
    .select({ id: drafts.blogId, changedAt: drafts.changedAt })
    .from(drafts)
    .where(eq(drafts.begunBy, sql.placeholder("userId")))
    .orderBy(desc(drafts.changedAt))
    .limit(sql.placeholder("limit")),
);
/** Returns a person's new blogs that were never saved, last changed first. */
export const unsavedBlogs = async (
  connection: Connection,
  userId: string,
  limit: number,
): Promise<{ id: string; changedAt: number }[]> => begunRows(connection).all({ userId, limit });

export async function picturesOfDraft(connection: Connection, blogId: string): Promise<string[]> {
  const rows = await connection.drizzle
    .select({ id: draftMedia.mediaId })
    .from(draftMedia)
    .where(eq(draftMedia.blogId, blogId));
  return rows.map(({ id }) => id);
}

/** Sets the pictures that a draft shows, and whether its authors share them. Returns the previous ones. */
export async function setDraftPictures(
  tx: Connection,
  blogId: string,
  pictures: { mediaId: string; shared: boolean }[],
): Promise<string[]> {
  const before = await tx.drizzle
    .delete(draftMedia)
    .where(eq(draftMedia.blogId, blogId))
    .returning({ id: draftMedia.mediaId });
  if (pictures.length > 0)
    await tx.drizzle.insert(draftMedia).values(pictures.map((picture) => ({ blogId, ...picture })));
  return before.map(({ id }) => id);
}

/** Whether a blog's text is in its draft alone. A blog that was taken down keeps its text, which moderators see. */
export const isUnpublished = ({
  draft,
  takedownReason,
}: {
  draft: boolean;
  takedownReason: string | null;
}): boolean => draft && takedownReason === null;

const cover = alias(media, "draft_cover");
const unpublishedDrafts = preparedQuery((db) =>
  db
    .select({
      blogId: drafts.blogId,
      fields: drafts.fields,
      excerpt: drafts.excerpt,
      words: drafts.words,
      cover: {
        id: cover.id,
        width: cover.width,
        height: cover.height,
        color: cover.color,
        widths: cover.widths,
      },
    })
    .from(drafts)
    .innerJoin(blogs, eq(blogs.id, drafts.blogId))
    .leftJoin(cover, eq(cover.id, jsonField(drafts.fields, "coverId")))
    .where(
      and(
        sql`${drafts.blogId} in ${listedTexts(sql.placeholder("ids"))}`,
        sql`blogs.draft = 1 and ${isNull(blogs.takedownReason)}`,
      ),
    ),
);

/** Returns what unpublished blogs among these show, by blog: it comes from their drafts. */
export async function draftsShown(connection: Connection, blogIds: string[]) {
  if (blogIds.length === 0) return new Map<string, never>();
  const rows = await unpublishedDrafts(connection).all({ ids: JSON.stringify(blogIds) });
  return new Map(rows.map((row) => [row.blogId, row]));
}

/** Returns the bytes that a version of a draft takes. */
export const draftBytes = async (connection: Connection, blogId: string): Promise<number> =>
  (
    await first(
      connection.drizzle
        .select({ bytes: sql<number>`octet_length(${drafts.document})`.mapWith(Number) })
        .from(drafts)
        .where(eq(drafts.blogId, blogId)),
    )
  )?.bytes ?? 0;

/** Returns drafts after an id, by id, without a change since a time whose whole text is not stored as of their last commit. */
export async function unstoredDrafts(
  connection: Connection,
  before: number,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await connection.drizzle
    .select({ id: drafts.blogId })
    .from(drafts)
    .where(and(gt(drafts.blogId, after), lt(drafts.changedAt, before), sql`document_seq < seq`))
    .orderBy(asc(drafts.blogId))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** Rows keep recognizing a commit that is sent again. */
const withoutSteps = { steps: sql`''`, fields: {} };

/**
 * Deletes what no returning page can get of a text whose document is stored as of commit `seq`: the steps beyond the bytes, and
 * the commits beyond the number, that are sent at once.
 */
export async function deleteUnsendableCommits(tx: Connection, blogId: string, seq: number): Promise<void> {
  const last = seq - draftLimits.missedCommits;
  const ofText = eq(draftCommits.blogId, blogId);
  await tx.drizzle.delete(draftCommits).where(and(ofText, lte(draftCommits.seq, last)));
  const sums = tx.drizzle
    .select({
      seq: draftCommits.seq,
      total: sql<number>`sum(${bytes}) over (order by ${draftCommits.seq} desc)`.as("total"),
    })
    .from(draftCommits)
    .where(and(ofText, hasSteps))
    .as("sums");
  const tooMuch = tx.drizzle
    .select({ seq: max(sums.seq) })
    .from(sums)
    .where(gt(sums.total, draftLimits.missedBytes));
  await tx.drizzle
    .update(draftCommits)
    .set(withoutSteps)
    .where(and(ofText, hasSteps, lte(draftCommits.seq, sql`(${tooMuch})`)));
}

/** Returns up to `limit` commits from before a time that a stored document includes. */
const includedBefore = (tx: Connection, time: number, limit: number, condition?: SQL) =>
  tx.drizzle
    .select({ blogId: draftCommits.blogId, seq: draftCommits.seq })
    .from(draftCommits)
    .innerJoin(drafts, eq(drafts.blogId, draftCommits.blogId))
    .where(and(lt(draftCommits.createdAt, time), condition, lte(draftCommits.seq, drafts.documentSeq)))
    .limit(limit);

/** Deletes the steps of up to `limit` old commits that a stored document includes. Returns how many. */
export async function deleteStepsBefore(tx: Connection, time: number, limit: number): Promise<number> {
  const changed = await changes(
    tx.drizzle
      .update(draftCommits)
      .set(withoutSteps)
      .where(
        sql`(${draftCommits.blogId}, ${draftCommits.seq}) in (${includedBefore(tx, time, limit, hasSteps)})`,
      ),
  );
  return changed;
}

/** Deletes up to `limit` old commits that a stored document includes. Returns how many. */
export async function deleteCommitsBefore(tx: Connection, time: number, limit: number): Promise<number> {
  const changed = await changes(
    tx.drizzle
      .delete(draftCommits)
      .where(sql`(${draftCommits.blogId}, ${draftCommits.seq}) in (${includedBefore(tx, time, limit)})`),
  );
  return changed;
}
