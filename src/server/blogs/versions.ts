import { setImmediate as nextTurn } from "node:timers/promises";
import type { z } from "zod";
import { AppError } from "../../shared/errors.ts";
import type {
  ListVersions,
  VersionRef,
  Version,
  VersionEntry,
  VersionList,
  VersionReason,
} from "../../shared/versions.ts";
import { hasTagPage } from "../../shared/tags.ts";
import type { MemberContext } from "../context.ts";
import type { Connection, Database } from "../database/connection.ts";
import type { Transaction } from "../database/writer.ts";
import { runInSteps } from "../database/run-in-steps.ts";
import { newId } from "../runtime/ids.ts";
import { presentCover } from "../media/paths.ts";
import { userTopic } from "../live/stored-events.ts";
import { updateUnusedSince, pictureById } from "../media/queries.ts";
import { presentPerson } from "../profiles/present.ts";
import { authorsOf, ownBlog, writableBlog } from "./access.ts";
import type { BlogFacts } from "./queries.ts";
import {
  insertDraftVersion,
  newestVersion,
  newestSavedId,
  newestSavedVersion,
  type VersionContent,
} from "./version-content-queries.ts";
import * as queries from "./version-queries.ts";
import { ages, maxUnthinned, versionsToDelete } from "./thin-versions.ts";
import { lastCommitAuthor, draftOf } from "./draft-queries.ts";

const pageSize = 20;
/** Versions deleted per step. */
const deleteBatchSize = 40;
/** Excess versions of a day that can wait for the hourly thinning. */
const slack = 20;

const versionNotFound = () => new AppError("not_found", "This version is no longer stored.");

type Dates = Pick<BlogFacts, "createdAt" | "publishedAt" | "editedAt">;
/** Returns when a blog was last saved; autosaves of a draft set the date of publication. */
const savedAtOf = ({ createdAt, publishedAt, editedAt }: Dates): number =>
  Math.max(createdAt, publishedAt, editedAt ?? 0);

/** Stores the state of a blog without versions of a save before its next change. */
export async function insertInitialVersion(tx: Connection, blog: BlogFacts, now: number): Promise<void> {
  if (await newestSavedId(tx, blog.id)) return;
  await queries.insertVersion(tx, {
    id: newId(now),
    blogId: blog.id,
    authorId: blog.authorId,
    why: "before",
    createdAt: Math.min(savedAtOf(blog), now - 1),
    restoredFrom: null,
  });
}

/** Milliseconds between versions during editing. */
const versionIntervalMs = 10 * 60_000;

/** Whether the last version is old enough for another during editing. */
export const isVersionDue = async (tx: Connection, blogId: string, now: number): Promise<boolean> =>
  isAtRest((await queries.lastVersionAt(tx, blogId)) ?? 0, now);

/** Whether what was changed then has stayed the same for longer than versions are apart. */
export const isAtRest = (changedAt: number, now: number): boolean => changedAt < now - versionIntervalMs;

interface Save {
  by: string;
  why: VersionReason;
  at: number;
  restores?: string | undefined;
}

/** Stores a blog's current state as a version, with the pictures stored for its text. */
export async function insertCurrentVersion(tx: Connection, blogId: string, save: Save): Promise<void> {
  const newest = await newestVersion(tx, blogId);
  const version = newVersion(blogId, save, newest?.createdAt);
  await queries.insertVersion(tx, version);
  // The save replaces the version of the same text from before it was saved.
  if (newest?.isNowSaved && newest.id !== save.restores)
    await deleteVersionsAndNoteUse(tx, [newest.id], save.at);
  await thinFrequent(tx, blogId, save.at);
}

/** Stores content that readers do not see as a version, with the pictures in its text. */
export async function insertVersionOfDraft(
  tx: Connection,
  blogId: string,
  save: Save,
  content: VersionContent & { words: number },
  pictureIds: string[],
): Promise<void> {
  const version = newVersion(blogId, save, await queries.lastVersionAt(tx, blogId));
  await insertDraftVersion(tx, version, content, pictureIds);
  await updateUnusedSince(tx, [content.coverId, ...pictureIds], save.at);
  await thinFrequent(tx, blogId, save.at);
}

function newVersion(blogId: string, save: Save, last: number | undefined): queries.NewVersion {
  // Keeps saves in the same millisecond in order.
  const createdAt = Math.max(save.at, (last ?? 0) + 1);
  const restoredFrom = save.restores ?? null;
  return { id: newId(createdAt), blogId, authorId: save.by, why: save.why, createdAt, restoredFrom };
}

/** Thins at once when a program saves constantly. */
async function thinFrequent(tx: Connection, blogId: string, now: number): Promise<void> {
  const maxRecent = maxUnthinned + slack;
  if ((await queries.countSince(tx, blogId, now - ages.hourly, maxRecent + 1)) <= maxRecent) return;
  const idsToDelete = versionsToDelete(await queries.versionDates(tx, blogId), now);
  await deleteVersionsAndNoteUse(tx, idsToDelete.slice(-deleteBatchSize), now);
}

/**
 * Stores the blog's current state as a version, unless the newest one of a save holds it already. Returns whether the history
 * changed.
 */
export async function recordSave(tx: Connection, blogId: string, save: Save): Promise<boolean> {
  const newest = await newestSavedVersion(tx, blogId);
  // The first change begins the history of an old blog.
  if (!newest) return false;
  if (!newest.isCurrent) {
    await insertCurrentVersion(tx, blogId, save);
    return true;
  }
  // An autosave has recorded the restored text.
  if (save.restores === undefined || newest.why !== "draft" || newest.id === save.restores) return false;
  await queries.setReason(tx, newest.id, { why: "restored", restoredFrom: save.restores });
  return true;
}

