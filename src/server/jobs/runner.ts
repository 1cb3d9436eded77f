import { setTimeout as pause } from "node:timers/promises";
import { limits } from "../../shared/limits.ts";
import type { Services } from "../context.ts";
import type { Transaction } from "../database/writer.ts";
import { jobsTopic } from "../live/signals.ts";
import { enqueueNext, NonRetryableError, type JobHandler, type JobHandlers } from "./jobs.ts";
import * as queries from "./queries.ts";
import type { JobRow } from "./queries.ts";

const leaseMs = 15_000;
const minute = 60_000;

class ShutdownError extends Error {}

/**
 * Runs due jobs. A conditional update leases a job to one of several processes; another takes it after a kill. Each name has
 * its own slots: hanging jobs block no others.
 */
export class JobRunner {
  readonly #services: Services;
  readonly #handlers: JobHandlers;
  readonly #running = new Map<string, Set<Promise<void>>>();
  readonly #unknown = new Set<string>();
  readonly #stop = new AbortController();
  readonly #stopListening: () => void;
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<void> | undefined;
  #pollAgain = false;
  #isStopping = false;
  /** Failed polls in a row. */
  #failures = 0;

  constructor(services: Services, handlers: JobHandlers) {
    this.#services = services;
    this.#handlers = handlers;
    this.#stopListening = services.bus.listen(jobsTopic, () => this.#wake());
    this.#wake();
  }

