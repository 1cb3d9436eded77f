import { rename, statfs } from "node:fs/promises";
import path from "node:path";
import { AppError } from "../../shared/errors.ts";
import {
  importNames,
  importUpload,
  type ImportReport,
  type ImportRun,
  type StartImport,
} from "../../shared/imports.ts";
import { formatBytes } from "../../shared/format-bytes.ts";
import type { z } from "zod";
import type { Context, MemberContext, Services } from "../context.ts";
import { newId } from "../runtime/ids.ts";
import { enqueue } from "../jobs/jobs.ts";
import { userTopic } from "../live/stored-events.ts";
import { requireWriter } from "../profiles/access.ts";
import { requireTextRoom } from "../profiles/quotas.ts";
import { checkFile } from "./import-process.ts";
import { importJob, undoJob } from "./jobs.ts";
import * as queries from "./queries.ts";
import { changeRunAndPublish, isActive, uploadKey, uploadsFolder } from "./import-runs.ts";
import { shownReport } from "./report.ts";

/** The number of imports on the page. */
const listedRuns = 20;

/**
 * Checks before the upload is read. Throws when the viewer cannot publish, has a running import or is rate limited, or the disk
 * lacks room.
 */
export async function requireCanImport(ctx: MemberContext, bytes: number): Promise<void> {
  await requireWriter(ctx.database.read, ctx.viewer);
  await requireNoActiveRun(ctx.database.read, ctx);
  await requireTextRoom(ctx, ctx.viewer.id, 1);
  if (bytes > importUpload) throw tooLarge();
  const { bavail, bsize } = await statfs(ctx.config.dataDir);
  if (bavail * bsize < 3 * bytes)
    throw new AppError(
      "unavailable",
      "The server doesn’t have enough disk space for this file. Please contact an administrator.",
      {
        retryAfter: 3_600,
      },
    );
  await ctx.limits.take("import", ctx.viewer.id);
}

export const tooLarge = (): AppError =>
  new AppError(
    "too_large",
    `The file can be at most ${formatBytes(importUpload)}. Administrators can import larger files on the command line. You can also import it without its pictures first, then the pictures.`,
  );

async function requireNoActiveRun(
  connection: Context["database"]["read"],
  { viewer }: MemberContext,
): Promise<void> {
  const runs = await queries.listRuns(connection, { authorId: viewer.id, limit: listedRuns });
  if (runs.some((run) => !run.local && isActive(run.state)))
    throw new AppError(
      "conflict",
      "You already have an import in progress. Please wait for it to finish, or stop it.",
    );
}

/** Queues the import of an upload that matches the chosen kind. Throws `bad_request` otherwise. */
export async function startImport(
  ctx: MemberContext,
  { kind, name, again, fetch }: z.output<typeof StartImport>,
  file: string,
): Promise<{ id: string }> {
  await requireImportable(ctx, { kind, name }, file);
  const id = newId();
  await ctx.files.put(uploadKey(id), (part) => rename(file, part));
  try {
    await ctx.database.write(async (tx) => {
      await requireNoActiveRun(tx, ctx);
      const now = Date.now();
      await queries.insertRun(tx, {
        id,
        authorId: ctx.viewer.id,
        kind,
        name,
        local: false,
        state: "waiting",
        options: { ...(again && { again }), ...(fetch && { fetch }) },
        createdAt: now,
        changedAt: now,
      });
      await enqueue(tx, importJob, { runId: id });
      tx.emit(userTopic(ctx.viewer.id), { kind: "viewer.importsChanged" });
    });
  } catch (error) {
    await ctx.files.remove(uploadKey(id)).catch(() => undefined);
    throw error;
  }
  return { id };
}

