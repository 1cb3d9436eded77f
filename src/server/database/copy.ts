import { readFileSync } from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { newSecret } from "../ids.ts";
import { isBusy } from "./errors.ts";
import { openSqlite } from "./sqlite.ts";

/** Pages of the store in one step: some milliseconds, after which a signal is heard. */
const atOnce = 1_000;

/**
 * Copies the store at `file` as it stands at one moment, whoever writes meanwhile, into one file `to`. What is copied was
 * looked through: a damaged store throws.
 */
export async function copyStore(
  file: string,
  to: string,
  {
    onProgress,
    signal,
  }: { onProgress?: (done: number, of: number) => void; signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const source = openSqlite(file, false);
  try {
    // One moment for all steps: else every commit of others would have the copy begin anew, without end where they are many.
    source.exec("begin");
    source.prepare("select 1 from sqlite_master limit 1").get();
    await source.backup(to, {
      progress: ({ totalPages, remainingPages }) => {
        signal?.throwIfAborted();
        onProgress?.(totalPages - remainingPages, totalPages);
        return atOnce;
      },
    });
  } finally {
    source.close();
  }
  const copy = new Sqlite(to);
  try {
    copy.pragma("journal_mode = DELETE");
    const found = copy.pragma("quick_check(1)", { simple: true }) as string;
    if (found !== "ok") throw new Error(`The database ${file} is damaged: ${found}`);
  } finally {
    copy.close();
  }
}

/** What a copy of a store holds. */
export interface Inside {
  /** When each of its migrations was made, which is their name in the store. */
  migrations: number[];
  epoch: string;
  counts: { users: number; blogs: number; comments: number; media: number };
  /** The ids of its pictures. */
  pictures: string[];
}

/** Looks into a copy that nobody else has open. */
export function insideCopy(file: string): Inside {
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

/** Checks a copy that is to become the store, wholly. Throws where it is damaged. Answers with how many references are broken. */
export function checkCopy(file: string): { brokenReferences: number } {
  const copy = new Sqlite(file, { readonly: true, fileMustExist: true });
  try {
    const found = copy.pragma("integrity_check(1)", { simple: true }) as string;
    if (found !== "ok") throw new Error(found.replaceAll("\n", " "));
    return { brokenReferences: (copy.pragma("foreign_key_check") as unknown[]).length };
  } finally {
    copy.close();
  }
}

/** The migrations that this version knows of, by when each was made. */
export function knownMigrations(folder: string): { when: number; tag: string }[] {
  const journal = JSON.parse(readFileSync(path.join(folder, "meta/_journal.json"), "utf8")) as {
    entries: { when: number; tag: string }[];
  };
  return journal.entries;
}

/** Begins a new history of events in a copy: pages that saw another one start afresh. */
export function renewEpochOf(file: string): void {
  const copy = new Sqlite(file, { fileMustExist: true });
  try {
    copy
      .prepare("insert or replace into meta (key, value) values ('live_epoch', ?)")
      .run(newSecret().slice(0, 10));
  } finally {
    copy.close();
  }
}

/** Closes a store for good, all in one file. Throws where another program has it open; a damaged one is left as it is. */
export function settleStore(file: string): void {
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
