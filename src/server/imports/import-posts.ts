import { createHash } from "node:crypto";
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { AppError } from "../../shared/errors.ts";
import type { ImportReport } from "../../shared/imports.ts";
import { slugForm } from "../../shared/slug.ts";
import { limits } from "../../shared/limits.ts";
import { slugHolder } from "../blogs/queries.ts";
import { wordsOf } from "../blogs/slug.ts";
import type { MemberContext } from "../context.ts";
import { asUnavailable, isDiskFull } from "../database/errors.ts";
import { AddressBook } from "./address-book.ts";
import { requireTextRoom, StorageFullError } from "../profiles/quotas.ts";
import { importBounds as bounds } from "./bounds.ts";
import { postHash, findKnownPost, importOriginOf } from "./known-posts.ts";
import {
  addLine,
  addPostReport,
  emptyReport,
  sortLines,
  shortLine,
  errorMessage,
  isExpectedError,
} from "./report.ts";
import type { Found, Source, SourcePost } from "./source.ts";
import { RunStopped, importPost, type ImportPostOptions, type Outcome } from "./import-post.ts";
import { mendPost } from "./mend-post.ts";

export interface ImportOptions extends Partial<Omit<ImportPostOptions, "place">> {
  dryRun?: boolean;
  /** Chooses a post's author; default: the viewer. */
  authorOf?: (post: SourcePost) => MemberContext;
  /** The most posts of one import. */
  posts?: number;
  /** Addresses that were chosen earlier, as for links between several sources; by default chosen first. */
  addresses?: Addresses;
  onProgress?: (report: ImportReport, done: number, of: number, file: string) => Promise<void> | void;
  /** Checked between posts: imported posts stay, and another run continues. */
  signal?: AbortSignal | undefined;
}

/** Chosen before any post is written, so that links to it resolve. */
interface Plan {
  slug: string;
  problem?: string;
}

/** The addresses of a source's posts, and a book that can have those of several sources. */
export interface Addresses {
  book: AddressBook;
  plans: Map<string, Plan>;
}

/**
 * Imports a source as blogs of the viewer or `authorOf`. Skips unchanged posts and reports failed ones. Throws when nothing
 * more can be stored.
 */
export async function importFrom(
  ctx: MemberContext,
  source: Source,
  options: ImportOptions = {},
): Promise<ImportReport> {
  const report = emptyReport();
  const { onProgress = () => undefined, authorOf = () => ctx } = options;
  const postOptions: ImportPostOptions = {
    runId: options.runId ?? null,
    again: options.again ?? false,
    dateOffsetMs: options.dateOffsetMs ?? 0,
    origin: await importOriginOf(ctx.database.read, source, options.runId ?? null),
  };
  const { book, plans } = options.addresses ?? (await chooseAddresses(ctx, source, options));
  const total = Math.max(source.count, plans.size);
  let done = 0;
  const seenNames = new Set<string>();
  const order = new Map<string, number>();
  const importOne = async (post: SourcePost): Promise<void> => {
    const author = authorOf(post);
    const { slug = "", problem } = plans.get(nameOf(post, author)) ?? {};
    try {
      const postImport = {
        ctx: author,
        source,
        post,
        slug,
        book,
        dryRun: options.dryRun ?? false,
        reportProblem: () => undefined,
        pictures: 0,
        isWhole: true,
      };
      if (problem !== undefined) post.problems.push(problem);
      recordOutcome(
        report,
        post.file,
        await retryWhileBusy(() => importPost({ ...postImport }, postOptions)),
      );
    } catch (error) {
      if (error instanceof RunStopped) throw error;
      if (isDiskFull(error)) throw asUnavailable(error) ?? error;
      if (error instanceof StorageFullError) {
        addLine(report, "problems", post.file, error.message);
        await onProgress(report, done, total, post.file);
        throw new StorageFullError("too_large", `${error.message} Posts imported so far were kept.`);
      }
      if (!isExpectedError(error))
        ctx.log.error({ err: error, file: post.file }, "a post could not be imported");
      addLine(report, "problems", post.file, errorMessage(error));
    }
    sortLines(report, order);
    await onProgress(report, ++done, total, post.file);
  };
  await runConcurrently(boundedPosts(source), options.signal, async (found) => {
    const file = shortLine("post" in found ? found.post.file : found.file);
    if (!order.has(file)) order.set(file, order.size);
    if (!("post" in found)) {
      addLine(report, found.isWrong ? "problems" : "leftOut", found.file, found.reason);
      if (found.isWrong) report.found++;
      return undefined;
    }
    report.found++;
    const { post } = found;
    const name = nameOf(post, authorOf(post));
    if (seenNames.size >= (options.posts ?? bounds.posts)) {
      addLine(
        report,
        "problems",
        post.file,
        "The import has reached its limit of posts. Please import the rest separately.",
      );
      return undefined;
    }
    if (seenNames.has(name)) {
      addLine(report, "problems", post.file, `Skipped: another post has the same name (${post.source}).`);
      return undefined;
    }
    seenNames.add(name);
    return () => importOne(post);
  });
  sortLines(report, order);
  await onProgress(report, done, done, "");
  return report;
}