/** Throws `bad_request` when a file cannot be imported as the chosen kind. */
async function requireImportable(
  ctx: MemberContext,
  { kind, name }: Pick<z.output<typeof StartImport>, "kind" | "name">,
  file: string,
): Promise<void> {
  const signal = ctx.signal ?? new AbortController().signal;
  const { detected, problem } = await checkFile(ctx, { kind, file, name }, { signal, limits: checkLimits });
  if (problem !== null)
    throw new AppError("bad_request", `${name} can’t be imported: ${problem.replace(/\.$/, "")}.`, {
      field: "file",
    });
  if (detected !== null && detected !== kind)
    throw new AppError(
      "bad_request",
      `${name} looks like an export from ${importNames[detected].name}. Choose that instead, or another file. For ${importNames[kind].name}: ${importNames[kind].file}.`,
      { field: "file" },
    );
}

/** A look takes much less than an import. */
const checkLimits = { idle: 60_000 };

/** Newest first. */
export async function listImports({ database, viewer }: MemberContext): Promise<{ runs: ImportRun[] }> {
  const rows = await queries.listRuns(database.read, { authorId: viewer.id, limit: listedRuns });
  const runs: ImportRun[] = [];
  for (const { id, kind, name, state, done, count, problem, createdAt } of rows)
    runs.push({
      id,
      kind,
      name: path.basename(name),
      state,
      done,
      count,
      problem,
      createdAt: new Date(createdAt).toISOString(),
      blogs: await queries.blogsOfRun(database.read, id),
    });
  return { runs };
}

async function ownRun({ database, viewer }: MemberContext, id: string): Promise<queries.RunRow> {
  const run = await queries.runById(database.read, id);
  if (run?.authorId !== viewer.id) throw new AppError("not_found", "This import doesn’t exist.");
  return run;
}

/** Returns the whole report of one of the viewer's imports so far. */
export async function wholeReport(ctx: MemberContext, { id }: { id: string }): Promise<ImportReport | null> {
  const { report } = await ownRun(ctx, id);
  return report === null ? null : (JSON.parse(report) as ImportReport);
}

/** Returns the report as a page shows it. */
export async function readReport(
  ctx: MemberContext,
  input: { id: string },
): Promise<{ report: ImportReport | null }> {
  const report = await wholeReport(ctx, input);
  return { report: report && shownReport(report) };
}

/** Imported posts stay and can be undone. */
export async function stopImport(ctx: MemberContext, { id }: { id: string }): Promise<{ message: string }> {
  const run = await ownRun(ctx, id);
  if (run.local)
    throw new AppError("conflict", "This import runs on the command line. Stop it there with Ctrl-C.");
  const isStopping =
    (await changeRunAndPublish(ctx, run, { state: "cancelled" }, ["waiting"])) ||
    (await changeRunAndPublish(ctx, run, { state: "stopping" }, ["running"]));
  return { message: isStopping ? "Stopping import." : "The import has already ended." };
}

/** Keeps blogs edited or commented on by others since. */
export async function undoImport(ctx: MemberContext, { id }: { id: string }): Promise<{ message: string }> {
  const run = await ownRun(ctx, id);
  await ctx.limits.take("import", ctx.viewer.id);
  await ctx.database.write(async (tx) => {
    await requireNoActiveRun(tx, ctx);
    const now = Date.now();
    const change = { state: "undoing", problem: null, done: 0, changedAt: now } as const;
    if (!(await queries.changeRun(tx, run.id, change, ["done", "failed", "cancelled"])))
      throw new AppError("conflict", "This import is in progress or was already undone.");
    await enqueue(tx, undoJob, { runId: run.id });
    tx.emit(userTopic(ctx.viewer.id), { kind: "viewer.importsChanged" });
  });
  return { message: "Undoing import." };
}

/** Deletes uploads without a pending run, left by a crash. */
export async function deleteAbandonedUploads(
  { files, database }: Pick<Services, "files" | "database">,
  now: number,
): Promise<void> {
  for await (const uploads of files.entries(uploadsFolder, 1))
    for (const { key, changedAt } of uploads) {
      const run = await queries.runById(database.read, path.basename(key));
      if (now - changedAt > 60 * 60_000 && (!run || !isActive(run.state))) await files.remove(key);
    }
}
