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
} from "../database/sqlite/copy.ts";
import { lockDataFolder, unpackPrefix } from "../database/start.ts";
import { FolderStore } from "../files/folder-store.ts";
import { openFiles } from "../files/open.ts";
import { fullFile, pictureFolder } from "../media/paths.ts";
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
  if (config.databaseUrl !== undefined) {
    const { requireServersStopped } = await import("../database/move/postgres-end.ts");
    await requireServersStopped(config.databaseUrl);
  }
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
    await mkdir(path.join(folder, pictureFolder), { recursive: true, mode: 0o700 });
    renewCopyEpoch(path.join(folder, parts.store));
    if (config.s3Url !== undefined) await storePictures(config, folder, options);
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

/** Stores the unpacked pictures that S3 does not have: their files never change. */
async function storePictures(
  config: Config,
  folder: string,
  { onProgress, signal }: ReadOptions,
): Promise<void> {
  const files = await openFiles(config);
  const hasFile = await files.finder(pictureFolder, fullFile);
  const unpacked = new FolderStore(folder);
  let done = 0;
  for await (const pictures of unpacked.entries(pictureFolder, 2))
    for (const { key } of pictures) {
      signal?.throwIfAborted();
      onProgress?.(++done, done, "pictures");
      if (await hasFile(`${key}/${fullFile}`)) continue;
      await unpacked.local(key, (from) => files.put(key, (part) => rename(from, part)));
    }
}

/**
 * Moves the old database first and the new one last: after a crash in between, a server finds no database and reports it,
 * instead of running without pictures.
 */
async function swap(config: Config, folder: string): Promise<string | null> {
  const { dataDir, databaseFile } = config;
  // In S3, the pictures are stored already, and those of before stay.
  const mediaDirs = config.s3Url === undefined ? [config.mediaDir] : [];
  const previousFolder = path.join(
    dataDir,
    `before-restore-${new Date().toISOString().replace(/[:.]/g, "-")}`,
  );
  const old = [databaseFile, `${databaseFile}-wal`, `${databaseFile}-shm`, ...mediaDirs].filter((file) =>
    existsSync(file),
  );
  const moves: [from: string, to: string][] = [
    ...old.map((file): [string, string] => [file, path.join(previousFolder, path.basename(file))]),
    ...mediaDirs.map((mediaDir): [string, string] => [path.join(folder, pictureFolder), mediaDir]),
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
