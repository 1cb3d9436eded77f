import { chmodSync, existsSync, readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { Worker } from "node:worker_threads";
import Sqlite from "better-sqlite3";
import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../runtime/config.ts";
import { makeFolder, unusableFolder } from "./folders.ts";
import type { Database } from "./connection.ts";
import { openDatabase } from "./sqlite/database.ts";
import { isBusy, isDamaged, isDiskFull, isForbidden } from "./errors.ts";
import { migrateDatabase } from "./sqlite/migrate.ts";
import type { WriterOptions } from "./writer.ts";

/** The prefix of folders into which `restore` unpacks an archive. */
export const unpackPrefix = "restoring-";

/** Bytes up to which the check runs before the start, in a tenth of a second; above, while running. */
const maxSyncCheckBytes = 32 * 1024 * 1024;

export interface Opening {
  config: Config;
  migrations: string;
  log: FastifyBaseLogger;
  signal: WriterOptions["signal"];
}

/** Loaded where it is used: PostgreSQL's driver takes memory. */
const loadPostgres = async () => (await import("./postgres/start.ts")).openPostgresFor;

/**
 * Opens the database for the one server of a data folder: locked, migrated, checked. Throws an Error of one line that says what
 * to do. Damage of a large database is reported later, to `onDamage`.
 */
export async function openForServer(opening: Opening, onDamage: (error: unknown) => void): Promise<Database> {
  const { config, log } = opening;
  makeFolder("DATA_DIR", config.dataDir);
  if (config.backups.every !== undefined) makeFolder("BACKUP_DIR", config.backups.folder);
  restrictPermissions(config, log);
  const onError = (error: unknown, what: string) => log.error({ err: error }, what);
  if (config.databaseUrl !== undefined)
    return (await loadPostgres())(opening, config.databaseUrl, "new", { onError });
  const lock = lockDataFolder(config);
  try {
    refuseMissingDatabase(config, lock.hasSite);
    const database = await openMigrated(opening, { onError });
    quickCheck(config, (error) => onDamage(asStartError(error, config)));
    lock.settle();
    return { ...database, close: () => database.close().finally(lock.release) };
  } catch (error) {
    lock.release();
    throw asStartError(error, config);
  }
}

/**
 * Opens the database as `openForServer` does, for a command with or without a running server. Refuses a folder without a site,
 * unless the command may create a "new" one.
 */
export async function openForCommand(opening: Opening, site: "existing" | "new"): Promise<Database> {
  const { config, log } = opening;
  // No request waits for a command.
  const options = { lockTimeoutMs: 60_000, storesSignals: true };
  if (config.databaseUrl !== undefined)
    return (await loadPostgres())(opening, config.databaseUrl, site, options);
  if (site === "existing") requireSite(config);
  else {
    makeFolder("DATA_DIR", config.dataDir);
    refuseMissingDatabase(config, false);
  }
  restrictPermissions(config, log);
  try {
    return await openMigrated(opening, options);
  } catch (error) {
    throw asStartError(error, config);
  }
}

async function openMigrated(
  { config, migrations, log, signal }: Opening,
  options: Omit<WriterOptions, "signal">,
): Promise<Database> {
  const migrated = await migrateDatabase(config.databaseFile, migrations, config.backupDir);
  if (migrated.backup) log.info({ ...migrated }, "the database was backed up, then migrated");
  return openDatabase(config.databaseFile, signal, options);
}

/** The lock of the data folder. `settle` records that it has a site. */
interface FolderLock {
  hasSite: boolean;
  settle: () => void;
  release: () => void;
}

/**
 * Locks the data folder for a server, or a command that must run alone. The lock ends with the process, however it ends.
 * Throws, with a line for the operator, when a server is running.
 */
export function lockDataFolder(
  config: Config,
  advice = "Stop it, or set DATA_DIR to another folder.",
): FolderLock {
  const file = path.join(config.dataDir, "reprise.lock");
  const lock = openLock(file, config);
  let hasSite = false;
  try {
    lock.pragma("locking_mode = exclusive");
    lock.pragma("journal_mode = memory");
    lock.exec("begin exclusive");
    hasSite = lock.pragma("user_version", { simple: true }) === 1;
  } catch (error) {
    lock.close();
    if (isBusy(error))
      throw new Error(`Another server is running in ${config.dataDir}. ${advice}`, {
        cause: error,
      });
    if (isDamaged(error)) throw new Error(`${file} is damaged. Delete it and start again.`, { cause: error });
    throw asStartError(error, config);
  }
  return {
    hasSite,
    settle: () => {
      if (hasSite) return;
      lock.pragma("user_version = 1");
      lock.exec("commit");
    },
    release: () => void lock.close(),
  };
}

function openLock(file: string, config: Config): Sqlite.Database {
  try {
    const lock = new Sqlite(file, { timeout: 0 });
    chmodSync(file, 0o600);
    return lock;
  } catch (error) {
    throw asStartError(error, config);
  }
}

/** Throws, with a line for the operator, if there is no site. */
export function requireSite(config: Config): void {
  // Found out where it is opened.
  if (config.databaseUrl !== undefined) return;
  try {
    refuseMissingDatabase(config, false);
    if (!lackOf(config.databaseFile)) return;
  } catch (error) {
    throw asStartError(error, config);
  }
  throw new Error(`There is no database ${config.databaseFile}. Set DATA_DIR to the site’s folder.`);
}

function refuseMissingDatabase(config: Config, hasSite: boolean): void {
  const { databaseFile, dataDir, mediaDir, outboxDir, backupDir } = config;
  const state = lackOf(databaseFile);
  if (!state) return;
  if (existsSync(dataDir) && readdirSync(dataDir).some((name) => name.startsWith(unpackPrefix)))
    throw new Error(
      `The database ${databaseFile} ${state}: a restore was interrupted. Run "npm run reprise -- restore" with its archive again.`,
    );
  if (hasSite || state === "is empty" || [mediaDir, outboxDir, backupDir].some(holdsFiles))
    throw new Error(
      `The database ${databaseFile} ${state}, but there was a site here before. ${howToRestore(config)} For a new site, move ${dataDir} away.`,
    );
}

function lackOf(databaseFile: string): string | undefined {
  const size = statSync(databaseFile, { throwIfNoEntry: false })?.size;
  if (size === undefined) return "is gone";
  if (size === 0) return "is empty";
  return hasNothing(databaseFile) ? "holds nothing" : undefined;
}

function hasNothing(file: string): boolean {
  const sqlite = new Sqlite(file, { readonly: true });
  try {
    return sqlite.prepare("select 1 from sqlite_master limit 1").get() === undefined;
  } catch (error) {
    // Opening it will report the damage.
    if (isDamaged(error)) return false;
    throw error;
  } finally {
    sqlite.close();
  }
}

const holdsFiles = (folder: string): boolean =>
  existsSync(folder) &&
  readdirSync(folder, { withFileTypes: true, recursive: true }).some((entry) => entry.isFile());

function howToRestore({ databaseFile, backupDir, backups: { folder } }: Config): string {
  const archives = existsSync(folder)
    ? readdirSync(folder).filter((name) => /^reprise-.*\.tar\.gz(\.age)?$/.test(name))
    : [];
  const newest = archives.sort().at(-1);
  if (newest !== undefined)
    return `To put the newest backup back, run "npm run reprise -- restore ${path.join(folder, newest)}".`;
  const backups = existsSync(backupDir)
    ? readdirSync(backupDir)
        .filter((name) => name.endsWith(".db"))
        .sort()
        .toReversed()
    : [];
  if (backups.length === 0) return `There is no backup of it in ${backupDir}.`;
  const alternatives = backups.length > 1 ? ` (or ${backups.slice(1, 4).join(", ")})` : "";
  return `To put a backup back, move ${path.basename(databaseFile)} and the files whose names begin with it away, copy ${path.join(backupDir, backups[0] ?? "")}${alternatives} to ${databaseFile} and run "npm run reprise -- after-restore".`;
}

/** One line that says what to do. */
class StartError extends Error {}

/** Turns what stops the start into one line that says what to do; returns other errors unchanged. */
export function asStartError(error: unknown, config: Config): unknown {
  if (error instanceof StartError) return error;
  const reason = error instanceof Error ? error.message.replaceAll("\n", " ") : String(error);
  if (isDamaged(error) || error instanceof Damaged)
    return new StartError(
      `The database ${config.databaseFile} is damaged (${reason}). ${howToRestore(config)}`,
      {
        cause: error,
      },
    );
  if (isDiskFull(error))
    return new StartError(
      `The disk of ${config.dataDir} is full. Nothing was changed. Free some space and start again.`,
      { cause: error },
    );
  if (isBusy(error))
    return new StartError(
      `Another program is using ${config.databaseFile}. Start again when it has finished.`,
      {
        cause: error,
      },
    );
  if (isForbidden(error))
    return new StartError(
      `This account can’t write ${config.databaseFile} (${reason}). Run this as the owner of ${config.dataDir}.`,
      { cause: error },
    );
  const file = (error as NodeJS.ErrnoException).path;
  const isOurs = file !== undefined && !path.relative(config.dataDir, file).startsWith("..");
  return (isOurs && unusableFolder("DATA_DIR", config.dataDir, error)) || error;
}

class Damaged extends Error {}

const requireOk = (rows: { quick_check: string }[]) => {
  const result = rows.map((row) => row.quick_check).join("; ");
  if (result !== "ok") throw new Damaged(result.replace(/^\*\*\* in database main \*\*\*\s*/, ""));
};

/** Checks a small database at once, and throws; a large one in a worker thread, which calls `onDamage`. */
function quickCheck({ databaseFile }: Config, onDamage: (error: unknown) => void): void {
  if (statSync(databaseFile).size <= maxSyncCheckBytes) {
    const sqlite = new Sqlite(databaseFile, { readonly: true });
    try {
      requireOk(sqlite.pragma("quick_check(1)") as { quick_check: string }[]);
    } finally {
      sqlite.close();
    }
    return;
  }
  const driver = createRequire(import.meta.url).resolve("better-sqlite3");
  const worker = new Worker(checkInThread, { eval: true, workerData: { driver, file: databaseFile } });
  worker.unref();
  worker.on("message", (rows: { quick_check: string }[]) => {
    try {
      requireOk(rows);
    } catch (error) {
      onDamage(error);
    }
  });
  worker.on("error", onDamage);
}

const checkInThread = `
  const { parentPort, workerData } = require("node:worker_threads");
  const sqlite = new (require(workerData.driver))(workerData.file, { readonly: true, timeout: 60000 });
  parentPort.postMessage(sqlite.pragma("quick_check(1)"));
  sqlite.close();
`;

/** Closes the data folder to other accounts of the machine, also files made earlier. The media store closes its own. */
function restrictPermissions(config: Config, log: FastifyBaseLogger): void {
  const { dataDir, databaseFile, outboxDir, backupDir } = config;
  const isDatabaseFile = (name: string) =>
    name.startsWith(path.basename(databaseFile)) || name === "reprise.lock";
  try {
    for (const [folder, isIncluded] of [
      [dataDir, isDatabaseFile],
      [outboxDir, () => true],
      [backupDir, () => true],
    ] as const) {
      if (!existsSync(folder)) continue;
      chmodSync(folder, 0o700);
      for (const entry of readdirSync(folder, { withFileTypes: true }))
        if (entry.isFile() && isIncluded(entry.name)) chmodSync(path.join(folder, entry.name), 0o600);
    }
  } catch (error) {
    // A folder of another account, as on some volumes, is theirs to close.
    log.warn({ err: error }, "the permissions of the data folder could not be restricted");
  }
}
