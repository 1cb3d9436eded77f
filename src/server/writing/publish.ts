import type { SavedBlog } from "../../shared/blogs.ts";
import type { Content } from "../../shared/drafts.ts";
import { AppError } from "../../shared/errors.ts";
import type { MemberContext } from "../context.ts";
import type { Transaction } from "../database/writer.ts";
import { blogTopic } from "../live/stored-events.ts";
import { addressTopic } from "../live/signals.ts";
import { updateUnusedSince } from "../media/queries.ts";
import { recipientsOfBlog } from "../notifications/recipient-queries.ts";
import { publishWithdrawn } from "../notifications/events.ts";
import { enforceNewAccountLimit, linksInHtml } from "../profiles/new-account-limits.ts";
import { takeQuota } from "../profiles/quotas.ts";
import { day } from "../profiles/usage-queries.ts";
import { authorsOf } from "../blogs/access.ts";
import { nextAddress, wasNeverPublished } from "../blogs/address.ts";
import { answerOf } from "./saved-answer.ts";
import type { Composed } from "./compose.ts";
import { publishVisibility } from "../blogs/events.ts";
import { indexFirstPart } from "../search/index-job.ts";
import { requireCover, requireOwnPictures } from "./pictures.ts";
import * as queries from "../blogs/queries.ts";
import type { BlogFacts } from "../blogs/queries.ts";
import { cardById } from "../blogs/card-queries.ts";
import { updateSchedule } from "./schedule.ts";
import { scheduleOf } from "./schedule-queries.ts";
import { storeBlockHashes } from "../text/changes.ts";
import { recordPublished, recordSeen } from "../history/versions.ts";

/** What a publication changes; what is missing stays. All values are valid (`BlogUpdate`). */
export interface Publication {
  content: Partial<Content>;
  composed?: Composed | undefined;
  /** The requested slug. */
  slug?: string | undefined;
  /** Whether a slug that was made from the title follows it. */
  namesAgain?: boolean;
  /** The version that it restores. */
  restores?: string | undefined;
  /** Of an import: the date of the original. */
  publishedAt?: number | undefined;
  /** Accepted types of a cover. */
  covers?: readonly string[] | undefined;
  /** The blog was stored in the same transaction. */
  isNew?: boolean;
}

/**
 * Publishes a blog or changes a published one: the only writer of what readers see. Checks limits and pictures, stores content,
 * index and version, names the address, and sends the events. A blog that moderators took down stays taken down, and they
 * see the change. Throws `bad_request`, `conflict` for a taken address, `too_many` for a limit.
 */
export async function publishContent(
  ctx: MemberContext,
  tx: Transaction,
  blog: BlogFacts,
  publication: Publication,
): Promise<SavedBlog> {
  const { content, composed } = publication;
  const { id } = blog;
  const now = Date.now();
  const draft = blog.takedownReason !== null;
  const isFirst = blog.draft && !draft;
  const dates = datesOf(blog, publication, now);
  await requireLimits(ctx, tx, blog, publication, dates.publishedAt ?? blog.publishedAt, now);
  if (content.coverId && (isFirst || content.coverId !== blog.coverId))
    await requireCover(tx, await authorsOf(tx, blog), content.coverId, publication.covers);
  const tagsBefore = isFirst ? undefined : (await cardById(tx, id, ctx.viewer.id))?.tags;
  const picturesBefore = await queries.picturesOfBlog(tx, id);
  const previousHtml = await queries.blogHtml(tx, id);
  const slug = await nextAddress(tx, blog, publication.slug, {
    title: content.title ?? blog.title,
    isMade: publication.namesAgain ?? false,
  });
  // Restored from an older export.
  if (isFirst && wasNeverPublished(blog)) await queries.forgetSlugs(tx, id);
  const isPrivate = content.private ?? blog.private;
  const { pictureIds, links = 0, ...stored } = composed ?? { pictureIds: undefined };
  const isCoverChanged = content.coverId !== undefined && content.coverId !== blog.coverId;
  await recordSeen(tx, blog);
  await queries.updateBlog(tx, id, {
    ...content,
    ...stored,
    ...(isCoverChanged && { coverFocus: content.coverFocus ?? null }),
    text: await indexFirstPart(tx, id, composed?.text ?? (await queries.blogText(tx, id))),
    draft,
    private: isPrivate,
    ...dates,
  });
  if (pictureIds) {
    await requireOwnPictures(tx, await authorsOf(tx, blog), pictureIds);
    await queries.setBlogPictures(tx, id, pictureIds);
  }
  await recordPublished(tx, id, { by: ctx.viewer.id, at: now, restores: publication.restores });
  await updateUnusedSince(tx, [...picturesBefore, content.coverId, ...(pictureIds ?? [])], now);
  const previousDigest = storeBlockHashes(previousHtml);
  if (!publication.isNew) tx.emit(blogTopic(id), { kind: "blog.edited", was: previousDigest });
  const schedule = await updateSchedule(tx, { ...blog, draft }, await scheduleOf(tx, id), undefined);
  if (slug !== blog.slug || publication.isNew) tx.signal(addressTopic(slug));
  const isRenamed = (content.title ?? blog.title) !== blog.title;
  if (draft !== blog.draft || isPrivate !== blog.private || isRenamed)
    publishWithdrawn(tx, await recipientsOfBlog(tx, id));
  const after = { id, draft, private: isPrivate, authorPrivate: blog.authorPrivate };
  const before = publication.isNew ? null : { ...blog, tags: tagsBefore };
  await publishVisibility(tx, blog.authorId, id, before, after);
  const owner = blog.authorId === ctx.viewer.id ? null : blog.authorName;
  return answerOf(after, blog.etag + 1, slug, links, schedule, !blog.draft, owner);
}

