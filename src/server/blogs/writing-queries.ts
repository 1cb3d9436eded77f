import { and, asc, count, desc, eq, gt, isNotNull, lt, lte, max, sql, type SQL } from "drizzle-orm";
import { writingLimits } from "../../shared/writing.ts";
import { preparedQuery, type Connection } from "../database/connection.ts";
import { blogs } from "../database/schema/blogs.ts";
import { writingCommits, writingMedia, writings } from "../database/schema/writing.ts";

export type WritingRow = typeof writings.$inferSelect;
export type CommitRow = typeof writingCommits.$inferSelect;

const writing = preparedQuery((db) => {
  return db
    .select(columnsOfWriting)
    .from(writings)
    .innerJoin(blogs, eq(blogs.id, writings.blogId))
    .where(eq(writings.blogId, sql.placeholder("id")))
    .prepare();
});
const columnsOfWriting = {
  blogId: writings.blogId,
  seq: writings.seq,
  head: writings.head,
  fields: writings.fields,
  documentSeq: writings.documentSeq,
  savedSeq: writings.savedSeq,
  namedFor: writings.namedFor,
  begunBy: writings.begunBy,
  changedAt: writings.changedAt,
  draft: blogs.draft,
  liveSince: blogs.liveSince,
};
/** A working copy without its document. */
export type WritingHead = Omit<WritingRow, "document"> & { draft: boolean; liveSince: number | null };
export const writingOf = async (connection: Connection, blogId: string): Promise<WritingHead | undefined> =>
  writing(connection).get({ id: blogId });

const documentOfWriting = preparedQuery((db) =>
  db
    .select({ document: writings.document })
    .from(writings)
    .where(eq(writings.blogId, sql.placeholder("id")))
    .prepare(),
);
/** Returns the stored document as JSON, as of `documentSeq`. */
export const writtenDocument = async (connection: Connection, blogId: string): Promise<string | undefined> =>
  (await documentOfWriting(connection).get({ id: blogId }))?.document;

export async function insertWriting(tx: Connection, row: WritingRow): Promise<void> {
  await tx.drizzle.insert(writings).values(row).run();
}

const recordCommit = preparedQuery((db) =>
  db
    .update(writings)
    .set({
      seq: sql`${sql.placeholder("seq")}`,
      head: sql`${sql.placeholder("head")}`,
      changedAt: sql`${sql.placeholder("changedAt")}`,
    })
    .where(eq(writings.blogId, sql.placeholder("id")))
    .prepare(),
);
/** Records a commit that changes only the text, as most do. */
export async function recordTextCommit(
  tx: Connection,
  id: string,
  head: Pick<WritingRow, "seq" | "head" | "changedAt">,
): Promise<void> {
  await recordCommit(tx).run({ id, ...head });
}

export async function updateWriting(
  tx: Connection,
  blogId: string,
  change: Partial<Omit<WritingRow, "blogId">>,
): Promise<void> {
  await tx.drizzle.update(writings).set(change).where(eq(writings.blogId, blogId)).run();
}

const insertedCommit = preparedQuery((db) =>
  db
    .insert(writingCommits)
    .values({
      blogId: sql.placeholder("blogId"),
      seq: sql.placeholder("seq"),
      client: sql.placeholder("client"),
      number: sql.placeholder("number"),
      authorId: sql.placeholder("authorId"),
      steps: sql`${sql.placeholder("steps")}`,
      fields: sql`${sql.placeholder("fields")}`,
      createdAt: sql.placeholder("createdAt"),
      digest: sql.placeholder("digest"),
    })
    .prepare(),
);
/** `steps` and `fields` are JSON. */
export async function insertCommit(
  tx: Connection,
  row: Omit<CommitRow, "steps" | "fields"> & { steps: string; fields: string },
): Promise<void> {
  await insertedCommit(tx).run({ ...row });
}

const bytes = sql<number>`octet_length(${writingCommits.steps}) + octet_length(${writingCommits.fields})`;
const hasSteps = sql`octet_length(${writingCommits.steps}) > 0`;
const isBetween = and(
  eq(writingCommits.blogId, sql.placeholder("id")),
  gt(writingCommits.seq, sql.placeholder("seq")),
  lt(writingCommits.seq, sql.placeholder("before")),
  hasSteps,
);

const commitsAfter = preparedQuery((db) =>
  db.select().from(writingCommits).where(isBetween).orderBy(asc(writingCommits.seq)).prepare(),
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
    .from(writingCommits)
    .where(isBetween)
    .prepare(),
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
    .select({ seq: writingCommits.seq, digest: writingCommits.digest })
    .from(writingCommits)
    .where(
      and(
        eq(writingCommits.blogId, sql.placeholder("id")),
        eq(writingCommits.authorId, sql.placeholder("author")),
        eq(writingCommits.client, sql.placeholder("client")),
        eq(writingCommits.number, sql.placeholder("number")),
      ),
    )
    .prepare(),
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
    .select({ id: writingCommits.authorId })
    .from(writingCommits)
    .where(
      and(
        eq(writingCommits.blogId, sql.placeholder("id")),
        lte(writingCommits.seq, sql.placeholder("upTo")),
        isNotNull(writingCommits.authorId),
      ),
    )
    .orderBy(desc(writingCommits.seq))
    .limit(1)
    .prepare(),
);
/** Returns who made the last stored commit up to a number, apart from those of the site. */
export const lastCommitAuthor = async (
  connection: Connection,
  blogId: string,
  upTo: number,
): Promise<string | undefined> => (await lastAuthor(connection).get({ id: blogId, upTo }))?.id ?? undefined;