async function* boundedPosts(source: Source): AsyncGenerator<Found> {
  for await (const found of source.posts()) {
    const mended = mendPost(found);
    // Before the import adds to its problems.
    if ("post" in mended) mended.post.contentHash = postHash(mended.post);
    yield mended;
  }
}

const nameOf = (post: SourcePost, author: MemberContext): string => `${author.viewer.id} ${post.source}`;

/** Chooses every post's address deterministically, so that a continued import chooses the same, and adds it to `book`. */
export async function chooseAddresses(
  ctx: MemberContext,
  source: Source,
  options: ImportOptions,
  book = new AddressBook(),
): Promise<Addresses> {
  const { authorOf = () => ctx } = options;
  const place = await importOriginOf(ctx.database.read, source, options.runId ?? null);
  const plans = new Map<string, Plan>();
  let [newBytes, checkedBytes] = [0, 0];
  for await (const found of boundedPosts(source)) {
    options.signal?.throwIfAborted();
    if (!("post" in found) || plans.size >= (options.posts ?? bounds.posts)) continue;
    const { post } = found;
    const author = authorOf(post);
    const { database, viewer } = author;
    const name = nameOf(post, author);
    if (plans.has(name)) continue;
    const { key, row } = await findKnownPost(database.read, viewer.id, post, place);
    const planned: Plan =
      row?.slug == null
        ? await chooseSlug(post, `${viewer.id}\n${key}`, async (slug) =>
            book.has(slug) ? true : (await slugHolder(database.read, slug)) !== undefined,
          )
        : { slug: row.slug };
    plans.set(name, planned);
    book.add(post, planned.slug);
    if (!row?.hash?.startsWith(postHash(post))) newBytes += bytesOf(post);
    if (newBytes - checkedBytes >= 100_000) {
      await requireTextRoom(author, viewer.id, newBytes, nothingImported);
      checkedBytes = newBytes;
    }
    if (plans.size % 20 === 0) await nextTurn();
  }
  return { book, plans };
}

const nothingImported = " All texts of this file don’t fit. Nothing was imported.";

/** Returns the bytes of a post's text and comments, before they are read. */
const bytesOf = ({ body, comments = [] }: SourcePost): number =>
  comments.reduce((sum, { text }) => sum + Buffer.byteLength(text), Buffer.byteLength(body.text));

async function chooseSlug(
  post: SourcePost,
  seed: string,
  isTaken: (slug: string) => Promise<boolean>,
): Promise<Plan> {
  const sourceSlug = post.slug === undefined ? "" : wordsOf(post.slug) || post.slug;
  const isUsable = slugForm.test(sourceSlug) && sourceSlug.length <= limits.slug.max;
  if (isUsable && !(await isTaken(sourceSlug))) return { slug: sourceSlug };
  const words = (isUsable ? sourceSlug : wordsOf(post.title))
    .slice(0, limits.slug.max - 10)
    .replace(/-+$/, "");
  const digest = createHash("sha256").update(seed).digest();
  const letters = (from: number, length: number) =>
    Array.from(digest.subarray(from, from + length), (byte) => alphabet[byte % alphabet.length]).join("");
  for (let attempt = 0; ; attempt++) {
    const slug = words ? `${words}-${letters(attempt, 6)}` : letters(attempt, 10);
    if (attempt < 20 && (await isTaken(slug))) continue;
    return {
      slug,
      ...(isUsable && { problem: `Its address ${sourceSlug} is in use here, so it got ${slug}` }),
    };
  }
}

const alphabet = "abcdefghijkmnpqrstuvwxyz23456789";

function recordOutcome(report: ImportReport, file: string, outcome: Outcome): void {
  if (outcome.as === "kept") addLine(report, "kept", file, outcome.reason ?? "");
  else report[outcome.as]++;
  addPostReport(report, file, outcome);
}

/** Retries when the site is busy. */
async function retryWhileBusy<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await work();
    } catch (error) {
      const failure = isDiskFull(error) ? undefined : (asUnavailable(error) ?? error);
      const isBusy = failure instanceof AppError && /^(?:unavailable|too_many)$/.test(failure.code);
      if (!isBusy || tries === 6) throw error;
      await pause(250 * 2 ** tries);
    }
}

/** Runs a few at once, started in order. The first error stops the rest; running ones finish. */
async function runConcurrently<T>(
  items: AsyncIterable<T>,
  signal: AbortSignal | undefined,
  start: (item: T) => Promise<(() => Promise<void>) | undefined>,
): Promise<void> {
  const running = new Set<Promise<void>>();
  let failure: { error: unknown } | undefined;
  for await (const item of items) {
    if (signal?.aborted) failure ??= { error: signal.reason };
    if (failure) break;
    const work = await start(item);
    if (!work) continue;
    const run = work()
      .catch((error: unknown) => void (failure ??= { error }))
      .finally(() => running.delete(run));
    running.add(run);
    while (running.size >= bounds.concurrentPosts) await Promise.race(running);
    // Lets other requests run between two posts.
    await nextTurn();
  }
  await Promise.all(running);
  if (failure) throw failure.error as Error;
}
