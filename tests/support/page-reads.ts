import { existsSync, readFileSync } from "node:fs";
import type Sqlite from "better-sqlite3";
import type { Connection } from "../../src/server/database/connection.ts";
import type { TestSite } from "./test-site.ts";

/* Counts the database pages that a query reads, which depends on the data and the indexes alone and not on the machine. */

const file = "/proc/thread-self/io";

/** Only Linux counts the bytes that a thread reads. */
export const canCountPageReads = existsSync(file);

const pageSize = 4_096;
const bytesRead = () => Number(/^rchar: (\d+)/m.exec(readFileSync(file, "latin1"))?.[1]);
const clientOf = ({ drizzle }: Connection) => (drizzle as unknown as { $client: Sqlite.Database }).$client;

/** Makes a site read a page from its file at each visit of it: its connections keep one at most. */
export async function withoutPageCache({ app }: TestSite): Promise<void> {
  const { database } = app.services;
  clientOf(database.read).pragma("cache_size = 1");
  await database.write(async (tx) => clientOf(tx).pragma("cache_size = 1"));
}

/** Returns the pages that `action` reads, the fewest of five times: the server may do something else meanwhile. */
export async function countPageReads(action: () => Promise<unknown>): Promise<number> {
  let minimum = Infinity;
  for (let time = 0; time < 5; time++) {
    const before = bytesRead();
    await action();
    minimum = Math.min(minimum, Math.floor((bytesRead() - before) / pageSize));
  }
  return minimum;
}
