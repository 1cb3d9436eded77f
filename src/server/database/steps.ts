import { setTimeout as pause } from "node:timers/promises";
import type { Database } from "./connection.ts";
import type { Transaction } from "./writer.ts";

/**
 * Does long work in small transactions, one after the other until `step` answers true: other writes get their turn between,
 * those of other processes, too. Each step goes on from what the store says, so that a kill between two loses nothing.
 */
export async function inSteps(
  database: Pick<Database, "write">,
  step: (tx: Transaction) => Promise<boolean>,
  signal?: AbortSignal,
): Promise<void> {
  for (;;) {
    signal?.throwIfAborted();
    const started = performance.now();
    if (await database.write(step)) return;
    // As long as the step took: whoever waits outside this process has as good a chance.
    await pause(performance.now() - started);
  }
}

/** Rows in one step: some milliseconds each. */
const most = 300;

/** Deletes what `deleteSome` deletes at most so much of at once, answering with how much it was. */
export const deleteInSteps = (
  database: Pick<Database, "write">,
  deleteSome: (tx: Transaction, limit: number) => Promise<number>,
): Promise<void> => inSteps(database, async (tx) => (await deleteSome(tx, most)) < most);
