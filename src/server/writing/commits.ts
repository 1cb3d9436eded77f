import { hash } from "node:crypto";
import type { Node } from "prosemirror-model";
import type { Step } from "prosemirror-transform";
import type { z } from "zod";
import { stepBetween } from "../../shared/document/steps.ts";
import {
  applyFieldChange,
  draftLimits,
  type Commit,
  type CommitsSince,
  type DraftFields,
  type DraftSince,
} from "../../shared/drafts.ts";
import type { Context, MemberContext } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { deleteInSteps } from "../database/run-in-steps.ts";
import type { Transaction } from "../database/writer.ts";
import { newId } from "../runtime/ids.ts";
import { enqueueOnce } from "../jobs/jobs.ts";
import { blogTopic, draftTopic } from "../live/stored-events.ts";
import { epochOf } from "../live/event-log.ts";
import { writableBlog } from "../blogs/access.ts";
import { beginningOf } from "./draft-document.ts";
import { publishDraftChange } from "../blogs/events.ts";
import { touchBlog } from "../blogs/queries.ts";
import { presentCommits } from "./present.ts";
import { presentSchedule } from "./schedule.ts";
import { scheduleOf } from "./schedule-queries.ts";
import { picturesIn, storeDraftPictures } from "./draft-pictures.ts";
import { readDraftDocument } from "./text-queries.ts";
import * as queries from "./queries.ts";
import { isUnpublished, type CommitRow, type DraftHead } from "./queries.ts";
import { versionIntervalMs } from "../history/versions.ts";

/** The job that copies pictures of other sites, and its interval in milliseconds. */
export const copyJob = "draft.copy-pictures";
export const copyIntervalMs = 1_000;
/** Commits, and their work, after which the whole document is stored, which bounds the cost of opening it. */
const mostUnstored = { commits: 100, work: draftLimits.cost };

export type Writer = Pick<Context, "drafts" | "viewer">;

/** Returns the commits after `seq`; null if the text must be opened again. */
export async function commitsSince(
  ctx: MemberContext,
  { id, seq, epoch }: z.output<typeof DraftSince>,
): Promise<CommitsSince> {
  const { read } = ctx.database;
  await writableBlog(read, ctx.viewer, { id });
  const row = await queries.draftOf(read, id);
  if (!row || epoch !== (await epochOf(read))) return { commits: null, saved: null };
  const saved = {
    seq: row.savedSeq,
    draft: row.draft,
    isUnsaved: row.begunBy !== null,
    schedule: presentSchedule(await scheduleOf(read, id)),
  };
  return { commits: (await missedCommits(read, row, seq)) ?? null, saved };
}

/** Commits the difference to this document and fields, if any. Returns the last commit. */
export async function commitOfSite(
  ctx: Writer,
  tx: Transaction,
  row: DraftHead,
  next: Node,
  fields: Partial<DraftFields> = {},
): Promise<number> {
  const step = stepBetween(await documentOf(ctx, tx, row), next);
  if (!step && Object.keys(fields).length === 0) return row.seq;
  return storeCommit(ctx, tx, row, next, siteCommit(step ? [step] : [], fields));
}

/** A commit to be stored: `steps` and `fields` as JSON. */
export interface NewCommit extends Pick<CommitRow, "client" | "number" | "digest"> {
  steps: string;
  fields: string;
  change: Partial<DraftFields>;
  changes: readonly Step[];
  /** See `stepCost`. */
  work: number;
}

export function toCommit(
  page: Pick<CommitRow, "client" | "number">,
  steps: readonly Step[],
  change: Partial<DraftFields>,
): NewCommit {
  const [json, fields] = [JSON.stringify(steps), JSON.stringify(change)];
  const digest = hash("sha256", `${json} ${fields}`, "base64url");
  return { ...page, digest, steps: json, fields, change, changes: steps, work: 0 };
}

/** Returns a commit of the site itself, as of a page that makes no other. */
export const siteCommit = (steps: readonly Step[] = [], fields: Partial<DraftFields> = {}) =>
  toCommit({ client: newId(), number: 1 }, steps, fields);

/** Work for a point of the rate limit `text`: about a millisecond. */
const workPerPoint = 2_000;

/** Counts work that was done against the next commits of the viewer. */
export function chargeWork({ limits, viewer }: MemberContext, work: number): void {
  limits.take("text", viewer.id, Math.floor(work / workPerPoint)).catch(() => undefined);
}

