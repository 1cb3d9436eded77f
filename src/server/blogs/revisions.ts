import { setImmediate as nextTurn } from "node:timers/promises";
import type { z } from "zod";
import { AppError } from "../../shared/errors.ts";
import type {
  ListRevisions,
  RevisionRef,
  Revision,
  RevisionEntry,
  RevisionList,
  RevisionReason,
} from "../../shared/revisions.ts";
import { hasTagPage } from "../../shared/tags.ts";
import type { MemberContext } from "../context.ts";
import type { Connection, Database } from "../database/connection.ts";
import { runInSteps } from "../database/run-in-steps.ts";
import { newId } from "../runtime/ids.ts";
import { presentCover } from "../media/paths.ts";
import { userTopic } from "../live/stored-events.ts";
import { updateUnusedSince, pictureById } from "../media/queries.ts";
import { presentPerson } from "../profiles/present.ts";
import { authorsOf, ownBlog, writableBlog } from "./access.ts";
import type { BlogFacts } from "./queries.ts";
import * as queries from "./revision-queries.ts";
import { ages, maxUnthinned, revisionsToDelete } from "./thin-revisions.ts";

const pageSize = 20;
/** Revisions deleted per step. */
const deleteBatchSize = 40;
/** Excess revisions of a day that can wait for the hourly thinning. */
const slack = 20;

const revisionNotFound = () => new AppError("not_found", "This version is no longer stored.");

/** Stores the state of a blog without revisions before its first change. */
export async function insertInitialRevision(tx: Connection, blog: BlogFacts, now: number): Promise<void> {
  if ((await queries.lastRevisedAt(tx, blog.id)) !== undefined) return;
  const savedAt = Math.max(blog.createdAt, blog.publishedAt, blog.editedAt ?? 0);
  await queries.insertRevision(tx, {
    id: newId(now),
    blogId: blog.id,
    authorId: blog.authorId,
    why: "before",
    createdAt: Math.min(savedAt, now - 1),
    restoredFrom: null,
  });
}

/** Milliseconds between revisions during editing. */
const revisionIntervalMs = 10 * 60_000;

/** Whether the last revision is old enough for another during editing. */
export const isRevisionDue = async (
  tx: Connection,
  blogId: string,
  now: number,
  age: number = revisionIntervalMs,
): Promise<boolean> => ((await queries.lastRevisedAt(tx, blogId)) ?? 0) < now - age;

/** Stores a blog's current state as a revision, with the pictures stored for its text. */
export async function insertCurrentRevision(
  tx: Connection,
  blogId: string,
  saved: { by: string; why: RevisionReason; at: number; restores?: string | undefined },
): Promise<void> {
  const last = await queries.lastRevisedAt(tx, blogId);
  // Keeps saves in the same millisecond in order.
  const createdAt = Math.max(saved.at, (last ?? 0) + 1);
  await queries.insertRevision(tx, {
    id: newId(createdAt),
    blogId,
    authorId: saved.by,
    why: saved.why,
    createdAt,
    restoredFrom: saved.restores ?? null,
  });
  // Thins at once when a program saves constantly.
  const maxRecent = maxUnthinned + slack;
  if ((await queries.countSince(tx, blogId, saved.at - ages.hourly, maxRecent + 1)) > maxRecent)
    await deleteRevisionsAndNoteUse(
      tx,
      revisionsToDelete(await queries.revisionDates(tx, blogId), saved.at).slice(-deleteBatchSize),
      saved.at,
    );
}

/** Deletes revisions and updates the use of their pictures. */
async function deleteRevisionsAndNoteUse(tx: Connection, ids: string[], now: number): Promise<void> {
  await updateUnusedSince(tx, await queries.deleteRevisions(tx, ids), now);
}

/** Throws `bad_request` if the blog has no such revision to restore. */
export async function requireRevision(
  tx: Connection,
  blogId: string,
  restores: string | undefined,
): Promise<void> {
  if (restores === undefined || (await queries.isRevisionOf(tx, blogId, restores))) return;
  throw new AppError("bad_request", revisionNotFound().message, { field: "restores" });
}

