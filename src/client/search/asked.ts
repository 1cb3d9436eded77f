import { limits } from "../../shared/limits.ts";
import { pageIn } from "../../shared/paging.ts";
import { routes } from "../../shared/routes.ts";

export type SearchTab = "blogs" | "people";

/** What an address asks of the search. */
export interface Asked {
  query: string;
  tab: SearchTab;
  page: number;
}

/** What stands in the box as it is searched for: no space around it, and not longer than the server looks at. */
export const cleaned = (text: string): string => [...text.trim()].slice(0, limits.search.max).join("").trim();

/** Reads an address; what makes no sense in it is the first page of blogs. */
export function askedBy(search: URLSearchParams): Asked {
  return {
    query: cleaned(search.get("q") ?? ""),
    tab: search.get("tab") === "people" ? "people" : "blogs",
    page: pageIn(search),
  };
}

/** The address that asks for it. */
export function addressOf({ query, tab, page }: Asked): string {
  if (query !== "") return routes.search(query, tab, page);
  const rest = new URLSearchParams();
  if (tab !== "blogs") rest.set("tab", tab);
  if (page > 1) rest.set("page", String(page));
  return rest.size > 0 ? `/search?${rest}` : "/search";
}
