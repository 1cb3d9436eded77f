import { limits } from "../../shared/limits.ts";
import type { Config } from "../config.ts";
import type { Parts } from "../context.ts";
import type { Database } from "../database/connection.ts";
import { deleteInSteps } from "../database/steps.ts";
import type { Transaction } from "../database/writer.ts";
import { idOf, newId } from "../ids.ts";
import { jobsTopic } from "../live/signals.ts";
import * as queries from "./queries.ts";

export { deleteMailsTo } from "./queries.ts";

/** What a handler knows of the work it does. It may be done twice where a process is killed: `id` is the same both times. */
export interface Work {
  id: string;
  /** The first is 1. */
  attempt: number;
  /** Aborted where the time is over, the job is somebody else's by now, or the site closes: stop there. */
  signal: AbortSignal;
}

/** How jobs of one name are done. */
export interface JobHandler<Payload = unknown> {
  /** Throws where it did not work: it is tried again, later each time, for a day; `Hopeless` where that is of no use. */
  run(parts: Parts, payload: Payload, work: Work): Promise<void>;
  /** Milliseconds for one attempt; a minute unless said. */
  timeLimit?: number;
  /** How many run at once; one unless said. */
  atOnce?: number;
  /** What of the payload is kept where the job is given up. What is said here can't be tried again. */
  kept?(payload: Payload): unknown;
  /** Hears that the job is given up. */
  givenUp?(parts: Parts, payload: Payload): Promise<void>;
  /** Recurring work: when a run was done or given up, the next one is stored. */
  recurs?: {
    /** Milliseconds from one run to the next; undefined where the settings turn it off. */
    every(config: Config): number | undefined;
    /** When it is due after a start. By default a waiting run keeps its time, and the first is due `every` after the first start. */
    firstAt?(config: Config, now: number): Promise<number>;
  };
  /** Staff see it listed only while it runs or after it has failed. */
  isRoutine?: boolean;
}

/** Handlers by the names of their jobs. */
export type JobHandlers = Readonly<Record<string, JobHandler>>;

/** Thrown by a handler: trying again would change nothing. */
export class Hopeless extends Error {}

/**
 * Asks for work to be done later, at once unless `dueAt` says when: stored with whatever asks for it, done after the commit.
 * `name` is one of `job-handlers.ts`. Answers with the job's id.
 */
export async function enqueue(
  tx: Transaction,
  name: string,
  payload: object | string | number,
  dueAt = Date.now(),
): Promise<string> {
  const now = Date.now();
  const id = newId(now);
  // It is tried for a day from when it first may.
  await queries.insertJob(tx, { id, name, payload, dueAt, createdAt: Math.max(now, dueAt) });
  tx.signal(jobsTopic);
  return id;
}

/** Stores the next run of recurring work in place of any that waits. `endedId` is the run that ends now: its row stays. */
export async function enqueueNext(
  tx: Transaction,
  name: string,
  dueAt: number,
  endedId?: string,
): Promise<void> {
  await queries.deleteOpen(tx, name, endedId);
  await enqueue(tx, name, {}, dueAt);
}

/**
 * Stores the next runs of recurring work after a start, where none waits, and deletes those that the settings turn off. A run
 * that waits for longer than `every` was stored while the clock was wrong, and is replaced.
 */
export async function enqueueRecurring(
  { config, database }: Pick<Parts, "config" | "database">,
  handlers: JobHandlers,
): Promise<void> {
  const now = Date.now();
  const waiting = new Map((await queries.waiting(database.read)).map(({ name, at }) => [name, at]));
  const changes: { name: string; dueAt: number | undefined }[] = [];
  for (const [name, { recurs }] of Object.entries(handlers)) {
    if (!recurs) continue;
    const every = recurs.every(config);
    const isAskedFor = (waiting.get(name) ?? Infinity) <= now + (every ?? 0);
    if (every === undefined) changes.push({ name, dueAt: undefined });
    else if (recurs.firstAt) changes.push({ name, dueAt: await recurs.firstAt(config, now) });
    else if (!isAskedFor) changes.push({ name, dueAt: now + every });
  }
  if (changes.length === 0) return;
  await database.write(async (tx) => {
    for (const { name, dueAt } of changes)
      await (dueAt === undefined ? queries.deleteOpen(tx, name) : enqueueNext(tx, name, dueAt));
  });
}

/** Asks for work of which the next turn of so many milliseconds does one, however often it is asked for until then. */
export async function enqueueOnce(
  tx: Transaction,
  name: string,
  payload: object,
  apart: number,
): Promise<void> {
  const dueAt = Math.ceil((Date.now() + 1) / apart) * apart;
  const id = idOf(`${name} ${dueAt} ${JSON.stringify(payload)}`);
  // Where it waits already, whoever does it knows.
  if (await queries.insertJobOnce(tx, { id, name, payload, dueAt, createdAt: dueAt })) tx.signal(jobsTopic);
}

/** Takes back what was asked for; where it is under way already, it goes on. */
export const takeBack = (tx: Transaction, id: string): Promise<void> => queries.deleteWaiting(tx, id);

/** Forgets jobs that were given up long ago. */
export const forgetFailed = (database: Pick<Database, "write">, now: number): Promise<void> =>
  deleteInSteps(database, (tx, most) => queries.deleteFailedBefore(tx, now - limits.jobs.listedFor, most));
