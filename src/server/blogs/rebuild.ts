import type { Services } from "../context.ts";
import { blogTopic } from "../live/stored-events.ts";
import { derive } from "../writing/compose.ts";
import * as queries from "./rebuild-queries.ts";

export interface RebuildResult {
  blogs: number;
  /** Blogs whose derived data differed. */
  changed: number;
  people: number;
  /** Blogs that this version cannot read, left unchanged. */
  problems: { blogId: string; problem: string }[];
  /** Whether it resumed an earlier rebuild. */
  resumed: boolean;
}

const batchSizes = { blogs: 20, people: 200 };

/**
 * Derives HTML, plain text, excerpts and counts again and rebuilds the search index, in small transactions beside a running
 * server. Resumes unless `afresh`.
 */
export async function rebuild(
  services: Services,
  { afresh = false, onProgress, signal }: RebuildOptions = {},
): Promise<RebuildResult> {
  const { database } = services;
  const stored = afresh ? undefined : await queries.rebuildPosition(database.read);
  const place = stored ?? { blogs: 0, people: 0 };
  const result: RebuildResult = {
    blogs: 0,
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
      const derived = await derive(services, blog.document).catch((error: unknown) => {
        result.problems.push({
          blogId: blog.id,
          problem: error instanceof Error ? error.message : String(error),
        });
        return undefined;
      });
      place.blogs = blog.seq;
      // One blog per transaction: indexing a long text takes a while.
      result.changed += await database.write(async (tx) => {
        const isChanged = derived !== undefined && (await queries.storeDerived(tx, blog, derived));
        await queries.reindexBlog(tx, blog.seq);
        if (isChanged) await tx.emit(blogTopic(blog.id), { kind: "blog.edited" });
        await queries.storeRebuildPosition(tx, place);
        return isChanged ? 1 : 0;
      });
      result.blogs += 1;
      onProgress?.(place.blogs, last.blogs, "blogs");
    }
    if (batch.length < batchSizes.blogs) break;
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

export interface RebuildOptions {
  afresh?: boolean | undefined;
  onProgress?: (done: number, of: number, what: string) => void;
  signal?: AbortSignal;
}
