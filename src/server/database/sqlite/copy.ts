import { readFileSync } from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { newSecret } from "../../runtime/ids.ts";
import { isBusy } from "../errors.ts";
import { openSqlite } from "./open.ts";

/** Pages per step: some milliseconds between checks of the abort signal. */
const pagesPerStep = 1_000;

/** Copies a database into one file, as a snapshot despite concurrent writes. Throws when it is damaged. */
export async function copyDatabase(
  file: string,
  to: string,
  {
    onProgress,
    signal,
  }: { onProgress?: (done: number, of: number) => void; signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const source = openSqlite(file, false);
  try {
    // Otherwise every commit of another process restarts the copy.
    source.exec("begin");
    source.prepare("select 1 from sqlite_master limit 1").get();
    await source.backup(to, {
      progress: ({ totalPages, remainingPages }) => {
        signal?.throwIfAborted();
        onProgress?.(totalPages - remainingPages, totalPages);
        return pagesPerStep;
      },
    });
  } finally {
    source.close();
  }
  const copy = new Sqlite(to);
  try {
    copy.pragma("journal_mode = DELETE");
    const result = copy.pragma("quick_check(1)", { simple: true }) as string;
    if (result !== "ok") throw new Error(`The database ${file} is damaged: ${result}`);
  } finally {
    copy.close();
  }
}

export interface CopyContents {
  /** Their creation times, which are their names in the database. */
  migrations: number[];
  epoch: string;
  counts: { users: number; blogs: number; comments: number; media: number };
  pictures: string[];
}

/** Reads a copy that no other process has open. */
export function readCopy(file: string): CopyContents {
  const copy = new Sqlite(file, { readonly: true, fileMustExist: true });
  const all = (statement: string) => copy.prepare(statement).pluck().all();
  const count = (table: string) => all(`select count(*) from ${table}`)[0] as number;
  try {
    return {
      migrations: all("select created_at from __drizzle_migrations order by created_at") as number[],
      epoch: (all("select value from meta where key = 'live_epoch'") as string[])[0] ?? "0",
      counts: {
        users: count("users"),
        blogs: count("blogs"),
        comments: count("comments"),
        media: count("media"),
      },
      pictures: all("select id from media order by id") as string[],
    };
  } finally {
    copy.close();
  }
}

/** Checks a whole copy. Returns the number of broken references; throws when it is damaged. */
export function checkCopy(file: string): { brokenReferences: number } {
  const copy = new Sqlite(file, { readonly: true, fileMustExist: true });
  try {
    const result = copy.pragma("integrity_check(1)", { simple: true }) as string;
    if (result !== "ok") throw new Error(result.replaceAll("\n", " "));
    return { brokenReferences: (copy.pragma("foreign_key_check") as unknown[]).length };
  } finally {
    copy.close();
  }
}

/** Returns the migrations of this version. */
export function knownMigrations(folder: string): { when: number; tag: string }[] {
  const journal = JSON.parse(readFileSync(path.join(folder, "meta/_journal.json"), "utf8")) as {
    entries: { when: number; tag: string }[];
  };
  return journal.entries;
}

/** Returns whether this version knows all migrations of a database; otherwise which version made it. */
export function originOf(migrations: number[], known: number[]): "known" | "newer" | "pre-release" {
  const unknown = migrations.filter((when) => !known.includes(when));
  if (unknown.length === 0) return "known";
  return Math.min(...unknown) > Math.max(...known) ? "newer" : "pre-release";
}

/** Renews a copy's live epoch: pages with another one start over. */
export function renewCopyEpoch(file: string): void {
  const copy = new Sqlite(file, { fileMustExist: true });
  try {
    copy
      .prepare("insert or replace into meta (key, value) values ('live_epoch', ?)")
      .run(newSecret().slice(0, 10));
  } finally {
    copy.close();
  }
}

/** Merges a closed database into its one file. Throws when another program has it open; leaves a damaged one. */
export function mergeWal(file: string): void {
  let store: Sqlite.Database | undefined;
  try {
    store = new Sqlite(file, { fileMustExist: true, timeout: 500 });
    store.pragma("journal_mode = DELETE");
  } catch (error) {
    if (!isBusy(error)) return;
    throw new Error(`Another program is using ${file}. Start again when it has finished.`, {
      cause: error,
    });
  } finally {
    store?.close();
  }
}
