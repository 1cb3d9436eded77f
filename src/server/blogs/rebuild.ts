import type { Services } from "../context.ts";
import { entriesToRebuild, storeDerivedEntry } from "../entries/rebuild-queries.ts";
import { coverageTopic } from "../live/signals.ts";
import { blogTopic } from "../live/stored-events.ts";
import type { Rendered } from "../workers/tasks.ts";
import { derive } from "../writing/compose.ts";
import * as queries from "./rebuild-queries.ts";

export interface RebuildResult {
  blogs: number;
  entries: number;
  /** Blogs and entries whose derived data differed. */
  changed: number;
  people: number;
  /** Blogs and entries that this version cannot read, left unchanged. */
  problems: { blogId: string; entryId?: string; problem: string }[];
  /** Whether it resumed an earlier rebuild. */
  resumed: boolean;
}

const batchSizes = { blogs: 20, entries: 50, people: 200 };

/**
 * Derives HTML, plain text, excerpts and counts of blogs and entries again and rebuilds the search index, in small transactions
 * beside a running server. Resumes unless `afresh`.
 */
export async function rebuild(
  services: Services,
  { afresh = false, onProgress, signal }: RebuildOptions = {},
): Promise<RebuildResult> {
  const { database } = services;
  const stored = afresh ? undefined : await queries.rebuildPosition(database.read);
  const place = stored ?? { blogs: 0, entries: 0, people: 0 };
  const result: RebuildResult = {
    blogs: 0,
    entries: 0,
    changed: 0,
    people: 0,
    problems: [],
    resumed: stored !== undefined,
  };
  const last = await queries.lastNumbers(database.read);
  for (;;) {
    const batch = await queries.blogsToRebuild(database.read, place.blogs, batchSizes.blogs);
    for (const blog of batch) {
      signal?.throwIfAborted();
      const derived = await deriveOr(services, blog.document, {}, (problem) =>
        result.problems.push({ blogId: blog.id, problem }),
      );
      place.blogs = blog.seq;
      // One blog per transaction: indexing a long text takes a while.
      result.changed += await database.write(async (tx) => {
        const isChanged = derived !== undefined && (await queries.storeDerived(tx, blog, derived));
        await queries.reindexBlog(tx, blog.seq);
        if (isChanged) tx.emit(blogTopic(blog.id), { kind: "blog.edited" });
        await queries.storeRebuildPosition(tx, place);
        return isChanged ? 1 : 0;
      });
      result.blogs += 1;
      onProgress?.(place.blogs, last.blogs, "blogs");
    }
    if (batch.length < batchSizes.blogs) break;
  }
  for (;;) {
    const batch = await entriesToRebuild(database.read, place.entries, batchSizes.entries);
    for (const entry of batch) {
      signal?.throwIfAborted();
      const { id, blogId } = entry;
      const derived = await deriveOr(services, entry.document, { withoutIds: true }, (problem) =>
        result.problems.push({ blogId, entryId: id, problem }),
      );
      place.entries = entry.seq;
      result.changed += await database.write(async (tx) => {
        const isChanged = derived !== undefined && (await storeDerivedEntry(tx, entry, derived));
        await queries.reindexEntry(tx, entry.seq);
        if (isChanged && entry.withdrawnAt === null) {
          tx.emit(blogTopic(blogId), { kind: "entry.edited", entryId: id });
          tx.signal(coverageTopic(blogId));
        }
        await queries.storeRebuildPosition(tx, place);
        return isChanged ? 1 : 0;
      });
      result.entries += 1;
      onProgress?.(place.entries, last.entries, "entries");
    }
    if (batch.length < batchSizes.entries) break;
  }
  while (place.people < last.people) {
    signal?.throwIfAborted();
    const lastNumber = Math.min(place.people + batchSizes.people, last.people);
    await database.write(async (tx) => {
      await queries.reindexPeople(tx, place.people, lastNumber);
      await queries.storeRebuildPosition(tx, { ...place, people: lastNumber });
    });
    result.people += lastNumber - place.people;
    place.people = lastNumber;
    onProgress?.(place.people, last.people, "people");
  }
  await database.write((tx) => queries.storeRebuildPosition(tx, undefined));
  return result;
}

/** Derives HTML and text; of a document that this version cannot read, `onProblem` gets the reason. */
const deriveOr = (
  services: Services,
  document: string,
  options: Parameters<typeof derive>[2],
  onProblem: (problem: string) => void,
): Promise<Rendered | undefined> =>
  derive(services, document, options).catch((error: unknown) => {
    onProblem(error instanceof Error ? error.message : String(error));
    return undefined;
  });

export interface RebuildOptions {
  afresh?: boolean | undefined;
  onProgress?: (done: number, of: number, what: string) => void;
  signal?: AbortSignal;
}
