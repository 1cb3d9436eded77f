import { and, asc, count, desc, eq, gt, isNotNull, lt, lte, max, sql, type SQL } from "drizzle-orm";
import { draftLimits } from "../../shared/drafts.ts";
import { preparedQuery, type Connection } from "../database/connection.ts";
import { blogs } from "../database/schema/blogs.ts";
import { draftCommits, draftMedia, drafts } from "../database/schema/drafts.ts";

export type DraftRow = typeof drafts.$inferSelect;
export type CommitRow = typeof draftCommits.$inferSelect;

const draft = preparedQuery((db) => {
  return db
    .select(columnsOfDraft)
    .from(drafts)
    .innerJoin(blogs, eq(blogs.id, drafts.blogId))
    .where(eq(drafts.blogId, sql.placeholder("id")))
    .prepare();
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
  draft: blogs.draft,
  liveSince: blogs.liveSince,
};
/** A draft without its document. */
export type DraftHead = Omit<DraftRow, "document"> & { draft: boolean; liveSince: number | null };
export const draftOf = async (connection: Connection, blogId: string): Promise<DraftHead | undefined> =>
  draft(connection).get({ id: blogId });

const documentOfDraft = preparedQuery((db) =>
  db
    .select({ document: drafts.document })
    .from(drafts)
    .where(eq(drafts.blogId, sql.placeholder("id")))
    .prepare(),
);
/** Returns the stored document as JSON, as of `documentSeq`. */
export const writtenDocument = async (connection: Connection, blogId: string): Promise<string | undefined> =>
  (await documentOfDraft(connection).get({ id: blogId }))?.document;

export async function insertDraft(tx: Connection, row: DraftRow): Promise<void> {
  await tx.drizzle.insert(drafts).values(row).run();
}

const recordCommit = preparedQuery((db) =>
  db
    .update(drafts)
    .set({
      seq: sql`${sql.placeholder("seq")}`,
      head: sql`${sql.placeholder("head")}`,
      changedAt: sql`${sql.placeholder("changedAt")}`,
    })
    .where(eq(drafts.blogId, sql.placeholder("id")))
    .prepare(),
);
/** Records a commit that changes only the text, as most do. */
export async function recordTextCommit(
  tx: Connection,
  id: string,
  head: Pick<DraftRow, "seq" | "head" | "changedAt">,
): Promise<void> {
  await recordCommit(tx).run({ id, ...head });
}

export async function updateDraft(
  tx: Connection,
  blogId: string,
  change: Partial<Omit<DraftRow, "blogId">>,
): Promise<void> {
  await tx.drizzle.update(drafts).set(change).where(eq(drafts.blogId, blogId)).run();
}

const insertedCommit = preparedQuery((db) =>
  db
    .insert(draftCommits)
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

const bytes = sql<number>`octet_length(${draftCommits.steps}) + octet_length(${draftCommits.fields})`;
const hasSteps = sql`octet_length(${draftCommits.steps}) > 0`;
const isBetween = and(
  eq(draftCommits.blogId, sql.placeholder("id")),
  gt(draftCommits.seq, sql.placeholder("seq")),
  lt(draftCommits.seq, sql.placeholder("before")),
  hasSteps,
);

const commitsAfter = preparedQuery((db) =>
  db.select().from(draftCommits).where(isBetween).orderBy(asc(draftCommits.seq)).prepare(),
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
    .select({ seq: draftCommits.seq, digest: draftCommits.digest })
    .from(draftCommits)
    .where(
      and(
        eq(draftCommits.blogId, sql.placeholder("id")),
        eq(draftCommits.authorId, sql.placeholder("author")),
        eq(draftCommits.client, sql.placeholder("client")),
        eq(draftCommits.number, sql.placeholder("number")),
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
    .select({ id: drafts.blogId, fields: drafts.fields, changedAt: drafts.changedAt })
    .from(drafts)
    .where(eq(drafts.begunBy, sql.placeholder("userId")))
    .orderBy(desc(drafts.changedAt))
    .limit(sql.placeholder("limit"))
    .prepare(),
);
/** Returns a person's new blogs that were never saved, last changed first. */
export const unsavedBlogs = async (
  connection: Connection,
  userId: string,
  limit: number,
): Promise<(Pick<DraftRow, "fields" | "changedAt"> & { id: string })[]> =>
  begunRows(connection).all({ userId, limit });

export async function picturesOfDraft(connection: Connection, blogId: string): Promise<string[]> {
  const rows = await connection.drizzle
    .select({ id: draftMedia.mediaId })
    .from(draftMedia)
    .where(eq(draftMedia.blogId, blogId))
    .all();
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
    .returning({ id: draftMedia.mediaId })
    .all();
  if (pictures.length > 0)
    await tx.drizzle
      .insert(draftMedia)
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
  const last = seq - draftLimits.missedCommits;
  const ofText = eq(draftCommits.blogId, blogId);
  await tx.drizzle
    .delete(draftCommits)
    .where(and(ofText, lte(draftCommits.seq, last)))
    .run();
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
    .where(and(ofText, hasSteps, lte(draftCommits.seq, sql`(${tooMuch})`)))
    .run();
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
  const { changes } = await tx.drizzle
    .update(draftCommits)
    .set(withoutSteps)
    .where(
      sql`(${draftCommits.blogId}, ${draftCommits.seq}) in (${includedBefore(tx, time, limit, hasSteps)})`,
    )
    .run();
  return changes;
}

/** Deletes up to `limit` old commits that a stored document includes. Returns how many. */
export async function deleteCommitsBefore(tx: Connection, time: number, limit: number): Promise<number> {
  const { changes } = await tx.drizzle
    .delete(draftCommits)
    .where(sql`(${draftCommits.blogId}, ${draftCommits.seq}) in (${includedBefore(tx, time, limit)})`)
    .run();
  return changes;
}
