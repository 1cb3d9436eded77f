import type { z } from "zod";
import type { BlogUpdate, NewBlog, SavedBlog } from "../../shared/blogs.ts";
import { readDocument } from "../../shared/document/read.ts";
import { contentNames, newDraftFields, type Content, type DraftFields } from "../../shared/drafts.ts";
import { AppError } from "../../shared/errors.ts";
import { sameJson } from "../../shared/same-json.ts";
import type { MemberContext } from "../context.ts";
import type { Transaction } from "../database/writer.ts";
import { requireWriter } from "../profiles/access.ts";
import { requireQuota, takeQuota, takeText } from "../profiles/quotas.ts";
import { authorsOf, writableBlog } from "../blogs/access.ts";
import { newAddress, wasNeverPublished } from "../blogs/address.ts";
import { documentOf } from "./commits.ts";
import { compose, type Composed } from "./compose.ts";
import { fieldsOfBlog, savedForm, textOfBlog } from "./draft-fields.ts";
import { mergeIntoDraft } from "./draft-merge.ts";
import { draftOf, isUnpublished } from "./queries.ts";
import { insertDraftBlog, openOrBeginDraft } from "./drafts.ts";
import { requireCover, requireOwnPictures, resolvePictures } from "./pictures.ts";
import { fromEtag, type Precondition } from "./precondition.ts";
import { ChangedMeanwhile, isSameState, publishContent, retryIfChanged } from "./publish.ts";
import { publishFrom, requireNotTakenDown, type PublishOptions } from "./publish-draft.ts";
import * as queries from "../blogs/queries.ts";
import type { BlogFacts } from "../blogs/queries.ts";
import { saveDraft } from "./save-draft.ts";
import { answerOf } from "./saved-answer.ts";
import { isSameSchedule, presentSchedule, updateSchedule } from "./schedule.ts";
import { scheduleOf, type ScheduleRow } from "./schedule-queries.ts";
import { isSlugOfTitle, wordsOf } from "../blogs/slug.ts";
import { recordDraft, requireVersion } from "../history/versions.ts";

/* How programs (REST, imports, commands) store and publish whole texts. The form writes a draft by commits. */

/** The data that an import adds to a blog. */
export type SaveOptions = Pick<PublishOptions, "publishedAt" | "covers" | "also">;

const contentOf = (input: Partial<Content>): Partial<Content> =>
  Object.fromEntries(
    contentNames.flatMap((name) => (input[name] === undefined ? [] : [[name, input[name]]])),
  );

/**
 * Publishes a new blog or stores a draft. The author's same id again is a retry, possibly with newer text: updates the blog unless
 * it changed since.
 */
export async function createBlog(
  ctx: MemberContext,
  input: z.output<typeof NewBlog>,
  options: SaveOptions = {},
): Promise<SavedBlog> {
  // Before any picture is fetched.
  await requireWriter(ctx.database.read, ctx.viewer);
  const existing = await queries.blogFactsById(ctx.database.read, input.id, ctx.viewer.id);
  if (!existing && !ctx.importing) await requireQuota(ctx, "dailyBlogs");
  const composed = await compose(ctx, input.document, (document) => resolvePictures(ctx, document));
  await takeText(ctx, ctx.viewer.id, Buffer.byteLength(composed.document));
  const created = await ctx.database.write(async (tx) => {
    await requireWriter(tx, ctx.viewer);
    const before = await queries.blogFactsById(tx, input.id, ctx.viewer.id);
    if (before && before.authorId !== ctx.viewer.id)
      throw new AppError("conflict", "That id is taken. Please try again.");
    if (before) return undefined;
    if (!ctx.importing) await takeQuota(tx, ctx, "dailyBlogs");
    await requireCover(tx, [ctx.viewer.id], input.coverId, options.covers);
    await requireOwnPictures(tx, [ctx.viewer.id], composed.pictureIds);
    const saved = await (input.draft ? insertAsDraft : insertPublished)(ctx, tx, input, composed, options);
    await options.also?.(tx, saved);
    return saved;
  });
  return created ?? updateBlog(ctx, input, fromEtag(1), options);
}

type Insert = (
  ctx: MemberContext,
  tx: Transaction,
  input: z.output<typeof NewBlog>,
  composed: Composed,
  options: SaveOptions,
) => Promise<SavedBlog>;

