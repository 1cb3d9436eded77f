import { AppError } from "../../shared/errors.ts";
import type { ImportReport, RunState } from "../../shared/imports.ts";
import { draftOf } from "../writing/queries.ts";
import { blogFactsById } from "../blogs/queries.ts";
import { isAnsweredByOthers } from "../comments/removal-queries.ts";
import type { MemberContext, Services } from "../context.ts";
import { newId } from "../runtime/ids.ts";
import { userTopic } from "../live/stored-events.ts";
import { startBlogDeletion } from "../blogs/delete-blog.ts";
import { userById } from "../profiles/queries.ts";
import * as queries from "./queries.ts";
import type { RunRow } from "./queries.ts";
import { addLine, emptyReport, sentence, shownReport } from "./report.ts";
import { importFrom, type ImportOptions } from "./import-posts.ts";
import { FileProblem, type Source } from "./source.ts";
import { RunStopped } from "./import-post.ts";

/** Milliseconds between saves of progress, and of the report. */
const [progressInterval, reportInterval] = [700, 5_000];
/** Milliseconds without progress after which a run counts as ended: process IDs are reused. */
const silenceLimit = 10 * 60_000;

const activeStates: RunState[] = ["waiting", "running", "stopping", "undoing"];
export const isActive = (state: RunState): boolean => activeStates.includes(state);

export const uploadsFolder = "imports";

/** Returns the key of an upload, kept until the run ends. */
export const uploadKey = (runId: string): string => `${uploadsFolder}/${runId}`;

/** Returns a new run, or the interrupted one on the command line. Throws `conflict` while that is alive. */
export async function beginRun(
  { database }: Pick<Services, "database">,
  request: Pick<RunRow, "authorId" | "kind" | "name" | "local" | "options"> & { state: RunState },
): Promise<string> {
  const now = Date.now();
  return database.write(async (tx) => {
    if (request.local)
      for (const run of await queries.listRuns(tx, { authorId: request.authorId, limit: 20 })) {
        if (run.state !== "running" || !run.local || run.kind !== request.kind || run.name !== request.name)
          continue;
        if (hasProcess(run, now))
          throw new AppError(
            "conflict",
            `Another process (${run.options.pid}) is running this import. If it was killed, try again in ten minutes.`,
          );
        await queries.changeRun(tx, run.id, { options: request.options, changedAt: now }, ["running"]);
        return run.id;
      }
    const id = newId(now);
    await queries.insertRun(tx, { id, ...request, createdAt: now, changedAt: now });
    tx.emit(userTopic(request.authorId), { kind: "viewer.importsChanged" });
    return id;
  });
}

/** Whether a run on the command line still has its process. */
export const hasProcess = (
  { local, state, options, changedAt }: Pick<RunRow, "local" | "state" | "options" | "changedAt">,
  now: number,
): boolean => local && state === "running" && now - changedAt < silenceLimit && isAlive(options.pid);

