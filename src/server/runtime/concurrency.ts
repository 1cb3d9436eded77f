import { tooBusy } from "../../shared/errors.ts";

/** The longest queue. */
const maxQueue = 1_000;
const waiting: (() => void)[] = [];
let isTurning = false;

/**
 * Runs work of some milliseconds in its own turn of the event loop, so that much of it (searches, renderings, large responses)
 * delays only itself. Throws `unavailable` if the queue is full.
 */
export async function serialize<T>(work: () => T | Promise<T>): Promise<T> {
  if (waiting.length >= maxQueue) throw tooBusy();
  await new Promise<void>((resolve) => {
    waiting.push(resolve);
    if (!isTurning) setImmediate(runNext);
    isTurning = true;
  });
  return work();
}

/** Returns what others wait for, too, and continues in a turn of its own: what follows may take some milliseconds for each. */
export async function shared<T>(work: Promise<T>): Promise<T> {
  const value = await work;
  return serialize(() => value);
}

/**
 * Returns a function that starts `work`. Called while it runs, it starts it once more afterwards, however often it was called. `work`
 * handles its errors.
 */
export function oneAtATime(work: () => Promise<void>): () => void {
  let [isRunning, isWanted] = [false, false];
  const run = async () => {
    isRunning = true;
    while (isWanted) {
      isWanted = false;
      await work();
    }
    isRunning = false;
  };
  return () => {
    isWanted = true;
    if (!isRunning) void run();
  };
}

const waitingByOwner = new Map<string, (() => void)[]>();

/**
 * Waits for a turn of the event loop in which nothing else of this owner begins: the first begins at once, others one a turn, so
 * that many requests of one address delay only each other. Throws `unavailable` if the owner's queue is full.
 */
export async function takeTurn(owner: string): Promise<void> {
  const queue = waitingByOwner.get(owner);
  if (!queue) {
    waitingByOwner.set(owner, []);
    setImmediate(beginNextOf, owner);
    return;
  }
  if (queue.length >= maxQueue) throw tooBusy();
  await new Promise<void>((resolve) => queue.push(resolve));
}

function beginNextOf(owner: string): void {
  const next = waitingByOwner.get(owner)?.shift();
  if (!next) return void waitingByOwner.delete(owner);
  next();
  setImmediate(beginNextOf, owner);
}

/** Returns a function that runs at most `count` tasks at once and queues others. Throws `unavailable` if the queue is full. */
export function limitConcurrency(count: number): <T>(work: () => Promise<T>) => Promise<T> {
  const queue: (() => void)[] = [];
  let free = count;
  return async (work) => {
    if (queue.length >= maxQueue) throw tooBusy();
    if (free > 0) free--;
    else await new Promise<void>((resolve) => queue.push(resolve));
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else free++;
    }
  };
}

function runNext(): void {
  waiting.shift()?.();
  // In the next round: I/O that arrived meanwhile comes first.
  isTurning = waiting.length > 0;
  if (isTurning) setImmediate(runNext);
}
