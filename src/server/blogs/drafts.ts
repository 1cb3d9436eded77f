import { hash } from "node:crypto";
import type { Node } from "prosemirror-model";
import { ReplaceStep, Step } from "prosemirror-transform";
import type { z } from "zod";
import { readDocument } from "../../shared/document/read.ts";
import { schema } from "../../shared/document/schema.ts";
import { stepBetween } from "../../shared/document/step-between.ts";
import { schemaMark } from "../../shared/document/schema-mark.ts";
import { stepCost } from "../../shared/document/step-cost.ts";
import { AppError } from "../../shared/errors.ts";
import { sameJson } from "../../shared/same-json.ts";
import { applyFieldChange, mergedFields, draftLimits } from "../../shared/drafts.ts";
import type {
  Commit,
  CommitsSince,
  PushCommit,
  PushResult,
  UnsavedBlog,
  Writing,
  DraftFields,
  DraftSince,
} from "../../shared/drafts.ts";
import type { Context, MemberContext } from "../context.ts";
import type { Connection, Database } from "../database/connection.ts";
import { deleteInSteps } from "../database/run-in-steps.ts";
import type { Transaction } from "../database/writer.ts";
import { newId } from "../runtime/ids.ts";
import { enqueueOnce } from "../jobs/jobs.ts";
import { draftTopic } from "../live/stored-events.ts";
import { epochOf } from "../live/event-log.ts";
import { presentPicture } from "../media/paths.ts";
import { picturesByIds } from "../media/queries.ts";
import { requireWriter } from "../profiles/access.ts";
import { takeText } from "../profiles/quotas.ts";
import { authorsOf, writableBlog } from "./access.ts";
import { wasNeverPublished } from "./address.ts";
import { requireCover } from "./pictures.ts";
import type { BlogFacts } from "./queries.ts";
import { isAtRest } from "./versions.ts";
import { presentSchedule } from "./schedule.ts";
import { scheduleOf } from "./schedule-queries.ts";
import { isSlugOfTitle } from "./slug.ts";
import { contentOfBlog, fieldsOfBlog, textOfBlog } from "./draft-content.ts";
import { applySteps, readSteps } from "./draft-document.ts";
import { mergeChanges } from "./draft-merge.ts";
import { requireWriterSlot } from "./draft-carets.ts";
import { picturesIn, storeDraftPictures } from "./draft-pictures.ts";
import * as queries from "./draft-queries.ts";
import type { CommitRow, DraftHead } from "./draft-queries.ts";
import { hasUnpublishedChanges, recordDraft } from "./draft-versions.ts";

export const saveJob = "draft.save";
/** The job that copies pictures of other sites, and its interval in milliseconds. */
export const copyJob = "draft.copy-pictures";
export const copyIntervalMs = 1_000;
/** The job that publishes live-written text, and its interval in milliseconds. */
export const liveJob = "draft.live";
export const liveIntervalMs = 1_000;
/** Milliseconds between autosaves: of drafts, which lists show, and of unpublished changes. */
const autosaveIntervalMs = { draft: 1_000, published: 60_000 };
/** Commits, and their work, after which the whole document is stored, which bounds the cost of opening it. */
const mostUnstored = { commits: 100, work: draftLimits.cost };
/** Work for a point of the rate limit `text`: about a millisecond. */
const workPerPoint = 2_000;

type Writer = Pick<Context, "drafts" | "viewer">;

/** Opens a blog's draft; begins one if there is none. */
export async function openDraft(ctx: MemberContext, { id }: { id: string }): Promise<Writing> {
  const { row, guessedLanguage } = await ctx.database.write(async (tx) => {
    const blog = await writableBlog(tx, ctx.viewer, { id });
    await requireWriter(tx, ctx.viewer);
    return { row: await openOrBeginDraft(ctx, tx, blog), guessedLanguage: blog.guessedLanguage };
  });
  const { read } = ctx.database;
  const document = (await documentOf(ctx, read, row)).toJSON() as unknown;
  const { seq, savedSeq: since, fields } = row;
  const [picture] = await picturesByIds(read, fields.coverId ? [fields.coverId] : []);
  return {
    id,
    seq,
    since,
    document,
    fields,
    cover: presentPicture(picture ?? null),
    isUnsaved: row.begunBy !== null,
    guessedLanguage,
    epoch: await epochOf(read),
  };
}

/** Returns the viewer's new blogs that were never saved, last changed first. */
export async function unfinished(ctx: MemberContext): Promise<{ blogs: UnsavedBlog[] }> {
  const rows = await queries.unsavedBlogs(ctx.database.read, ctx.viewer.id, draftLimits.unfinished);
  const blogs = rows.map(({ id, fields: { title }, changedAt }) => ({
    id,
    title,
    changedAt: new Date(changedAt).toISOString(),
  }));
  return { blogs };
}

