import type { StaffJob } from "../../shared/administration.ts";
import type { JobHandlers } from "./jobs.ts";
import type { JobRow } from "./queries.ts";

/** Returns a job's state; `unknown` when this version has no handler. */
export function stateOf(job: JobRow, handlers: JobHandlers, now: number): StaffJob["state"] {
  if (job.failedAt !== null) return "failed";
  if (!(job.name in handlers)) return "unknown";
  return job.leasedUntil !== null && job.leasedUntil > now ? "running" : "waiting";
}

/** Returns the names that are not listed while waiting. */
export const routineJobNames = (handlers: JobHandlers): string[] =>
  Object.keys(handlers).filter((name) => handlers[name]?.isRoutine);

/** Returns names of which failed jobs can be retried, as they keep their whole payload. */
export const retriableJobNames = (handlers: JobHandlers): string[] =>
  Object.keys(handlers).filter((name) => !handlers[name]?.failedPayload);
