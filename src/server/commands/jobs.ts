import type { Parts } from "../context.ts";
import { jobHandlers } from "../job-handlers.ts";
import { retriable, routine, stateOf } from "../jobs/listing.ts";
import { jobById, listJobs, retry } from "../jobs/queries.ts";
import { command, Misused, plural } from "./command.ts";
import { withParts } from "./parts.ts";

const most = 1_000;

export const commands = [
  command({
    name: "jobs",
    does: "Lists queued and failed jobs, such as emails.",
    run: () =>
      withParts(async (parts) => {
        const jobs = await jobsList(parts, Date.now());
        return { lines: printedJobs(jobs), json: jobs };
      }),
  }),
  command({
    name: "jobs retry",
    takes: "ID|--all",
    does: "Retries failed jobs.",
    words: [0, 1],
    options: { all: { type: "boolean" } },
    run: ({ words: [id], options: { all } }) =>
      withParts(async (parts) => {
        if ((id === undefined) !== (all === true)) throw new Misused("Please name a job, or say --all.");
        const retried = await retryJobs(parts, id);
        return { lines: `${plural(retried, "job")} will be tried again by the server.`, json: { retried } };
      }),
  }),
];

/** What waits, runs or was given up, without what it is about: that may hold somebody's address. */
async function jobsList(parts: Pick<Parts, "database">, now: number) {
  return (await listJobs(parts.database.read, routine(jobHandlers), most)).map((job) => ({
    id: job.id,
    name: job.name,
    state: stateOf(job, jobHandlers, now),
    attempts: job.attempts,
    due: new Date(job.dueAt).toISOString(),
    asked: new Date(job.createdAt).toISOString(),
    error: job.lastError,
  }));
}

/** The same for people, a job a line. */
function printedJobs(jobs: Awaited<ReturnType<typeof jobsList>>): string[] {
  if (jobs.length === 0) return ["No queued or failed jobs."];
  return jobs.map(
    ({ id, state, name, attempts, due, error }) =>
      `${id}  ${state.padEnd(7)}  ${name}  ${state === "failed" ? "after" : `due ${due},`} ${plural(attempts, "attempt")}${error ? `: ${error}` : ""}`,
  );
}

/** Lets one job that was given up, or all of them, begin anew. Throws where `id` names none that can. */
async function retryJobs(parts: Pick<Parts, "database">, id: string | undefined): Promise<number> {
  const names = retriable(jobHandlers);
  const known = id === undefined ? undefined : await jobById(parts.database.read, id);
  if (id !== undefined && known?.failedAt === null)
    throw new Error("This job has not failed: it is retried by itself.");
  if (known && !names.includes(known.name))
    throw new Error(`What this ${known.name} held is not kept: it has to be asked for again, on the site.`);
  const count = await parts.database.write((tx) =>
    retry(tx, id === undefined ? { names } : { id }, Date.now()),
  );
  if (id !== undefined && count === 0) throw new Error(`There is no job ${id}.`);
  return count;
}
