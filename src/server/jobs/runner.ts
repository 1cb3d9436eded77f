import { setTimeout as pause } from "node:timers/promises";
import { limits } from "../../shared/limits.ts";
import type { Parts } from "../context.ts";
import type { Transaction } from "../database/writer.ts";
import { jobsTopic } from "../live/signals.ts";
import { traced, type Span } from "../tracing.ts";
import { enqueueNext, Hopeless, type JobHandler, type JobHandlers } from "./jobs.ts";
import * as queries from "./queries.ts";
import type { JobRow } from "./queries.ts";

const leaseFor = 15_000;
const minute = 60_000;

class Stopped extends Error {}

/**
 * Does the jobs that are due. A job is leased by one conditional update, so that of several processes one does it, and is
 * anybody's again where that one was killed. Each name has places of its own: jobs that hang hold up none of another name.
 */
export class JobRunner {
  readonly #parts: Parts;
  readonly #handlers: JobHandlers;
  readonly #running = new Map<string, Set<Promise<void>>>();
  readonly #unknown = new Set<string>();
  readonly #stop = new AbortController();
  readonly #stopListening: () => void;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #lookAgain = false;
  #isStopping = false;
  /** How often looking for jobs has failed in a row. */
  #failures = 0;

  constructor(parts: Parts, handlers: JobHandlers) {
    this.#parts = parts;
    this.#handlers = handlers;
    this.#stopListening = parts.bus.listen(jobsTopic, () => this.#wake());
    this.#wake();
  }