/** Stores a commit. Returns its number. */
export async function storeCommit(
  ctx: Writer,
  tx: Transaction,
  row: DraftHead,
  document: Node,
  { change, changes: _changes, work, ...commit }: NewCommit,
  /** A page sent it. */
  isOfPage = false,
): Promise<number> {
  const [seq, head, now] = [row.seq + 1, newId(), Date.now()];
  const { blogId } = row;
  await queries.insertCommit(tx, {
    blogId,
    seq,
    ...commit,
    authorId: ctx.viewer?.id ?? null,
    createdAt: now,
  });
  const fields = applyFieldChange(row.fields, change);
  const unstored =
    (ctx.drafts.get(blogId, row.head)?.work ?? mostUnstored.work) + work + commit.steps.length / 10;
  const latest = { ...row, seq, head };
  // Commits of the site record no version: the next one of a page does.
  const isDue = row.nextVersionAt === null || (isOfPage && row.nextVersionAt <= now);
  const nextVersionAt = isDue ? now + versionIntervalMs : row.nextVersionAt;
  const isUnread = isUnpublished(row);
  await queries.recordCommit(tx, blogId, {
    seq,
    head,
    changedAt: now,
    nextVersionAt,
    ...(isUnread && beginningOf(document)),
  });
  if (Object.keys(change).length > 0) await queries.updateDraft(tx, blogId, { fields });
  ctx.drafts.set(blogId, head, document, unstored);
  if (seq - row.documentSeq >= mostUnstored.commits || unstored >= mostUnstored.work)
    await storeWholeDocument(ctx, tx, latest, document);
  const hasPicture = commit.steps.includes('image"');
  if (change.coverId !== undefined || hasPicture)
    await storeDraftPictures(tx, blogId, [...picturesIn(document), fields.coverId]);
  if (hasPicture && /"src":"https?:/i.test(commit.steps))
    await enqueueOnce(tx, copyJob, { blogId }, copyIntervalMs);
  tx.emit(draftTopic(blogId), { kind: "draft.committed", seq });
  if (isUnread) {
    await touchUnpublished(tx, blogId);
    await publishDraftChange(tx, row.authorId, blogId, { written: true });
  }
  return seq;
}

/** Changes the etag of an unpublished blog, moves it to the top of its authors' lists, and notifies its open page. */
export async function touchUnpublished(tx: Transaction, blogId: string): Promise<void> {
  await touchBlog(tx, blogId, Date.now());
  tx.emit(blogTopic(blogId), { kind: "blog.edited" });
}

/** Stores the whole document as of the last commit, so that older commits can be deleted. */
export async function storeWholeDocument(
  { drafts }: Pick<Context, "drafts">,
  tx: Transaction,
  { blogId, seq, head }: Pick<DraftHead, "blogId" | "seq" | "head">,
  document: Node,
): Promise<void> {
  await queries.updateDraft(tx, blogId, { document: JSON.stringify(document), documentSeq: seq });
  await queries.deleteUnsendableCommits(tx, blogId, seq);
  drafts.set(blogId, head, document, 0);
}

/**
 * Milliseconds that commits are kept which a stored document includes: their steps, and the rows that recognize a commit which is
 * sent again. Pages away for longer open the text again.
 */
const keptFor = { steps: 24 * 60 * 60 * 1000, commits: 30 * 24 * 60 * 60 * 1000 };

/** Deletes what a stored document includes and was changed longer ago than that. */
export async function deleteOldCommits({ database }: Pick<Context, "database">, now: number): Promise<void> {
  await deleteInSteps(database, (tx, limit) => queries.deleteStepsBefore(tx, now - keptFor.steps, limit));
  await deleteInSteps(database, (tx, limit) => queries.deleteCommitsBefore(tx, now - keptFor.commits, limit));
}

/** Stores the whole text of drafts that have rested for a day, so that their changes can be deleted. */
export async function storeRestingDrafts(
  services: Pick<Context, "database" | "drafts">,
  now: number,
): Promise<void> {
  const { database } = services;
  const store = (id: string) =>
    database.write(async (tx) => {
      const row = await queries.draftOf(tx, id);
      if (row) await storeWholeDocument(services, tx, row, await documentOf(services, tx, row));
    });
  const failures: unknown[] = [];
  for (let after: string | undefined = ""; after !== undefined;) {
    const ids: string[] = await queries.unstoredDrafts(database.read, now - keptFor.steps, after, 50);
    // One that this release cannot read does not keep the others.
    for (const id of ids) await store(id).catch((error: unknown) => failures.push(error));
    after = ids.at(-1);
  }
  if (failures.length > 0) throw failures[0];
}

/** Returns a draft's document, from the cache or the stored document and commits. */
export async function documentOf(
  ctx: Pick<Context, "drafts">,
  connection: Connection,
  row: DraftHead,
): Promise<Node> {
  const cached = ctx.drafts.get(row.blogId, row.head);
  if (cached) return cached.document;
  const { document, work } = await readDraftDocument(connection, row);
  ctx.drafts.set(row.blogId, row.head, document, work);
  return document;
}

/** Returns the commits after `seq`; undefined if their steps are deleted, they are too many or too long, or unknown. */
export async function missedCommits(
  connection: Connection,
  row: DraftHead,
  seq: number,
): Promise<Commit[] | undefined> {
  const count = row.seq - seq;
  if (count === 0) return [];
  if (count < 0 || count > draftLimits.missedCommits) return undefined;
  const range = [connection, row.blogId, seq, row.seq + 1] as const;
  const { commits, bytes } = await queries.weighCommits(...range);
  if (commits !== count || bytes > draftLimits.missedBytes) return undefined;
  return presentCommits(connection, await queries.commitsBetween(...range));
}
