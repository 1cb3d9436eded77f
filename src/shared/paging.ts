import { limits } from "./limits.ts";

/** The page that an address asks for; the first where it asks for none, or for what is no page. */
export function pageIn(search: URLSearchParams): number {
  const page = Number(search.get("page"));
  return Number.isSafeInteger(page) && page > 1 ? page : 1;
}

/** Whether a page is one that no list is turned to: pages are counted off from a list's beginning. */
export const isBeyond = (page: number, size: number): boolean =>
  page > limits.page.highest || page * size > limits.page.reach;
