import { mkdirSync } from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { drizzle, type BetterSQLite3Database } from "drizzle-orm/better-sqlite3";
import * as schema from "./schema.ts";
import { Writer, type Transaction } from "./writer.ts";

export type Drizzle = BetterSQLite3Database<typeof schema>;

/** Something queries run on: the reader, or an open transaction. */
export interface Connection {
  readonly drizzle: Drizzle;
}

/** The store. `read` never sees an open transaction; `write` is the only way to change anything. */
export interface Database {
  readonly read: Connection;
  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** The file, for backups. */
  readonly file: string;
  /** A number that changes when another process has written: a command at work beside the server. */
  foreignVersion(): number;
  /** Waits for the writes that are queued, then closes. */
  close(): Promise<void>;
}

/** Pragmas of every connection: answered writes survive a power cut, references hold. */
export function openSqlite(file: string, readonly: boolean): Sqlite.Database {
  const sqlite = new Sqlite(file, { readonly, fileMustExist: readonly });
  if (!readonly) sqlite.pragma("journal_mode = WAL");
  // better-sqlite3 is built with NORMAL as WAL's default, which loses the last commits in a power cut.
  sqlite.pragma("synchronous = FULL");
  sqlite.pragma("foreign_keys = ON");
  sqlite.pragma("busy_timeout = 5000");
  sqlite.pragma("cache_size = -16000");
  sqlite.pragma("temp_store = MEMORY");
  return sqlite;
}

/** Opens the store at `file`, whose schema must be migrated. `ring` is told, after each commit, which topics have news. */
export function openDatabase(file: string, ring: (topics: Iterable<string>) => void): Database {
  mkdirSync(path.dirname(file), { recursive: true });
  const writerSqlite = openSqlite(file, false);
  const readerSqlite = openSqlite(file, true);
  const writer = new Writer(writerSqlite, drizzle(writerSqlite, { schema }), ring);
  const read: Connection = { drizzle: drizzle(readerSqlite, { schema }) };
  return {
    read,
    file,
    foreignVersion: () => writerSqlite.pragma("data_version", { simple: true }) as number,
    write: (work) => writer.write(work),
    close: async () => {
      await writer.close();
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
