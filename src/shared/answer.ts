/* Bounds that every reader's page needs, and little of the rest of `limits`: by themselves. */

/** Part of `limits`. */
export const answer = { read: 10_000, change: 15_000, eachSecond: 16 * 1024 };
/** Calls of the API that go in one request. */
export const mostCalls = 20;
/** Characters of an address that asks for several at once: Node takes 16 kB of an address and its headers together. */
export const longestAddress = 8_000;
