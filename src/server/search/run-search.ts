import type { Context } from "../context.ts";
import type { Search } from "../database/search/search-index.ts";

/**
 * Searches in a thread, of either store: a word of many long texts takes a quarter of a second. Returns a page of results with marked texts,
 * and their number in all.
 */
export const runSearch = ({ readers, config, database, address }: Context, search: Search) =>
  readers.run("search", { store: config.databaseUrl ?? database.file, ...search }, address);
