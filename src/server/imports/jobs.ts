import { AppError } from "../../shared/errors.ts";
import { enqueue, type JobHandler } from "../jobs/jobs.ts";
import { hasWaitingJob } from "../jobs/queries.ts";
import { userTopic } from "../live/stored-events.ts";
import { userById } from "../profiles/queries.ts";
import { oneAtATime } from "../runtime/concurrency.ts";
import { importBounds as bounds } from "./bounds.ts";
import { runImport } from "./import-process.ts";
import { changeRunAndPublish, undoRun, uploadKey } from "./import-runs.ts";
import { runById } from "./queries.ts";

export const importJob = "import";
export const undoJob = "undo-import";
interface Payload {
  runId: string;
}

/** Milliseconds per run; a longer import continues in another. */
const timeLimit = 12 * 60 * 60_000;

/**
 * Imports an upload in a process of its own. Resumes after a crash: imported posts are recognized. After `turn` milliseconds of
 * new posts it gives its place to an import that waits, and resumes behind it.
 */
export const uploadImportJob = ({
  turn = bounds.turn,
  ...limits
}: Partial<{ turn: number; megabytes: number; idle: number }> = {}): JobHandler<Payload> => ({
  timeLimit,
  concurrency: bounds.concurrentImports,
  async run(services, { runId }, { signal }) {
    const { database } = services;
    const run = await runById(database.read, runId);
    const deleteUpload = () => services.files.remove(uploadKey(runId));
    if (!run) return deleteUpload();
    const fail = (problem: string) =>
      changeRunAndPublish(services, run, { state: "failed", problem }, ["running", "stopping"]);
    const stop = new AbortController();
    // A person may stop it on any server.
    const stopListening = services.bus.listen(
      userTopic(run.authorId),
      oneAtATime(async () => {
        const current = await runById(database.read, runId).catch(() => run);
        if (current?.state === "stopping") stop.abort();
      }),
    );
    const turnEnd = new AbortController();
    let turnStartedAt: number | undefined;
    let done = 0;
    const endTurn = async (finished: unknown) => {
      done = Number(finished);
      if (done <= run.done) return;
      turnStartedAt ??= Date.now();
      if (Date.now() - turnStartedAt >= turn && (await hasWaitingJob(database.read, importJob, Date.now())))
        turnEnd.abort();
    };
    try {
      if (await changeRunAndPublish(services, run, { state: "running" }, ["waiting", "running"])) {
        const author = await userById(database.read, run.authorId);
        if (!author || author.suspendedAt !== null) await fail("The account is suspended.");
        else
          await services.files.local(uploadKey(runId), (file) =>
            runImport(
              services,
              { runId, file },
              {
                signal: AbortSignal.any([signal, stop.signal, turnEnd.signal]),
                onMessage: (message) => void endTurn(message).catch(() => undefined),
                limits,
              },
            ),
          );
      }
    } catch (error) {
      // A shutdown: the next start continues.
      if (signal.aborted) throw error;
      // False if it was stopped meanwhile.
      if (
        turnEnd.signal.aborted &&
        (await changeRunAndPublish(services, run, { state: "waiting", done }, ["running"]))
      ) {
        await database.write((tx) => enqueue(tx, importJob, { runId }));
        return undefined;
      }
      if (!stop.signal.aborted && !turnEnd.signal.aborted) {
        services.log.warn({ err: error, run: runId }, "an import stopped before its end");
        // Others, such as a full disk, are tried again.
        if (!(error instanceof AppError) || error.code === "unavailable") throw error;
        await fail(error.message);
      }
    } finally {
      stopListening();
    }
    await changeRunAndPublish(services, run, { state: "cancelled" }, ["stopping"]);
    return deleteUpload();
  },
  async onGivenUp(services, { runId }) {
    const run = await runById(services.database.read, runId);
    const problem =
      "Something went wrong. Posts imported so far were kept. Import the same file again to continue.";
    if (run) await changeRunAndPublish(services, run, { state: "failed", problem }, ["running", "stopping"]);
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
