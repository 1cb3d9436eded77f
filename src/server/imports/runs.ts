import path from "node:path";
import { AppError } from "../../shared/errors.ts";
import type { ImportReport, RunState } from "../../shared/imports.ts";
import { blogFactsById } from "../blogs/queries.ts";
import { isAnsweredByOthers } from "../comments/removal-queries.ts";
import type { MemberContext, Parts } from "../context.ts";
import { newId } from "../ids.ts";
import { userTopic } from "../live/stored-events.ts";
import { beginBlogDeletion } from "../social/delete-blog.ts";
import { userById } from "../users/queries.ts";
import * as queries from "./queries.ts";
import type { RunRow } from "./queries.ts";
import { addLine, emptyReport, sentence } from "./report.ts";
import { importFrom, type ImportOptions } from "./run.ts";
import { FileProblem, type Source } from "./source.ts";
import { RunStopped } from "./take.ts";

/** How often a run says how far it is, and what it has to report. */
const [toldEvery, reportedEvery] = [700, 5_000];
/** How often it is heard of at the least, and how long nothing is heard of one that is gone. */
const [heardEvery, silence] = [15_000, 60_000];

const underWay: RunState[] = ["waiting", "running", "stopping", "undoing"];
export const isUnderWay = (state: RunState): boolean => underWay.includes(state);

/** Where a file is kept that was uploaded for a run, until its end. */
export const pathOfUpload = ({ dataDir }: Parts["config"], runId: string): string =>
  path.join(dataDir, "imports", runId);

/** A run that is about to begin, or the one that was stopped by a kill and goes on. */
export async function beginRun(
  { database }: Pick<Parts, "database">,
  asked: Pick<RunRow, "authorId" | "kind" | "name" | "local" | "options"> & { state: RunState },
): Promise<string> {
  const now = Date.now();
  return database.write(async (tx) => {
    if (asked.local)
      for (const run of await queries.runsOf(tx, asked.authorId, 20)) {
        if (run.state !== "running" || !run.local || run.kind !== asked.kind || run.name !== asked.name)
          continue;
        if (hasProcess(run, now))
          throw new AppError(
            "conflict",
            `Another process (${run.options.pid}) is running this import. If it was killed, try again in a minute.`,
          );
        await queries.changeRun(tx, run.id, { options: asked.options, changedAt: now }, ["running"]);
        return run.id;
      }
    const id = newId(now);
    await queries.insertRun(tx, { id, ...asked, createdAt: now, changedAt: now });
    await tx.emit(userTopic(asked.authorId), { kind: "viewer.importsChanged" });
    return id;
  });
}

/** Whether a process at the command line carries it out still. Numbers of processes come again: it must have been heard of, too. */
export const hasProcess = (
  { local, state, options, changedAt }: Pick<RunRow, "local" | "state" | "options" | "changedAt">,
  now: number,
): boolean => local && state === "running" && now - changedAt < silence && isAlive(options.pid);

