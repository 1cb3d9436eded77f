import { NewBlog, type SavedBlog } from "../../shared/blogs.ts";
import { searchEngineLimits } from "../../shared/search-engine-fields.ts";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { storeAliases } from "../blogs/aliases.ts";
import { linksNotice } from "../writing/pictures.ts";
import { setCommentsFrom } from "../blogs/queries.ts";
import { fromEtag } from "../writing/precondition.ts";
import { createBlog, updateBlog, type SaveOptions } from "../writing/service.ts";
import type { MemberContext } from "../context.ts";
import { newId } from "../runtime/ids.ts";
import type { Connection } from "../database/connection.ts";
import { importedCoverTypes } from "../media/service.ts";
import { NewAccountLimitError } from "../profiles/new-account-limits.ts";
import { DailyLimitError } from "../profiles/quotas.ts";
import { prepareComments, storeComments } from "./comments.ts";
import { importEntries } from "./entries.ts";
import { findKnownPost, type KnownPost, type ImportOrigin, postHash } from "./known-posts.ts";
import { importedBlog, saveImport, runById } from "./queries.ts";
import { firstNames, type PostReport } from "./report.ts";
import { cutText, readText, importPicture, namedLanguage, usableTags, type PostImport } from "./post-text.ts";

/** The outcome of importing a post. */
export interface Outcome extends PostReport {
  as: "imported" | "changed" | "before" | "kept";
  /** Why the blog was left unchanged. */
  reason?: string;
}

export interface ImportPostOptions {
  runId: string | null;
  /** Imports blogs again that were deleted here. */
  again: boolean;
  /** Milliseconds added to every date. */
  dateOffsetMs: number;
  origin: ImportOrigin;
}

/** A user stopped the run. */
export class RunStopped extends Error {}

/** A concurrent import has imported the post. */
class ConcurrentImportError extends Error {}

/** The blog exists and was not updated; the message is the reason. */
class NotUpdatedError extends AppError {
  constructor(reason: string) {
    super("conflict", reason);
  }
}

const editedSince = "edited here since the import, so changes from the old site were not applied";

/** Imports, updates or skips a post, depending on `options` and on changes made here. */
export async function importPost(postImport: PostImport, options: ImportPostOptions): Promise<Outcome> {
  const { ctx, post } = postImport;
  const { database, viewer } = ctx;
  const known = await findKnownPost(database.read, viewer.id, post, options.origin);
  const attempt = { ...postImport };
  try {
    return await importRest(postImport, options, known.key, await importOrUpdate(attempt, options, known));
  } catch (error) {
    if (error instanceof NotUpdatedError) {
      const unchanged: Outcome = { problems: [], pictures: 0, as: "kept", reason: error.message };
      return importRest(postImport, options, known.key, unchanged);
    }
    const isNew = known.row === undefined && !(error instanceof RunStopped);
    // A concurrent import was first: continues as an update.
    if (!isNew || !(await importedBlog(database.read, viewer.id, known.key))) throw error;
    return importPost(postImport, options);
  }
}

/** Imports entries and comments whatever happened to the text, if the blog exists. */
async function importRest(
  postImport: PostImport,
  options: ImportPostOptions,
  key: string,
  outcome: Outcome,
): Promise<Outcome> {
  const { ctx, post, dryRun } = postImport;
  const { comments = [] } = post;
  if (comments.length === 0 && !post.entries) return outcome;
  const blogId = (await importedBlog(ctx.database.read, ctx.viewer.id, key))?.blogId;
  if (!dryRun && !blogId) return outcome;
  const target = {
    key,
    runId: options.runId,
    requireRunning: (tx: Connection) => requireRunning(tx, options.runId),
  };
  const { dateOffsetMs } = options;
  const added =
    blogId && !dryRun
      ? await importEntries(postImport, { ...target, blogId, dateOffsetMs })
      : { pictures: 0, problems: [] };
  const whole = {
    ...outcome,
    pictures: outcome.pictures + added.pictures,
    problems: [...outcome.problems, ...added.problems],
  };
  if (comments.length === 0) return whole;
  const prepared = await prepareComments(comments, blogId ?? "", Date.now(), dateOffsetMs);
  const result = dryRun
    ? { importedCount: outcome.as === "imported" ? prepared.comments.length : 0, problems: prepared.problems }
    : await storeComments(ctx, target, prepared);
  return { ...whole, comments: result.importedCount, problems: [...whole.problems, ...result.problems] };
}

