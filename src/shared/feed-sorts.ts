/*
 * The orders of the feed and of tags. A new one is one entry here; the compiler then asks for the column of its count in
 * `blog_tags`, which needs an index, as in `blogs`.
 */

/** Counts of a blog: fields of its card, and columns. */
export type BlogCount = "likesCount" | "savesCount" | "commentsCount";

/** Name in addresses, label, and the count that ranks the blogs; null for newest first. */
export const feedSorts = {
  latest: { label: "Latest", count: null },
  likes: { label: "Most Liked", count: "likesCount" },
} as const satisfies Record<string, { label: string; count: BlogCount | null }>;

export type Sort = keyof typeof feedSorts;
/** An order by a count. Its name is also that of the topic with the changes of ranks. */
export type RankedSort = {
  [Name in Sort]: (typeof feedSorts)[Name]["count"] extends null ? never : Name;
}[Sort];
/** The order of the home page; `following`, for members, has the blogs of followed people and with followed tags. */
export type FeedSort = Sort | "following";

export const sortNames = Object.keys(feedSorts) as [Sort, ...Sort[]];
export const defaultSort = "latest" satisfies Sort;
export const rankedSorts = sortNames.filter((sort): sort is RankedSort => feedSorts[sort].count !== null);
export const isRanked = (sort: FeedSort): sort is RankedSort => rankedSorts.some((one) => one === sort);

/** Returns the order with this name in an address, or the default. */
export const parseSort = (name: string | null): Sort =>
  sortNames.find((sort) => sort === name) ?? defaultSort;

/** Returns the parameters of an address in that order. */
export const sortParameters = (sort: FeedSort): { sort?: FeedSort } => (sort === defaultSort ? {} : { sort });

/** Returns the topics with the changes of ranks in that order. */
export const rankTopics = (sort: FeedSort): RankedSort[] => (isRanked(sort) ? [sort] : []);

/** Returns a table with a value for each order. */
export const bySort = <Value>(valueOf: (sort: Sort) => Value) =>
  Object.fromEntries(sortNames.map((sort) => [sort, valueOf(sort)])) as Record<Sort, Value>;
