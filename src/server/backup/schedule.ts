import { readdir } from "node:fs/promises";
import type { Parts } from "../context.ts";
import type { Config } from "../config.ts";
import { enqueue, type JobHandler } from "../jobs/jobs.ts";
import { deleteOpen } from "../jobs/queries.ts";
import { runCommand } from "../own-process.ts";
import { timeOfArchive } from "./archive.ts";

export const backupJob = "backup";

/** Asks for the next backup, where the settings say how often, in the place of any that was asked for before. */
export async function scheduleBackup({
  config,
  database,
}: Pick<Parts, "config" | "database">): Promise<void> {
  const dueAt = await nextBackup(config, Date.now());
  await database.write(async (tx) => {
    await deleteOpen(tx, backupJob);
    if (dueAt !== undefined) await enqueue(tx, backupJob, {}, dueAt);
  });
}

/** So long after the newest archive in the folder; at once where there is none. */
async function nextBackup({ backups: { every, folder } }: Config, now: number): Promise<number | undefined> {
  if (every === undefined) return undefined;
  const made = (await readdir(folder).catch(() => [])).map((name) => timeOfArchive(name) ?? 0);
  const newest = Math.max(0, ...made);
  return Math.max(now, Math.min(newest, now) + every);
}

/**
 * Does what `npm run reprise -- backup` does, in a process of its own that gives way to others: to copy, compress and encrypt
 * a large site would hold the server's thread.
 */
export const backUpInTime: JobHandler = {
  timeLimit: 12 * 60 * 60_000,
  run: async (parts, _payload, { id, signal }) => {
    const { config, log } = parts;
    if (config.backups.every === undefined) return;
    const done = await runBackup(config, signal);
    log.info(
      { file: done.file, bytes: done.bytes, encrypted: done.encrypted, removed: done.removed },
      "the site was backed up",
    );
    await askAgain(parts, id);
  },
  // The next one may have more luck.
  givenUp: (parts) => askAgain(parts),
};

async function askAgain(
  { config, database }: Pick<Parts, "config" | "database">,
  id?: string,
): Promise<void> {
  const { every } = config.backups;
  if (every === undefined) return;
  await database.write(async (tx) => {
    if (id !== undefined) await deleteOpen(tx, backupJob, id);
    await enqueue(tx, backupJob, {}, Date.now() + every);
  });
}

interface Done {
  file: string;
  bytes: number;
  encrypted: boolean;
  removed: string[];
}

const runBackup = async ({ dataDir, backups }: Config, signal: AbortSignal): Promise<Done> =>
  (await runCommand(["backup", "--keep", String(backups.keep)], {
    settings: {
      DATA_DIR: dataDir,
      BACKUP_DIR: backups.folder,
      ...(backups.passphrase === undefined ? {} : { BACKUP_PASSPHRASE: backups.passphrase }),
      ...(backups.recipient === undefined ? {} : { BACKUP_RECIPIENT: backups.recipient }),
    },
    signal,
    failed: "The backup failed",
  })) as Done;
