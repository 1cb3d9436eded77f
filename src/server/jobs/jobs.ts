import { limits } from "../../shared/limits.ts";
import type { Config } from "../runtime/config.ts";
import type { Services } from "../context.ts";
import type { Database } from "../database/connection.ts";
import { deleteInSteps } from "../database/run-in-steps.ts";
import type { Transaction } from "../database/writer.ts";
import { idOf, newId } from "../runtime/ids.ts";
import { jobsTopic } from "../live/signals.ts";
import * as queries from "./queries.ts";
import type { StaffJob } from "../../shared/administration.ts";
import type { JobRow } from "./queries.ts";

export { deleteMailsTo } from "./queries.ts";

/** What a handler knows of its run. After a kill, a job may run twice with the same `id`. */
export interface JobRun {
  id: string;
  /** From 1. */
  attempt: number;
  /** Aborted at the time limit, when another runner has the job, or on shutdown. */
  signal: AbortSignal;
}

/** How jobs of one name run. */
export interface JobHandler<Payload = unknown> {
  /** Throws on failure: retried for a day, at growing intervals, unless `NonRetryableError`. */
  run(services: Services, payload: Payload, work: JobRun): Promise<void>;
  /** Milliseconds per attempt; by default a minute. */
  timeLimit?: number;
  /** Concurrent runs; by default one. */
  concurrency?: number;
  /** The part of the payload that a failed job keeps; it cannot be retried then. */
  failedPayload?(payload: Payload): unknown;
  /** Called after the last failed attempt. */
  onGivenUp?(services: Services, payload: Payload): Promise<void>;
  /** Each run, successful or not, enqueues the next. */
  recurs?: {
    /** Milliseconds between runs; undefined when the settings turn it off. */
    every(config: Config): number | undefined;
    /** When to run after a start. By default a waiting run keeps its time; the first is due `every` after the start. */
    firstAt?(config: Config, now: number): Promise<number>;
  };
  /** Staff see it only running or failed. */
  isRoutine?: boolean;
}

/** Handlers by job name. */
export type JobHandlers = Readonly<Record<string, JobHandler>>;

/** Thrown by a handler: a retry would change nothing. */
export class NonRetryableError extends Error {}

/** Enqueues a job, which runs after the commit or at `dueAt`. `name` is one of `job-handlers.ts`. Returns its id. */
export async function enqueue(
  tx: Transaction,
  name: string,
  payload: object | string | number,
  dueAt = Date.now(),
): Promise<string> {
  const now = Date.now();
  const id = newId(now);
  // Retries end a day after it is first due.
  await queries.insertJob(tx, { id, name, payload, dueAt, createdAt: Math.max(now, dueAt) });
  tx.signal(jobsTopic);
  return id;
}

/** Enqueues a recurring job's next run in place of any waiting one. `endedId`, the run that ends now, stays. */
export async function enqueueNext(
  tx: Transaction,
  name: string,
  dueAt: number,
  endedId?: string,
): Promise<void> {
  await queries.deleteUnfinished(tx, name, endedId);
  await enqueue(tx, name, {}, dueAt);
}

/**
 * Enqueues missing runs of recurring jobs, and deletes those turned off. A run that waits longer than `every` was stored with a
 * wrong clock, and is replaced.
 */
export async function enqueueRecurring(
  { config, database }: Pick<Services, "config" | "database">,
  handlers: JobHandlers,
): Promise<void> {
  const now = Date.now();
  const dueTimes = new Map((await queries.waitingJobs(database.read)).map(({ name, at }) => [name, at]));
  const changes: { name: string; dueAt: number | undefined }[] = [];
  for (const [name, { recurs }] of Object.entries(handlers)) {
    if (!recurs) continue;
    const every = recurs.every(config);
    const isQueued = (dueTimes.get(name) ?? Infinity) <= now + (every ?? 0);
    if (every === undefined) changes.push({ name, dueAt: undefined });
    else if (recurs.firstAt) changes.push({ name, dueAt: await recurs.firstAt(config, now) });
    else if (!isQueued) changes.push({ name, dueAt: now + every });
  }
  if (changes.length === 0) return;
  await database.write(async (tx) => {
    for (const { name, dueAt } of changes)
      await (dueAt === undefined ? queries.deleteUnfinished(tx, name) : enqueueNext(tx, name, dueAt));
  });
}

/** Enqueues a job for the next multiple of `interval` milliseconds, once however often requested. */
export async function enqueueOnce(
  tx: Transaction,
  name: string,
  payload: object,
  interval: number,
): Promise<void> {
  const dueAt = Math.ceil((Date.now() + 1) / interval) * interval;
  const id = idOf(`${name} ${dueAt} ${JSON.stringify(payload)}`);
  // If it is waiting already, its runner knows.
  if (await queries.insertJobOnce(tx, { id, name, payload, dueAt, createdAt: dueAt })) tx.signal(jobsTopic);
}

/** Deletes a waiting job; a running one continues. */
export const cancelJob = (tx: Transaction, id: string): Promise<void> => queries.deleteWaiting(tx, id);

/** Deletes jobs that failed long ago. */
export const deleteOldFailedJobs = (database: Pick<Database, "write">, now: number): Promise<void> =>
  deleteInSteps(database, (tx, limit) => queries.deleteFailedBefore(tx, now - limits.jobs.listedFor, limit));

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
