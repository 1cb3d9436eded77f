import { LRUCache } from "lru-cache";
import { addressKey } from "../auth/rate-limits.ts";
import type { Context } from "../context.ts";
import { blogStanding } from "./access.ts";
import { canWriteBlog } from "./policy.ts";
import { blogDocument, type BlogFacts } from "./queries.ts";

/** HTML for API clients, by blog, version and whether the viewer is an author. */
const kept = new LRUCache<string, string>({
  maxSize: 8 * 1024 * 1024,
  sizeCalculation: (html) => 2 * html.length + 100,
});
const underWay = new Map<string, Promise<string>>();
const keyOf = ({ id, version }: Pick<BlogFacts, "id" | "version">, isWriter: boolean) =>
  `${id} ${version}${isWriter ? " its writers" : ""}`;

/** Counts calls of `forgetFlatHtml`: a text read before the last one is not cached. */
let forgotten = 0;

/** For changes without a new version, after the commit. */
export function forgetFlatHtml(blog: BlogFacts): void {
  forgotten++;
  for (const key of [keyOf(blog, true), keyOf(blog, false)]) {
    kept.delete(key);
    underWay.delete(key);
  }
}

/**
 * Returns a blog's HTML for API clients, pictures as paths. The caller has checked access. Authors get unreferenced notes, too,
 * so that sending it back loses nothing.
 */
export async function flatHtmlOf(ctx: Context, blog: BlogFacts): Promise<string> {
  const isWriter = canWriteBlog(blogStanding(ctx.viewer, blog));
  return kept.get(keyOf(blog, isWriter)) ?? (await sharedRender(ctx, blog, isWriter));
}

function sharedRender(ctx: Context, blog: BlogFacts, isWriter: boolean): Promise<string> {
  const key = keyOf(blog, isWriter);
  const rendered = underWay.get(key) ?? draw(ctx, blog, isWriter).finally(() => underWay.delete(key));
  underWay.set(key, rendered);
  return rendered;
}

async function draw(
  { database, workers, config, viewer, address }: Context,
  { id }: BlogFacts,
  isWriter: boolean,
): Promise<string> {
  const forgottenBefore = forgotten;
  const stored = await blogDocument(database.read, id);
  if (!stored) return "";
  const input = { document: stored.document, origin: config.publicUrl, isWriter };
  const { html } = await workers.run("flatHtml", input, viewer?.id ?? addressKey(address));
  if (forgotten === forgottenBefore) kept.set(keyOf({ id, version: stored.version }, isWriter), html);
  return html;
}
