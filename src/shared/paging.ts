import { limits } from "./limits.ts";

/** Returns the page number; 1 for a spelling the site does not use. */
export const parsePageNumber = (text: string): number => (/^[1-9]\d{0,4}$/.test(text) ? Number(text) : 1);

export const pageInQuery = (search: URLSearchParams): number => parsePageNumber(search.get("page") ?? "");

/** Whether a page is beyond the last one served: pages are counted from the list's beginning. */
export const isBeyondLastPage = (page: number, size: number): boolean =>
  page > limits.page.highest || page * size > limits.page.reach;
