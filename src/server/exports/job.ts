import { statfs } from "node:fs/promises";
import path from "node:path";
import { AppError } from "../../shared/errors.ts";
import { exportLimits } from "../../shared/exports.ts";
import type { Services } from "../context.ts";
import type { JobHandler } from "../jobs/jobs.ts";
import { runCommand, siteSettings } from "../runtime/run-command.ts";
import { exportFolderKey, exportKey, saveExportRecord, exportRecord, type ExportRecord } from "./folder.ts";
import type { Exported } from "./write.ts";

export const exportJob = "export";

export interface ExportWork {
  userId: string;
  id: string;
}

/** Progress by account ID. In memory only: after a restart an export starts again. */
export const exportProgress = new Map<string, { done: number; of: number }>();

/**
 * Writes a requested export in a low-priority child process: reading and compressing everything would block the server's
 * thread. An export interrupted by a shutdown is made again.
 */
export const makeExport: JobHandler<ExportWork> = {
  timeLimit: 6 * 60 * 60_000,
  run: async (services, { userId, id }, { signal }) => {
    const record = await exportRecord(services.database.read, userId);
    if (record?.id !== id || record.state !== "making") return;
    try {
      const { bytes } = await createExport(services, { userId, id }, signal);
      await saveIfCurrent(services, userId, { ...record, state: "ready", madeAt: Date.now(), bytes });
    } catch (error) {
      signal.throwIfAborted();
      services.log.error({ err: error }, "an export failed");
      // May fail for the same reason.
      await services.files.remove(exportFolderKey(userId)).catch(() => undefined);
      await saveIfCurrent(services, userId, { ...record, state: "failed", problem: failureMessage(error) });
    } finally {
      exportProgress.delete(userId);
    }
  },
  onGivenUp: async (services, { userId, id }) => {
    const record = await exportRecord(services.database.read, userId);
    if (record?.id === id)
      await saveIfCurrent(services, userId, { ...record, state: "failed", problem: failureMessage(null) });
  },
};

/** No-op when the record was deleted or replaced meanwhile. */
async function saveIfCurrent(services: Services, userId: string, record: ExportRecord): Promise<void> {
  await services.database.write(async (tx) => {
    if ((await exportRecord(tx, userId))?.id === record.id) await saveExportRecord(tx, userId, record);
  });
}

const failureMessage = (error: unknown): string =>
  error instanceof DiskSpaceError || (error instanceof AppError && error.code === "too_large")
    ? error.message
    : "We couldn’t create your export. Please try again later.";

class DiskSpaceError extends Error {
  override message =
    "The server doesn’t have enough disk space for your export. Please try again later, or contact an administrator.";
}

async function createExport(
  services: Services,
  { userId, id }: ExportWork,
  signal: AbortSignal,
): Promise<Exported> {
  await services.files.remove(exportFolderKey(userId));
  return services.files.put(exportKey(userId, { id }), async (part) => {
    const { bavail, bsize } = await statfs(path.dirname(part));
    if (bavail * bsize < exportLimits.room) throw new DiskSpaceError();
    return runExport(services, { userId, part }, signal);
  });
}

async function runExport(
  { config }: Services,
  { userId, part }: { userId: string; part: string },
  signal: AbortSignal,
): Promise<Exported> {
  const run = runCommand(["export", userId, "--to", part], {
    settings: { ...siteSettings(config), PUBLIC_URL: config.publicUrl, SITE_NAME: config.siteName },
    signal,
    failed: "The export failed",
    onMessage: (message) => {
      const progress = message as [done: number, of: number];
      exportProgress.set(userId, { done: progress[0], of: progress[1] });
    },
  });
  return (await run.catch((error: unknown) => {
    throw /disk is full/.test(String(error)) ? new DiskSpaceError() : error;
  })) as Exported;
}
