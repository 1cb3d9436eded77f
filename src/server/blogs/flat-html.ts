import { LRUCache } from "lru-cache";
import { addressKey } from "../auth/rate-limits.ts";
import type { Context } from "../context.ts";
import { blogRelation } from "./access.ts";
import { canWriteBlog } from "./policy.ts";
import { blogDocument, type BlogFacts } from "./queries.ts";

/** HTML for API clients, by blog, version and whether the viewer is an author. */
const cache = new LRUCache<string, string>({
  maxSize: 8 * 1024 * 1024,
  sizeCalculation: (html) => 2 * html.length + 100,
});
const pendingRenders = new Map<string, Promise<string>>();
const keyOf = ({ id, version }: Pick<BlogFacts, "id" | "version">, isWriter: boolean) =>
  `${id} ${version}${isWriter ? " its writers" : ""}`;

/** Counts calls of `forgetFlatHtml`: a text read before the last one is not cached. */
let forgetCount = 0;

/** For changes without a new version, after the commit. */
export function forgetFlatHtml(blog: BlogFacts): void {
  forgetCount++;
  for (const key of [keyOf(blog, true), keyOf(blog, false)]) {
    cache.delete(key);
    pendingRenders.delete(key);
  }
}

/**
 * Returns a blog's HTML for API clients, pictures as paths. The caller has checked access. Authors get unreferenced notes, too,
 * so that sending it back loses nothing.
 */
export async function flatHtmlOf(ctx: Context, blog: BlogFacts): Promise<string> {
  const isWriter = canWriteBlog(blogRelation(ctx.viewer, blog));
  return cache.get(keyOf(blog, isWriter)) ?? (await sharedRender(ctx, blog, isWriter));
}

function sharedRender(ctx: Context, blog: BlogFacts, isWriter: boolean): Promise<string> {
  const key = keyOf(blog, isWriter);
  const rendered =
    pendingRenders.get(key) ?? renderFlatHtml(ctx, blog, isWriter).finally(() => pendingRenders.delete(key));
  pendingRenders.set(key, rendered);
  return rendered;
}

async function renderFlatHtml(
  { database, workers, config, viewer, address }: Context,
  { id }: BlogFacts,
  isWriter: boolean,
): Promise<string> {
  const forgetCountBefore = forgetCount;
  const stored = await blogDocument(database.read, id);
  if (!stored) return "";
  const input = { document: stored.document, origin: config.publicUrl, isWriter };
  const { html } = await workers.run("flatHtml", input, viewer?.id ?? addressKey(address));
  if (forgetCount === forgetCountBefore) cache.set(keyOf({ id, version: stored.version }, isWriter), html);
  return html;
}