/** Returns the commits after `seq`; null if the text must be opened again. */
export async function commitsSince(
  ctx: MemberContext,
  { id, seq, epoch }: z.output<typeof DraftSince>,
): Promise<CommitsSince> {
  const { read } = ctx.database;
  const { guessedLanguage } = await writableBlog(read, ctx.viewer, { id });
  const row = await queries.draftOf(read, id);
  if (!row || epoch !== (await epochOf(read))) return { commits: null, saved: null };
  const saved = {
    seq: row.savedSeq,
    draft: row.draft,
    isUnsaved: row.begunBy !== null,
    schedule: presentSchedule(await scheduleOf(read, id)),
    guessedLanguage,
  };
  return { commits: (await missedCommits(read, row, seq)) ?? null, saved };
}

/**
 * Stores a commit; if it missed changes of the same text, returns those instead. A known commit gets the same answer. Throws
 * `bad_request` for steps that do not fit, `conflict` for a page of another release or above the most writers.
 */
export async function pushCommit(
  ctx: MemberContext,
  { id, seq, epoch, client, number, steps: text, fields, schema: clientSchema }: z.output<typeof PushCommit>,
): Promise<PushResult> {
  if (clientSchema !== schemaMark)
    throw new AppError(
      "conflict",
      "The site was updated. Reload the page; your text is saved on this device.",
      { field: "schema" },
    );
  const steps = readSteps(text);
  const changedFields = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const commit = toCommit({ client, number }, steps, changedFields);
  const page = `${ctx.viewer.id} ${client}`;
  const { id: viewerId } = ctx.viewer;
  const bytes = Buffer.byteLength(commit.steps) + Buffer.byteLength(commit.fields);
  const { authorId } = await writableBlog(ctx.database.read, ctx.viewer, { id });
  // A full storage takes what is sent again, and what makes room.
  const isDeletion = bytes < 1_000 && steps.length > 0 && steps.every(deletesOnly);
  if (!isDeletion && !(await queries.commitBy(ctx.database.read, id, viewerId, commit)))
    await takeText(ctx, authorId, bytes, " Your text is saved on this device.");
  const work = { cost: 0 };
  let versionWork = 0;
  const push = async (tx: Transaction): Promise<PushResult> => {
    const blog = await writableBlog(tx, ctx.viewer, { id });
    await requireWriter(tx, ctx.viewer);
    if (epoch !== (await epochOf(tx))) return { kind: "lost" };
    const row = await openOrBeginDraft(ctx, tx, blog);
    const storedCommit = await queries.commitBy(tx, id, viewerId, commit);
    if (storedCommit && storedCommit.digest !== commit.digest)
      throw new AppError("conflict", "Another change with the same number came from this page.", {
        field: "number",
      });
    if (storedCommit) return { kind: "stored", seq: storedCommit.seq };
    requireWriterSlot(ctx, id, client);
    if (seq !== row.seq) {
      const before = await missedCommits(tx, row, seq);
      if (!before) return { kind: "lost" };
      const isBehind = before.some(
        (missed) =>
          (steps.length > 0 && missed.steps.length > 0) ||
          mergedFields.some((name) => name in changedFields && name in missed.fields),
      );
      if (isBehind) return { kind: "behind", commits: before };
    }
    if (fields.coverId) await requireCover(tx, await authorsOf(tx, blog), fields.coverId);
    const current = await documentOf(ctx, tx, row);
    const isAfterPause = hasUnpublishedChanges(row) && isAtRest(row.changedAt, Date.now());
    if (fields.restores) versionWork = current.nodeSize;
    if (fields.restores || isAfterPause)
      await recordDraft(tx, blog, row, current, {
        why: blog.draft ? "draft" : "unpublished",
        at: row.changedAt,
      });
    const document = applySteps(current, steps, work);
    return { kind: "stored", seq: await store(ctx, tx, row, document, { ...commit, work: work.cost }, page) };
  };
  try {
    return await ctx.database.write(push);
  } finally {
    chargeWork(ctx, work.cost + versionWork);
  }
}

const deletesOnly = (step: Step): boolean => step instanceof ReplaceStep && step.slice.size === 0;

/** Counts work that was done against the next commits of the viewer. */
function chargeWork({ limits, viewer }: MemberContext, work: number): void {
  limits.take("text", viewer.id, Math.floor(work / workPerPoint)).catch(() => undefined);
}

