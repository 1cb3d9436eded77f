import { readdir } from "node:fs/promises";
import type { Config } from "../runtime/config.ts";
import type { JobHandler } from "../jobs/jobs.ts";
import { runCommand, siteSettings } from "../runtime/run-command.ts";
import { archiveTime } from "./archive.ts";

export const backupJob = "backup";

/** Returns the time `every` after the newest archive, or now without one. */
async function nextBackupTime({ backups: { every = 0, folder } }: Config, now: number): Promise<number> {
  const times = (await readdir(folder).catch(() => [])).map((name) => archiveTime(name) ?? 0);
  const newest = Math.max(0, ...times);
  return Math.max(now, Math.min(newest, now) + every);
}

/**
 * Runs `npm run reprise -- backup` in a low-priority child process: copying, compressing and encrypting a large site would
 * block the server's thread.
 */
export const scheduledBackup: JobHandler = {
  timeLimit: 12 * 60 * 60_000,
  recurs: { every: ({ backups }) => backups.every, firstAt: nextBackupTime },
  run: async ({ config, log }, _payload, { signal }) => {
    if (config.backups.every === undefined) return;
    const backup = await runBackup(config, signal);
    log.info(
      { file: backup.file, bytes: backup.bytes, encrypted: backup.encrypted, removed: backup.removed },
      "the site was backed up",
    );
  },
};

interface BackupResult {
  file: string;
  bytes: number;
  encrypted: boolean;
  removed: string[];
}

const runBackup = async ({ backups, ...config }: Config, signal: AbortSignal): Promise<BackupResult> =>
  (await runCommand(["backup", "--keep", String(backups.keep)], {
    settings: {
      ...siteSettings(config),
      BACKUP_DIR: backups.folder,
      ...(backups.passphrase === undefined ? {} : { BACKUP_PASSPHRASE: backups.passphrase }),
      ...(backups.recipient === undefined ? {} : { BACKUP_RECIPIENT: backups.recipient }),
    },
    signal,
    failed: "The backup failed",
  })) as BackupResult;