  /** Takes no more jobs, waits `timeoutMs` milliseconds for running ones, and releases the rest for the next start. */
  async stop(timeoutMs: number): Promise<void> {
    this.#stopListening();
    clearTimeout(this.#timer);
    const abortTimer = setTimeout(() => this.#stop.abort(new ShutdownError("The site closes.")), timeoutMs);
    this.#pollAgain = false;
    this.#isStopping = true;
    await this.#polling;
    await Promise.allSettled([...this.#running.values()].flatMap((set) => [...set]));
    clearTimeout(abortTimer);
  }

  #wake(): void {
    this.#pollAgain = true;
    if (this.#isStopping) return;
    this.#polling ??= this.#poll();
  }

  async #poll(): Promise<void> {
    let next = Date.now() + minute;
    try {
      // The signalling request responds first.
      await new Promise((resolve) => setImmediate(resolve));
      while (this.#pollAgain && !this.#isStopping) {
        this.#pollAgain = false;
        next = Date.now() + minute;
        for (const { name, at } of await queries.waitingJobs(this.#services.database.read)) {
          const handler = this.#handlers[name];
          const freeSlots = handler ? (handler.concurrency ?? 1) - (this.#running.get(name)?.size ?? 0) : 0;
          if (!handler) this.#warnOfUnknown(name);
          else if (freeSlots > 0 && at > Date.now()) next = Math.min(next, at);
          else if (freeSlots > 0) await this.#lease(name, handler, freeSlots);
        }
      }
      this.#failures = 0;
    } catch (error) {
      this.#services.log.error({ err: error }, "due jobs could not be read");
      next = Date.now() + Math.min(minute, 1_000 * 2 ** this.#failures++);
    }
    // In the same tick as the last check of #pollAgain: no wake is lost.
    this.#polling = undefined;
    clearTimeout(this.#timer);
    if (this.#isStopping) return;
    this.#timer = setTimeout(() => this.#wake(), Math.max(0, next - Date.now()));
    this.#timer.unref();
  }

  async #lease(name: string, handler: JobHandler, limit: number): Promise<void> {
    const now = Date.now();
    const leased = await this.#services.database.write((tx) =>
      queries.takeDue(tx, name, { now, until: now + leaseMs, limit }),
    );
    const running = this.#running.get(name) ?? new Set();
    this.#running.set(name, running);
    for (const job of leased) {
      const run = this.#run(handler, job).finally(() => {
        running.delete(run);
        this.#wake();
      });
      running.add(run);
    }
    // The next due time is not known yet.
    this.#pollAgain = true;
  }

  #warnOfUnknown(name: string): void {
    if (this.#unknown.has(name)) return;
    this.#unknown.add(name);
    this.#services.log.warn({ name }, "this version cannot run these jobs; they are kept");
  }

  async #run(handler: JobHandler, job: JobRow): Promise<void> {
    const controller = new AbortController();
    const signal = AbortSignal.any([controller.signal, this.#stop.signal]);
    const timeLimit = handler.timeLimit ?? minute;
    const timeout = setTimeout(
      () => controller.abort(new Error(`It was not done within ${Math.ceil(timeLimit / 1000)} seconds.`)),
      timeLimit,
    );
    const renewal = setInterval(() => {
      const leasedUntil = Date.now() + leaseMs;
      this.#services.database
        .write((tx) => queries.changeLeased(tx, job, { leasedUntil }))
        .then((isRenewed) => isRenewed || controller.abort(new Error("Another process has leased this job.")))
        .catch((error: unknown) =>
          this.#services.log.warn(
            { err: error },
            "the lock of a running job could not be extended; the job may run twice",
          ),
        );
    }, leaseMs / 3);
    try {
      const outcome = await this.#attempt(handler, job, signal);
      clearTimeout(timeout);
      await this.#storeOutcome((tx) => outcome(tx));
    } catch (error) {
      // The lease will expire: the job runs again.
      this.#services.log.error(
        { err: error, job: job.name },
        "the result of a job could not be stored; the job may run again",
      );
    } finally {
      clearTimeout(timeout);
      clearInterval(renewal);
    }
  }

  /** Runs a job. Returns how to store the outcome. */
  async #attempt(
    handler: JobHandler,
    job: JobRow,
    signal: AbortSignal,
  ): Promise<(tx: Transaction) => Promise<unknown>> {
    try {
      const { id, attempts: attempt, payload } = job;
      await Promise.race([handler.run(this.#services, payload, { id, attempt, signal }), aborted(signal)]);
      return async (tx) => {
        await queries.finish(tx, job);
        await this.#enqueueNext(tx, handler, job);
      };
    } catch (error) {
      if (error instanceof ShutdownError)
        return (tx) => queries.changeLeased(tx, job, { leasedUntil: null, attempts: job.attempts - 1 });
      return this.#handleFailure(handler, job, error);
    }
  }

  async #handleFailure(handler: JobHandler, job: JobRow, error: unknown) {
    const now = Date.now();
    const deadline = job.createdAt + limits.jobs.triedFor;
    const details = { err: error, job: job.name, id: job.id, attempt: job.attempts };
    const lastError = withoutSecrets(error);
    if (!(error instanceof NonRetryableError) && now < deadline) {
      const dueAt = Math.min(now + retryDelayMs(job.attempts), Math.max(deadline, now + 1_000));
      this.#services.log.warn({ ...details, dueAt: new Date(dueAt) }, "a job failed and will be retried");
      return (tx: Transaction) => queries.changeLeased(tx, job, { leasedUntil: null, dueAt, lastError });
    }
    this.#services.log.error(details, "a job failed and will not be retried");
    await handler
      .onGivenUp?.(this.#services, job.payload)
      .catch((cause: unknown) =>
        this.#services.log.error({ err: cause, job: job.name }, "the follow-up of a failed job failed, too"),
      );
    const payload = handler.failedPayload ? handler.failedPayload(job.payload) : job.payload;
    return async (tx: Transaction) => {
      await queries.changeLeased(tx, job, { leasedUntil: null, failedAt: now, lastError, payload });
      // The next run may succeed.
      await this.#enqueueNext(tx, handler, job);
    };
  }

  async #enqueueNext(tx: Transaction, { recurs }: JobHandler, { name, id }: JobRow): Promise<void> {
    const every = recurs?.every(this.#services.config);
    if (every !== undefined) await enqueueNext(tx, name, Date.now() + every, id);
  }

  /** Retries while the database is locked: finished work must not run again. */
  async #storeOutcome(work: (tx: Transaction) => Promise<unknown>): Promise<void> {
    for (let attempt = 1; ; attempt++)
      try {
        return void (await this.#services.database.write(work));
      } catch (error) {
        if (attempt === 20 || this.#isStopping) throw error;
        await pause(500 * attempt, undefined, { ref: false });
      }
  }
}

/** Returns the delay after an attempt: two seconds tripling to three hours, times 0.75 to 1.25 at random. */
export const retryDelayMs = (attempts: number): number =>
  Math.round(Math.min(2_000 * 3 ** (attempts - 1), 3 * 60 * minute) * (0.75 + Math.random() / 2));

const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    const end = () => reject(signal.reason as Error);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });

/** Removes tokens and keys: they are long, without spaces. */
const withoutSecrets = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/[\w+/=-]{32,}/g, "…").slice(0, 500);
