import { limits } from "./limits.ts";

/** The number of a page as an address has it; 1 for what the site would not write. */
export const pageOf = (text: string): number => (/^[1-9]\d{0,4}$/.test(text) ? Number(text) : 1);

/** The number of the page that an address asks for. */
export const pageIn = (search: URLSearchParams): number => pageOf(search.get("page") ?? "");

/** Whether a page is one that no list is turned to: pages are counted off from a list's beginning. */
export const isBeyond = (page: number, size: number): boolean =>
  page > limits.page.highest || page * size > limits.page.reach;
