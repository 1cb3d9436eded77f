import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { appendFile, mkdtemp, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { pack, type Pack } from "tar-stream";
import type { Config } from "../runtime/config.ts";
import { copyDatabase, readCopy, knownMigrations } from "../database/copy.ts";
import { isDiskFull } from "../database/errors.ts";
import { requireSite } from "../database/start.ts";
import { folderOfPicture } from "../media/paths.ts";
import { makeFolder } from "../database/folders.ts";
import { projectRoot } from "../runtime/project-root.ts";
import {
  isPictureFile,
  hasEncryptionKey,
  archiveName,
  parts,
  encryptArchive,
  sumLine,
  archiveTime,
  type Manifest,
  type EncryptionKeys,
} from "./archive.ts";

export interface BackupOptions extends EncryptionKeys {
  /** A file, or a folder in which the site names it; default: the configured folder. */
  to?: string | undefined;
  /** How many of the site's own archives remain, including the new one. */
  keep?: number | undefined;
  onProgress?: (done: number, of: number, what: string) => void;
  signal?: AbortSignal | undefined;
}

export interface BackedUp {
  file: string;
  bytes: number;
  encrypted: boolean;
  manifest: Manifest;
  /** Older archives that were deleted. */
  removed: string[];
}

/**
 * Writes a consistent snapshot of the site, even while a server runs: copies the database in steps, then reads the pictures
 * that the copy names. Flushes the archive to a temporary folder, then renames it; leaves nothing behind on failure.
 */
export async function backUp(config: Config, options: BackupOptions): Promise<BackedUp> {
  requireSite(config);
  const { file, folder, isNamed } = await destinationOf(config, options);
  if (options.keep !== undefined && !isNamed) throw new Error("--keep needs a folder.");
  let work: string | undefined;
  try {
    work = await mkdtemp(path.join(folder, workFolderPrefix));
    await deleteAbandonedFolders(folder, path.basename(work));
    const store = path.join(work, parts.store);
    const { onProgress, signal } = options;
    await copyStore(config, store, {
      signal: signal ?? new AbortController().signal,
      onProgress: (done, of) => onProgress?.(done, of, "the store"),
    });
    const { manifest, bytes } = await writeArchive(config, work, options);
    await rename(path.join(work, "archive"), file);
    await sync(folder);
    const removed = options.keep === undefined ? [] : await deleteOldArchives(folder, options.keep);
    return { file, bytes, encrypted: hasEncryptionKey(options), manifest, removed };
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    throw new Error(`The disk of ${folder} is full. No backup was created.`, {
      cause: error,
    });
  } finally {
    if (work) await rm(work, { recursive: true, force: true });
  }
}

/** Copies the store into one file of SQLite, also from PostgreSQL: a backup of either can be restored to both. */
async function copyStore(
  config: Config,
  file: string,
  options: { signal: AbortSignal; onProgress: (done: number, of: number) => void },
): Promise<void> {
  if (config.databaseUrl === undefined) return copyDatabase(config.databaseFile, file, options);
  // The driver of PostgreSQL is loaded where it is needed.
  const { copyPostgres } = await import("../database/move/copy-postgres.ts");
  await copyPostgres(config, { file, migrations: migrationsFolder, runsOn: true, ...options });
}

const migrationsFolder = path.join(projectRoot, "migrations");

/** The prefix of the temporary folder; a killed backup leaves it. */
const workFolderPrefix = ".reprise-backup-";
const abandonedAfter = 24 * 60 * 60_000;

async function destinationOf(config: Config, options: BackupOptions) {
  const { to } = options;
  const target = path.resolve(to ?? config.backups.folder);
  const stats = await stat(target).catch(() => undefined);
  if (to !== undefined && stats && !stats.isDirectory())
    throw new Error(`${target} already exists. Choose another file or a folder.`);
  const isNamed = to === undefined || stats?.isDirectory() === true;
  const folder = isNamed ? target : path.dirname(target);
  if (to === undefined) makeFolder("BACKUP_DIR", folder);
  else if (!(await stat(folder).catch(() => undefined))?.isDirectory())
    throw new Error(`The folder ${folder} doesn’t exist.`);
  const file = isNamed ? path.join(folder, archiveName(new Date(), hasEncryptionKey(options))) : target;
  return { file, folder, isNamed };
}

async function writeArchive(config: Config, work: string, options: BackupOptions) {
  const store = path.join(work, parts.store);
  const { manifest, pictures } = await contents(config, store);
  const archive = path.join(work, "archive");
  const tar = pack();
  const filling = fill(tar, config, { work, manifest, pictures, options }).catch((error: unknown) => {
    tar.destroy(error as Error);
    throw error;
  });
  const writing = pipeline(
    tar,
    createGzip({ level: 5 }),
    async function* (zipped: AsyncIterable<Buffer>) {
      yield* hasEncryptionKey(options) ? await encryptArchive(Readable.from(zipped), options) : zipped;
    },
    // On the disk before the rename.
    createWriteStream(archive, { mode: 0o600, flush: true }),
    options.signal ? { signal: options.signal } : {},
  );
  const [filled, written] = await Promise.allSettled([filling, writing]);
  for (const outcome of [written, filled]) if (outcome.status === "rejected") throw outcome.reason;
  return { manifest, bytes: (await stat(archive)).size };
}

interface ArchiveContents {
  work: string;
  manifest: Manifest;
  pictures: string[];
  options: BackupOptions;
}

async function fill(
  tar: Pack,
  config: Config,
  { work, manifest, pictures, options }: ArchiveContents,
): Promise<void> {
  const sums = path.join(work, parts.sums);
  const add = async (name: string, source: string) => {
    const hash = await addFile(tar, name, source);
    if (hash !== undefined) await appendFile(sums, sumLine(hash, name), { mode: 0o600 });
  };
  await writeFile(path.join(work, parts.manifest), `${JSON.stringify(manifest, null, 2)}\n`);
  await add(parts.manifest, path.join(work, parts.manifest));
  await add(parts.store, path.join(work, parts.store));
  let done = 0;
  for (const id of pictures) {
    options.onProgress?.(++done, pictures.length, "pictures");
    for (const { name, file } of await filesOf(config, id)) await add(name, file);
  }
  await addFile(tar, parts.sums, sums);
  tar.finalize();
}

/** Adds a file. Returns its SHA-256, or undefined when its picture was deleted meanwhile. */
async function addFile(tar: Pack, name: string, source: string): Promise<string | undefined> {
  const handle = await open(source).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (!handle) return undefined;
  const { size, mtime } = await handle.stat();
  const hash = createHash("sha256");
  const bytes = handle.createReadStream({ highWaterMark: 256 * 1024 });
  const entry = tar.entry({ name, size, mtime, mode: 0o600, type: "file" });
  await pipeline(
    bytes,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        yield chunk;
      }
    },
    entry,
  );
  return hash.digest("hex");
}