  /** Takes no more, waits `patience` milliseconds for what is under way, and hands back the rest for the next start. */
  async stop(patience: number): Promise<void> {
    this.#stopListening();
    clearTimeout(this.#timer);
    const cut = setTimeout(() => this.#stop.abort(new Stopped("The site closes.")), patience);
    this.#lookAgain = false;
    this.#isStopping = true;
    await this.#looking;
    await Promise.allSettled([...this.#running.values()].flatMap((set) => [...set]));
    clearTimeout(cut);
  }

  #wake(): void {
    this.#lookAgain = true;
    if (this.#isStopping) return;
    this.#looking ??= this.#look();
  }

  async #look(): Promise<void> {
    let next = Date.now() + minute;
    try {
      // Whoever signals has an answer to give first.
      await new Promise((turn) => setImmediate(turn));
      while (this.#lookAgain && !this.#isStopping) {
        this.#lookAgain = false;
        next = Date.now() + minute;
        for (const { name, at } of await queries.waiting(this.#parts.database.read)) {
          const handler = this.#handlers[name];
          const places = handler ? (handler.atOnce ?? 1) - (this.#running.get(name)?.size ?? 0) : 0;
          if (!handler) this.#tellOfUnknown(name);
          else if (places > 0 && at > Date.now()) next = Math.min(next, at);
          else if (places > 0) await this.#take(name, handler, places);
        }
      }
      this.#failures = 0;
    } catch (error) {
      this.#parts.log.error({ err: error }, "looking for jobs failed");
      next = Date.now() + Math.min(minute, 1_000 * 2 ** this.#failures++);
    }
    // In one go with the last question whether to look again: who wakes after it finds that nobody looks.
    this.#looking = undefined;
    clearTimeout(this.#timer);
    if (this.#isStopping) return;
    this.#timer = setTimeout(() => this.#wake(), Math.max(0, next - Date.now()));
    this.#timer.unref();
  }

  async #take(name: string, handler: JobHandler, limit: number): Promise<void> {
    const now = Date.now();
    const taken = await this.#parts.database.write((tx) =>
      queries.takeDue(tx, name, { now, until: now + leaseFor, limit }),
    );
    const running = this.#running.get(name) ?? new Set();
    this.#running.set(name, running);
    for (const job of taken) {
      const run = this.#run(handler, job).finally(() => {
        running.delete(run);
        this.#wake();
      });
      running.add(run);
    }
    // When the next one is due is not known yet.
    this.#lookAgain = true;
  }

  #tellOfUnknown(name: string): void {
    if (this.#unknown.has(name)) return;
    this.#unknown.add(name);
    this.#parts.log.warn({ name }, "there are jobs that this version can't do: they are kept");
  }

  async #run(handler: JobHandler, job: JobRow): Promise<void> {
    const end = new AbortController();
    const signal = AbortSignal.any([end.signal, this.#stop.signal]);
    const timeLimit = handler.timeLimit ?? minute;
    const tooLong = setTimeout(
      () => end.abort(new Error(`It was not done within ${Math.ceil(timeLimit / 1000)} seconds.`)),
      timeLimit,
    );
    const prolong = setInterval(() => {
      const leasedUntil = Date.now() + leaseFor;
      this.#parts.database
        .write((tx) => queries.changeHeld(tx, job, { leasedUntil }))
        .then((mine) => mine || end.abort(new Error("Somebody else has this job by now.")))
        .catch((error: unknown) => this.#parts.log.warn({ err: error }, "a lease could not be prolonged"));
    }, leaseFor / 3);
    try {
      const outcome = await traced(
        this.#parts.tracing,
        `job ${job.name}`,
        (span) => this.#attempt(handler, job, signal, span),
        { root: true },
      );
      clearTimeout(tooLong);
      await this.#note((tx) => outcome(tx));
    } catch (error) {
      // The lease ends by itself: it is done once more.
      this.#parts.log.error({ err: error, job: job.name }, "how a job ended could not be noted");
    } finally {
      clearTimeout(tooLong);
      clearInterval(prolong);
    }
  }

  /** Does the work and says how it is to be noted. */
  async #attempt(
    handler: JobHandler,
    job: JobRow,
    signal: AbortSignal,
    span: Span | undefined,
  ): Promise<(tx: Transaction) => Promise<unknown>> {
    try {
      const { id, attempts: attempt, payload } = job;
      await Promise.race([handler.run(this.#parts, payload, { id, attempt, signal }), aborted(signal)]);
      return async (tx) => {
        await queries.finish(tx, job);
        await this.#askForNext(tx, handler, job);
      };
    } catch (error) {
      if (error instanceof Stopped)
        return (tx) => queries.changeHeld(tx, job, { leasedUntil: null, attempts: job.attempts - 1 });
      span?.fail(error);
      return this.#failed(handler, job, error);
    }
  }

  async #failed(handler: JobHandler, job: JobRow, error: unknown) {
    const now = Date.now();
    const end = job.createdAt + limits.jobs.triedFor;
    const told = { err: error, job: job.name, id: job.id, attempt: job.attempts };
    const lastError = withoutSecrets(error);
    if (!(error instanceof Hopeless) && now < end) {
      const dueAt = Math.min(now + backOff(job.attempts), Math.max(end, now + 1_000));
      this.#parts.log.warn({ ...told, dueAt: new Date(dueAt) }, "a job failed and is tried again");
      return (tx: Transaction) => queries.changeHeld(tx, job, { leasedUntil: null, dueAt, lastError });
    }
    this.#parts.log.error(told, "a job was given up");
    await handler
      .givenUp?.(this.#parts, job.payload)
      .catch((cause: unknown) => this.#parts.log.error({ err: cause, job: job.name }, "nobody was told"));
    const payload = handler.kept ? handler.kept(job.payload) : job.payload;
    return async (tx: Transaction) => {
      await queries.changeHeld(tx, job, { leasedUntil: null, failedAt: now, lastError, payload });
      // The next one may have more luck.
      await this.#askForNext(tx, handler, job);
    };
  }

  async #askForNext(tx: Transaction, { recurs }: JobHandler, { name, id }: JobRow): Promise<void> {
    const every = recurs?.every(this.#parts.config);
    if (every !== undefined) await enqueueNext(tx, name, Date.now() + every, id);
  }

  /** Writes, again and again where the store is locked: what is done must not be done once more. */
  async #note(work: (tx: Transaction) => Promise<unknown>): Promise<void> {
    for (let tries = 1; ; tries++)
      try {
        return void (await this.#parts.database.write(work));
      } catch (error) {
        if (tries === 20 || this.#isStopping) throw error;
        await pause(500 * tries, undefined, { ref: false });
      }
  }
}

/** Two seconds after the first attempt, three times as long after each, three hours at most; a quarter more or less. */
export const backOff = (attempts: number): number =>
  Math.min(2_000 * 3 ** (attempts - 1), 3 * 60 * minute) * (0.75 + Math.random() / 2);

const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    const end = () => reject(signal.reason as Error);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });

/** An error as it may be kept: the tokens of links, keys and the like are long and without a blank. */
const withoutSecrets = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/[\w+/=-]{32,}/g, "…").slice(0, 500);
