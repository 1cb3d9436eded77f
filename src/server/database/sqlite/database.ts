import { mkdirSync } from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import type Sqlite from "better-sqlite3";
import type { Connection, Database } from "../connection.ts";
import { openDrizzle } from "./drizzle.ts";
import { Snapshots } from "./snapshots.ts";
import { openSqlite } from "./open.ts";
import { Writer, type WriteConnection, type WriterOptions } from "../writer.ts";

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
  const readerSqlite = openSqlite(file, true, readLockTimeoutMs, cache.reader);
  const snapshots = new Snapshots(() => {
    const sqlite = openSqlite(file, true, readLockTimeoutMs, cache.snapshot);
    return { sqlite, drizzle: openDrizzle(sqlite) };
  }, options.onError);
  const signalAfter: WriterOptions["signal"] = (topics) => {
    snapshots.renew();
    signal(topics);
  };
  const closeReaders = () => {
    snapshots.close();
    readerSqlite.close();
  };
  const writer = new Writer((check) => writeConnection(writerSqlite, check, closeReaders), {
    signal: signalAfter,
    ...options,
  });
  const read: Connection = { drizzle: openDrizzle(readerSqlite) };
  return {
    read,
    latest: read,
    file,
    sizes: async () => ({ store: await sizeOf(file), log: await sizeOf(`${file}-wal`) }),
    isOwn: (seq) => writer.isOwn(seq),
    forgetOwn: (seqs) => writer.forgetOwn(seqs),
    snapshot: (work) => snapshots.take(work),
    write: (work) => writer.write(work),
    writes: () => writer.counts,
    close: () => writer.close(),
  };
}

const sizeOf = async (file: string): Promise<number> => (await stat(file).catch(() => undefined))?.size ?? 0;

/** A job that awaits only the database is never interrupted: SQLite answers at once. */
const jobTimeoutMs = 2_000;

function writeConnection(
  sqlite: Sqlite.Database,
  check: () => void,
  closeReaders: () => void,
): WriteConnection {
  const step = (statement: string) => {
    const prepared = sqlite.prepare(statement);
    return () => void prepared.run();
  };
  return {
    drizzle: openDrizzle(sqlite, check),
    jobTimeoutMs,
    begin: step("begin immediate"),
    beginJob: step("savepoint job"),
    endJob: step("release job"),
    undoJob: () => void sqlite.exec("rollback to job; release job"),
    commit: step("commit"),
    rollback: () => void sqlite.exec("rollback"),
    get inTransaction() {
      return sqlite.inTransaction;
    },
    close: () => {
      // The last connection to close moves the write-ahead log into the file, which a reader may not.
      closeReaders();
      sqlite.close();
    },
  };
}
