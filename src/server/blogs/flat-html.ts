import { LRUCache } from "lru-cache";
import { countedAs } from "../auth/limits.ts";
import type { Context } from "../context.ts";
import { blogDocument, type BlogFacts } from "./queries.ts";

/** What clients of the API loaded last, by blog and version. */
const kept = new LRUCache<string, string>({
  maxSize: 8 * 1024 * 1024,
  sizeCalculation: (html) => 2 * html.length + 100,
});
const underWay = new Map<string, Promise<string>>();
const keyOf = ({ id, version }: Pick<BlogFacts, "id" | "version">) => `${id} ${version}`;

/** For what is changed without a version of its own. */
export const forgetFlatHtml = (blog: BlogFacts): void => void kept.delete(keyOf(blog));

/** A blog's content for clients of the API, drawn once for each version, pictures by their paths. The right to it was asked before. */
export const flatHtmlOf = async (ctx: Context, blog: BlogFacts): Promise<string> =>
  kept.get(keyOf(blog)) ?? (await drawing(ctx, blog));

/** What several ask for at once is drawn once. */
function drawing(ctx: Context, blog: BlogFacts): Promise<string> {
  const key = keyOf(blog);
  const drawn = underWay.get(key) ?? draw(ctx, blog).finally(() => underWay.delete(key));
  underWay.set(key, drawn);
  return drawn;
}

async function draw(
  { database, workers, config, viewer, address }: Context,
  { id }: BlogFacts,
): Promise<string> {
  const stored = await blogDocument(database.read, id);
  if (!stored) return "";
  const input = { document: stored.document, origin: config.publicUrl };
  const { html } = await workers.run("flatHtml", input, viewer?.id ?? countedAs(address));
  kept.set(keyOf({ id, version: stored.version }), html);
  return html;
}
