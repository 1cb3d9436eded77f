import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm, rmdir } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../runtime/config.ts";
import {
  checkCopy,
  readCopy,
  knownMigrations,
  originOf,
  renewCopyEpoch,
  mergeWal,
} from "../database/copy.ts";
import { lockDataFolder, unpackPrefix } from "../database/start.ts";
import { makeFolder } from "../database/folders.ts";
import { projectRoot } from "../runtime/project-root.ts";
import { ArchiveError, parts, type Manifest } from "./archive.ts";
import { unpack, type ReadOptions } from "./read.ts";

export interface Restored {
  manifest: Manifest;
  /** The folder of the previous data, if any. */
  kept: string | null;
  brokenReferences: number;
}

/**
 * Replaces the site in the data folder, where no server may run. Unpacks and checks the archive separately, then swaps by
 * renames and keeps the previous data. Changes nothing when the archive is bad. The outbox and backups stay.
 */
export async function restoreBackup(
  config: Config,
  archive: string,
  options: ReadOptions,
): Promise<Restored> {
  makeFolder("DATA_DIR", config.dataDir);
  const lock = lockDataFolder(config, "Stop it, then restore.");
  let folder: string | undefined;
  try {
    // Left by a restore that was killed.
    for (const name of await readdir(config.dataDir))
      if (name.startsWith(unpackPrefix))
        await rm(path.join(config.dataDir, name), { recursive: true, force: true });
    folder = await mkdtemp(path.join(config.dataDir, unpackPrefix));
    const manifest = await unpack(path.resolve(archive), folder, options);
    const { brokenReferences } = check(archive, path.join(folder, parts.store), manifest);
    await mkdir(path.join(folder, "media"), { recursive: true, mode: 0o700 });
    renewCopyEpoch(path.join(folder, parts.store));
    mergeWal(config.databaseFile);
    options.signal?.throwIfAborted();
    const previousFolder = await swap(config, folder);
    lock.settle();
    return { manifest, kept: previousFolder, brokenReferences };
  } finally {
    if (folder) await rm(folder, { recursive: true, force: true });
    lock.release();
  }
}

function check(archive: string, store: string, manifest: Manifest): { brokenReferences: number } {
  const invalid = (reason: string, cause?: unknown) =>
    new ArchiveError(`The database in ${archive} ${reason}. Nothing was changed.`, { cause });
  const [copy, checked] = (() => {
    try {
      const result = checkCopy(store);
      return [readCopy(store), result];
    } catch (cause) {
      throw invalid(`is damaged (${cause instanceof Error ? cause.message : String(cause)})`, cause);
    }
  })();
  const known = knownMigrations(path.join(projectRoot, "migrations")).map(({ when }) => when);
  const origin = originOf(copy.migrations, known);
  if (origin !== "known")
    throw invalid(
      `is from a ${origin} version of Reprise (${manifest.version}, ${manifest.migration}). Use that version${origin === "newer" ? " or a newer one" : ""}`,
    );
  if (Object.entries(copy.counts).some(([name, count]) => manifest.counts[name as "users"] !== count))
    throw invalid("does not match the archive’s manifest");
  return checked;
}

/**
 * Moves the old database first and the new one last: after a crash in between, a server finds no database and reports it,
 * instead of running without pictures.
 */
async function swap(config: Config, folder: string): Promise<string | null> {
  const { dataDir, databaseFile, mediaDir } = config;
  const previousFolder = path.join(
    dataDir,
    `before-restore-${new Date().toISOString().replace(/[:.]/g, "-")}`,
  );
  const old = [databaseFile, `${databaseFile}-wal`, `${databaseFile}-shm`, mediaDir].filter((file) =>
    existsSync(file),
  );
  const moves: [from: string, to: string][] = [
    ...old.map((file): [string, string] => [file, path.join(previousFolder, path.basename(file))]),
    [path.join(folder, "media"), mediaDir],
    [path.join(folder, parts.store), databaseFile],
  ];
  if (old.length > 0) await mkdir(previousFolder, { mode: 0o700 });
  const moved: typeof moves = [];
  try {
    for (const [from, to] of moves) {
      await rename(from, to);
      moved.push([from, to]);
    }
  } catch (error) {
    for (const [from, to] of moved.toReversed()) await rename(to, from);
    if (old.length > 0) await rmdir(previousFolder);
    throw new Error(
      `${dataDir} could not be moved (${(error as Error).message}). Nothing was changed. A mounted folder can’t be moved: restore into another DATA_DIR and mount that.`,
      { cause: error },
    );
  }
  return old.length > 0 ? previousFolder : null;
}
