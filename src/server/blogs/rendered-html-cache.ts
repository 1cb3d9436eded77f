import { LRUCache } from "lru-cache";
import { contentsOf } from "../../shared/document/contents.ts";
import { textPlaceholder } from "../../shared/text-placeholder.ts";
import type { BlogPage } from "../../shared/blogs.ts";
import type { Context } from "../context.ts";
import type { ThreadPool } from "../workers/pool.ts";
import { renderedHtml, isColored } from "./render-html.ts";
import { isListed } from "./policy.ts";
import { blogHtml, type BlogFacts } from "./queries.ts";
import { digestOf } from "./text-changes.ts";

interface CachedText {
  text: Buffer;
  digest: string;
  contents: string;
}

/** Rendered texts of public blogs, as the bytes to send, by blog and version. */
const cache = new LRUCache<string, CachedText>({
  maxSize: 16 * 1024 * 1024,
  // A rebuild derives HTML without a new version (blogs/rebuild.ts).
  ttl: 5 * 60_000,
  sizeCalculation: ({ text, contents }) => text.length + contents.length + 200,
});
/** Milliseconds until a text without complete highlighting is rendered again. */
const soon = 2_000;
const keyOf = ({ id, version }: Pick<BlogFacts, "id" | "version">) => `${id} ${version}`;

/** Counts calls of `forgetRenderedText`: a text read before the last one is not cached. */
let forgetCount = 0;

/** For changes without a new version, after the commit. */
export function forgetRenderedText(blog: BlogFacts): void {
  forgetCount++;
  cache.delete(keyOf(blog));
}

/** Returns a blog's text; for a server-rendered page a placeholder and the bytes. The caller has checked access. */
export async function renderedTextOf(
  { database, workers, rendered }: Context,
  blog: BlogFacts,
  minutes: number,
): Promise<Pick<BlogPage, "html" | "digest" | "contents">> {
  if (!rendered) {
    const stored = await blogHtml(database.read, blog.id);
    const html = await renderedHtml(workers, stored);
    return { html, digest: digestOf(stored), contents: contentsOf(html, minutes) };
  }
  const key = keyOf(blog);
  let cached = cache.get(key);
  if (!cached) {
    const forgetCountBefore = forgetCount;
    const stored = await blogHtml(database.read, blog.id);
    cached = await renderText(workers, stored, minutes);
    if (isListed(blog) && forgetCount === forgetCountBefore)
      cache.set(key, cached, isColored(stored) ? {} : { ttl: soon });
  }
  const { text, digest, contents } = cached;
  rendered.text = text;
  return { html: textPlaceholder, digest, contents };
}

async function renderText(workers: ThreadPool, stored: string, minutes: number): Promise<CachedText> {
  const html = await renderedHtml(workers, stored);
  return { text: Buffer.from(html), digest: digestOf(stored), contents: contentsOf(html, minutes) };
}