export async function listRevisions(
  { database: { read }, viewer }: MemberContext,
  { id, before }: z.output<typeof ListRevisions>,
): Promise<RevisionList> {
  const blog = await writableBlog(read, viewer, { id });
  const rows = await queries.listRevisions(read, blog.id, {
    viewer: viewer.id,
    before: before && { at: Date.parse(before.createdAt), id: before.id },
    limit: pageSize + 1,
  });
  return {
    revisions: rows
      .slice(0, pageSize)
      .map((row, at) => ({ ...presentEntry(row, rows[at + 1]), seen: !blog.draft && !before && at === 0 })),
    hasMore: rows.length > pageSize,
    mine: blog.authorId === viewer.id,
  };
}

const presentEntry = (
  { createdAt, restoredAt, author, ...row }: queries.RevisionRow,
  previous: queries.RevisionRow | undefined,
): Omit<RevisionEntry, "seen"> => ({
  ...row,
  createdAt: new Date(createdAt).toISOString(),
  author: author && presentPerson(author),
  change: previous ? row.words - previous.words : null,
  previous: previous?.id ?? null,
  restored: restoredAt === null ? null : new Date(restoredAt).toISOString(),
});

export async function readRevision(
  { database: { read }, viewer }: MemberContext,
  { id, revision }: z.output<typeof RevisionRef>,
): Promise<Revision> {
  const blog = await writableBlog(read, viewer, { id });
  const row = await queries.revisionOf(read, blog.id, revision);
  if (!row) throw revisionNotFound();
  const { coverId, coverFocus, createdAt, ...fields } = row;
  const cover = coverId === null ? undefined : await pictureById(read, coverId);
  return {
    ...fields,
    tags: fields.tags.filter(hasTagPage),
    createdAt: new Date(createdAt).toISOString(),
    cover: presentCover(cover ?? null, coverFocus),
  };
}

/** Deletes a revision. Owner only: co-authors cannot delete the owner's text. Throws `conflict` for the published one. */
export async function deleteRevision(
  { database, viewer }: MemberContext,
  { id, revision }: z.output<typeof RevisionRef>,
): Promise<{ message: string }> {
  await database.write(async (tx) => {
    const blog = await ownBlog(tx, viewer, { id });
    if (!(await queries.isRevisionOf(tx, blog.id, revision))) throw revisionNotFound();
    const [newest] = await queries.listRevisions(tx, blog.id, { viewer: viewer.id, limit: 1 });
    if (!blog.draft && newest?.id === revision)
      throw new AppError("conflict", "Readers see this version. Change the blog first, or make it a draft.");
    await deleteRevisionsAndNoteUse(tx, [revision], Date.now());
    for (const author of await authorsOf(tx, blog))
      await tx.emit(userTopic(author), { kind: "viewer.blogsChanged", blogId: blog.id });
  });
  return { message: "Version deleted." };
}

/** Thins revisions of blogs that were saved since the last run or reached the next age. */
export async function thinRevisions(database: Pick<Database, "read" | "write">, now: number): Promise<void> {
  const since = await queries.thinnedUntil(database.read);
  const blogs = new Set<string>();
  for (const age of [0, ...Object.values(ages)])
    for (const id of await queries.revisedBetween(database.read, since - age, now - age)) blogs.add(id);
  for (const id of blogs) {
    const idsToDelete = revisionsToDelete(await queries.revisionDates(database.read, id), now);
    if (idsToDelete.length > 0)
      await runInSteps(database, async (tx) => {
        await deleteRevisionsAndNoteUse(tx, idsToDelete.splice(0, deleteBatchSize), now);
        return idsToDelete.length === 0;
      });
    await nextTurn();
  }
  await database.write((tx) => queries.setThinnedUntil(tx, now));
}
