import { ReplaceStep, type Step } from "prosemirror-transform";
import type { z } from "zod";
import { schemaMark } from "../../shared/document/schema-mark.ts";
import { mergedFields } from "../../shared/drafts.ts";
import type { DraftFields, PushCommit, PushResult } from "../../shared/drafts.ts";
import { AppError } from "../../shared/errors.ts";
import type { MemberContext } from "../context.ts";
import type { Transaction } from "../database/writer.ts";
import { epochOf } from "../live/event-log.ts";
import { requireWriter } from "../profiles/access.ts";
import { StorageFullError, takeText } from "../profiles/quotas.ts";
import { authorsOf, writableBlog } from "../blogs/access.ts";
import { chargeWork, documentOf, missedCommits, storeCommit, toCommit, type NewCommit } from "./commits.ts";
import { applySteps, readSteps } from "./draft-document.ts";
import * as queries from "./queries.ts";
import type { DraftHead } from "./queries.ts";
import { openOrBeginDraft } from "./drafts.ts";
import { requireCover } from "./pictures.ts";
import type { BlogFacts } from "../blogs/queries.ts";
import { recordDraft } from "../history/versions.ts";

/**
 * Stores a commit; if it missed changes of the same text, returns those instead. A known commit gets the same answer. Throws
 * `bad_request` for steps that do not fit, `conflict` for a page of another release or above the most writers.
 */
export async function pushCommit(
  ctx: MemberContext,
  input: z.output<typeof PushCommit>,
): Promise<PushResult> {
  const { id, seq, epoch, client, number, fields } = input;
  if (input.schema !== schemaMark)
    throw new AppError(
      "conflict",
      "The site was updated. Reload the page; your text is saved on this device.",
      { field: "schema" },
    );
  const steps = readSteps(input.steps);
  const changedFields = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const commit = toCommit({ client, number }, steps, changedFields);
  const keepsVersion = await takeRoom(ctx, id, commit, changedFields);
  const work = { cost: 0, version: 0 };
  const push = async (tx: Transaction): Promise<PushResult> => {
    const blog = await writableBlog(tx, ctx.viewer, { id });
    await requireWriter(tx, ctx.viewer);
    if (epoch !== (await epochOf(tx))) return { kind: "lost" };
    const row = await openOrBeginDraft(ctx, tx, blog);
    const stored = await storedBefore(tx, ctx, id, commit);
    if (stored !== null) return { kind: "stored", seq: stored };
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
    if (fields.restores) {
      work.version = current.nodeSize;
      await recordDraft(tx, blog, row, current, { reason: "before-restore", at: row.changedAt });
    } else if (keepsVersion && isVersionDue(row))
      await recordDraft(tx, blog, row, current, { reason: "written", at: row.changedAt });
    const document = applySteps(current, steps, work);
    return {
      kind: "stored",
      seq: await storeCommit(ctx, tx, row, document, { ...commit, work: work.cost }, true),
    };
  };
  try {
    return await ctx.database.write(push);
  } finally {
    chargeWork(ctx, work.cost + work.version);
  }
}

/** Whether what was written before the next commit is to be a version. */
const isVersionDue = ({ nextVersionAt }: DraftHead): boolean =>
  nextVersionAt !== null && nextVersionAt <= Date.now();

/** Returns the number of a commit that was stored before. Throws `conflict` if it was another one. */
async function storedBefore(
  tx: Transaction,
  { viewer }: MemberContext,
  id: string,
  commit: NewCommit,
): Promise<number | null> {
  const stored = await queries.commitBy(tx, id, viewer.id, commit);
  if (stored && stored.digest !== commit.digest)
    throw new AppError("conflict", "Another change with the same number came from this page.", {
      field: "number",
    });
  return stored?.seq ?? null;
}

const deletesOnly = (step: Step): boolean => step instanceof ReplaceStep && step.slice.size === 0;

/**
 * Takes the storage that a commit needs, and the version that it may record. Returns whether there is room for the version. A full
 * storage takes what is sent again, and what makes room.
 */
async function takeRoom(
  ctx: MemberContext,
  id: string,
  { steps, fields, changes, ...commit }: NewCommit,
  { restores }: Partial<DraftFields>,
): Promise<boolean> {
  const { read } = ctx.database;
  const { authorId }: BlogFacts = await writableBlog(read, ctx.viewer, { id });
  const kept = " Your text is saved on this device.";
  const bytes = Buffer.byteLength(steps) + Buffer.byteLength(fields);
  const isDeletion = bytes < 1_000 && changes.length > 0 && changes.every(deletesOnly);
  if (!isDeletion && !(await queries.commitBy(read, id, ctx.viewer.id, commit)))
    await takeText(ctx, authorId, bytes, kept);
  const row = await queries.draftOf(read, id);
  if (!row || (!restores && !isVersionDue(row))) return true;
  try {
    await takeText(ctx, authorId, await queries.draftBytes(read, id), kept);
    return true;
  } catch (error) {
    // What is written goes on without a version.
    if (restores || !(error instanceof StorageFullError)) throw error;
    return false;
  }
}

/** Throws `conflict` if the most people already write in the text. */
function requireWriterSlot(ctx: MemberContext, blogId: string, client: string): void {
  if (ctx.draftPresence.mayWrite(blogId, ctx.viewer.id, client)) return;
  throw new AppError(
    "conflict",
    "Eight people are already writing here. Your text is saved on this device, and will be sent when one leaves.",
    { field: "client" },
  );
}