function isAlive(pid: number | undefined): boolean {
  if (pid === undefined || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Carries out a run, and says meanwhile how far it is. Throws what it ended with, once that is written down. */
export async function carryOut(
  ctx: MemberContext,
  run: Pick<RunRow, "id" | "authorId" | "options">,
  source: Source,
  options: Omit<ImportOptions, "runId" | "again"> = {},
): Promise<ImportReport> {
  const stop = new AbortController();
  let [told, reported] = [0, 0];
  let last: ImportReport | undefined;
  const tell = (change: Partial<RunRow>) => changeTold(ctx, run, change, ["running"]);
  // One post may take long, of many pictures.
  const beat = setInterval(() => void tell({}).catch(() => undefined), heardEvery);
  try {
    const report = await importFrom(ctx, source, {
      ...options,
      runId: run.id,
      again: run.options.again ?? false,
      signal: options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal,
      onProgress: async (so, done, count, file) => {
        last = so;
        await options.onProgress?.(so, done, count, file);
        const now = Date.now();
        if (now - told < toldEvery) return;
        told = now;
        const whole = now - reported >= reportedEvery;
        if (whole) reported = now;
        const goesOn = await tell({ done, count, ...(whole && { report: JSON.stringify(so) }) });
        if (!goesOn) stop.abort(new RunStopped("Stopped."));
        else if ((await userById(ctx.database.read, run.authorId))?.suspendedAt != null)
          stop.abort(new AppError("forbidden", "The account is suspended."));
      },
    });
    const { found } = report;
    await changeTold(ctx, run, { state: "done", done: found, count: found, report: JSON.stringify(report) }, [
      "running",
      "stopping",
    ]);
    return report;
  } catch (error) {
    // Whoever closes the site goes on with it later.
    if (options.signal?.aborted && options.signal.reason === error && !(error instanceof RunStopped))
      throw error;
    const problem =
      error instanceof FileProblem
        ? sentence(error.message)
        : error instanceof AppError || error instanceof RunStopped
          ? error.message
          : unplanned(ctx, error);
    await changeTold(
      ctx,
      run,
      {
        state: error instanceof RunStopped ? "cancelled" : "failed",
        problem: error instanceof RunStopped ? null : problem,
        ...(last && { report: JSON.stringify(last) }),
      },
      ["running", "stopping"],
    ).catch((cause: unknown) => ctx.log.error({ err: cause }, "an import’s result could not be saved"));
    throw error;
  } finally {
    clearInterval(beat);
  }
}

function unplanned({ log }: Pick<Parts, "log">, error: unknown): string {
  log.error({ err: error }, "an import failed");
  return "Something went wrong. Posts imported so far were kept. Import the same file again to continue.";
}

/** Changes a run, and tells open pages of it. */
export const changeTold = (
  { database }: Pick<Parts, "database">,
  { id, authorId }: Pick<RunRow, "id" | "authorId">,
  change: Partial<Omit<RunRow, "id">>,
  states: RunState[],
): Promise<boolean> =>
  database.write(async (tx) => {
    const changed = await queries.changeRun(tx, id, { ...change, changedAt: Date.now() }, states);
    if (changed) await tx.emit(userTopic(authorId), { kind: "viewer.importsChanged" });
    return changed;
  });

/**
 * Takes away what a run made, nobody edited since and nobody else has answered, as if it had not been imported; the rest stays,
 * and is told of. A kill in between loses nothing: it goes on with the rest.
 */
export async function undoRun(
  parts: Pick<Parts, "database">,
  run: Pick<RunRow, "id" | "authorId">,
  { signal, onProgress }: { signal?: AbortSignal; onProgress?: (done: number, of: number) => void } = {},
): Promise<{ removed: number; report: ImportReport }> {
  const report = emptyReport();
  const { database } = parts;
  const of = await queries.blogsOfRun(database.read, run.id);
  let [removed, done] = [0, 0];
  for (let after = ""; ;) {
    const some = await queries.madeBy(database.read, run.id, after, 50);
    for (const { authorId, source, blogId, title, version } of some) {
      signal?.throwIfAborted();
      const kept = await database.write(async (tx) => {
        const blog = await blogFactsById(tx, blogId, null);
        if (!blog) return null;
        if (blog.version !== (version ?? 1)) return "edited here since the import";
        if (await isAnsweredByOthers(tx, blogId, blog.authorId)) return "others have commented on it";
        await beginBlogDeletion(tx, blog);
        await queries.forgetImport(tx, authorId, source);
        return null;
      });
      if (kept === null) removed++;
      else addLine(report, "kept", title, kept);
      onProgress?.(++done, of);
    }
    after = some.at(-1)?.blogId ?? "";
    if (some.length === 0) break;
    await changeTold(parts, run, { done, count: of }, ["undoing"]);
  }
  await changeTold(parts, run, { state: "undone", done: of, count: of, report: JSON.stringify(report) }, [
    "undoing",
  ]);
  return { removed, report };
}
