import type { z } from "zod";
import { AppError } from "../../shared/errors.ts";
import { exportLimits, type BeginExport, type ExportState } from "../../shared/exports.ts";
import { askOwnPassword } from "../auth/own-password.ts";
import type { MemberContext } from "../context.ts";
import { newId } from "../ids.ts";
import { enqueue } from "../jobs/jobs.ts";
import { userById } from "../users/queries.ts";
import { dropExport, noteExport, notedExport } from "./folder.ts";
import { exportJob, underWay, type ExportWork } from "./job.ts";

const iso = (at: number): string => new Date(at).toISOString();

/** How the viewer's export stands. */
export async function exportState({ database, viewer }: MemberContext): Promise<ExportState> {
  const noted = await notedExport(database.read, viewer.id);
  if (!noted) return { state: "none" };
  const askedAt = iso(noted.askedAt);
  if (noted.state === "making")
    return { state: "making", askedAt, ...(underWay.get(viewer.id) ?? { done: 0, of: 0 }) };
  if (noted.state === "failed") return { state: "failed", askedAt, problem: noted.problem ?? "" };
  const madeAt = noted.madeAt ?? noted.askedAt;
  return {
    state: "ready",
    madeAt: iso(madeAt),
    bytes: noted.bytes ?? 0,
    goneAt: iso(madeAt + exportLimits.keptFor),
  };
}

/**
 * Asks for an export of all that is the viewer's, in the place of the one before. Throws `forbidden` for a wrong password, `conflict`
 * while one is made, `too_many` after a few in a day.
 */
export async function beginExport(
  ctx: MemberContext,
  { password }: z.output<typeof BeginExport>,
): Promise<ExportState> {
  const user = await userById(ctx.database.read, ctx.viewer.id);
  if (!user) throw new AppError("not_found", "This account no longer exists.");
  if (user.passwordHash !== null) await askOwnPassword(ctx, user, password);
  const isMaking = async () => (await notedExport(ctx.database.read, user.id))?.state === "making";
  if (await isMaking()) throw underWayAlready();
  await ctx.limits.take("export", user.id);
  await ctx.database.write(async (tx) => {
    if ((await notedExport(tx, user.id))?.state === "making") throw underWayAlready();
    const work: ExportWork = { userId: user.id, id: newId() };
    await noteExport(tx, user.id, { id: work.id, state: "making", askedAt: Date.now() });
    await enqueue(tx, exportJob, work);
  });
  return exportState(ctx);
}

const underWayAlready = () =>
  new AppError("conflict", "Your export is already being created. It’ll be here when it’s ready.");

/** Takes the viewer's file away before its time. Throws `conflict` while it is made. */
export async function removeExport(ctx: MemberContext): Promise<ExportState> {
  if ((await notedExport(ctx.database.read, ctx.viewer.id))?.state === "making") throw underWayAlready();
  await dropExport(ctx, ctx.viewer.id);
  return { state: "none" };
}
