import { setImmediate as nextTurn } from "node:timers/promises";
import type { z } from "zod";
import { AppError } from "../../shared/errors.ts";
import type {
  ListRevisions,
  OneRevision,
  Revision,
  RevisionEntry,
  RevisionList,
  RevisionWhy,
} from "../../shared/revisions.ts";
import type { MemberContext } from "../context.ts";
import type { Connection, Database } from "../database/connection.ts";
import { inSteps } from "../database/steps.ts";
import { newId } from "../ids.ts";
import { presentCover } from "../media/paths.ts";
import { userTopic } from "../live/stored-events.ts";
import { noteUse, pictureById } from "../media/queries.ts";
import { presentPerson } from "../users/present.ts";
import { authorsOf, ownBlog, writableBlog } from "./access.ts";
import type { BlogFacts } from "./queries.ts";
import * as queries from "./revision-queries.ts";
import { ages, mostWhole, tooMany } from "./thinning.ts";

/** Entries of one page. */
const pageSize = 20;
/** Revisions that are deleted in one step. */
const atOnce = 40;
/** So many more than are kept of a day may wait for the hour. */
const slack = 20;

const notThere = () => new AppError("not_found", "This version is no longer stored.");

/** Of a blog that is older than its history, writes down what it says before the first change that is. */
export async function keepBefore(tx: Connection, blog: BlogFacts, now: number): Promise<void> {
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

/** Of what is being written, milliseconds between two versions. */
const writtenFor = 10 * 60_000;

/** Whether the last version is so old that what is being written is another one. */
export const isOld = async (
  tx: Connection,
  blogId: string,
  now: number,
  age: number = writtenFor,
): Promise<boolean> => ((await queries.lastRevisedAt(tx, blogId)) ?? 0) < now - age;

/** Writes down what a blog says now, and who saved it and why. Whoever stores which pictures its text shows does so before. */
export async function keepRevision(
  tx: Connection,
  blogId: string,
  saved: { by: string; why: RevisionWhy; at: number; restores?: string | undefined },
): Promise<void> {
  const last = await queries.lastRevisedAt(tx, blogId);
  // Two saves of one millisecond stay in their order.
  const createdAt = Math.max(saved.at, (last ?? 0) + 1);
  await queries.insertRevision(tx, {
    id: newId(createdAt),
    blogId,
    authorId: saved.by,
    why: saved.why,
    createdAt,
    restoredFrom: saved.restores ?? null,
  });
  // A program that saves all the time does not wait for the next hour.
  const most = mostWhole + slack;
  if ((await queries.countSince(tx, blogId, saved.at - ages.hourly, most + 1)) > most)
    await drop(tx, tooMany(await queries.agesOf(tx, blogId), saved.at).slice(-atOnce), saved.at);
}

/** Lets go of revisions; whatever else shows their pictures is known by then. */
async function drop(tx: Connection, ids: string[], now: number): Promise<void> {
  await noteUse(tx, await queries.deleteRevisions(tx, ids), now);
}

/** Throws `bad_request` where a save says that it takes up a revision which the blog has not. */
export async function requireRevision(
  tx: Connection,
  blogId: string,
  restores: string | undefined,
): Promise<void> {
  if (restores === undefined || (await queries.isRevisionOf(tx, blogId, restores))) return;
  throw new AppError("bad_request", notThere().message, { field: "restores" });
}

/** The history of one's own blog, the newest first. */
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

/** What one's own blog said then. */
export async function readRevision(
  { database: { read }, viewer }: MemberContext,
  { id, revision }: z.output<typeof OneRevision>,
): Promise<Revision> {
  const blog = await writableBlog(read, viewer, { id });
  const row = await queries.revisionOf(read, blog.id, revision);
  if (!row) throw notThere();
  const { coverId, coverFocus, createdAt, ...said } = row;
  const cover = coverId === null ? undefined : await pictureById(read, coverId);
  return {
    ...said,
    createdAt: new Date(createdAt).toISOString(),
    cover: presentCover(cover ?? null, coverFocus),
  };
}

/** Deletes one version of one's own blog: for its owner alone, whom nobody who writes with them takes their text from. Throws `conflict` where it is the one that readers see. */
export async function deleteRevision(
  { database, viewer }: MemberContext,
  { id, revision }: z.output<typeof OneRevision>,
): Promise<{ message: string }> {
  await database.write(async (tx) => {
    const blog = await ownBlog(tx, viewer, { id });
    if (!(await queries.isRevisionOf(tx, blog.id, revision))) throw notThere();
    const [newest] = await queries.listRevisions(tx, blog.id, { viewer: viewer.id, limit: 1 });
    if (!blog.draft && newest?.id === revision)
      throw new AppError("conflict", "Readers see this version. Change the blog first, or make it a draft.");
    await drop(tx, [revision], Date.now());
    for (const author of await authorsOf(tx, blog))
      await tx.emit(userTopic(author), { kind: "viewer.blogsChanged", blogId: blog.id });
  });
  return { message: "Version deleted." };
}

/**
 * Lets go of what is no longer kept of each blog's history. Of all blogs those are looked at that were saved since the last
 * time, or have something that has come into an age at which fewer stay.
 */
export async function thinRevisions(database: Pick<Database, "read" | "write">, now: number): Promise<void> {
  const since = await queries.thinnedUntil(database.read);
  const blogs = new Set<string>();
  for (const age of [0, ...Object.values(ages)])
    for (const id of await queries.revisedBetween(database.read, since - age, now - age)) blogs.add(id);
  for (const id of blogs) {
    const gone = tooMany(await queries.agesOf(database.read, id), now);
    if (gone.length > 0)
      await inSteps(database, async (tx) => {
        await drop(tx, gone.splice(0, atOnce), now);
        return gone.length === 0;
      });
    await nextTurn();
  }
  await database.write((tx) => queries.setThinnedUntil(tx, now));
}
