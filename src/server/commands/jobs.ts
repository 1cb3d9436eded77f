import type { Services } from "../context.ts";
import { jobHandlers } from "../job-handlers.ts";
import { retriableJobNames, routineJobNames, stateOf } from "../jobs/jobs.ts";
import { jobById, listJobs, retry } from "../jobs/queries.ts";
import { logSiteAction, operator } from "../moderation/log.ts";
import { command, UsageError, plural } from "./command.ts";
import { withServices } from "./services.ts";

const maxJobs = 1_000;

export const commands = [
  command({
    name: "jobs",
    description: "Lists queued and failed jobs, such as emails.",
    run: () =>
      withServices(async (services) => {
        const jobs = await jobsList(services, Date.now());
        return { lines: printedJobs(jobs), json: jobs };
      }),
  }),
  command({
    name: "jobs retry",
    takes: "ID|--all",
    description: "Retries failed jobs.",
    words: [0, 1],
    options: { all: { type: "boolean" } },
    run: async ({ words: [id], options: { all } }) => {
      if ((id === undefined) !== (all === true)) throw new UsageError("Please name a job, or say --all.");
      return withServices(async (services) => {
        const retried = await retryJobs(services, id);
        return { lines: `${plural(retried, "job")} will be tried again by the server.`, json: { retried } };
      });
    },
  }),
];

/** Without the payload, which can contain personal data. */
async function jobsList(services: Pick<Services, "database">, now: number) {
  return (await listJobs(services.database.read, routineJobNames(jobHandlers), maxJobs)).map((job) => ({
    id: job.id,
    name: job.name,
    state: stateOf(job, jobHandlers, now),
    attempts: job.attempts,
    due: new Date(job.dueAt).toISOString(),
    asked: new Date(job.createdAt).toISOString(),
    error: job.lastError,
  }));
}

function printedJobs(jobs: Awaited<ReturnType<typeof jobsList>>): string[] {
  if (jobs.length === 0) return ["No queued or failed jobs."];
  return jobs.map(
    ({ id, state, name, attempts, due, error }) =>
      `${id}  ${state.padEnd(7)}  ${name}  ${state === "failed" ? "after" : `due ${due},`} ${plural(attempts, "attempt")}${error ? `: ${error}` : ""}`,
  );
}

/** Retries one failed job, or all. Throws if `id` names none to retry. */
async function retryJobs(services: Pick<Services, "database">, id: string | undefined): Promise<number> {
  const names = retriableJobNames(jobHandlers);
  const job = id === undefined ? undefined : await jobById(services.database.read, id);
  if (id !== undefined && job?.failedAt === null)
    throw new Error("This job has not failed for good: the server retries it by itself.");
  if (job && !names.includes(job.name))
    throw new Error(`The contents of this ${job.name} weren’t kept. Please request it again on the site.`);
  const count = await services.database.write(async (tx) => {
    const retried = await retry(tx, id === undefined ? { names } : { id }, Date.now());
    if (retried > 0) await logSiteAction(tx, operator, "retry", job?.name ?? "all failed jobs");
    return retried;
  });
  if (id !== undefined && count === 0) throw new Error(`There is no job ${id}.`);
  return count;
}
