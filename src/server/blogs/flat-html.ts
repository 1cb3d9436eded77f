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

/** For changes without a new version. */
export function forgetFlatHtml(blog: BlogFacts): void {
  for (const isWriter of [true, false]) kept.delete(keyOf(blog, isWriter));
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
  const stored = await blogDocument(database.read, id);
  if (!stored) return "";
  const input = { document: stored.document, origin: config.publicUrl, isWriter };
  const { html } = await workers.run("flatHtml", input, viewer?.id ?? addressKey(address));
  kept.set(keyOf({ id, version: stored.version }, isWriter), html);
  return html;
}
