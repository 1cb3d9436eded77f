import { rm } from "node:fs/promises";
import { isFull } from "../database/errors.ts";
import type { JobHandler } from "../jobs/jobs.ts";
import { userById } from "../users/queries.ts";
import { importingAs } from "../acting.ts";
import { openSource } from "./apart/open.ts";
import { runById } from "./queries.ts";
import { carryOut, changeTold, pathOfUpload, undoRun } from "./runs.ts";
import { FileProblem, type Source } from "./source.ts";
import { RunStopped } from "./take.ts";

export const importJob = "import";
export const undoJob = "undo-import";
interface Payload {
  runId: string;
}

/** So long an import may take in one go; it goes on in another. */
const timeLimit = 12 * 60 * 60_000;
/** Posts of one upload. */
const mostPosts = 20_000;

/** Imports what was uploaded. A run that was killed goes on: what came in already is known. */
export const importUploaded: JobHandler<Payload> = {
  timeLimit,
  async run(parts, { runId }, { signal }) {
    const run = await runById(parts.database.read, runId);
    const file = pathOfUpload(parts.config, runId);
    const forget = () => rm(file, { force: true });
    if (!run) return forget();
    if (!(await changeTold(parts, run, { state: "running" }, ["waiting", "running"]))) {
      await changeTold(parts, run, { state: "cancelled" }, ["stopping"]);
      return forget();
    }
    const fail = (problem: string) =>
      changeTold(parts, run, { state: "failed", problem }, ["running", "stopping"]);
    const author = await userById(parts.database.read, run.authorId);
    if (!author || author.suspendedAt !== null) {
      await fail("The account is suspended.");
      return forget();
    }
    const fetch = (run.options.fetch ?? false) && parts.foreign.isOn;
    const ctx = importingAs(parts, run.authorId, { isLocal: false, fetch });
    let source: Source;
    try {
      source = await openSource({ kind: run.kind, file, name: run.name });
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error;
      await fail(`${run.name} can’t be imported: ${error.message.replace(/\.$/, "")}.`);
      return forget();
    }
    try {
      await carryOut(ctx, run, source, { signal, posts: mostPosts });
    } catch (error) {
      // The site closes: the next start goes on. What else there was is written down with the run.
      if (signal.aborted) throw error;
      // A disk may be so full that not even its end was written down: it goes on where there is room again.
      if (isFull(error) && (await runById(parts.database.read, runId))?.state === "running") throw error;
      if (!(error instanceof RunStopped) && !isFull(error))
        parts.log.warn({ err: error, run: runId }, "an import ended early");
    } finally {
      await source.close();
    }
    await forget();
  },
};

/** Takes an import back. */
export const undoImported: JobHandler<Payload> = {
  timeLimit,
  async run(parts, { runId }, { signal }) {
    const run = await runById(parts.database.read, runId);
    if (run?.state === "undoing") await undoRun(parts, run, { signal });
  },
};
