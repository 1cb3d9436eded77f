import type { Node } from "prosemirror-model";
import type { z } from "zod";
import { readDocument } from "../../shared/document/read.ts";
import { schema, type NodeJson } from "../../shared/document/schema.ts";
import { AppError } from "../../shared/errors.ts";
import { sameJson } from "../../shared/same-json.ts";
import type { SetLive } from "../../shared/drafts.ts";
import { actingAs } from "../accounts/acting-as.ts";
import type { MemberContext } from "../context.ts";
import type { Transaction } from "../database/writer.ts";
import { enqueue, enqueueOnce, NonRetryableError, type JobHandler } from "../jobs/jobs.ts";
import { blogTopic, userTopic } from "../live/stored-events.ts";
import { requireWriter } from "../profiles/access.ts";
import { authorsOf, writableBlog } from "../blogs/access.ts";
import { coAuthorIds } from "../authors/queries.ts";
import { documentOf, liveIntervalMs, liveJob } from "./commits.ts";
import { compose } from "./compose.ts";
import { fieldsOfBlog, savedForm, validFields } from "./draft-fields.ts";
import { markSaved, openOrBeginDraft } from "./drafts.ts";
import { publishVisibility } from "../blogs/events.ts";
import { resolvePictures } from "./pictures.ts";
import { ChangedMeanwhile, publishContent } from "./publish.ts";
import { blogDocument, blogFactsById, blogHtml, setLiveSince } from "../blogs/queries.ts";
import { digestOf } from "../text/changes.ts";
import { recordPublished, recordSeen } from "../history/versions.ts";
import { notifyWriters } from "./live.ts";
import { draftOf, lastCommitAuthor, type DraftHead } from "./queries.ts";

/** The job that ends idle live writing. */
export const liveEndJob = "draft.live-end";
/** Milliseconds without a keystroke after which it ends. */
const endsAfter = 60 * 60_000;
const mostTries = 5;

/**
 * Starts or ends showing a published blog to readers as it is written (docs/decisions/0022-live-updates-of-articles.md). Ends
 * with an ordinary blog and a version. Throws `bad_request` for a draft.
 */
export async function setLive(
  ctx: MemberContext,
  { id, live }: z.output<typeof SetLive>,
): Promise<{ live: boolean }> {
  const blog = await writableBlog(ctx.database.read, ctx.viewer, { id });
  if (live) await ctx.database.write((tx) => begin(ctx, tx, id));
  else if (blog.liveSince !== null) await end(ctx, id);
  return { live };
}

async function begin(ctx: MemberContext, tx: Transaction, id: string): Promise<void> {
  const blog = await writableBlog(tx, ctx.viewer, { id });
  await requireWriter(tx, ctx.viewer);
  if (blog.draft) throw new AppError("bad_request", "Publish this draft first.");
  if (blog.liveSince !== null) return;
  const now = Date.now();
  await recordSeen(tx, blog);
  await openOrBeginDraft(ctx, tx, blog);
  await setLiveSince(tx, id, now);
  await publishLiveChange(tx, id, blog.authorId);
  await enqueueOnce(tx, liveJob, { blogId: id }, liveIntervalMs);
  await enqueue(tx, liveEndJob, { blogId: id, since: now }, now + endsAfter);
}

async function publishLiveChange(tx: Transaction, blogId: string, authorId: string): Promise<void> {
  const previousDigest = digestOf(await blogHtml(tx, blogId));
  await tx.emit(blogTopic(blogId), { kind: "blog.edited", was: previousDigest });
  for (const author of [authorId, ...(await coAuthorIds(tx, blogId))])
    await tx.emit(userTopic(author), { kind: "viewer.blogsChanged", blogId });
}

/** Finishes all blocks. If they cannot be published, readers keep what they see. */
async function end(ctx: MemberContext, id: string, writtenUpTo?: number): Promise<void> {
  for (let tries = 1; ; tries++)
    try {
      await publishFinished(ctx, id, true);
      break;
    } catch (error) {
      if (!(error instanceof AppError) || error.code === "unavailable") throw error;
      // A concurrent change: retry on top of it.
      if (error instanceof ChangedMeanwhile && tries < mostTries) continue;
      await notifyWriters(ctx, id, notDisplayed(error));
      break;
    }
  await ctx.database.write(async (tx) => {
    const blog = await writableBlog(tx, ctx.viewer, { id });
    if (blog.liveSince === null) return;
    const by = writtenUpTo === undefined ? undefined : await lastCommitAuthor(tx, id, writtenUpTo);
    await setLiveSince(tx, id, null);
    await recordPublished(tx, id, { by: by ?? ctx.viewer.id, at: Date.now() });
    await publishLiveChange(tx, id, blog.authorId);
    // For open searches.
    await publishVisibility(tx, blog.authorId, id, blog, blog);
  });
  ctx.drafts.finished.forget(id);
}