const begunRows = preparedQuery((db) =>
  db
    .select({ id: writings.blogId, fields: writings.fields, changedAt: writings.changedAt })
    .from(writings)
    .where(eq(writings.begunBy, sql.placeholder("userId")))
    .orderBy(desc(writings.changedAt))
    .limit(sql.placeholder("limit"))
    .prepare(),
);
/** Returns a person's new blogs that were never saved, last changed first. */
export const unsavedBlogs = async (
  connection: Connection,
  userId: string,
  limit: number,
): Promise<(Pick<WritingRow, "fields" | "changedAt"> & { id: string })[]> =>
  begunRows(connection).all({ userId, limit });

export async function picturesOfWriting(connection: Connection, blogId: string): Promise<string[]> {
  const rows = await connection.drizzle
    .select({ id: writingMedia.mediaId })
    .from(writingMedia)
    .where(eq(writingMedia.blogId, blogId))
    .all();
  return rows.map(({ id }) => id);
}

/** Sets the pictures that a working copy shows, and whether its authors share them. Returns the previous ones. */
export async function setWritingPictures(
  tx: Connection,
  blogId: string,
  pictures: { mediaId: string; shared: boolean }[],
): Promise<string[]> {
  const before = await tx.drizzle
    .delete(writingMedia)
    .where(eq(writingMedia.blogId, blogId))
    .returning({ id: writingMedia.mediaId })
    .all();
  if (pictures.length > 0)
    await tx.drizzle
      .insert(writingMedia)
      .values(pictures.map((picture) => ({ blogId, ...picture })))
      .run();
  return before.map(({ id }) => id);
}

/** Rows keep recognizing a commit that is sent again. */
const withoutSteps = { steps: sql`''`, fields: {} };

/**
 * Deletes what no returning page can get of a text whose document is stored as of commit `seq`: the steps beyond the bytes, and
 * the commits beyond the number, that are sent at once.
 */
export async function deleteUnsendableCommits(tx: Connection, blogId: string, seq: number): Promise<void> {
  const last = seq - writingLimits.missedCommits;
  const ofText = eq(writingCommits.blogId, blogId);
  await tx.drizzle
    .delete(writingCommits)
    .where(and(ofText, lte(writingCommits.seq, last)))
    .run();
  const sums = tx.drizzle
    .select({
      seq: writingCommits.seq,
      total: sql<number>`sum(${bytes}) over (order by ${writingCommits.seq} desc)`.as("total"),
    })
    .from(writingCommits)
    .where(and(ofText, hasSteps))
    .as("sums");
  const tooMuch = tx.drizzle
    .select({ seq: max(sums.seq) })
    .from(sums)
    .where(gt(sums.total, writingLimits.missedBytes));
  await tx.drizzle
    .update(writingCommits)
    .set(withoutSteps)
    .where(and(ofText, hasSteps, lte(writingCommits.seq, sql`(${tooMuch})`)))
    .run();
}

/** Returns up to `limit` commits from before a time that a stored document includes. */
const includedBefore = (tx: Connection, time: number, limit: number, condition?: SQL) =>
  tx.drizzle
    .select({ blogId: writingCommits.blogId, seq: writingCommits.seq })
    .from(writingCommits)
    .innerJoin(writings, eq(writings.blogId, writingCommits.blogId))
    .where(and(lt(writingCommits.createdAt, time), condition, lte(writingCommits.seq, writings.documentSeq)))
    .limit(limit);

/** Deletes the steps of up to `limit` old commits that a stored document includes. Returns how many. */
export async function deleteStepsBefore(tx: Connection, time: number, limit: number): Promise<number> {
  const { changes } = await tx.drizzle
    .update(writingCommits)
    .set(withoutSteps)
    .where(
      sql`(${writingCommits.blogId}, ${writingCommits.seq}) in (${includedBefore(tx, time, limit, hasSteps)})`,
    )
    .run();
  return changes;
}

/** Deletes up to `limit` old commits that a stored document includes. Returns how many. */
export async function deleteCommitsBefore(tx: Connection, time: number, limit: number): Promise<number> {
  const { changes } = await tx.drizzle
    .delete(writingCommits)
    .where(sql`(${writingCommits.blogId}, ${writingCommits.seq}) in (${includedBefore(tx, time, limit)})`)
    .run();
  return changes;
}
