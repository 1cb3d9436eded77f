import type { z } from "zod";
import type { BlogUpdate, NewBlog, SavedBlog } from "../../shared/blogs.ts";
import { AppError } from "../../shared/errors.ts";
import type { VersionReason } from "../../shared/versions.ts";
import type { MemberContext } from "../context.ts";
import type { Transaction } from "../database/writer.ts";
import { blogTopic, draftTopic } from "../live/stored-events.ts";
import { addressTopic } from "../live/signals.ts";
import { updateUnusedSince } from "../media/queries.ts";
import { recipientsOfBlog } from "../notifications/recipient-queries.ts";
import { publishWithdrawn } from "../notifications/events.ts";
import { requireWriter } from "../profiles/access.ts";
import { enforceNewAccountLimit, linksInHtml } from "../profiles/new-account-limits.ts";
import { userById } from "../profiles/queries.ts";
import { day } from "../profiles/usage-queries.ts";
import { requireQuota, takeQuota, takeText } from "../profiles/quotas.ts";
import { authorsOf, writableBlog } from "./access.ts";
import { newAddress, nextAddress, wasNeverPublished } from "./address.ts";
import { compose, type Composed } from "./compose.ts";
import { indexFirstPart } from "./index-job.ts";
import { fromVersion, type Precondition } from "./precondition.ts";
import { requireCover, requireOwnPictures, resolvePictures } from "./pictures.ts";
import { cardById } from "./card-queries.ts";
import * as queries from "./queries.ts";
import * as history from "./versions.ts";
import { isSameSchedule, updateSchedule, presentSchedule } from "./schedule.ts";
import { scheduleOf } from "./schedule-queries.ts";
import { publishVisibility } from "./events.ts";
import { storeBlockHashes } from "./text-changes.ts";
import { lastCommitAuthor } from "./draft-queries.ts";
import { answerOf } from "./saved-answer.ts";
import { prepareMerge } from "./drafts.ts";

/** Data of an import, the version's reason, or the draft as source. */
export interface SaveOptions {
  why?: VersionReason;
  publishedAt?: number | undefined;
  /** Accepted types of a cover. */
  covers?: readonly string[];
  also?: (tx: Transaction, blog: { id: string; version: number }) => Promise<void>;
  /**
   * Saved from the draft, which is not merged again. `on the way` (autosave), `live` and `as named` keep the slug;
   * `to be named` makes one from the title.
   */
  draftSave?: "on the way" | "live" | "as named" | "to be named";
  /** Of an autosave: the last commit that it stores, whose author its version names. */
  writtenUpTo?: number | undefined;
}

