import { limits } from "./limits.ts";

/** Whether a page is one that no list is turned to: pages are counted off from a list's beginning. */
export const isBeyond = (page: number, size: number): boolean =>
  page > limits.page.highest || page * size > limits.page.reach;
