import type { z } from "zod";
import { AppError } from "../../shared/errors.ts";
import { exportLimits, type BeginExport, type ExportState } from "../../shared/exports.ts";
import { verifyOwnPassword } from "../auth/own-password.ts";
import type { MemberContext } from "../context.ts";
import { newId } from "../runtime/ids.ts";
import { enqueue } from "../jobs/jobs.ts";
import { userById } from "../profiles/queries.ts";
import { deleteExport, saveExportRecord, exportRecord } from "./folder.ts";
import { exportJob, exportProgress, type ExportWork } from "./job.ts";

const iso = (at: number): string => new Date(at).toISOString();

/** Returns the state of the viewer's export. */
export async function exportState({ database, viewer }: MemberContext): Promise<ExportState> {
  const record = await exportRecord(database.read, viewer.id);
  if (!record) return { state: "none" };
  const askedAt = iso(record.askedAt);
  if (record.state === "making")
    return { state: "making", askedAt, ...(exportProgress.get(viewer.id) ?? { done: 0, of: 0 }) };
  if (record.state === "failed") return { state: "failed", askedAt, problem: record.problem ?? "" };
  const madeAt = record.madeAt ?? record.askedAt;
  return {
    state: "ready",
    madeAt: iso(madeAt),
    bytes: record.bytes ?? 0,
    goneAt: iso(madeAt + exportLimits.keptFor),
  };
}

/**
 * Queues an export that replaces the previous one. Throws `forbidden` for a wrong password, `conflict` while one is running,
 * `too_many` after a few per day.
 */
export async function beginExport(
  ctx: MemberContext,
  { password }: z.output<typeof BeginExport>,
): Promise<ExportState> {
  const user = await userById(ctx.database.read, ctx.viewer.id);
  if (!user) throw new AppError("not_found", "This account no longer exists.");
  if (user.passwordHash !== null) await verifyOwnPassword(ctx, user, password);
  const isMaking = async () => (await exportRecord(ctx.database.read, user.id))?.state === "making";
  if (await isMaking()) throw exportInProgress();
  await ctx.limits.take("export", user.id);
  await ctx.database.write(async (tx) => {
    if ((await exportRecord(tx, user.id))?.state === "making") throw exportInProgress();
    const work: ExportWork = { userId: user.id, id: newId() };
    await saveExportRecord(tx, user.id, { id: work.id, state: "making", askedAt: Date.now() });
    await enqueue(tx, exportJob, work);
  });
  return exportState(ctx);
}

const exportInProgress = () =>
  new AppError("conflict", "Your export is already being created. It’ll be here when it’s ready.");

/** Throws `conflict` while it is running. */
export async function removeExport(ctx: MemberContext): Promise<ExportState> {
  if ((await exportRecord(ctx.database.read, ctx.viewer.id))?.state === "making") throw exportInProgress();
  await deleteExport(ctx, ctx.viewer.id);
  return { state: "none" };
}