/** Discards unsaved changes by a commit that restores the blog's state. The history keeps them. */
export async function discardDraft(ctx: MemberContext, { id }: { id: string }): Promise<{ id: string }> {
  const work = await ctx.database.write(async (tx) => {
    const blog = await writableBlog(tx, ctx.viewer, { id });
    const row = await openOrBeginDraft(ctx, tx, blog);
    const current = await documentOf(ctx, tx, row);
    if (row.seq !== row.savedSeq)
      await recordDraft(tx, blog, row, current, { why: "discarded", at: Date.now(), by: ctx.viewer.id });
    const [fields, document] = await contentOfBlog(tx, blog);
    const other = Object.entries(fields).filter(
      ([name, value]) => !sameJson(value, row.fields[name as keyof DraftFields]),
    );
    const seq = await commitOfSite(ctx, tx, row, document, Object.fromEntries(other));
    await storeDraftPictures(tx, id, []);
    await queries.updateDraft(tx, id, { savedSeq: seq, begunBy: null });
    await tx.emit(draftTopic(id), { kind: "draft.saved", seq, draft: blog.draft });
    return current.nodeSize + document.nodeSize;
  });
  chargeWork(ctx, work);
  return { id };
}

async function openOrBeginDraft(ctx: Writer, tx: Transaction, blog: BlogFacts): Promise<DraftHead> {
  return (await queries.draftOf(tx, blog.id)) ?? beginDraft(ctx, tx, blog);
}

/**
 * Call before a save from outside the draft (API, import, older page). The returned function, called after it, merges
 * the change into the draft beside unsaved changes; the later change of a field wins. Undefined without a
 * draft. `hasText`: the text may have changed.
 */
export async function prepareMerge(
  ctx: Writer,
  tx: Transaction,
  before: BlogFacts,
  hasText: boolean,
): Promise<((after: BlogFacts) => Promise<void>) | undefined> {
  const row = await queries.draftOf(tx, before.id);
  if (!row) return undefined;
  const fieldsBefore = await fieldsOfBlog(tx, before);
  const documentBefore = hasText ? await textOfBlog(tx, before) : null;
  return async (after) => {
    const fieldsAfter = await fieldsOfBlog(tx, after);
    const changed = Object.entries(fieldsAfter).filter(
      ([name, value]) =>
        !sameJson(value, fieldsBefore[name as keyof DraftFields]) &&
        !sameJson(value, row.fields[name as keyof DraftFields]),
    );
    // It was meant for the previous state.
    if (before.draft !== after.draft && row.fields.intent !== null) changed.push(["intent", null]);
    const current = await documentOf(ctx, tx, row);
    const merged = documentBefore && mergeChanges(current, documentBefore, await textOfBlog(tx, after));
    const seq =
      merged || changed.length > 0
        ? await store(
            ctx,
            tx,
            row,
            merged?.document ?? current,
            siteCommit(merged?.steps, Object.fromEntries(changed)),
          )
        : row.seq;
    // Unsaved changes remain unsaved.
    const savedSeq = row.savedSeq === row.seq ? seq : row.savedSeq;
    if (savedSeq === seq) await storeDraftPictures(tx, after.id, []);
    // A published blog keeps its address, whatever its title.
    const named = after.draft ? {} : { namedFor: null };
    await queries.updateDraft(tx, after.id, { savedSeq, begunBy: null, ...named });
    await tx.emit(draftTopic(after.id), { kind: "draft.saved", seq: savedSeq, draft: after.draft });
  };
}

/** Commits the changes from one document of a draft to another, in its current text. */
export async function commitMerged(
  ctx: Writer,
  tx: Transaction,
  row: DraftHead,
  before: Node,
  after: Node,
): Promise<void> {
  const merged = mergeChanges(await documentOf(ctx, tx, row), before, after);
  if (merged) await store(ctx, tx, row, merged.document, siteCommit(merged.steps));
}

/** Begins a draft from the blog and `about`. `begunBy`: the author of a new blog. */
export async function beginDraft(
  ctx: Writer,
  tx: Transaction,
  blog: BlogFacts,
  { about = {}, begunBy = null }: { about?: Partial<DraftFields>; begunBy?: string | null } = {},
): Promise<DraftHead> {
  const [fields, document] = await contentOfBlog(tx, blog);
  const row = {
    blogId: blog.id,
    seq: 1,
    head: newId(),
    fields: { ...fields, ...about },
    document: JSON.stringify(document.toJSON()),
    documentSeq: 1,
    savedSeq: 1,
    namedFor: wasNeverPublished(blog) && isSlugOfTitle(blog.slug, blog.title) ? blog.title : null,
    changedAt: Date.now(),
    begunBy,
  };
  await queries.insertDraft(tx, row);
  ctx.drafts.set(blog.id, row.head, document, 0);
  return { ...row, draft: blog.draft, liveSince: blog.liveSince };
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
  return store(ctx, tx, row, next, siteCommit(step ? [step] : [], fields));
}

