import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { appendFile, mkdtemp, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { pack, type Pack } from "tar-stream";
import type { Config } from "../runtime/config.ts";
import { copyDatabase, readCopy, knownMigrations } from "../database/sqlite/copy.ts";
import { isDiskFull } from "../database/errors.ts";
import { requireSite } from "../database/start.ts";
import { pictureFolder } from "../media/paths.ts";
import { openFiles } from "../files/open.ts";
import type { FileStore, OpenedFile } from "../files/store.ts";
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
  const files = await openFiles(config);
  const { manifest, pictures } = await contents(config, files, store);
  const archive = path.join(work, "archive");
  const tar = pack();
  const filling = fill(tar, files, { work, manifest, pictures, options }).catch((error: unknown) => {
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
  /** The keys of each picture's files. */
  pictures: string[][];
  options: BackupOptions;
}

async function fill(
  tar: Pack,
  files: FileStore,
  { work, manifest, pictures, options }: ArchiveContents,
): Promise<void> {
  const sums = path.join(work, parts.sums);
  const add = async (name: string, file: OpenedFile) =>
    appendFile(sums, sumLine(await addFile(tar, name, file), name), { mode: 0o600 });
  await writeFile(path.join(work, parts.manifest), `${JSON.stringify(manifest, null, 2)}\n`);
  await add(parts.manifest, await openFile(path.join(work, parts.manifest)));
  await add(parts.store, await openFile(path.join(work, parts.store)));
  let done = 0;
  for (const keys of pictures) {
    options.onProgress?.(++done, pictures.length, "pictures");
    for (const key of keys) {
      const file = await files.read(key);
      // Otherwise the picture was deleted meanwhile.
      if (file) await add(key, file);
    }
  }
  await addFile(tar, parts.sums, await openFile(sums));
  tar.finalize();
}

async function openFile(file: string): Promise<OpenedFile> {
  const { size, mtimeMs } = await stat(file);
  return { bytes: size, changedAt: mtimeMs, content: createReadStream(file, { highWaterMark: 256 * 1024 }) };
}

/** Adds a file. Returns its SHA-256. */
async function addFile(tar: Pack, name: string, file: OpenedFile): Promise<string> {
  const hash = createHash("sha256");
  const entry = tar.entry({
    name,
    size: file.bytes,
    mtime: new Date(file.changedAt),
    mode: 0o600,
    type: "file",
  });
  await pipeline(
    file.content,
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

async function contents(
  config: Config,
  files: FileStore,
  store: string,
): Promise<{ manifest: Manifest; pictures: string[][] }> {
  const { migrations, epoch, counts, pictures: ids } = readCopy(store);
  const keysById = new Map(ids.map((id): [string, string[]] => [id, []]));
  let [count, bytes] = [1, (await stat(store)).size];
  for await (const entries of files.entries(pictureFolder, 3))
    for (const entry of entries) {
      const keys = keysById.get(entry.key.split("/")[2] ?? "");
      if (!keys || !isPictureFile(entry.key)) continue;
      keys.push(entry.key);
      count += 1;
      bytes += entry.bytes;
    }
  const pictures = [...keysById.values()].map((keys) => keys.sort());
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
      files: count,
      bytes,
      missing: pictures.filter((keys) => keys.length === 0).length,
    },
  };
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
