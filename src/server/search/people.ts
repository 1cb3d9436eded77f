import type { z } from "zod";
import { limits } from "../../shared/limits.ts";
import { isBeyondLastPage } from "../../shared/paging.ts";
import type { FoundPerson, PeopleSearch, Search } from "../../shared/search.ts";
import type { Context } from "../context.ts";
import { searchWords } from "../database/search/words.ts";
import { presentListed } from "../profiles/present.ts";
import { listedAmong } from "../profiles/queries.ts";
import { runSearch } from "./run-search.ts";

const mostFound = 50;

/** Searches verified people: exact username, then username, name, bio. An empty query finds no one. `size` is at most 50. */
export async function searchPeople(
  ctx: Context,
  { query, page }: z.output<typeof Search>,
  size: number = limits.page.search,
): Promise<PeopleSearch> {
  const pageSize = Math.max(1, Math.min(size, mostFound));
  const words = searchWords(query);
  if (words.length === 0 || isBeyondLastPage(page, pageSize))
    return { people: [], page, hasMore: false, ...(query.trim() === "" ? {} : { total: 0 }) };
  const viewerId = ctx.viewer?.id ?? null;
  const exact = query.trim().toLowerCase().replace(/^@/, "");
  await ctx.limits.take("read", ctx.address, limits.search.cost);
  const part = { viewer: viewerId, exact, limit: pageSize + 1, offset: (page - 1) * pageSize };
  const { found, total, suggestion } = await runSearch(ctx, { kind: "people", words, ...part });
  const marksById = new Map(found.slice(0, pageSize).map(({ id, marks }) => [id, marks]));
  const rows = await listedAmong(ctx.database.read, [...marksById.keys()], viewerId);
  return {
    people: rows.map((row) => ({
      ...presentListed(row, viewerId),
      highlights: marksById.get(row.id) as FoundPerson["highlights"],
    })),
    page,
    hasMore: found.length > pageSize,
    total: found.length > 0 || page === 1 ? total : undefined,
    suggestion,
  };
}