async function importOrUpdate(
  postImport: PostImport,
  options: ImportPostOptions,
  known: KnownPost,
): Promise<Outcome> {
  const { row } = known;
  const contentHash = postHash(postImport.post);
  const empty = { problems: [], pictures: 0 };
  if (row?.blogId === null) {
    if (!options.again)
      return {
        ...empty,
        as: "kept",
        reason: "it was deleted here. Use --again to bring it back",
      };
    return write(postImport, options, contentHash, { ...known, row: undefined });
  }
  if (row === undefined) return write(postImport, options, contentHash, known);
  if (options.runId !== null && row.runId === options.runId && row.hash !== null)
    return { ...empty, ...(JSON.parse(row.report ?? "{}") as Partial<PostReport>), as: "imported" };
  if (row.hash === contentHash) return { ...empty, as: "before" };
  const isEdited = row.current !== row.etag;
  if (!isEdited) return write(postImport, options, contentHash, known);
  if (row.hash?.startsWith(contentHash)) return { ...empty, as: "before" };
  throw new NotUpdatedError(editedSince);
}

async function write(
  postImport: PostImport,
  options: ImportPostOptions,
  contentHash: string,
  { key, row }: KnownPost,
): Promise<Outcome> {
  const { ctx, post, slug, book, dryRun } = postImport;
  const problems: string[] = [...post.problems];
  postImport.reportProblem = (problem) => void problems.push(problem);
  const { reportProblem } = postImport;
  const now = Date.now();
  const date = post.publishedAt === undefined ? undefined : post.publishedAt.getTime() + options.dateOffsetMs;
  const isFuture = date !== undefined && date > now;
  const publishedAt = isFuture ? now : date;
  const hidden = post.hidden ?? (isFuture ? "its date is in the future" : null);
  const { document, typeset } = await readText(postImport);
  const cover =
    post.cover === undefined
      ? null
      : await importPicture(postImport, post.cover, { accepted: importedCoverTypes });
  const blog = NewBlog.parse({
    id: row?.blogId ?? newId(Math.max(publishedAt ?? now, 0)),
    title: cutText(typeset(post.title), limits.title.max, "title", reportProblem),
    description: cutText(
      typeset(post.description ?? ""),
      limits.description.max,
      "description",
      reportProblem,
    ),
    tags: usableTags(post.tags, reportProblem),
    document,
    coverId: cover?.id ?? null,
    coverFocus: cover ? (post.coverFocus ?? null) : null,
    draft: hidden !== null,
    private: hidden === null && (post.forFollowers ?? false),
    ...(row === undefined && { slug }),
    ...searchFields(postImport),
  });
  const report: PostReport = { problems, pictures: postImport.pictures, ...(hidden !== null && { hidden }) };
  if (dryRun) return { ...report, as: row === undefined ? "imported" : "changed" };
  const saveOptions = (finalReport: PostReport): SaveOptions => ({
    covers: importedCoverTypes,
    publishedAt: row !== undefined && date === undefined ? undefined : publishedAt,
    also: async (tx, { id, etag }) => {
      await requireRunning(tx, options.runId);
      if (row === undefined) {
        const concurrent = await importedBlog(tx, ctx.viewer.id, key);
        if ((concurrent?.blogId ?? id) !== id) throw new ConcurrentImportError();
        if (post.commentsFrom) await setCommentsFrom(tx, id, post.commentsFrom);
      }
      // Posts are imported in any order; a path of several is the first one's.
      const isOwn = (path: string) => (book.ownerOf(path) ?? slug) === slug;
      const conflicts = [
        ...post.paths.filter((path) => !isOwn(path)),
        ...(await storeAliases(tx, id, post.paths.filter(isOwn))),
      ];
      if (conflicts.length > 0 && !problems.some((problem) => problem.startsWith(noRedirect)))
        reportProblem(`${noRedirect} because they’re already in use: ${firstNames(conflicts)}`);
      await saveImport(tx, {
        authorId: ctx.viewer.id,
        source: key,
        blogId: id,
        importedAt: now,
        runId: row === undefined ? options.runId : row.runId,
        hash: postImport.isWhole ? contentHash : `${contentHash}?`,
        etag,
        report: JSON.stringify(finalReport),
        // A restored blog gets all comments again.
        ...(row === undefined && { comments: null }),
      });
    },
  });
  const saved = await saveWithinLimits(ctx, { blog, report, currentVersion: row?.current }, saveOptions);
  if (saved.links > 0) problems.push(linksNotice(saved.links).trim());
  if (row === undefined) return { ...report, as: "imported" };
  return { ...report, as: saved.etag === row.current ? "before" : "changed" };
}

