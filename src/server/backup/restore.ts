import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm, rmdir } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../config.ts";
import { checkCopy, insideCopy, knownMigrations, renewEpochOf, settleStore } from "../database/copy.ts";
import { holdFolder, unpackedIn } from "../database/start.ts";
import { projectRoot } from "../project-root.ts";
import { BadArchive, parts, type Manifest } from "./archive.ts";
import { unpack, type ReadOptions } from "./read.ts";

export interface Restored {
  manifest: Manifest;
  /** Where what was there before lies now; null where there was nothing. */
  kept: string | null;
  brokenReferences: number;
}

/**
 * Puts the site of an archive in the place of what is in the data folder, where no server is at work. The archive is unpacked
 * and checked wholly in a folder of its own, then swapped in by renames; what was there is kept. Where anything is wrong with
 * it, nothing is changed. The outbox and the backups stay as they are.
 */
export async function restoreBackup(
  config: Config,
  archive: string,
  options: ReadOptions,
): Promise<Restored> {
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const hold = holdFolder(config, "Stop it, then restore.");
  let folder: string | undefined;
  try {
    // One that was killed leaves its folder.
    for (const name of await readdir(config.dataDir))
      if (name.startsWith(unpackedIn))
        await rm(path.join(config.dataDir, name), { recursive: true, force: true });
    folder = await mkdtemp(path.join(config.dataDir, unpackedIn));
    const manifest = await unpack(path.resolve(archive), folder, options);
    const { brokenReferences } = check(archive, path.join(folder, parts.store), manifest);
    await mkdir(path.join(folder, "media"), { recursive: true, mode: 0o700 });
    renewEpochOf(path.join(folder, parts.store));
    settleStore(config.databaseFile);
    options.signal?.throwIfAborted();
    const kept = await swap(config, folder);
    hold.settle();
    return { manifest, kept, brokenReferences };
  } finally {
    if (folder) await rm(folder, { recursive: true, force: true });
    hold.release();
  }
}

function check(archive: string, store: string, manifest: Manifest): { brokenReferences: number } {
  const bad = (why: string, cause?: unknown) =>
    new BadArchive(`The database in ${archive} ${why}. Nothing was changed.`, { cause });
  const [inside, checked] = (() => {
    try {
      const found = checkCopy(store);
      return [insideCopy(store), found];
    } catch (cause) {
      throw bad(`is damaged (${cause instanceof Error ? cause.message : String(cause)})`, cause);
    }
  })();
  const known = new Set(knownMigrations(path.join(projectRoot, "migrations")).map(({ when }) => when));
  if (!inside.migrations.every((when) => known.has(when)))
    throw bad(
      `is from a newer version of Reprise (${manifest.version}, ${manifest.migration}). Use that version or a newer one`,
    );
  if (Object.entries(inside.counts).some(([what, count]) => manifest.counts[what as "users"] !== count))
    throw bad("does not match the archive’s manifest");
  return checked;
}

/**
 * The store goes first and comes last: whatever happens between, a server that is started finds no store, and says so, rather
 * than one without its pictures.
 */
async function swap(config: Config, folder: string): Promise<string | null> {
  const { dataDir, databaseFile, mediaDir } = config;
  const kept = path.join(dataDir, `before-restore-${new Date().toISOString().replace(/[:.]/g, "-")}`);
  const old = [databaseFile, `${databaseFile}-wal`, `${databaseFile}-shm`, mediaDir].filter((file) =>
    existsSync(file),
  );
  const moves: [from: string, to: string][] = [
    ...old.map((file): [string, string] => [file, path.join(kept, path.basename(file))]),
    [path.join(folder, "media"), mediaDir],
    [path.join(folder, parts.store), databaseFile],
  ];
  if (old.length > 0) await mkdir(kept, { mode: 0o700 });
  const done: typeof moves = [];
  try {
    for (const [from, to] of moves) {
      await rename(from, to);
      done.push([from, to]);
    }
  } catch (error) {
    for (const [from, to] of done.toReversed()) await rename(to, from);
    if (old.length > 0) await rmdir(kept);
    throw new Error(
      `${dataDir} could not be moved (${(error as Error).message}). Nothing was changed. A mounted folder can’t be moved: restore into another DATA_DIR and mount that.`,
      { cause: error },
    );
  }
  return old.length > 0 ? kept : null;
}
