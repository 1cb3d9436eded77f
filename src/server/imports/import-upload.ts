import path from "node:path";
import type { Services } from "../context.ts";
import { isDiskFull } from "../database/errors.ts";
import { importingAs } from "../accounts/acting-as.ts";
import { importBounds as bounds } from "./bounds.ts";
import { detectKind } from "./detect-kind.ts";
import { openFiles } from "./files/open.ts";
import { RunStopped } from "./import-post.ts";
import type { Checked } from "./import-process.ts";
import { changeRunAndPublish, executeRun } from "./import-runs.ts";
import { openSource } from "./kinds.ts";
import { runById } from "./queries.ts";
import { FileProblem, type Source } from "./source.ts";

/**
 * Imports an upload in this process, and stores how it ended. Throws when that cannot be stored, or when `signal` stops it:
 * another run continues.
 */
export async function importUpload(
  services: Services,
  { runId, file }: { runId: string; file: string },
  { signal, onProgress }: { signal: AbortSignal; onProgress: (done: number) => void },
): Promise<void> {
  const run = await runById(services.database.read, runId);
  if (!run) return;
  const fetch = (run.options.fetch ?? false) && services.remoteImages.isOn;
  const ctx = importingAs(services, run.authorId, { isLocal: false, fetch });
  let source: Source;
  try {
    source = await openSource({ kind: run.kind, file, name: run.name });
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    const problem = `${run.name} can’t be imported: ${error.message.replace(/\.$/, "")}.`;
    await changeRunAndPublish(services, run, { state: "failed", problem }, ["running", "stopping"]);
    return;
  }
  try {
    await executeRun(ctx, run, source, {
      signal,
      posts: bounds.uploadedPosts,
      onProgress: (_, done) => onProgress(done),
    });
  } catch (error) {
    if (signal.aborted) throw error;
    // Its end could not be recorded.
    if ((await runById(services.database.read, runId))?.state === "running") throw error;
    if (!(error instanceof RunStopped) && !isDiskFull(error))
      services.log.warn({ err: error, run: runId }, "an import stopped before its end");
  } finally {
    await source.close();
  }
}

/** Guesses a file's kind from its file names. Unless it clearly is another kind, also opens it. */
export async function checkUpload(kind: string, file: string, name = path.basename(file)): Promise<Checked> {
  try {
    const files = await openFiles(file, name);
    let detected;
    try {
      detected = await detectKind(files);
    } finally {
      await files.close();
    }
    if (detected === null || detected === kind) await (await openSource({ kind, file, name })).close();
    return { detected, problem: null };
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    return { detected: null, problem: error.message };
  }
}
