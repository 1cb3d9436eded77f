import { tooBusy } from "../shared/errors.ts";

/** Pieces of work that may wait. */
const most = 1_000;
const waiting: (() => void)[] = [];
let isTurning = false;

/**
 * Begins work of some milliseconds in a turn of the event loop that no other such work has, so that much of it at once
 * (searches, drawn pages, large answers) makes each other wait and nobody else. Throws `unavailable` where too much waits.
 */
export async function inTurn<T>(work: () => T | Promise<T>): Promise<T> {
  if (waiting.length >= most) throw tooBusy();
  await new Promise<void>((resolve) => {
    waiting.push(resolve);
    if (!isTurning) setImmediate(takeTurn);
    isTurning = true;
  });
  return work();
}

/** Gives what lets so many pieces of work go on at once, and the others wait in a row. Throws as `inTurn` does. */
export function fewAtOnce(count: number): <T>(work: () => Promise<T>) => Promise<T> {
  const row: (() => void)[] = [];
  let free = count;
  return async (work) => {
    if (row.length >= most) throw tooBusy();
    if (free > 0) free--;
    else await new Promise<void>((resolve) => row.push(resolve));
    try {
      return await work();
    } finally {
      const next = row.shift();
      if (next) next();
      else free++;
    }
  };
}

function takeTurn(): void {
  waiting.shift()?.();
  // The next one in the loop's next round: what has arrived meanwhile comes first.
  isTurning = waiting.length > 0;
  if (isTurning) setImmediate(takeTurn);
}
