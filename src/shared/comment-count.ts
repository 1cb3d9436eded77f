import type { CommentList } from "./comments.ts";

/**
 * Returns the number of comments beside a list: those in it once all of it is loaded, else the blog's `count`, which includes
 * comments of people who are hidden from the viewer.
 */
export const countBeside = (
  { comments, folds, before }: Omit<CommentList, "total" | "cursor">,
  count: number,
) =>
  before === null && Object.keys(folds).length === 0
    ? comments.filter(({ deleted }) => !deleted).length
    : count;
