import { openSqlite } from "../database/sqlite.ts";
import { isBusy } from "../database/errors.ts";
import { stepBack } from "../priority.ts";
import type { Answered } from "./worker.ts";

/* The entry of a thread that reads the store (`readers.ts`), on a connection of its own. It knows no more than
 * SQLite, so that it is there at once. */

const open = new Map<string, ReturnType<typeof openSqlite>>();

const reads = {
  /** The rows that a statement finds, each as its values in their order. */
  rows({ file, sql, params }: { file: string; sql: string; params: unknown[] }): unknown[][] {
    let sqlite = open.get(file);
    if (!sqlite) open.set(file, (sqlite = openSqlite(file, true, 5_000, 8_000)));
    return sqlite.prepare(sql).raw().all(params) as unknown[][];
  },
};
export type Reads = typeof reads;

stepBack("thread");

export default function answer({ name, input }: { name: keyof Reads; input: never }): Answered {
  try {
    return { value: reads[name](input) };
  } catch (error) {
    if (isBusy(error)) return { refused: "The site is very busy. Please try again in a moment." };
    throw error;
  }
}