/**
 * Stores what the blog says now, if only autosaves stored it: by its last writer, with its date. Call before a save replaces it.
 * Returns whether the history changed.
 */
export async function recordAutosavedState(tx: Connection, blog: BlogFacts): Promise<boolean> {
  const newest = await newestSavedVersion(tx, blog.id);
  if (!newest || newest.isCurrent) return false;
  const draft = await draftOf(tx, blog.id);
  const lastWriter = draft && (await lastCommitAuthor(tx, blog.id, draft.savedSeq));
  await insertCurrentVersion(tx, blog.id, {
    by: lastWriter ?? blog.authorId,
    why: blog.draft ? "draft" : "updated",
    at: savedAtOf(blog),
  });
  return true;
}

/** Whether what the blog says was last saved longer ago than versions are apart. */
export const isBlogAtRest = (blog: Dates, now: number): boolean => isAtRest(savedAtOf(blog), now);

/** Updates the history on its authors' open pages. */
export async function publishHistoryChange(tx: Transaction, blog: BlogFacts): Promise<void> {
  for (const author of await authorsOf(tx, blog))
    await tx.emit(userTopic(author), { kind: "viewer.blogsChanged", blogId: blog.id });
}

/** Deletes versions and updates the use of their pictures. */
async function deleteVersionsAndNoteUse(tx: Connection, ids: string[], now: number): Promise<void> {
  await updateUnusedSince(tx, await queries.deleteVersions(tx, ids), now);
}

/** Throws `bad_request` if the blog has no such version to restore. */
export async function requireVersion(
  tx: Connection,
  blogId: string,
  restores: string | undefined,
): Promise<void> {
  if (restores === undefined || (await queries.isVersionOf(tx, blogId, restores))) return;
  throw new AppError("bad_request", versionNotFound().message, { field: "restores" });
}

export async function listVersions(
  { database: { read }, viewer }: MemberContext,
  { id, before }: z.output<typeof ListVersions>,
): Promise<VersionList> {
  const blog = await writableBlog(read, viewer, { id });
  const rows = await queries.listVersions(read, blog.id, {
    viewer: viewer.id,
    before: before && { at: Date.parse(before.createdAt), id: before.id },
    limit: pageSize + 1,
  });
  return {
    versions: rows.slice(0, pageSize).map((row, at) => presentEntry(row, rows[at + 1])),
    hasMore: rows.length > pageSize,
    seen: await seenVersion(read, blog),
    mine: blog.authorId === viewer.id,
  };
}

/** Returns the version that readers see; null for a draft. */
const seenVersion = async (connection: Connection, blog: BlogFacts): Promise<string | null> =>
  blog.draft ? null : newestSavedId(connection, blog.id);

const presentEntry = (
  { createdAt, restoredAt, author, ...row }: queries.VersionRow,
  previous: queries.VersionRow | undefined,
): VersionEntry => ({
  ...row,
  createdAt: new Date(createdAt).toISOString(),
  author: author && presentPerson(author),
  change: previous ? row.words - previous.words : null,
  previous: previous?.id ?? null,
  restored: restoredAt === null ? null : new Date(restoredAt).toISOString(),
});

export async function readVersion(
  { database: { read }, viewer }: MemberContext,
  { id, version }: z.output<typeof VersionRef>,
): Promise<Version> {
  const blog = await writableBlog(read, viewer, { id });
  const row = await queries.versionOf(read, blog.id, version);
  if (!row) throw versionNotFound();
  const { coverId, coverFocus, createdAt, ...fields } = row;
  const cover = coverId === null ? undefined : await pictureById(read, coverId);
  return {
    ...fields,
    tags: fields.tags.filter(hasTagPage),
    createdAt: new Date(createdAt).toISOString(),
    cover: presentCover(cover ?? null, coverFocus),
  };
}

/** Deletes a version. Owner only: co-authors cannot delete the owner's text. Throws `conflict` for the published one. */
export async function deleteVersion(
  { database, viewer }: MemberContext,
  { id, version }: z.output<typeof VersionRef>,
): Promise<{ message: string }> {
  await database.write(async (tx) => {
    const blog = await ownBlog(tx, viewer, { id });
    if (!(await queries.isVersionOf(tx, blog.id, version))) throw versionNotFound();
    if (version === (await seenVersion(tx, blog)))
      throw new AppError("conflict", "Readers see this version. Change the blog first, or make it a draft.");
    await deleteVersionsAndNoteUse(tx, [version], Date.now());
    await publishHistoryChange(tx, blog);
  });
  return { message: "Version deleted." };
}

/** Thins versions of blogs that were saved since the last run or reached the next age. */
export async function thinVersions(database: Pick<Database, "read" | "write">, now: number): Promise<void> {
  const since = await queries.thinnedUntil(database.read);
  const blogs = new Set<string>();
  for (const age of [0, ...Object.values(ages)])
    for (const id of await queries.versionsBetween(database.read, since - age, now - age)) blogs.add(id);
  for (const id of blogs) {
    const idsToDelete = versionsToDelete(await queries.versionDates(database.read, id), now);
    if (idsToDelete.length > 0)
      await runInSteps(database, async (tx) => {
        await deleteVersionsAndNoteUse(tx, idsToDelete.splice(0, deleteBatchSize), now);
        return idsToDelete.length === 0;
      });
    await nextTurn();
  }
  await database.write((tx) => queries.setThinnedUntil(tx, now));
}
