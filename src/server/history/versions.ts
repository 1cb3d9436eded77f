import { setImmediate as nextTurn } from "node:timers/promises";
import type { Node } from "prosemirror-model";
import type { z } from "zod";
import { countWords, documentToText } from "../../shared/document/to-text.ts";
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
import { updateUnusedSince, pictureById, picturesForAuthorsOf } from "../media/queries.ts";
import { presentPerson } from "../profiles/present.ts";
import { authorsOf, ownBlog, writableBlog } from "../blogs/access.ts";
import { nameOf, savedForm, validFields } from "../writing/draft-fields.ts";
import { picturesIn } from "../writing/draft-pictures.ts";
import { isUnpublished, lastCommitAuthor, type DraftHead } from "../writing/queries.ts";
import type { BlogFacts } from "../blogs/queries.ts";
import {
  insertDraftVersion,
  isContentOfBlog,
  newestPublished,
  newestVersion,
  newestWithContent,
  type VersionContent,
} from "./content-queries.ts";
import * as queries from "./queries.ts";
import { ages, versionsToDelete } from "./thin-versions.ts";

const pageSize = 20;
/** Versions deleted per step. */
const deleteBatchSize = 40;
/** Milliseconds of writing after which what was written becomes a version. */
export const versionIntervalMs = 10 * 60_000;

const versionNotFound = () => new AppError("not_found", "This version is no longer stored.");

/** Who published or wrote a version, when, and why. */
interface Recorded {
  by: string;
  reason: VersionReason;
  at: number;
  restores?: string | undefined;
}

/**
 * Stores what readers of a blog see now as a version, unless the one published last says the same. Call after each publication.
 * Returns whether the history changed.
 */
export async function recordPublished(
  tx: Connection,
  blogId: string,
  { restores, ...by }: Omit<Recorded, "reason">,
): Promise<boolean> {
  if ((await newestPublished(tx, blogId))?.isCurrent && restores === undefined) return false;
  const newest = await newestVersion(tx, blogId);
  const version = newVersion(blogId, { ...by, reason: "published", restores }, newest?.createdAt);
  await queries.insertVersion(tx, version);
  // The same text from before it was published.
  if (newest?.isCurrent && newest.reason !== "published" && newest.id !== restores)
    await deleteVersionsAndNoteUse(tx, [newest.id], by.at);
  return true;
}

/** Stores what readers see as a version, if none has it yet: that of a restored blog. Returns whether the history changed. */
export async function recordSeen(tx: Connection, blog: BlogFacts): Promise<boolean> {
  const at = blog.editedAt ?? blog.publishedAt;
  return !isUnpublished(blog) && (await recordPublished(tx, blog.id, { by: blog.authorId, at }));
}

/** Stores what a draft says as a version, unless readers or the newest version say the same. Names its last writer, or `by`. */
export async function recordDraft(
  tx: Transaction,
  blog: BlogFacts,
  row: DraftHead,
  document: Node,
  { reason, at, by }: { reason: VersionReason; at: number; by?: string },
): Promise<void> {
  const content = await contentOf(tx, row, document);
  if (await recordSeen(tx, blog)) await publishHistoryChange(tx, blog);
  if (await isContentOfBlog(tx, blog.id, content)) return;
  const newest = await newestWithContent(tx, blog.id, content);
  if (newest && (reason !== "before-discard" || newest.reason !== "written")) return;
  if (newest) await queries.setReason(tx, newest.id, { reason });
  else {
    const author = by ?? (await lastCommitAuthor(tx, blog.id, row.seq)) ?? blog.authorId;
    const words = countWords(documentToText(savedForm(document)));
    // In the history, all authors see a picture: not one that they could not see before.
    const pictureIds = await picturesForAuthorsOf(tx, blog.id, [...new Set(picturesIn(document))]);
    const last = await queries.lastVersionAt(tx, blog.id);
    await insertDraftVersion(
      tx,
      newVersion(blog.id, { by: author, reason, at }, last),
      { ...content, words },
      pictureIds,
    );
    await updateUnusedSince(tx, [content.coverId, ...pictureIds], at);
  }
  await publishHistoryChange(tx, blog);
}

/** Returns what a publication would store, as far as it is valid. */
async function contentOf(connection: Connection, row: DraftHead, document: Node): Promise<VersionContent> {
  const { description, tags, coverId, coverFocus } = row.fields;
  const hasCover = coverId !== null && (await pictureById(connection, coverId)) !== undefined;
  return {
    ...validFields({ title: nameOf(row), description, tags }),
    ...(hasCover ? { coverId, coverFocus } : { coverId: null, coverFocus: null }),
    document: JSON.stringify(savedForm(document)),
  };
}

function newVersion(
  blogId: string,
  { by, reason, at, restores }: Recorded,
  last: number | undefined,
): queries.NewVersion {
  // Keeps versions of the same millisecond in order.
  const createdAt = Math.max(at, (last ?? 0) + 1);
  return { id: newId(createdAt), blogId, authorId: by, reason, createdAt, restoredFrom: restores ?? null };
}

/** Updates the history on its authors' open pages. */
async function publishHistoryChange(tx: Transaction, blog: BlogFacts): Promise<void> {
  for (const author of await authorsOf(tx, blog))
    tx.emit(userTopic(author), { kind: "viewer.blogsChanged", blogId: blog.id });
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
  blog.draft ? null : ((await newestPublished(connection, blog.id))?.id ?? null);

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

/** Thins versions of blogs that were changed since the last run or reached the next age. */
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
