import { spawn } from "node:child_process";
import { readdir } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import type { Parts } from "../context.ts";
import type { Config } from "../config.ts";
import { enqueue, type JobHandler } from "../jobs/jobs.ts";
import { deleteOpen } from "../jobs/queries.ts";
import { projectRoot } from "../project-root.ts";
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

async function runBackup({ dataDir, backups }: Config, signal: AbortSignal): Promise<Done> {
  const isBuilt = !import.meta.filename.endsWith(".ts");
  const script = path.join(projectRoot, isBuilt ? "dist/server/reprise.js" : "src/server/reprise.ts");
  const child = spawn(process.execPath, [script, "backup", "--keep", String(backups.keep), "--json"], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      BACKUP_DIR: backups.folder,
      ...(backups.passphrase === undefined ? {} : { BACKUP_PASSPHRASE: backups.passphrase }),
      ...(backups.recipient === undefined ? {} : { BACKUP_RECIPIENT: backups.recipient }),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const stop = () => child.kill("SIGTERM");
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_LOW);
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    });
    const [answer, problem, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    if (code !== 0)
      throw new Error(`The backup failed: ${problem.trim() || `its process ended with ${code}`}`);
    return JSON.parse(answer) as Done;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
