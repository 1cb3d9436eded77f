import { limits } from "./limits.ts";

/** The page that an address asks for; the first where it asks for none, or for what the site would not write. */
export function pageIn(search: URLSearchParams): number {
  const page = search.get("page") ?? "";
  return /^[1-9]\d{0,4}$/.test(page) ? Number(page) : 1;
}

/** Whether a page is one that no list is turned to: pages are counted off from a list's beginning. */
export const isBeyond = (page: number, size: number): boolean =>
  page > limits.page.highest || page * size > limits.page.reach;
