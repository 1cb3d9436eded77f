import { mkdir, rename, rm, statfs } from "node:fs/promises";
import path from "node:path";
import { exportLimits } from "../../shared/exports.ts";
import type { Parts } from "../context.ts";
import type { JobHandler } from "../jobs/jobs.ts";
import { runCommand } from "../own-process.ts";
import { folderOfExport, nameOfExport, noteExport, notedExport, type Noted } from "./folder.ts";
import type { Exported } from "./write.ts";

export const exportJob = "export";

export interface ExportWork {
  userId: string;
  id: string;
}

/** How far those are that are being made, by account: whoever asks again after a start sees them begin again. */
export const underWay = new Map<string, { done: number; of: number }>();

/**
 * Makes what somebody asked for in a process of its own that gives way to others: to read, write and compress all of it would hold
 * the server's thread. A server that stops in the middle does it again.
 */
export const makeExport: JobHandler<ExportWork> = {
  timeLimit: 6 * 60 * 60_000,
  run: async (parts, { userId, id }, { signal }) => {
    const noted = await notedExport(parts.database.read, userId);
    if (noted?.id !== id || noted.state !== "making") return;
    try {
      const { bytes } = await make(parts, { userId, id }, signal);
      await settle(parts, userId, { ...noted, state: "ready", madeAt: Date.now(), bytes });
    } catch (error) {
      signal.throwIfAborted();
      parts.log.error({ err: error }, "an export could not be made");
      // What hinders that may be what hindered all of it.
      await rm(folderOfExport(parts, userId), { recursive: true, force: true }).catch(() => undefined);
      await settle(parts, userId, { ...noted, state: "failed", problem: saidOf(error) });
    } finally {
      underWay.delete(userId);
    }
  },
  givenUp: async (parts, { userId, id }) => {
    const noted = await notedExport(parts.database.read, userId);
    if (noted?.id === id) await settle(parts, userId, { ...noted, state: "failed", problem: saidOf(null) });
  },
};

/** Of an account that was deleted meanwhile nothing is written down. */
async function settle(parts: Parts, userId: string, noted: Noted): Promise<void> {
  await parts.database.write(async (tx) => {
    if ((await notedExport(tx, userId))?.id === noted.id) await noteExport(tx, userId, noted);
  });
}

const saidOf = (error: unknown): string =>
  error instanceof NoRoom ? error.message : "We couldn’t create your export. Please try again later.";

class NoRoom extends Error {
  override message =
    "The server doesn’t have enough disk space for your export. Please try again later, or contact an administrator.";
}

async function make(parts: Parts, { userId, id }: ExportWork, signal: AbortSignal): Promise<Exported> {
  const folder = folderOfExport(parts, userId);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < exportLimits.room) throw new NoRoom();
  const file = path.join(folder, nameOfExport({ id }));
  const part = `${file}.part`;
  const done = await runExport(parts, { userId, part }, signal);
  await rename(part, file);
  return done;
}

async function runExport(
  { config }: Parts,
  { userId, part }: { userId: string; part: string },
  signal: AbortSignal,
): Promise<Exported> {
  const made = runCommand(["export", userId, "--to", part], {
    settings: { DATA_DIR: config.dataDir, PUBLIC_URL: config.publicUrl },
    signal,
    failed: "The export failed",
    onMessage: (message) => {
      const far = message as [done: number, of: number];
      underWay.set(userId, { done: far[0], of: far[1] });
    },
  });
  return (await made.catch((error: unknown) => {
    throw /disk is full/.test(String(error)) ? new NoRoom() : error;
  })) as Exported;
}