/** A blog that becomes published gets the date of that moment; a published one, that of its edit. */
const datesOf = (
  blog: BlogFacts,
  { publishedAt }: Publication,
  now: number,
): { publishedAt?: number; editedAt?: number } =>
  blog.draft && blog.takedownReason === null
    ? { publishedAt: Math.min(publishedAt ?? now, now) }
    : { publishedAt: publishedAt ?? blog.publishedAt, editedAt: now };

/** Imported blogs with such a date count as blogs of today: they fill the feed's first pages. */
export const isRecent = (at: number, now: number): boolean => now - at < 7 * day;

/** Throws `forbidden` for too many links of a new account, and `too_many` for too many recent blogs of an import. */
async function requireLimits(
  ctx: MemberContext,
  tx: Transaction,
  blog: BlogFacts,
  { composed }: Publication,
  publishedAt: number,
  now: number,
): Promise<void> {
  const wasRecent = !blog.draft && isRecent(blog.publishedAt, now);
  if (ctx.importing && isRecent(publishedAt, now) && !wasRecent) await takeQuota(tx, ctx, "dailyBlogs");
  if (blog.takedownReason !== null) return;
  await enforceNewAccountLimit(tx, ctx, "firstDayBlogs", async () => {
    const previousHtml = await queries.blogHtml(tx, blog.id);
    return linksInHtml(composed?.html ?? previousHtml) - (blog.draft ? 0 : linksInHtml(previousHtml));
  });
}

/**
 * Makes a published blog a draft, visible to its authors alone. Its draft must be stored: it becomes the only place of the text.
 */
export async function unpublish(tx: Transaction, ctx: MemberContext, blog: BlogFacts): Promise<void> {
  const now = Date.now();
  const tags = (await cardById(tx, blog.id, ctx.viewer.id))?.tags;
  await recordSeen(tx, blog);
  const pictures = await queries.picturesOfBlog(tx, blog.id);
  const html = await queries.blogHtml(tx, blog.id);
  await enforceNewAccountLimit(tx, ctx, "firstDayBlogs", () => -linksInHtml(html));
  // Readers know its address.
  await queries.keepSlug(tx, blog);
  await queries.removeText(tx, blog.id, now);
  await updateUnusedSince(tx, pictures, now);
  tx.emit(blogTopic(blog.id), { kind: "blog.edited" });
  publishWithdrawn(tx, await recipientsOfBlog(tx, blog.id));
  const after = { draft: true, private: blog.private, authorPrivate: blog.authorPrivate };
  await publishVisibility(tx, blog.authorId, blog.id, { ...blog, tags }, after);
}

/** Whether a blog is still published, a draft or taken down, as it was. */
export const isSameState = (blog: BlogFacts, before: BlogFacts): boolean =>
  blog.draft === before.draft && blog.takedownReason === before.takedownReason;

/** The blog or its draft changed while a publication was prepared. */
export class ChangedMeanwhile extends AppError {
  constructor() {
    super("conflict", "This blog was changed meanwhile. Please try again.", { field: "etag" });
  }
}

const mostTries = 5;

/** Repeats a save that prepares a text and then stores it, if the blog changed in between. */
export async function retryIfChanged<T>(save: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await save();
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile) || tries === mostTries) throw error;
    }
}