/** A commit to be stored: `steps` and `fields` as JSON. */
interface NewCommit extends Pick<CommitRow, "client" | "number" | "digest"> {
  steps: string;
  fields: string;
  change: Partial<DraftFields>;
  changes: readonly Step[];
  /** See `stepCost`. */
  work: number;
}

function toCommit(
  page: Pick<CommitRow, "client" | "number">,
  steps: readonly Step[],
  change: Partial<DraftFields>,
): NewCommit {
  const [json, fields] = [JSON.stringify(steps), JSON.stringify(change)];
  const digest = hash("sha256", `${json} ${fields}`, "base64url");
  return { ...page, digest, steps: json, fields, change, changes: steps, work: 0 };
}

/** Returns a commit of the site itself, as of a page that makes no other. */
const siteCommit = (steps: readonly Step[] = [], fields: Partial<DraftFields> = {}) =>
  toCommit({ client: newId(), number: 1 }, steps, fields);

async function store(
  ctx: Writer,
  tx: Transaction,
  row: DraftHead,
  document: Node,
  { change, changes, work, ...commit }: NewCommit,
  /** The page that sent it. */
  page: string | null = null,
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
  if (Object.keys(change).length === 0)
    await queries.recordTextCommit(tx, blogId, { seq, head, changedAt: now });
  else await queries.updateDraft(tx, blogId, { seq, head, fields, changedAt: now });
  ctx.drafts.set(blogId, head, document, unstored);
  if (seq - row.documentSeq >= mostUnstored.commits || unstored >= mostUnstored.work)
    await storeWholeDocument(ctx, tx, latest, document);
  const hasPicture = commit.steps.includes('image"');
  if (change.coverId !== undefined || hasPicture)
    await storeDraftPictures(tx, blogId, [...picturesIn(document), fields.coverId]);
  if (hasPicture && /"src":"https?:/i.test(commit.steps))
    await enqueueOnce(tx, copyJob, { blogId }, copyIntervalMs);
  await tx.emit(draftTopic(blogId), { kind: "draft.committed", seq });
  await enqueueOnce(
    tx,
    saveJob,
    { blogId },
    row.draft ? autosaveIntervalMs.draft : autosaveIntervalMs.published,
  );
  if (row.liveSince !== null) {
    ctx.drafts.finished.recordCommit(blogId, seq, changes, page, now);
    await enqueueOnce(tx, liveJob, { blogId }, liveIntervalMs);
  }
  return seq;
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

export async function deleteOldCommits(database: Pick<Database, "write">, now: number): Promise<void> {
  await deleteInSteps(database, (tx, limit) => queries.deleteStepsBefore(tx, now - keptFor.steps, limit));
  await deleteInSteps(database, (tx, limit) => queries.deleteCommitsBefore(tx, now - keptFor.commits, limit));
}

/** Returns a draft's document, from the cache or the stored document and commits. */
export async function documentOf(
  ctx: Pick<Context, "drafts">,
  connection: Connection,
  row: DraftHead,
): Promise<Node> {
  const cached = ctx.drafts.get(row.blogId, row.head);
  if (cached) return cached.document;
  let document = readDocument(JSON.parse((await queries.writtenDocument(connection, row.blogId)) ?? "null"));
  const range = [connection, row.blogId, row.documentSeq, row.seq + 1] as const;
  let work = (await queries.weighCommits(...range)).bytes / 10;
  for (const { steps } of await queries.commitsBetween(...range))
    for (const json of steps) {
      const step = Step.fromJSON(schema, json);
      work += stepCost(document, step);
      document = step.apply(document).doc ?? document;
    }
  ctx.drafts.set(row.blogId, row.head, document, work);
  return document;
}

/** Returns the commits after `seq`; undefined if their steps are deleted, they are too many or too long, or unknown. */
async function missedCommits(
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

export async function presentCommits(connection: Connection, rows: CommitRow[]): Promise<Commit[]> {
  const ids = rows.flatMap(({ fields }) => fields.coverId ?? []);
  const pictures = new Map((await picturesByIds(connection, ids)).map((picture) => [picture.id, picture]));
  return rows.map(({ seq, authorId, client, number, steps, fields }) => ({
    seq,
    author: authorId,
    client,
    number,
    steps,
    fields,
    ...(fields.coverId === undefined
      ? {}
      : { cover: presentPicture(pictures.get(fields.coverId ?? "") ?? null) }),
  }));
}
