import type { z } from "zod";
import type { BlogCard } from "../../shared/blogs.ts";
import { limits } from "../../shared/limits.ts";
import { isBeyondLastPage } from "../../shared/paging.ts";
import type { BlogSearch, FoundBlog, Search } from "../../shared/search.ts";
import type { Context } from "../context.ts";
import { unmarked } from "../database/search/highlight.ts";
import { searchWords } from "../database/search/words.ts";
import { withoutMuted } from "../blogs/muted.ts";
import { presentCard } from "../blogs/present.ts";
import { listBlogs, publishedCards } from "../blogs/card-queries.ts";
import { runSearch } from "./run-search.ts";

/** The most results of one response, also for API clients. */
export const maxFound = 50;

/**
 * Finds blogs with all words of the query, or parts of words in title or tags. Best first: words in the title, tags,
 * description, body; equals by date. Without a query the newest. Never drafts or unreadable blogs. `size` is at most 50;
 * `newestFirst` sorts by date only.
 */
export async function searchBlogs(
  ctx: Context,
  { query, page }: z.output<typeof Search>,
  size: number = limits.page.search,
  newestFirst = false,
): Promise<BlogSearch> {
  const { read } = ctx.database;
  const pageSize = Math.max(1, Math.min(size, maxFound));
  const words = searchWords(query);
  const at = { viewer: ctx.viewer?.id ?? null, limit: pageSize + 1, offset: (page - 1) * pageSize };
  if (isBeyondLastPage(page, pageSize)) return { blogs: [], page, hasMore: false };
  if (query.trim() === "") {
    const rows = await listBlogs(read, "latest", at);
    const newest = rows.slice(0, pageSize).map((row) => withoutHighlights(presentCard(row)));
    return {
      blogs: await withoutMuted(read, ctx.viewer, newest),
      page,
      hasMore: rows.length > pageSize,
    };
  }
  if (words.length === 0) return { blogs: [], page, hasMore: false, total: 0 };
  await ctx.limits.take("read", ctx.address, limits.search.cost);
  // A blog saved meanwhile may be counted but missing from the cards of this snapshot.
  const part = { viewer: at.viewer, limit: pageSize + 1, offset: at.offset, newestFirst };
  const { found, total, suggestion } = await runSearch(ctx, { kind: "blogs", words, ...part });
  const foundById = new Map(found.slice(0, pageSize).map((result) => [result.id, result]));
  const cards = await publishedCards(ctx.database.read, [...foundById.keys()], at.viewer);
  const highlighted = cards.map((row) => {
    const { marks, entryId } = foundById.get(row.id)!;
    return { ...presentCard(row), highlights: marks as FoundBlog["highlights"], entryId };
  });
  return {
    blogs: await withoutMuted(ctx.database.read, ctx.viewer, highlighted),
    page,
    hasMore: found.length > pageSize,
    total: found.length > 0 || page === 1 ? total : undefined,
    suggestion,
  };
}

const withoutHighlights = (card: BlogCard): FoundBlog => ({
  ...card,
  highlights: {
    title: unmarked(card.title),
    description: unmarked(card.description),
    snippet: unmarked(card.excerpt),
  },
});
