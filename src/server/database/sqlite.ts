import { chmodSync } from "node:fs";
import Sqlite from "better-sqlite3";

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
  const prepare = sqlite.prepare.bind(sqlite) as (source: string) => Sqlite.Statement;
  sqlite.prepare = ((source: string) => prepare(plannedOnce(source))) as typeof sqlite.prepare;
  return sqlite;
}

/**
 * SQLite looks for a new plan each time that a parameter has another value, wherever its plan may depend on the value: in most
 * joins that takes several times as long as what is asked. On `+?`, which is the same value, no plan depends.
 */
const plannedOnce = (source: string): string =>
  source.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|\?/g, (part) => (part === "?" ? "+?" : part));
