import { setTimeout as pause } from "node:timers/promises";
import type { Database } from "./connection.ts";
import type { Transaction } from "./writer.ts";

/**
 * Repeats `step` in small transactions until it returns true, so that other writes, also of other processes, run in between. A
 * kill may come after any step: each must continue from what is stored.
 */
export async function runInSteps(
  database: Pick<Database, "write">,
  step: (tx: Transaction) => Promise<boolean>,
  signal?: AbortSignal,
): Promise<void> {
  for (;;) {
    signal?.throwIfAborted();
    const started = performance.now();
    if (await database.write(step)) return;
    // So that other processes get their share.
    await pause(performance.now() - started);
  }
}

/** Rows per step: some milliseconds each. */
const rowsPerStep = 300;

/** Repeats `deleteSome`, which returns the number of deleted rows, until none are left. */
export const deleteInSteps = (
  database: Pick<Database, "write">,
  deleteSome: (tx: Transaction, limit: number) => Promise<number>,
): Promise<void> => runInSteps(database, async (tx) => (await deleteSome(tx, rowsPerStep)) < rowsPerStep);
