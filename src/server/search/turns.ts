import { AppError } from "../../shared/errors.ts";

/** What a search counts as, beyond the call that it is: so many points of reading. */
export const searchCost = 4;

/** Pieces of work that may wait. */
const most = 1_000;
let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

/**
 * Does work of some milliseconds in a turn of the event loop that no other such work has, so that many searches at once
 * make each other wait and nobody else. Throws `unavailable` where too many wait.
 */
export async function inTurn<T>(work: () => T | Promise<T>): Promise<T> {
  if (waiting >= most)
    throw new AppError("unavailable", "The search is very busy. Please try again in a moment.", {
      retryAfter: 5,
    });
  waiting++;
  const done = last
    .then(() => new Promise((turn) => setImmediate(turn)))
    .then(work)
    .finally(() => waiting--);
  last = done.catch(() => undefined);
  return done;
}
