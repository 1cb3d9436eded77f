import { rm } from "node:fs/promises";
import type { ImportReport } from "../../shared/imports.ts";
import { isDiskFull } from "../database/errors.ts";
import { enqueue, type JobHandler } from "../jobs/jobs.ts";
import { hasWaitingJob } from "../jobs/queries.ts";
import { userById } from "../profiles/queries.ts";
import { importingAs } from "../acting-context.ts";
import { openSource } from "./thread/open.ts";
import { runById } from "./queries.ts";
import { importBounds as bounds } from "./bounds.ts";
import { executeRun, changeRunAndPublish, uploadPath, undoRun } from "./import-runs.ts";
import { FileProblem, type Source } from "./source.ts";
import { RunStopped } from "./import-post.ts";

export const importJob = "import";
export const undoJob = "undo-import";
interface Payload {
  runId: string;
}

/** Milliseconds per run; a longer import continues in another. */
const timeLimit = 12 * 60 * 60_000;
/** The most posts per upload. */
const maxPosts = 20_000;

/** Aborts a run that gives its place to another account's. */
class TurnOver extends Error {}

/**
 * Imports an upload. Resumes after a crash: imported posts are recognized. After `turn` milliseconds of new posts it gives its
 * place to an import that waits, and resumes behind it.
 */
export const uploadImportJob = (turn: number = bounds.turn): JobHandler<Payload> => ({
  timeLimit,
  concurrency: bounds.concurrentImports,
  async run(services, { runId }, { signal }) {
    const run = await runById(services.database.read, runId);
    const file = uploadPath(services.config, runId);
    const deleteUpload = () => rm(file, { force: true });
    if (!run) return deleteUpload();
    if (!(await changeRunAndPublish(services, run, { state: "running" }, ["waiting", "running"]))) {
      await changeRunAndPublish(services, run, { state: "cancelled" }, ["stopping"]);
      return deleteUpload();
    }
    const fail = (problem: string) =>
      changeRunAndPublish(services, run, { state: "failed", problem }, ["running", "stopping"]);
    const author = await userById(services.database.read, run.authorId);
    if (!author || author.suspendedAt !== null) {
      await fail("The account is suspended.");
      return deleteUpload();
    }
    const fetch = (run.options.fetch ?? false) && services.remoteImages.isOn;
    const ctx = importingAs(services, run.authorId, { isLocal: false, fetch });
    let source: Source;
    try {
      source = await openSource({ kind: run.kind, file, name: run.name });
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error;
      await fail(`${run.name} can’t be imported: ${error.message.replace(/\.$/, "")}.`);
      return deleteUpload();
    }
    const turnEnd = new AbortController();
    let turnStartedAt: number | undefined;
    let done = 0;
    const onProgress = async (_: ImportReport, doneNow: number) => {
      done = doneNow;
      if (done <= run.done) return;
      turnStartedAt ??= Date.now();
      if (
        Date.now() - turnStartedAt >= turn &&
        (await hasWaitingJob(services.database.read, importJob, Date.now()))
      )
        turnEnd.abort(new TurnOver());
    };
    try {
      await executeRun(ctx, run, source, {
        signal: AbortSignal.any([signal, turnEnd.signal]),
        posts: maxPosts,
        onProgress,
      });
    } catch (error) {
      if (error instanceof TurnOver) {
        // False if it was stopped meanwhile, which the next run settles.
        await changeRunAndPublish(services, run, { state: "waiting", done }, ["running"]);
        await services.database.write((tx) => enqueue(tx, importJob, { runId }));
        return undefined;
      }
      // On shutdown the next start continues. Other errors are saved with the run.
      if (signal.aborted) throw error;
      // The disk was too full to record the end: the job retries.
      if (isDiskFull(error) && (await runById(services.database.read, runId))?.state === "running")
        throw error;
      if (!(error instanceof RunStopped) && !isDiskFull(error))
        services.log.warn({ err: error, run: runId }, "an import ended early");
    } finally {
      await source.close();
    }
    await deleteUpload();
  },
});

/** Undoes an import. */
export const undoImportJob: JobHandler<Payload> = {
  timeLimit,
  concurrency: bounds.concurrentImports,
  async run(services, { runId }, { signal }) {
    const run = await runById(services.database.read, runId);
    if (run?.state === "undoing") await undoRun(services, run, { signal });
  },
};
