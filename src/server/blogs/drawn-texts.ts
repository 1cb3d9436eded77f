import { LRUCache } from "lru-cache";
import { contentsOf } from "../../shared/document/contents.ts";
import { drawnText } from "../../shared/drawn-text.ts";
import type { BlogPage } from "../../shared/blogs.ts";
import type { Context } from "../context.ts";
import type { Workers } from "../workers/pool.ts";
import { drawnHtml, isColored } from "./drawn-html.ts";
import { isListed } from "./policy.ts";
import { blogHtml, type BlogFacts } from "./queries.ts";
import { digestOf } from "./text-changes.ts";

interface Kept {
  text: Buffer;
  digest: string;
  contents: string;
}

/** Texts that everybody may read, as the bytes that pages send, by blog and version. */
const kept = new LRUCache<string, Kept>({
  maxSize: 16 * 1024 * 1024,
  // What was derived anew has the version that it had (blogs/rebuild.ts).
  ttl: 5 * 60_000,
  sizeCalculation: ({ text, contents }) => text.length + contents.length + 200,
});
/** Milliseconds after which a text is drawn anew for which there was no thread. */
const soon = 2_000;
const keyOf = ({ id, version }: Pick<BlogFacts, "id" | "version">) => `${id} ${version}`;

/** For what is changed without a version of its own. */
export const forgetDrawnText = (blog: BlogFacts): void => void kept.delete(keyOf(blog));

/** A blog's text, of which a page that is drawn has the bytes apart and a mark in its place. The right to it was asked before. */
export async function textOf(
  { database, workers, drawn }: Context,
  blog: BlogFacts,
  minutes: number,
): Promise<Pick<BlogPage, "html" | "digest" | "contents">> {
  if (!drawn) {
    const stored = await blogHtml(database.read, blog.id);
    const html = await drawnHtml(workers, stored);
    return { html, digest: digestOf(stored), contents: contentsOf(html, minutes) };
  }
  const key = keyOf(blog);
  let said = kept.get(key);
  if (!said) {
    const stored = await blogHtml(database.read, blog.id);
    said = await keptOf(workers, stored, minutes);
    if (isListed(blog)) kept.set(key, said, isColored(stored) ? {} : { ttl: soon });
  }
  const { text, digest, contents } = said;
  drawn.text = text;
  return { html: drawnText, digest, contents };
}

async function keptOf(workers: Workers, stored: string, minutes: number): Promise<Kept> {
  const html = await drawnHtml(workers, stored);
  return { text: Buffer.from(html), digest: digestOf(stored), contents: contentsOf(html, minutes) };
}