/**
 * Publishes a blog or saves a draft. The author's same id again is a retry, possibly with newer text: updates the blog unless
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
    const now = Date.now();
    const at = Math.min(options.publishedAt ?? now, now);
    if (!ctx.importing || (!input.draft && isRecent(at, now))) await takeQuota(tx, ctx, "dailyBlogs");
    if (!input.draft)
      await enforceNewAccountLimit(tx, ctx, "firstDayBlogs", () => linksInHtml(composed.html));
    await requireCover(tx, [ctx.viewer.id], input.coverId, options.covers);
    const { pictureIds, links, ...stored } = composed;
    const { id, slug: _wish, document: _document, schedule: requestedSchedule, ...fields } = input;
    const slug = await newAddress(tx, input.title, input.slug);
    await queries.insertBlog(tx, {
      ...stored,
      text: await indexFirstPart(tx, id, composed.text),
      ...fields,
      id,
      slug,
      authorId: ctx.viewer.id,
      createdAt: at,
      publishedAt: at,
    });
    await requireOwnPictures(tx, [ctx.viewer.id], pictureIds);
    await queries.setBlogPictures(tx, id, pictureIds);
    const reason = options.why ?? (input.draft ? "draft" : "published");
    await history.insertCurrentVersion(tx, id, { by: ctx.viewer.id, why: reason, at: now });
    await updateUnusedSince(tx, [input.coverId, ...pictureIds], now);
    await options.also?.(tx, { id, version: 1 });
    const schedule = await updateSchedule(
      tx,
      { ...input, takedownReason: null },
      undefined,
      requestedSchedule,
    );
    tx.signal(addressTopic(slug));
    const author = await userById(tx, ctx.viewer.id);
    const after = { draft: input.draft, private: input.private, authorPrivate: author?.private ?? true };
    await publishVisibility(tx, ctx.viewer.id, id, null, after);
    return answerOf({ id, ...after }, 1, slug, links, schedule);
  });
  return created ?? updateBlog(ctx, input, fromVersion(1), options);
}

/** Updates the given fields if `condition` holds. Idempotent: a repeated save changes nothing. */
export async function updateBlog(
  ctx: MemberContext,
  input: z.output<typeof BlogUpdate>,
  condition?: Precondition,
  options: SaveOptions = {},
): Promise<SavedBlog> {
  const blogBefore = await writableBlog(ctx.database.read, ctx.viewer, { id: input.id });
  await requireWriter(ctx.database.read, ctx.viewer);
  const changesVisibility =
    (input.draft ?? blogBefore.draft) !== blogBefore.draft ||
    (input.private ?? blogBefore.private) !== blogBefore.private;
  if (
    changesVisibility ||
    !isSameSchedule(input.schedule, await scheduleOf(ctx.database.read, blogBefore.id))
  )
    await ctx.limits.take("visibility", ctx.viewer.id);
  const authors = await authorsOf(ctx.database.read, blogBefore);
  const isDraftAutosave = options.draftSave === "on the way";
  const composed: Composed | undefined =
    input.document === undefined
      ? undefined
      : await compose(
          ctx,
          input.document,
          // A job copies a draft's remote pictures (`copy-pictures.ts`).
          (document) => resolvePictures(ctx, document, authors, { keepsRemote: isDraftAutosave }),
          { isUnsaved: isDraftAutosave },
        );
  if (composed) await takeText(ctx, blogBefore.authorId, Buffer.byteLength(composed.document));
  const links = composed?.links ?? 0;
  return ctx.database.write(async (tx) => {
    const blog = await writableBlog(tx, ctx.viewer, { id: input.id });
    const owner = blog.authorId === ctx.viewer.id ? null : blog.authorName;
    await requireWriter(tx, ctx.viewer);
    const [row, body] = [
      await cardById(tx, blog.id, ctx.viewer.id),
      composed && (await queries.blogDocument(tx, blog.id)),
    ];
    await history.requireVersion(tx, blog.id, input.restores);
    const planned = await scheduleOf(tx, blog.id);
    const publishedAt = options.publishedAt ?? blog.publishedAt;
    const current = { ...row, ...blog };
    const sameText = composed?.document === body?.document;
    const same =
      hasSameFields(formFields, input, current) &&
      isSameSchedule(input.schedule, planned) &&
      sameText &&
      publishedAt === blog.publishedAt;
    // An autosaved draft still has its first slug.
    const isNamed = options.draftSave !== "to be named";
    const isAutosave = isDraftAutosave || options.draftSave === "live";
    const endsLive =
      blog.liveSince !== null &&
      (blog.draft || (input.draft ?? false) || (options.draftSave !== undefined && !isAutosave));
    const draft = input.draft ?? blog.draft;
    const isPublished = blog.draft && !draft;
    const now = Date.now();
    const save = async () => ({
      by:
        (options.writtenUpTo && (await lastCommitAuthor(tx, blog.id, options.writtenUpTo))) || ctx.viewer.id,
      why: reasonOf(input.restores, options.why, { draft, isPublished }),
      at: now,
      restores: input.restores,
    });
    if (same && isNamed && !endsLive && body?.html === composed?.html) {
      if (!isAutosave) {
        const isRecordedNow = [
          !options.draftSave && (await history.recordAutosavedState(tx, blog)),
          await history.recordSave(tx, blog.id, await save()),
        ];
        if (isRecordedNow.includes(true)) await history.publishHistoryChange(tx, blog);
      }
      await options.also?.(tx, blog);
      const wasPublished = blog.editedAt !== null;
      return answerOf(blog, blog.version, blog.slug, links, presentSchedule(planned), wasPublished, owner);
    }
    if (!same && condition && !condition.holds(blog)) throw condition.refusal();
    if (blog.takedownReason !== null && !draft)
      throw new AppError(
        "forbidden",
        `Moderators took this blog down${blog.takedownReason ? `: ${blog.takedownReason}` : "."} You can save it as a draft, and publish it once they restore it.`,
      );
    const isPrivate = input.private ?? blog.private;
    const dates =
      blog.draft && blog.takedownReason === null
        ? { publishedAt: options.publishedAt ?? now }
        : { publishedAt, editedAt: now };
    const becomesRecent =
      !draft && isRecent(dates.publishedAt, now) && (blog.draft || !isRecent(blog.publishedAt, now));
    if (ctx.importing && becomesRecent) await takeQuota(tx, ctx, "dailyBlogs");
    if (!draft || !blog.draft)
      await enforceNewAccountLimit(tx, ctx, "firstDayBlogs", async () => {
        const previousHtml = body?.html ?? (await queries.blogHtml(tx, blog.id));
        return (
          (draft ? 0 : linksInHtml(composed?.html ?? previousHtml)) -
          (blog.draft ? 0 : linksInHtml(previousHtml))
        );
      });
    const before = await queries.picturesOfBlog(tx, blog.id);
    if (input.coverId !== blog.coverId)
      await requireCover(tx, await authorsOf(tx, blog), input.coverId ?? null, options.covers);
    const { pictureIds, links: _links, ...stored } = composed ?? { pictureIds: undefined };
    const { title, description, tags, coverId, canonicalUrl, searchTitle, searchDescription, language } =
      input;
    const isCoverChanged = coverId !== undefined && coverId !== blog.coverId;
    const slug = await nextAddress(tx, blog, input, options.draftSave);
    // Readers know the address of a blog that becomes a draft.
    if (!blog.draft && draft) await queries.keepSlug(tx, blog);
    // Restored from an older export.
    if (isPublished && wasNeverPublished(blog)) await queries.forgetSlugs(tx, blog.id);
    const changedFields = Object.fromEntries(
      Object.entries({
        title,
        description,
        tags,
        coverId,
        coverFocus: isCoverChanged ? (input.coverFocus ?? null) : input.coverFocus,
        canonicalUrl,
        searchTitle,
        searchDescription,
        language,
        ...stored,
      }).filter(([, value]) => value !== undefined),
    );
    const mergeIntoDraft = options.draftSave ? undefined : await prepareMerge(ctx, tx, blog, !sameText);
    const changesVersion = !sameText || !hasSameFields(versionFields, input, current);
    if (changesVersion) await history.insertInitialVersion(tx, blog, now);
    // A save from elsewhere, or the first one after a pause, would replace what only autosaves stored.
    const isReplaced = changesVersion && (!options.draftSave || history.isBlogAtRest(blog, now));
    if (isReplaced || (!options.draftSave && !isPublished)) await history.recordAutosavedState(tx, blog);
    await queries.updateBlog(tx, blog.id, {
      ...changedFields,
      text: await indexFirstPart(tx, blog.id, composed?.text ?? (await queries.blogText(tx, blog.id))),
      draft,
      private: isPrivate,
      ...(endsLive ? { liveSince: null } : {}),
      ...dates,
    });
    if (pictureIds) {
      await requireOwnPictures(tx, await authorsOf(tx, blog), pictureIds);
      await queries.setBlogPictures(tx, blog.id, pictureIds);
    }
    // Edits in progress become a version now and then.
    if (isPublished) await history.insertCurrentVersion(tx, blog.id, await save());
    else if (!isAutosave || (await history.isVersionDue(tx, blog.id, now)))
      await history.recordSave(tx, blog.id, await save());
    await updateUnusedSince(tx, [...before, coverId, ...(pictureIds ?? [])], now);
    const previousDigest = storeBlockHashes(body?.html ?? (await queries.blogHtml(tx, blog.id)));
    await tx.emit(blogTopic(blog.id), { kind: "blog.edited", was: previousDigest });
    if (isDraftAutosave && composed && composed.guessedLanguage !== blog.guessedLanguage)
      await tx.emit(draftTopic(blog.id), { kind: "draft.language", language: composed.guessedLanguage });
    await options.also?.(tx, { id: blog.id, version: blog.version + 1 });
    await mergeIntoDraft?.(await writableBlog(tx, ctx.viewer, { id: blog.id }));
    const schedule = await updateSchedule(tx, { ...blog, draft }, planned, input.schedule);
    if (slug !== blog.slug) tx.signal(addressTopic(slug));
    if (draft !== blog.draft || isPrivate !== blog.private || (title ?? blog.title) !== blog.title)
      await publishWithdrawn(tx, await recipientsOfBlog(tx, blog.id));
    // Search is notified when live writing ends.
    if (options.draftSave === "live") return answerOf(blog, blog.version + 1, slug, links, schedule, true);
    const after = { draft, private: isPrivate, authorPrivate: blog.authorPrivate };
    await publishVisibility(
      tx,
      blog.authorId,
      blog.id,
      { ...blog, tags: row?.tags },
      after,
      options.draftSave === "on the way" ? { written: true } : {},
    );
    return answerOf({ id: blog.id, ...after }, blog.version + 1, slug, links, schedule, !blog.draft, owner);
  });
}

/** Imported blogs with such a date count as blogs of today: they fill the feed's first pages. */
const isRecent = (at: number, now: number): boolean => now - at < 7 * day;

const isSameJson = (requested: unknown, current: unknown) =>
  JSON.stringify(requested) === JSON.stringify(current);

const formFields = [
  "slug",
  "title",
  "description",
  "tags",
  "coverId",
  "coverFocus",
  "draft",
  "private",
  "canonicalUrl",
  "searchTitle",
  "searchDescription",
  "language",
] as const;
/** What a version holds beside the text. */
const versionFields = ["title", "description", "tags", "coverId", "coverFocus"] as const;
type FormField = (typeof formFields)[number];
const hasSameFields = (
  names: readonly FormField[],
  input: z.output<typeof BlogUpdate>,
  current: Partial<Record<FormField, unknown>>,
): boolean => names.every((name) => input[name] === undefined || isSameJson(input[name], current[name]));

function reasonOf(
  restores: string | undefined,
  requested: VersionReason | undefined,
  { draft, isPublished }: { draft: boolean; isPublished: boolean },
): VersionReason {
  if (restores !== undefined) return "restored";
  if (isPublished && requested !== "imported") return "published";
  return requested ?? (draft ? "draft" : "updated");
}
