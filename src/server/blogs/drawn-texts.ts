import { LRUCache } from "lru-cache";
import { drawnText } from "../../shared/drawn-text.ts";
import type { Context } from "../context.ts";
import { isListed } from "./policy.ts";
import { blogHtml, type BlogFacts } from "./queries.ts";

/** Texts that everybody may read, as the bytes that pages send, by blog and version. */
const kept = new LRUCache<string, Buffer>({
  maxSize: 16 * 1024 * 1024,
  // What was derived anew has the version that it had (blogs/rebuild.ts).
  ttl: 5 * 60_000,
  sizeCalculation: (bytes) => bytes.length + 200,
});
const keyOf = ({ id, version }: Pick<BlogFacts, "id" | "version">) => `${id} ${version}`;

/** For what is changed without a version of its own. */
export const forgetDrawnText = (blog: BlogFacts): void => void kept.delete(keyOf(blog));

/** A blog's text, of which a page that is drawn has the bytes apart and a mark in its place. The right to it was asked before. */
export async function textOf({ database, drawn }: Context, blog: BlogFacts): Promise<string> {
  if (!drawn) return blogHtml(database.read, blog.id);
  const key = keyOf(blog);
  drawn.text = kept.get(key) ?? Buffer.from(await blogHtml(database.read, blog.id));
  if (isListed(blog)) kept.set(key, drawn.text);
  return drawnText;
}
