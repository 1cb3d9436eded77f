import { limits } from "../../shared/limits.ts";
import { pageInQuery } from "../../shared/paging.ts";
import { routes } from "../../shared/routes.ts";

export type SearchTab = "blogs" | "people";

export interface SearchParams {
  query: string;
  tab: SearchTab;
  page: number;
}

/** Trims a query and cuts it to the length that the server reads. */
export const cleanQuery = (text: string): string =>
  [...text.trim()].slice(0, limits.search.max).join("").trim();

/** Parses an address. Invalid values mean the first page of blogs. */
export function parseSearchParams(search: URLSearchParams): SearchParams {
  return {
    query: cleanQuery(search.get("q") ?? ""),
    tab: search.get("tab") === "people" ? "people" : "blogs",
    page: pageInQuery(search),
  };
}

export function searchAddress({ query, tab, page }: SearchParams): string {
  if (query !== "") return routes.search(query, tab, page);
  const parameters = new URLSearchParams();
  if (tab !== "blogs") parameters.set("tab", tab);
  if (page > 1) parameters.set("page", String(page));
  return parameters.size > 0 ? `/search?${parameters}` : "/search";
}
