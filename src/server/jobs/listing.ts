import type { StaffJob } from "../../shared/moderation.ts";
import type { JobHandlers } from "./jobs.ts";
import type { JobRow } from "./queries.ts";

/** How a job stands; `unknown` where this version can't do it. */
export function stateOf(job: JobRow, handlers: JobHandlers, now: number): StaffJob["state"] {
  if (job.failedAt !== null) return "failed";
  if (!(job.name in handlers)) return "unknown";
  return job.leasedUntil !== null && job.leasedUntil > now ? "running" : "waiting";
}

/** The names that are not listed while they wait for their next run. */
export const routine = (handlers: JobHandlers): string[] =>
  Object.keys(handlers).filter((name) => handlers[name]?.isRoutine);

/** Those that can begin anew after they were given up: of the others not all is kept that they need. */
export const retriable = (handlers: JobHandlers): string[] =>
  Object.keys(handlers).filter((name) => !handlers[name]?.kept);
