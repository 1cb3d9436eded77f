import { LRUCache } from "lru-cache";
import { countedAs } from "../auth/limits.ts";
import type { Context } from "../context.ts";
import { blogStanding } from "./access.ts";
import { canWriteBlog } from "./policy.ts";
import { blogDocument, type BlogFacts } from "./queries.ts";

/** What clients of the API loaded last, by blog and version, and for whom. */
const kept = new LRUCache<string, string>({
  maxSize: 8 * 1024 * 1024,
  sizeCalculation: (html) => 2 * html.length + 100,
});
const underWay = new Map<string, Promise<string>>();
const keyOf = ({ id, version }: Pick<BlogFacts, "id" | "version">, isWriter: boolean) =>
  `${id} ${version}${isWriter ? " its writers" : ""}`;

/** For what is changed without a version of its own. */
export function forgetFlatHtml(blog: BlogFacts): void {
  for (const isWriter of [true, false]) kept.delete(keyOf(blog, isWriter));
}

/**
 * A blog's content for clients of the API, drawn once for each version, pictures by their paths. The right to it was asked before.
 * Who writes it has all of it, so that nothing is lost when they send it back: notes, too, that no sign leads to.
 */
export async function flatHtmlOf(ctx: Context, blog: BlogFacts): Promise<string> {
  const isWriter = canWriteBlog(blogStanding(ctx.viewer, blog));
  return kept.get(keyOf(blog, isWriter)) ?? (await drawing(ctx, blog, isWriter));
}

/** What several ask for at once is drawn once. */
function drawing(ctx: Context, blog: BlogFacts, isWriter: boolean): Promise<string> {
  const key = keyOf(blog, isWriter);
  const drawn = underWay.get(key) ?? draw(ctx, blog, isWriter).finally(() => underWay.delete(key));
  underWay.set(key, drawn);
  return drawn;
}

async function draw(
  { database, workers, config, viewer, address }: Context,
  { id }: BlogFacts,
  isWriter: boolean,
): Promise<string> {
  const stored = await blogDocument(database.read, id);
  if (!stored) return "";
  const input = { document: stored.document, origin: config.publicUrl, isWriter };
  const { html } = await workers.run("flatHtml", input, viewer?.id ?? countedAs(address));
  kept.set(keyOf({ id, version: stored.version }, isWriter), html);
  return html;
}