const insertAsDraft: Insert = async (ctx, tx, input, { document, links }, { publishedAt }) => {
  const { id, title, slug } = input;
  const now = Date.now();
  const blog = await insertDraftBlog(
    ctx,
    tx,
    { id, title, slug, at: Math.min(publishedAt ?? now, now) },
    { fields: { ...newDraftFields(), ...contentOf(input) }, document: readDocument(JSON.parse(document)) },
  );
  const schedule = await updateSchedule(tx, blog, undefined, input.schedule);
  return answerOf({ ...blog, private: input.private }, blog.etag, blog.slug, links, schedule);
};

const insertPublished: Insert = async (ctx, tx, input, composed, options) => {
  const { id, title } = input;
  const now = Date.now();
  const at = Math.min(options.publishedAt ?? now, now);
  const slug = await newAddress(tx, title, input.slug);
  // Publishing makes it the first.
  await queries.insertUnpublished(tx, { id, slug, authorId: ctx.viewer.id, at, etag: 0 });
  const blog = await writableBlog(tx, ctx.viewer, { id });
  await updateSchedule(tx, { ...blog, draft: false }, undefined, input.schedule);
  const publication = { content: contentOf(input), composed, publishedAt: at, covers: options.covers };
  return publishContent(ctx, tx, blog, { ...publication, isNew: true });
};

/**
 * Changes the given fields if `condition` holds: of a published blog what readers see, and its draft beside unpublished changes; of
 * a draft the draft. `draft: false` publishes a draft as it is then, `true` makes a published blog a draft. Idempotent: a
 * repeated call changes nothing.
 */
export async function updateBlog(
  ctx: MemberContext,
  input: z.output<typeof BlogUpdate>,
  condition?: Precondition,
  options: SaveOptions = {},
): Promise<SavedBlog> {
  const { read } = ctx.database;
  return retryIfChanged(async () => {
    const blog = await writableBlog(read, ctx.viewer, { id: input.id });
    await requireWriter(read, ctx.viewer);
    const draft = input.draft ?? blog.draft;
    if (blog.draft && !draft) {
      if (condition && !condition.holds(blog)) throw condition.refusal();
      requireNotTakenDown(blog);
      if (input.schedule) await requireUnscheduled(ctx, input);
      const { document, slug } = input;
      return publishFrom(ctx, blog, { ...options, change: contentOf(input), document, slug, condition });
    }
    const planned = await scheduleOf(read, blog.id);
    if (
      draft !== blog.draft ||
      (input.private ?? blog.private) !== blog.private ||
      !isSameSchedule(input.schedule, planned)
    )
      await ctx.limits.take("visibility", ctx.viewer.id);
    const composed = await composeUpdate(ctx, blog, input.document);
    return ctx.database.write(async (tx) => {
      const current = await writableBlog(tx, ctx.viewer, { id: input.id });
      await requireWriter(tx, ctx.viewer);
      if (!isSameState(current, blog)) throw new ChangedMeanwhile();
      await requireVersion(tx, blog.id, input.restores);
      const change = isUnpublished({ ...blog, draft }) ? changeDraft : changePublished;
      return change(ctx, tx, current, { input, composed, condition, options });
    });
  });
}

/** Throws: only a draft has a schedule. */
const requireUnscheduled = (ctx: MemberContext, { id, schedule }: z.output<typeof BlogUpdate>) =>
  ctx.database.write(async (tx) => {
    const blog = await writableBlog(tx, ctx.viewer, { id });
    await updateSchedule(tx, { ...blog, draft: false }, undefined, schedule);
  });

async function composeUpdate(
  ctx: MemberContext,
  blog: BlogFacts,
  document: unknown,
): Promise<Composed | undefined> {
  if (document === undefined) return undefined;
  const authors = await authorsOf(ctx.database.read, blog);
  const composed = await compose(ctx, document, (sent) => resolvePictures(ctx, sent, authors));
  await takeText(ctx, blog.authorId, Buffer.byteLength(composed.document));
  return composed;
}

interface Change {
  input: z.output<typeof BlogUpdate>;
  composed: Composed | undefined;
  condition: Precondition | undefined;
  options: SaveOptions;
}

