import type { z } from "zod";
import type { BlogCard } from "../../shared/blogs.ts";
import { limits } from "../../shared/limits.ts";
import { isBeyond } from "../../shared/paging.ts";
import type { BlogSearch, FoundBlog, Search } from "../../shared/search.ts";
import type { Context } from "../context.ts";
import { plain } from "../search/highlight.ts";
import { searchWords } from "../search/words.ts";
import { withoutMuted } from "./muted.ts";
import { presentCard } from "./present.ts";
import { listBlogs, publishedCards } from "./card-queries.ts";

/** What one answer holds at most, whatever a client of the API asks for. */
export const mostFound = 50;

/**
 * Blogs with all the words of the query, or with parts of words in title or tags, the best first: those with the words in
 * the title, then tags, description, body; the newest of equals. Drafts are never found, nor anything the viewer may not
 * read. Without a query, the newest. `size` is at most 50; `newestFirst` asks for no other order.
 */
export async function searchBlogs(
  ctx: Context,
  { query, page }: z.output<typeof Search>,
  size: number = limits.page.search,
  newestFirst = false,
): Promise<BlogSearch> {
  const { read } = ctx.database;
  const most = Math.max(1, Math.min(size, mostFound));
  const words = searchWords(query);
  const at = { viewer: ctx.viewer?.id ?? null, limit: most + 1, offset: (page - 1) * most };
  if (isBeyond(page, most)) return { blogs: [], page, hasMore: false };
  if (query.trim() === "") {
    const rows = await listBlogs(read, "latest", at);
    const newest = rows.slice(0, most).map((row) => unmarked(presentCard(row)));
    return {
      blogs: await withoutMuted(read, ctx.viewer, newest),
      page,
      hasMore: rows.length > most,
    };
  }
  if (words.length === 0) return { blogs: [], page, hasMore: false, total: 0 };
  await ctx.limits.take("read", ctx.address, limits.search.cost);
  // A word of many long texts takes a quarter of a second: off the main thread, with the look for where it stands. What is written
  // meanwhile may be found there and is not in what the cards are read from: then it is in the count, and not among them.
  const part = { viewer: at.viewer, limit: most + 1, offset: at.offset, newestFirst };
  const asked = { kind: "blogs" as const, words, ...part };
  const { found, total } = await ctx.readers.run(
    "search",
    { file: ctx.database.file, ...asked },
    ctx.address,
  );
  const shown = new Map(found.slice(0, most).map(({ id, marks }) => [id, marks]));
  const cards = await publishedCards(ctx.database.read, [...shown.keys()], at.viewer);
  const marked = cards.map((row) => ({
    ...presentCard(row),
    highlights: shown.get(row.id) as FoundBlog["highlights"],
  }));
  return {
    blogs: await withoutMuted(ctx.database.read, ctx.viewer, marked),
    page,
    hasMore: found.length > most,
    total: found.length > 0 || page === 1 ? total : undefined,
  };
}

const unmarked = (card: BlogCard): FoundBlog => ({
  ...card,
  highlights: {
    title: plain(card.title),
    description: plain(card.description),
    snippet: plain(card.excerpt),
  },
});
