import { mkdirSync } from "node:fs";
import path from "node:path";
import { drizzle, type BetterSQLite3Database } from "drizzle-orm/better-sqlite3";
import * as schema from "./schema/index.ts";
import { Snapshots } from "./snapshots.ts";
import { openSqlite } from "./sqlite.ts";
import { Writer, type Transaction, type WriterOptions } from "./writer.ts";

export type Drizzle = BetterSQLite3Database<typeof schema>;

/** Something queries run on: the reader, or an open transaction. */
export interface Connection {
  readonly drizzle: Drizzle;
}

/** The store. `read` never sees an open transaction; `write` is the only way to change anything. */
export interface Database {
  readonly read: Connection;
  /** What `work` reads on the connection that it gets stands as it stood at one moment. On PostgreSQL: `repeatable read`. */
  snapshot<T>(work: (read: Connection) => Promise<T>): Promise<T>;
  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** How many writes wait, and how many were stored since the start. */
  writes(): { waiting: number; stored: number };
  /** The file, for backups. */
  readonly file: string;
  /** A number that changes when another process has written: a command at work beside the server. */
  foreignVersion(): number;
  /** Waits for the writes that are queued, then closes. */
  close(): Promise<void>;
}

/** A read that meets a lock waits so long on the thread; then whoever asked is told to come again. */
const readPatience = 30;
/**
 * What the connections keep of the store in memory, in kB: that for single reads, each for snapshots, and the one that writes. The
 * system keeps the rest. Forty thousand entries of a list's index are five megabytes: with less room each would be read anew.
 */
const cache = { reader: 12_000, snapshot: 6_000, writer: 4_000 };

/** Opens the store at `file`, whose schema must be migrated. */
export function openDatabase(
  file: string,
  signal: WriterOptions["signal"],
  options: Omit<WriterOptions, "signal"> = {},
): Database {
  mkdirSync(path.dirname(file), { recursive: true });
  const writerSqlite = openSqlite(file, false, 0, cache.writer);
  const foreignVersion = writerSqlite.prepare("pragma data_version").pluck();
  const readerSqlite = openSqlite(file, true, readPatience, cache.reader);
  const snapshots = new Snapshots(() => {
    const sqlite = openSqlite(file, true, readPatience, cache.snapshot);
    return { sqlite, drizzle: drizzle(sqlite, { schema }) };
  }, options.onError);
  const signalAfter: WriterOptions["signal"] = (topics) => {
    snapshots.renew();
    signal(topics);
  };
  const writer = new Writer(writerSqlite, (sqlite) => drizzle(sqlite, { schema }), {
    signal: signalAfter,
    ...options,
  });
  const read: Connection = { drizzle: drizzle(readerSqlite, { schema }) };
  return {
    read,
    file,
    foreignVersion: () => foreignVersion.get() as number,
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

/**
 * Prepares a query once for each connection: building one costs many times what running it does.
 * Parameters are `sql.placeholder`s.
 */
export function hot<Query>(build: (drizzle: Drizzle) => Query): (connection: Connection) => Query {
  const prepared = new WeakMap<Drizzle, Query>();
  return (connection) => {
    let query = prepared.get(connection.drizzle);
    if (!query) prepared.set(connection.drizzle, (query = build(connection.drizzle)));
    return query;
  };
}