/** Changes a published blog and its draft, or a blog that was taken down. */
async function changePublished(
  ctx: MemberContext,
  tx: Transaction,
  blog: BlogFacts,
  { input, composed, condition, options }: Change,
): Promise<SavedBlog> {
  const { id } = blog;
  const [content, planned] = [contentOf(input), await scheduleOf(tx, id)];
  const [fields, body] = [await fieldsOfBlog(tx, blog), await queries.blogDocument(tx, id)];
  const publishedAt = options.publishedAt ?? blog.publishedAt;
  const isSame =
    contentNames.every((name) => content[name] === undefined || sameJson(content[name], fields[name])) &&
    (composed === undefined || composed.html === body?.html) &&
    (composed === undefined || composed.document === body?.document) &&
    (input.slug ?? blog.slug) === blog.slug &&
    isSameSchedule(input.schedule, planned) &&
    publishedAt === blog.publishedAt;
  if (isSame) return unchangedAnswer(ctx, tx, blog, { composed, planned, options });
  if (condition && !condition.holds(blog)) throw condition.refusal();
  await updateSchedule(tx, blog, planned, input.schedule);
  const [row, documentBefore] = [await draftOf(tx, id), composed && (await textOfBlog(tx, blog))];
  // Where both changed the same block, the program's wins.
  if (row && composed && row.seq !== row.savedSeq) {
    const current = await documentOf(ctx, tx, row);
    await recordDraft(tx, blog, row, current, { reason: "written", at: row.changedAt });
  }
  const saved = await publishContent(ctx, tx, blog, {
    content,
    composed,
    slug: input.slug,
    restores: input.restores,
    publishedAt,
    covers: options.covers,
  });
  await options.also?.(tx, saved);
  if (row) await mergeIntoDraft(ctx, tx, row, { fields, document: documentBefore });
  return saved;
}

/** Answers a repeated call, which changes nothing. */
async function unchangedAnswer(
  ctx: MemberContext,
  tx: Transaction,
  blog: BlogFacts,
  { composed, planned, options }: Pick<Change, "composed" | "options"> & { planned: ScheduleRow | undefined },
): Promise<SavedBlog> {
  const owner = blog.authorId === ctx.viewer.id ? null : blog.authorName;
  const [links, schedule] = [composed?.links ?? 0, presentSchedule(planned)];
  const wasPublished = blog.editedAt !== null;
  const saved = answerOf(blog, blog.etag, blog.slug, links, schedule, wasPublished, owner);
  await options.also?.(tx, saved);
  return saved;
}

/** Changes a draft; a published blog becomes one. */
async function changeDraft(
  ctx: MemberContext,
  tx: Transaction,
  blog: BlogFacts,
  { input, composed, condition, options }: Change,
): Promise<SavedBlog> {
  const { id } = blog;
  const row = await openOrBeginDraft(ctx, tx, blog);
  const current = await documentOf(ctx, tx, row);
  const document =
    composed && composed.document !== JSON.stringify(savedForm(current))
      ? readDocument(JSON.parse(composed.document))
      : undefined;
  const change: Partial<DraftFields> = Object.fromEntries(
    Object.entries(contentOf(input)).filter(
      ([name, value]) => !sameJson(value, row.fields[name as keyof Content]),
    ),
  );
  const planned = await scheduleOf(tx, id);
  const isSame =
    blog.draft &&
    !document &&
    Object.keys(change).length === 0 &&
    (input.slug ?? blog.slug) === blog.slug &&
    isSameSchedule(input.schedule, planned);
  if (isSame) return unchangedAnswer(ctx, tx, blog, { composed, planned, options });
  if (condition && !condition.holds(blog)) throw condition.refusal();
  const authors = await authorsOf(tx, blog);
  if (change.coverId) await requireCover(tx, authors, change.coverId, options.covers);
  if (composed) await requireOwnPictures(tx, authors, composed.pictureIds);
  // The program replaces what was written. What readers see is in the history already.
  if (document && (blog.draft || row.seq !== row.savedSeq))
    await recordDraft(tx, blog, row, current, { reason: "written", at: row.changedAt });
  const title = change.title ?? blog.title;
  const isMade = input.slug === undefined && wasNeverPublished(blog) && isSlugOfTitle(blog.slug, blog.title);
  const saved = await saveDraft(ctx, tx, blog, row, {
    change: row.fields.intent === null || blog.draft ? change : { ...change, intent: null },
    document,
    slug: input.slug,
    namesAgain: isMade && wordsOf(title) !== wordsOf(blog.title),
    namedFor: isMade ? title : null,
    schedule: input.schedule,
    links: composed?.links ?? 0,
  });
  await options.also?.(tx, saved);
  return saved;
}
