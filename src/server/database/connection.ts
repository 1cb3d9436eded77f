import { mkdirSync } from "node:fs";
import path from "node:path";
import { openDrizzle, type Drizzle } from "./drizzle-client.ts";
import { Snapshots } from "./snapshots.ts";
import { openSqlite } from "./sqlite.ts";
import { Writer, type Transaction, type WriterOptions } from "./writer.ts";

export type { Drizzle };

/** For reading, or an open transaction. */
export interface Connection {
  readonly drizzle: Drizzle;
}

/** The database. `read` never sees an open transaction; only `write` changes anything. */
export interface Database {
  readonly read: Connection;
  /** Runs `work` on a connection whose reads all see one snapshot. On PostgreSQL: `repeatable read`. */
  snapshot<T>(work: (read: Connection) => Promise<T>): Promise<T>;
  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Numbers of writes: waiting, and stored since the start. */
  writes(): { waiting: number; stored: number };
  readonly file: string;
  /** Changes when another process, such as a command, has written. */
  dataVersion(): number;
  /** Closes after the queued writes. */
  close(): Promise<void>;
}

/** Milliseconds for which a locked read blocks the thread, before it fails. */
const readLockTimeoutMs = 30;
/** Page caches in kB. The index of a list of forty thousand entries takes five megabytes: a smaller cache would reread it. */
const cache = { reader: 12_000, snapshot: 6_000, writer: 4_000 };

/** Opens a migrated database. */
export function openDatabase(
  file: string,
  signal: WriterOptions["signal"],
  options: Omit<WriterOptions, "signal"> = {},
): Database {
  mkdirSync(path.dirname(file), { recursive: true });
  const writerSqlite = openSqlite(file, false, 0, cache.writer);
  const foreignVersion = writerSqlite.prepare("pragma data_version").pluck();
  const readerSqlite = openSqlite(file, true, readLockTimeoutMs, cache.reader);
  const snapshots = new Snapshots(() => {
    const sqlite = openSqlite(file, true, readLockTimeoutMs, cache.snapshot);
    return { sqlite, drizzle: openDrizzle(sqlite) };
  }, options.onError);
  const signalAfter: WriterOptions["signal"] = (topics) => {
    snapshots.renew();
    signal(topics);
  };
  const writer = new Writer(writerSqlite, { signal: signalAfter, ...options });
  const read: Connection = { drizzle: openDrizzle(readerSqlite) };
  return {
    read,
    file,
    dataVersion: () => foreignVersion.get() as number,
    snapshot: (work) => snapshots.take(work),
    write: (work) => writer.write(work),
    writes: () => writer.counts,
    close: async () => {
      await writer.close();
      snapshots.close();
      readerSqlite.close();
      writerSqlite.close();
    },
  };
}

/** Prepares a query once per connection: building costs many times more than running. Parameters are `sql.placeholder`s. */
export function preparedQuery<Query>(build: (drizzle: Drizzle) => Query): (connection: Connection) => Query {
  const prepared = new WeakMap<Drizzle, Query>();
  return (connection) => {
    let query = prepared.get(connection.drizzle);
    if (!query) prepared.set(connection.drizzle, (query = build(connection.drizzle)));
    return query;
  };
}
