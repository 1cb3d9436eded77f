/* Limits for every page, separate so that pages do not load the rest of `limits`. */

export const answer = { read: 10_000, change: 15_000, eachSecond: 16 * 1024 };
/** API calls in one request. */
export const maxBatchCalls = 20;
/** Characters of a batch's URL: Node accepts 16 kB of URL and headers together. */
export const maxBatchUrlLength = 8_000;
