import { chmodSync } from "node:fs";
import Sqlite from "better-sqlite3";
import { fold } from "../../../shared/fold.ts";

/**
 * Opens a connection whose commits survive a power cut, with foreign keys enforced. `lockTimeoutMs`: milliseconds for which
 * a locked statement blocks the thread.
 */
export function openSqlite(
  file: string,
  readonly: boolean,
  lockTimeoutMs = 5_000,
  cacheInKb = 16_000,
): Sqlite.Database {
  const sqlite = new Sqlite(file, { readonly, fileMustExist: readonly });
  // SQLite's other files copy its permissions.
  if (!readonly) chmodSync(file, 0o600);
  sqlite.pragma("busy_timeout = 5000");
  if (!readonly) sqlite.pragma("journal_mode = WAL");
  // better-sqlite3 is built with NORMAL as WAL's default, which loses the last commits in a power cut.
  sqlite.pragma("synchronous = FULL");
  sqlite.pragma("foreign_keys = ON");
  sqlite.pragma(`cache_size = -${cacheInKb}`);
  sqlite.pragma("temp_store = MEMORY");
  sqlite.pragma(`busy_timeout = ${lockTimeoutMs}`);
  // For the triggers that index texts.
  sqlite.function("folded", { deterministic: true }, fold);
  return sqlite;
}
