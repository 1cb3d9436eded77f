import { z } from "zod";
import { BlogUpdate, OwnSlug, type SavedBlog } from "../../shared/blogs.ts";
import { readDocument } from "../../shared/document/read.ts";
import type { Content, DraftFields, PublishDraft } from "../../shared/drafts.ts";
import { AppError, messages } from "../../shared/errors.ts";
import { hasVisibleText } from "../../shared/plain-text.ts";
import { sameJson } from "../../shared/same-json.ts";
import type { MemberContext } from "../context.ts";
import type { Transaction } from "../database/writer.ts";
import { fieldOf } from "../http/input-messages.ts";
import { ensureOwnPictures } from "../media/service.ts";
import { requireWriter } from "../profiles/access.ts";
import { takeText } from "../profiles/quotas.ts";
import { authorsOf, writableBlog } from "../blogs/access.ts";
import { commitOfSite, documentOf } from "./commits.ts";
import { compose, type Composed } from "./compose.ts";
import { nameOf, savedForm } from "./draft-fields.ts";
import { startLive, takeStart } from "../entries/on-air.ts";
import { draftOf, isUnpublished, type DraftHead } from "./queries.ts";
import { markSaved, openOrBeginDraft } from "./drafts.ts";
import { resolvePictures } from "./pictures.ts";
import type { Precondition } from "./precondition.ts";
import { ChangedMeanwhile, isSameState, publishContent, retryIfChanged } from "./publish.ts";
import type { BlogFacts } from "../blogs/queries.ts";
import { saveDraft } from "./save-draft.ts";
import { isSameSchedule } from "./schedule.ts";
import { scheduleOf } from "./schedule-queries.ts";
import { wordsOf } from "../blogs/slug.ts";
import { isVersionOf } from "../history/queries.ts";
import { recordDraft } from "../history/versions.ts";

/** What a program or a job adds to the publication of a draft. */
export interface PublishOptions {
  /** Changes of the draft that are published with it. */
  change?: Partial<DraftFields>;
  /** Replaces the draft's text: a document as JSON. */
  document?: unknown;
  slug?: string | undefined;
  condition?: Precondition | undefined;
  publishedAt?: number | undefined;
  covers?: readonly string[] | undefined;
  /** Runs first in the transaction; what it throws refuses the publication. */
  first?: ((tx: Transaction) => Promise<void>) | undefined;
  /** Runs last in the transaction. */
  also?: ((tx: Transaction, saved: SavedBlog) => Promise<void>) | undefined;
}

/** Publishes a blog's draft, or saves it as a draft, for the form. */
export async function publish(
  ctx: MemberContext,
  { id, draft, schedule, live }: z.output<typeof PublishDraft>,
): Promise<SavedBlog> {
  if (live && !draft) await takeStart(ctx, id);
  return draft
    ? retryIfChanged(() => saveAsDraft(ctx, { id, schedule }))
    : publishDraft(ctx, { id }, live ? { also: (tx) => startLive(tx, ctx.viewer, id) } : {});
}

/**
 * Publishes what a blog's draft says. What is typed meanwhile stays unpublished. Throws `bad_request` with the field that cannot be
 * published, `conflict` for a taken address, `forbidden` if moderators took the blog down.
 */
export async function publishDraft(
  ctx: MemberContext,
  { id }: { id: string },
  options: PublishOptions = {},
): Promise<SavedBlog> {
  return retryIfChanged(async () => {
    const blog = await writableBlog(ctx.database.read, ctx.viewer, { id });
    requireNotTakenDown(blog);
    return publishFrom(ctx, blog, options);
  });
}

/** Throws `forbidden` for a blog that moderators took down. */
export function requireNotTakenDown({ takedownReason }: Pick<BlogFacts, "takedownReason">): void {
  if (takedownReason === null) return;
  throw new AppError(
    "forbidden",
    `Moderators took this blog down${takedownReason ? `: ${takedownReason}` : "."} You can save it as a draft, and publish it once they restore it.`,
  );
}

/** Saves a draft with its address and time. If moderators took the blog down, they see the saved text. */
async function saveAsDraft(
  ctx: MemberContext,
  { id, schedule }: Pick<z.output<typeof PublishDraft>, "id" | "schedule">,
): Promise<SavedBlog> {
  const { read } = ctx.database;
  const blog = await writableBlog(read, ctx.viewer, { id });
  await requireWriter(read, ctx.viewer);
  if (!blog.draft || !isSameSchedule(schedule, await scheduleOf(read, id)))
    await ctx.limits.take("visibility", ctx.viewer.id);
  if (blog.draft && !isUnpublished(blog)) return publishFrom(ctx, blog, {});
  return ctx.database.write(async (tx) => {
    const current = await writableBlog(tx, ctx.viewer, { id });
    if (!isSameState(current, blog)) throw new ChangedMeanwhile();
    await requireWriter(tx, ctx.viewer);
    const row = await openOrBeginDraft(ctx, tx, current);
    const { address } = row.fields;
    const { data: slug, error } = OwnSlug.optional().safeParse(address === "" ? undefined : address);
    if (error) throw invalid(error.issues[0], "slug");
    const isMade = slug === undefined && row.namedFor !== null;
    const isNamed = !isMade || wordsOf(row.namedFor ?? "") === wordsOf(nameOf(row));
    return saveDraft(ctx, tx, current, row, {
      change: appliedFields(row.fields, row.fields),
      slug,
      namesAgain: !isNamed,
      namedFor: isMade ? nameOf(row) : null,
      schedule,
    });
  });
}