const notDisplayed = ({ message }: AppError): string =>
  `Readers don’t see the latest changes yet: ${message}`;

/** Publishes the finished blocks of a live-written text. */
export const publishLive: JobHandler<{ blogId: string }> = {
  run: async (services, { blogId }) => {
    const { database } = services;
    const blog = await blogFactsById(database.read, blogId, null);
    if (!blog || blog.liveSince === null) return;
    if (blog.draft) return database.write((tx) => setLiveSince(tx, blogId, null));
    const ctx = actingAs(services, blog.authorId);
    const enqueueAgain = () => database.write((tx) => enqueueOnce(tx, liveJob, { blogId }, liveIntervalMs));
    try {
      if (await publishFinished(ctx, blogId, false)) await enqueueAgain();
    } catch (error) {
      if (!(error instanceof AppError) || error.code === "unavailable") throw error;
      // A concurrent change.
      if (error instanceof ChangedMeanwhile) return enqueueAgain();
      await notifyWriters(ctx, blogId, notDisplayed(error));
      throw new NonRetryableError(error.message);
    }
  },
};

/** Ends live writing after an hour without changes. */
export const endLive: JobHandler<{ blogId: string; since: number }> = {
  run: async (services, { blogId, since }) => {
    const { database } = services;
    const blog = await blogFactsById(database.read, blogId, null);
    // A later session has its own job.
    if (blog?.liveSince !== since) return;
    const row = await draftOf(database.read, blogId);
    const endsAt = Math.max(since, row?.changedAt ?? 0) + endsAfter;
    if (endsAt > Date.now()) {
      await database.write((tx) => enqueue(tx, liveEndJob, { blogId, since }, endsAt));
      return;
    }
    await end(actingAs(services, blog.authorId), blogId, row?.seq).catch(async (error: unknown) => {
      if (!(error instanceof AppError) || error.code === "unavailable") throw error;
      // An author who can no longer publish ends it with what readers see.
      await database.write(async (tx) => {
        await setLiveSince(tx, blogId, null);
        await publishLiveChange(tx, blogId, blog.authorId);
      });
    });
  },
};

/** Returns whether unfinished blocks remain. */
async function publishFinished(ctx: MemberContext, id: string, all: boolean): Promise<boolean> {
  const { read } = ctx.database;
  const blog = await writableBlog(read, ctx.viewer, { id });
  const [row, body] = [await draftOf(read, id), await blogDocument(read, id)];
  if (!row || !body) return false;
  const displayed = readDocument(JSON.parse(body.document));
  const current = await documentOf(ctx, read, row);
  const { finished } = ctx.drafts;
  const { blocks, isWaiting } = finished.finishedBlocks(
    id,
    { document: displayed, etag: blog.etag },
    { document: current, seq: row.seq, changedAt: row.changedAt },
    Date.now(),
    all,
  );
  const document = publishedForm(blocks);
  if (JSON.stringify(document) === body.document) {
    finished.recordPublished(id, blog.etag, document.content!.length);
    return isWaiting;
  }
  const authors = await authorsOf(read, blog);
  const composed = await compose(ctx, document, (sent) => resolvePictures(ctx, sent, authors));
  const { etag } = await ctx.database.write(async (tx) => {
    const now = await writableBlog(tx, ctx.viewer, { id });
    if (now.etag !== blog.etag || now.liveSince === null) throw new ChangedMeanwhile();
    await requireWriter(tx, ctx.viewer);
    const by = await lastCommitAuthor(tx, id, row.seq);
    const saved = await publishContent(ctx, tx, now, { content: {}, composed, by, live: "shows" });
    if (JSON.stringify(savedForm(current)) === JSON.stringify(document)) await markIfShown(tx, row);
    return saved;
  });
  finished.recordPublished(id, etag, document.content!.length);
  return isWaiting;
}

/** Marks a live-written draft, whose text readers see, as published if they see its fields, too. */
async function markIfShown(tx: Transaction, row: DraftHead): Promise<void> {
  const [latest, blog] = [await draftOf(tx, row.blogId), await blogFactsById(tx, row.blogId, null)];
  if (latest?.seq !== row.seq || !blog) return;
  const seen = await fieldsOfBlog(tx, blog);
  if (sameJson(seen, validFields({ ...row.fields, restores: null }))) await markSaved(tx, latest, row.seq);
}

function publishedForm(blocks: readonly Node[]): NodeJson {
  const content = blocks.length > 0 ? blocks : [schema.nodes.paragraph.create()];
  return savedForm(schema.nodes.doc.create(null, content));
}
