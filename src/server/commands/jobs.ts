import type { Parts } from "../context.ts";
import { jobHandlers } from "../job-handlers.ts";
import { listJobs, retry, type JobRow } from "../jobs/queries.ts";

const most = 1_000;

type State = "failed" | "running" | "waiting" | "unknown";

function stateOf(job: JobRow, now: number): State {
  if (job.failedAt !== null) return "failed";
  if (!(job.name in jobHandlers)) return "unknown";
  return job.leasedUntil !== null && job.leasedUntil > now ? "running" : "waiting";
}

/** What waits, runs or was given up, without what it is about: that may hold somebody's address. */
export async function jobsList(parts: Pick<Parts, "database">, now: number) {
  return (await listJobs(parts.database.read, most)).map((job) => ({
    id: job.id,
    name: job.name,
    state: stateOf(job, now),
    attempts: job.attempts,
    due: new Date(job.dueAt).toISOString(),
    asked: new Date(job.createdAt).toISOString(),
    error: job.lastError,
  }));
}

/** The same for people, a job a line. */
export async function printedJobs(parts: Pick<Parts, "database">, now: number): Promise<string> {
  const lines = (await jobsList(parts, now)).map(
    ({ id, state, name, attempts, due, error }) =>
      `${id}  ${state.padEnd(7)}  ${name}  ${state === "failed" ? "after" : `due ${due},`} ${attempts} ${attempts === 1 ? "attempt" : "attempts"}${error ? `: ${error}` : ""}`,
  );
  return lines.length === 0 ? "Nothing waits, and nothing failed." : lines.join("\n");
}

/** Lets one job that was given up, or all of them, begin anew. Throws where `id` names none that can. */
export async function retryJobs(parts: Pick<Parts, "database">, id: string | undefined): Promise<number> {
  const names = Object.keys(jobHandlers).filter((name) => !jobHandlers[name]?.kept);
  const known =
    id === undefined ? undefined : (await listJobs(parts.database.read, most)).find((job) => job.id === id);
  if (id !== undefined && known?.failedAt === null)
    throw new Error("This job was not given up: it is tried again by itself.");
  if (known && !names.includes(known.name))
    throw new Error(`What this ${known.name} held is not kept: it has to be asked for again, on the site.`);
  const count = await parts.database.write((tx) =>
    retry(tx, id === undefined ? { names } : { id }, Date.now()),
  );
  if (id !== undefined && count === 0) throw new Error(`There is no job ${id}.`);
  return count;
}