/** Publishes a blog as it was read. Throws `ChangedMeanwhile` if it changed since, and what `publishDraft` throws. */
export async function publishFrom(
  ctx: MemberContext,
  blog: BlogFacts,
  { change = {}, document, condition, ...options }: PublishOptions,
): Promise<SavedBlog> {
  const { read } = ctx.database;
  const { id } = blog;
  await requireWriter(read, ctx.viewer);
  const row =
    (await draftOf(read, id)) ?? (await ctx.database.write((tx) => openOrBeginDraft(ctx, tx, blog)));
  const { restores, slug, content } = validContent(id, { ...row.fields, ...change });
  if ((blog.draft && isUnpublished(blog)) || content.private !== blog.private)
    await ctx.limits.take("visibility", ctx.viewer.id);
  const text = document ?? savedForm(await documentOf(ctx, read, row));
  const authors = await authorsOf(read, blog);
  const composed = await compose(ctx, text, (sent) => resolvePictures(ctx, sent, authors));
  await takeText(ctx, blog.authorId, Buffer.byteLength(composed.document));
  const coverId = await ownCover(ctx, content.coverId, authors);
  const requestedSlug = options.slug ?? slug;
  const isNamed = row.namedFor === null || wordsOf(row.namedFor) === wordsOf(content.title);
  return ctx.database.write(async (tx) => {
    await options.first?.(tx);
    const current = await unchanged(ctx, tx, blog, row, document !== undefined);
    if (condition && !condition.holds(current)) throw condition.refusal();
    await requireWriter(tx, ctx.viewer);
    if (document !== undefined) {
      const written = await documentOf(ctx, tx, row);
      await recordDraft(tx, current, row, written, { reason: "written", at: row.changedAt });
    }
    const isKept = restores !== null && (await isVersionOf(tx, id, restores));
    const saved = await publishContent(ctx, tx, current, {
      content: { ...content, coverId },
      composed,
      slug: requestedSlug,
      namesAgain: !isNamed && requestedSlug === undefined,
      restores: isKept ? restores : undefined,
      publishedAt: options.publishedAt,
      covers: options.covers,
    });
    await options.also?.(tx, saved);
    await markPublished(ctx, tx, row, composed, change);
    return saved;
  });
}

/** Returns the cover as a picture of one of the authors: that of a former co-author is copied, as those of the text are. */
async function ownCover(
  ctx: MemberContext,
  coverId: string | null,
  authors: string[],
): Promise<string | null> {
  const own = coverId === null ? undefined : await ensureOwnPictures(ctx, [coverId], authors);
  return own?.get(coverId ?? "") ?? coverId;
}

/** Returns the blog that was prepared. Throws `ChangedMeanwhile` if publishing it now would undo another change. */
async function unchanged(
  ctx: MemberContext,
  tx: Transaction,
  prepared: BlogFacts,
  row: DraftHead,
  replacesText: boolean,
): Promise<BlogFacts> {
  const blog = await writableBlog(tx, ctx.viewer, { id: prepared.id });
  const latest = await draftOf(tx, prepared.id);
  // Each commit changes the etag of an unpublished blog, which does not matter here.
  const isSameEtag = isUnpublished(blog) || blog.etag === prepared.etag;
  const isSameDraft = latest?.savedSeq === row.savedSeq && (!replacesText || latest.seq === row.seq);
  if (!isSameState(blog, prepared) || !isSameEtag || !isSameDraft) throw new ChangedMeanwhile();
  return blog;
}

const titleMissing = () => new AppError("bad_request", "Please give your blog a title.", { field: "title" });

const invalid = (issue: Parameters<typeof fieldOf>[0], field: string) =>
  new AppError("bad_request", issue?.message ?? messages.update, { field: fieldOf(issue) || field });

/** Returns a draft's fields as they are published. Throws `bad_request` with the field that is not valid. */
function validContent(
  id: string,
  { title, address, restores, intent: _intent, ...fields }: DraftFields,
): { content: Content; slug: string | undefined; restores: string | null } {
  if (!hasVisibleText(title)) throw titleMissing();
  const update = { ...fields, id, title: title.trim(), ...(address !== "" && { slug: address }) };
  const { data, error } = BlogUpdate.safeParse(update);
  if (!data) throw invalid(error.issues[0], "title");
  const { id: _id, slug, ...content } = data;
  return { content: content as Content, slug, restores };
}

/** Returns the emptied fields that a save has applied, unless they changed since. */
function appliedFields(saved: DraftFields, latest: DraftFields): Partial<DraftFields> {
  const applied: Partial<DraftFields> = {};
  if (saved.address !== "" && latest.address === saved.address) applied.address = "";
  if (saved.restores !== null && latest.restores === saved.restores) applied.restores = null;
  if (saved.intent !== null && sameJson(latest.intent, saved.intent)) applied.intent = null;
  return applied;
}

/** Records that a draft was published up to `row`, and commits what the publication changed (copied pictures, cards). */
async function markPublished(
  ctx: MemberContext,
  tx: Transaction,
  row: DraftHead,
  composed: Composed,
  change: Partial<DraftFields>,
): Promise<void> {
  const latest = await draftOf(tx, row.blogId);
  if (!latest) return;
  const isUnchanged = latest.seq === row.seq;
  const document = await documentOf(ctx, tx, latest);
  const isAsWritten = !isUnchanged || composed.document === JSON.stringify(savedForm(document));
  const next = isAsWritten ? document : readDocument(JSON.parse(composed.document));
  const applied = { ...change, ...appliedFields(row.fields, latest.fields) };
  const seq = await commitOfSite(ctx, tx, latest, next, applied);
  await markSaved(tx, { ...latest, seq }, isUnchanged ? seq : row.seq, { namedFor: null });
}
