import type { Parts } from "../context.ts";
import { blogTopic } from "../live/stored-events.ts";
import { derive } from "./compose.ts";
import * as queries from "./rebuild-queries.ts";

export interface Rebuilt {
  blogs: number;
  /** Of which what is derived from the text was not what it would be now. */
  changed: number;
  people: number;
  /** Blogs that this version can't read, and why: they are as they were. */
  problems: { blogId: string; problem: string }[];
  /** Whether it went on with what an earlier one had begun. */
  wentOn: boolean;
}

const most = { blogs: 20, people: 200 };

/**
 * Derives anew what is stored beside texts (HTML, plain text, excerpt, counts of words), and the search's index of blogs and
 * people, a little in each transaction, while the server runs. What is cut off goes on where it was, unless `afresh`.
 */
export async function rebuild(
  parts: Parts,
  { afresh = false, onProgress, signal }: RebuildOptions = {},
): Promise<Rebuilt> {
  const { database } = parts;
  const stored = afresh ? undefined : await queries.placeOfRebuild(database.read);
  const place = stored ?? { blogs: 0, people: 0 };
  const done: Rebuilt = { blogs: 0, changed: 0, people: 0, problems: [], wentOn: stored !== undefined };
  const last = await queries.lastNumbers(database.read);
  for (;;) {
    const some = await queries.blogsToRebuild(database.read, place.blogs, most.blogs);
    for (const blog of some) {
      signal?.throwIfAborted();
      const derived = await derive(parts, blog.document).catch((error: unknown) => {
        done.problems.push({
          blogId: blog.id,
          problem: error instanceof Error ? error.message : String(error),
        });
        return undefined;
      });
      place.blogs = blog.number;
      // One in each: to index a long text takes a while.
      done.changed += await database.write(async (tx) => {
        const isChanged = derived !== undefined && (await queries.storeDerived(tx, blog, derived));
        await queries.reindexBlog(tx, blog.number);
        if (isChanged) await tx.emit(blogTopic(blog.id), { kind: "blog.edited" });
        await queries.keepPlace(tx, place);
        return isChanged ? 1 : 0;
      });
      done.blogs += 1;
      onProgress?.(place.blogs, last.blogs, "blogs");
    }
    if (some.length < most.blogs) break;
  }
  while (place.people < last.people) {
    signal?.throwIfAborted();
    const upTo = Math.min(place.people + most.people, last.people);
    await database.write(async (tx) => {
      await queries.reindexPeople(tx, place.people, upTo);
      await queries.keepPlace(tx, { ...place, people: upTo });
    });
    done.people += upTo - place.people;
    place.people = upTo;
    onProgress?.(place.people, last.people, "people");
  }
  await database.write((tx) => queries.keepPlace(tx, undefined));
  return done;
}

export interface RebuildOptions {
  afresh?: boolean | undefined;
  onProgress?: (done: number, of: number, what: string) => void;
  signal?: AbortSignal;
}