function isAlive(pid: number | undefined): boolean {
  if (pid === undefined || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Executes a run and publishes progress. Saves an error with the run, then throws it. */
export async function executeRun(
  ctx: MemberContext,
  run: Pick<RunRow, "id" | "authorId" | "options">,
  source: Source,
  options: Omit<ImportOptions, "runId" | "again"> = {},
): Promise<ImportReport> {
  const stop = new AbortController();
  let [publishedAt, reportedAt] = [0, 0];
  let lastReport: ImportReport | undefined;
  const publishChange = (change: Partial<RunRow>) => changeRunAndPublish(ctx, run, change, ["running"]);
  try {
    const report = await importFrom(ctx, source, {
      ...options,
      runId: run.id,
      again: run.options.again ?? false,
      signal: options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal,
      onProgress: async (current, done, count, file) => {
        lastReport = current;
        await options.onProgress?.(current, done, count, file);
        const now = Date.now();
        if (now - publishedAt < progressInterval) return;
        publishedAt = now;
        const withReport = now - reportedAt >= reportInterval;
        if (withReport) reportedAt = now;
        const isRunning = await publishChange({
          done,
          count,
          ...(withReport && { report: JSON.stringify(shownReport(current)) }),
        });
        if (!isRunning) stop.abort(new RunStopped("Stopped."));
        else if ((await userById(ctx.database.read, run.authorId))?.suspendedAt != null)
          stop.abort(new AppError("forbidden", "The account is suspended."));
      },
    });
    const { found } = report;
    await changeRunAndPublish(
      ctx,
      run,
      { state: "done", done: found, count: found, report: JSON.stringify(report) },
      ["running", "stopping"],
    );
    return report;
  } catch (error) {
    const withReport = lastReport && { report: JSON.stringify(lastReport) };
    // Stopped from outside: another run may continue.
    if (options.signal?.aborted && options.signal.reason === error && !(error instanceof RunStopped)) {
      await changeRunAndPublish(ctx, run, { ...withReport }, ["running", "stopping"]).catch(() => undefined);
      throw error;
    }
    const problem =
      error instanceof FileProblem
        ? sentence(error.message)
        : error instanceof AppError || error instanceof RunStopped
          ? error.message
          : unexpectedError(ctx, error);
    await changeRunAndPublish(
      ctx,
      run,
      {
        state: error instanceof RunStopped ? "cancelled" : "failed",
        problem: error instanceof RunStopped ? null : problem,
        ...withReport,
      },
      ["running", "stopping"],
    ).catch((cause: unknown) => ctx.log.error({ err: cause }, "an import’s result could not be saved"));
    throw error;
  }
}

function unexpectedError({ log }: Pick<Services, "log">, error: unknown): string {
  log.error({ err: error }, "an import failed");
  return "Something went wrong. Posts imported so far were kept. Import the same file again to continue.";
}

/** Also notifies open pages. */
export const changeRunAndPublish = (
  { database }: Pick<Services, "database">,
  { id, authorId }: Pick<RunRow, "id" | "authorId">,
  change: Partial<Omit<RunRow, "id">>,
  states: RunState[],
): Promise<boolean> =>
  database.write(async (tx) => {
    const changed = await queries.changeRun(tx, id, { ...change, changedAt: Date.now() }, states);
    if (changed) tx.emit(userTopic(authorId), { kind: "viewer.importsChanged" });
    return changed;
  });

/**
 * Deletes the blogs of a run that were neither edited nor commented on by others since, as if never imported; reports the rest.
 * Resumable after a crash.
 */
export async function undoRun(
  services: Pick<Services, "database">,
  run: Pick<RunRow, "id" | "authorId">,
  { signal, onProgress }: { signal?: AbortSignal; onProgress?: (done: number, of: number) => void } = {},
): Promise<{ removed: number; report: ImportReport }> {
  const report = emptyReport();
  const { database } = services;
  const total = await queries.blogsOfRun(database.read, run.id);
  let [removed, done] = [0, 0];
  for (let after = ""; ;) {
    const batch = await queries.remainingBlogsOfRun(database.read, run.id, after, 50);
    for (const { authorId, source, blogId, title, etag } of batch) {
      signal?.throwIfAborted();
      const keptReason = await database.write(async (tx) => {
        const blog = await blogFactsById(tx, blogId, null);
        if (!blog) return null;
        const draft = await draftOf(tx, blogId);
        const isWritten = draft !== undefined && draft.seq !== draft.savedSeq;
        if (isWritten || blog.etag !== etag) return "edited here since the import";
        if (await isAnsweredByOthers(tx, blogId, blog.authorId)) return "others have commented on it";
        await startBlogDeletion(tx, blog);
        await queries.deleteImport(tx, authorId, source);
        return null;
      });
      if (keptReason === null) removed++;
      else addLine(report, "kept", title, keptReason);
      onProgress?.(++done, total);
    }
    after = batch.at(-1)?.blogId ?? "";
    if (batch.length === 0) break;
    await changeRunAndPublish(services, run, { done, count: total }, ["undoing"]);
  }
  await changeRunAndPublish(
    services,
    run,
    { state: "undone", done: total, count: total, report: JSON.stringify(report) },
    ["undoing"],
  );
  return { removed, report };
}