async function contents(config: Config, store: string): Promise<{ manifest: Manifest; pictures: string[] }> {
  const { migrations, epoch, counts, pictures } = readCopy(store);
  let [files, bytes, missing] = [1, (await stat(store)).size, 0];
  for (const id of pictures) {
    const pictureFiles = await filesOf(config, id);
    if (pictureFiles.length === 0) missing += 1;
    files += pictureFiles.length;
    for (const { file } of pictureFiles) bytes += (await stat(file).catch(() => undefined))?.size ?? 0;
  }
  const newest = migrations.at(-1);
  const migration = knownMigrations(migrationsFolder).find(({ when }) => when === newest);
  return {
    pictures,
    manifest: {
      format: 1,
      version: config.version,
      made: new Date().toISOString(),
      migration: migration?.tag ?? String(newest),
      epoch,
      counts,
      files,
      bytes,
      missing,
    },
  };
}

async function filesOf({ mediaDir }: Config, id: string): Promise<{ name: string; file: string }[]> {
  const folder = folderOfPicture(id);
  const names: string[] = await readdir(path.join(mediaDir, folder)).catch(() => []);
  return names
    .sort()
    .map((name) => ({ name: `media/${folder}/${name}`, file: path.join(mediaDir, folder, name) }))
    .filter(({ name }) => isPictureFile(name));
}

/** Flushes the folder, which makes the rename durable. */
async function sync(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function deleteOldArchives(folder: string, keep: number): Promise<string[]> {
  const archives = (await readdir(folder)).filter((name) => archiveTime(name) !== undefined);
  const old = archives.sort().toReversed().slice(keep);
  for (const name of old) await rm(path.join(folder, name), { force: true });
  return old;
}

/** Deletes temporary folders of killed backups. */
async function deleteAbandonedFolders(folder: string, ownName: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(workFolderPrefix) || name === ownName) continue;
    const stats = await stat(path.join(folder, name)).catch(() => undefined);
    if (stats && stats.mtimeMs < Date.now() - abandonedAfter)
      await rm(path.join(folder, name), { recursive: true, force: true });
  }
}
