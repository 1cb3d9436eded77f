/** Part of `limits`; by itself, since every reader's page needs it and little of the rest. */
export const answer = { read: 10_000, change: 15_000, eachSecond: 16 * 1024 };
