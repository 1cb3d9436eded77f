import { chmodSync, mkdirSync } from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { drizzle, type BetterSQLite3Database } from "drizzle-orm/better-sqlite3";
import * as schema from "./schema/index.ts";
import { Snapshots } from "./snapshots.ts";
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
  /** The file, for backups. */
  readonly file: string;
  /** A number that changes when another process has written: a command at work beside the server. */
  foreignVersion(): number;
  /** Waits for the writes that are queued, then closes. */
  close(): Promise<void>;
}

/**
 * Pragmas of every connection: answered writes survive a power cut, references hold. `patience` is for how many milliseconds a
 * statement holds up the thread where another process has the store.
 */
export function openSqlite(
  file: string,
  readonly: boolean,
  patience = 5_000,
  cacheInKb = 16_000,
): Sqlite.Database {
  const sqlite = new Sqlite(file, { readonly, fileMustExist: readonly });
  // What lies beside the file gets the file's own rights.
  if (!readonly) chmodSync(file, 0o600);
  sqlite.pragma("busy_timeout = 5000");
  if (!readonly) sqlite.pragma("journal_mode = WAL");
  // better-sqlite3 is built with NORMAL as WAL's default, which loses the last commits in a power cut.
  sqlite.pragma("synchronous = FULL");
  sqlite.pragma("foreign_keys = ON");
  sqlite.pragma(`cache_size = -${cacheInKb}`);
  sqlite.pragma("temp_store = MEMORY");
  sqlite.pragma(`busy_timeout = ${patience}`);
  return sqlite;
}

/** A read that meets a lock waits so long on the thread; then whoever asked is told to come again. */
const readPatience = 30;
/** What each connection for snapshots keeps in memory, in kB. */
const snapshotCache = 8_000;

/** Opens the store at `file`, whose schema must be migrated. */
export function openDatabase(
  file: string,
  ring: WriterOptions["ring"],
  options: Omit<WriterOptions, "ring"> = {},
): Database {
  mkdirSync(path.dirname(file), { recursive: true });
  const writerSqlite = openSqlite(file, false, 0);
  const readerSqlite = openSqlite(file, true, readPatience);
  const snapshots = new Snapshots(() => {
    const sqlite = openSqlite(file, true, readPatience, snapshotCache);
    return { sqlite, drizzle: drizzle(sqlite, { schema }) };
  }, options.onError);
  const ringAfter: WriterOptions["ring"] = (topics) => {
    snapshots.renew();
    ring(topics);
  };
  const writer = new Writer(writerSqlite, (sqlite) => drizzle(sqlite, { schema }), {
    ring: ringAfter,
    ...options,
  });
  const read: Connection = { drizzle: drizzle(readerSqlite, { schema }) };
  return {
    read,
    file,
    foreignVersion: () => writerSqlite.pragma("data_version", { simple: true }) as number,
    snapshot: (work) => snapshots.take(work),
    write: (work) => writer.write(work),
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