const noRedirect = "Some old addresses don’t redirect here";

/** A canonical address on the old site is dropped: it is here now. */
function searchFields({ post, source, reportProblem }: PostImport) {
  const { canonicalUrl = "", searchTitle = "", searchDescription = "" } = post;
  const isOld = (source.origins ?? []).some((origin) => canonicalUrl.startsWith(`${origin}/`));
  const canonical = NewBlog.shape.canonicalUrl.safeParse(isOld ? "" : canonicalUrl);
  if (!canonical.success) reportProblem(`Invalid original address: ${firstNames([canonicalUrl])}`);
  return {
    canonicalUrl: canonical.data ?? "",
    language: namedLanguage(post),
    searchTitle: cutText(searchTitle, searchEngineLimits.title, "title for search engines", reportProblem),
    searchDescription: cutText(
      searchDescription,
      searchEngineLimits.description,
      "description for search engines",
      reportProblem,
    ),
  };
}

/** Saves a blog. When a limit refuses to publish it, a new one becomes a draft; an existing one stays. */
async function saveWithinLimits(
  ctx: MemberContext,
  {
    blog,
    report,
    currentVersion,
  }: {
    blog: ReturnType<typeof NewBlog.parse>;
    report: PostReport;
    currentVersion: number | null | undefined;
  },
  saveOptions: (report: PostReport) => SaveOptions,
): Promise<SavedBlog> {
  if (currentVersion != null)
    try {
      const condition = { ...fromEtag(currentVersion), refusal: () => new NotUpdatedError(editedSince) };
      return await updateBlog(ctx, blog, condition, saveOptions(report));
    } catch (error) {
      const limit = limitOf(error);
      if (limit === null) throw error;
      throw new NotUpdatedError(`${limit}. Import it again tomorrow to update it`);
    }
  const save = (draft: boolean) => createBlog(ctx, { ...blog, draft }, saveOptions(report));
  try {
    return await save(blog.draft);
  } catch (error) {
    const limit = limitOf(error);
    if (limit === null || blog.draft) throw error;
    report.hidden = `${limit}. Publish it tomorrow`;
    return save(true);
  }
}

/** Returns the limit that refused to publish a blog today, or null. */
function limitOf(error: unknown): string | null {
  if (error instanceof NewAccountLimitError)
    return "new accounts can post only a few links on their first day";
  return error instanceof DailyLimitError
    ? "today’s limit of new blogs is reached, and posts without a date or with one of the last week count"
    : null;
}

/** Checked in the transaction: the run may be undone meanwhile. */
async function requireRunning(tx: Connection, runId: string | null): Promise<void> {
  const run = runId === null ? undefined : await runById(tx, runId);
  if (runId !== null && run?.state !== "running" && run?.state !== "stopping")
    throw new RunStopped("Stopped.");
}
