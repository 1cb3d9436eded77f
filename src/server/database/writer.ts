import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as pause } from "node:timers/promises";
import type Sqlite from "better-sqlite3";
import { AppError, closing, tooBusy } from "../../shared/errors.ts";
import type { StoredEvent, Topic, TopicKind } from "../live/stored-events.ts";
import type { Connection, Drizzle } from "./connection.ts";
import { asTrouble, isBusy, isDangling } from "./errors.ts";

/** An open transaction. Nothing but the store may be awaited while it is open. */
export interface Transaction extends Connection {
  /** Stores an event in the transaction of the change; its topic is signalled after the commit. */
  emit<Kind extends TopicKind>(topic: Topic<Kind>, event: StoredEvent<NoInfer<Kind>>): Promise<void>;
  /** Signals a topic after the commit without an event: access that may have changed, caches to drop. */
  signal(topic: string): void;
}

interface Job {
  work: (tx: Transaction) => Promise<unknown>;
  /** When it is refused where the store is not to be had. */
  until: number;
  settle: (outcome: { value: unknown } | { error: unknown }) => void;
}

export interface WriterOptions {
  /** Called after each commit with the topics that changed. */
  signal: (topics: Iterable<string>) => void;
  /** Called with errors that the caller of `write` does not get. */
  onError?: (error: unknown, what: string) => void;
  /** Whether a signal is stored too, so that another process sends it on: a command beside the server. */
  isCrossProcess?: (topic: string) => boolean;
  /** Milliseconds for which a write waits where another process holds the store. */
  lockPatience?: number;
}

const steps = {
  begin: "begin immediate",
  beginJob: "savepoint job",
  endJob: "release job",
  commit: "commit",
};

const longestBatch = 64;
/** Milliseconds after which a batch takes no more: others want the thread. */
const longestSlice = 25;
const longestQueue = 10_000;
/** Milliseconds for a job. What awaits nothing but the store is never interrupted by a timer, however long it takes. */
const patience = 2_000;

/**
 * The only writer. Jobs queue; several share one transaction (each in a savepoint) and one fsync. A job is answered after
 * the commit, and only then are the topics signalled. Where another process holds the store it waits without holding up the thread.
 */
export class Writer {
  readonly #queue: Job[] = [];
  readonly #sqlite: Sqlite.Database;
  readonly #drizzle: Drizzle;
  readonly #signal: WriterOptions["signal"];
  readonly #onError: NonNullable<WriterOptions["onError"]>;
  readonly #isCrossProcess: NonNullable<WriterOptions["isCrossProcess"]>;
  readonly #lockPatience: number;
  readonly #storeEvent: Sqlite.Statement<[string, string, number]>;
  readonly #steps: Record<keyof typeof steps, Sqlite.Statement>;
  readonly #scope = new AsyncLocalStorage<OpenTransaction>();
  #current: OpenTransaction | undefined;
  #draining: Promise<void> | undefined;
  #closed = false;
  #stored = 0;

  constructor(
    sqlite: Sqlite.Database,
    asDrizzle: (sqlite: Sqlite.Database) => Drizzle,
    { signal, onError = () => undefined, lockPatience = 5_000, isCrossProcess = () => false }: WriterOptions,
  ) {
    this.#sqlite = sqlite;
    this.#storeEvent = sqlite.prepare("insert into live_events (topic, fact, created_at) values (?, ?, ?)");
    this.#steps = {
      begin: sqlite.prepare(steps.begin),
      beginJob: sqlite.prepare(steps.beginJob),
      endJob: sqlite.prepare(steps.endJob),
      commit: sqlite.prepare(steps.commit),
    };
    guardStatements(sqlite, () => {
      if (!this.#current || this.#scope.getStore() !== this.#current)
        throw new Error("This write has ended: something awaited more than the store inside it.");
    });
    this.#drizzle = asDrizzle(sqlite);
    this.#signal = signal;
    this.#onError = onError;
    this.#isCrossProcess = isCrossProcess;
    this.#lockPatience = lockPatience;
  }

  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(closing());
    if (this.#queue.length >= longestQueue) return Promise.reject(tooBusy());
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({
        work,
        until: Date.now() + this.#lockPatience,
        settle: (outcome) => ("value" in outcome ? resolve(outcome.value as T) : reject(outcome.error)),
      });
      this.#draining ??= this.#drain();
    });
  }

  /** How many writes wait, and how many were stored since the start. */
  get counts(): { waiting: number; stored: number } {
    return { waiting: this.#queue.length, stored: this.#stored };
  }

  async close(): Promise<void> {
    this.#closed = true;
    while (this.#draining) await this.#draining;
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      // Requests that arrived in the same turn of the event loop join this commit.
      await new Promise((turn) => setImmediate(turn));
      if (await this.#begin()) await this.#commitBatch();
    }
    // In the same step as the last look at the queue: a job that came between the two would wait for ever.
    this.#draining = undefined;
  }

  /** Begins a transaction, or waits for it and refuses whoever has waited too long: false where nobody is left. */
  async #begin(): Promise<boolean> {
    for (let tries = 0; this.#queue.length > 0; tries++) {
      try {
        this.#steps.begin.run();
        return true;
      } catch (error) {
        const now = Date.now();
        const patient = isBusy(error) ? this.#queue.findIndex((job) => job.until > now) : longestBatch;
        this.#refuse(this.#queue.splice(0, patient < 0 ? this.#queue.length : patient), error);
      }
      if (this.#queue.length > 0) await pause(pauseAfter(tries));
    }
    return false;
  }

  async #commitBatch(): Promise<void> {
    const batch: Job[] = [];
    const answers: (() => void)[] = [];
    const topics = new Set<string>();
    const started = performance.now();
    try {
      while (batch.length < longestBatch && performance.now() - started < longestSlice) {
        const job = this.#queue.shift();
        if (!job) break;
        batch.push(job);
        answers.push(await this.#runJob(job, topics));
      }
      await this.#commit(topics);
    } catch (error) {
      if (this.#sqlite.inTransaction) this.#sqlite.exec("rollback");
      this.#refuse(batch, error);
      return;
    }
    this.#stored += answers.length;
    for (const answer of answers) answer();
  }

  /** Runs a job in a savepoint of its own, and gives what answers it once all is stored. */
  async #runJob(job: Job, topics: Set<string>): Promise<() => void> {
    const tx = new OpenTransaction(this.#drizzle, this.#storeEvent, this.#isCrossProcess);
    this.#steps.beginJob.run();
    this.#current = tx;
    try {
      const value = await withPatience(this.#scope.run(tx, () => job.work(tx)));
      this.#steps.endJob.run();
      for (const topic of tx.topics) topics.add(topic);
      return () => job.settle({ value });
    } catch (cause) {
      if (cause instanceof Endless) this.#onError(cause, "a write was given up");
      // Where the disk is full SQLite undoes the whole transaction by itself.
      if (!this.#sqlite.inTransaction) throw cause;
      this.#sqlite.exec("rollback to job; release job");
      const error = isDangling(cause) ? goneMeanwhile(cause) : (asTrouble(cause) ?? cause);
      return () => job.settle({ error });
    } finally {
      tx.end();
      this.#current = undefined;
    }
  }

  async #commit(topics: Set<string>): Promise<void> {
    const until = Date.now() + this.#lockPatience;
    for (let tries = 0; ; tries++) {
      try {
        this.#steps.commit.run();
        break;
      } catch (error) {
        if (!isBusy(error) || !this.#sqlite.inTransaction || Date.now() > until) throw error;
      }
      await pause(pauseAfter(tries));
    }
    // In the same step: nobody reads of a change before rights, caches and streams have heard of it.
    try {
      this.#signal(topics);
    } catch (error) {
      this.#onError(error, "signalling after a commit failed");
    }
  }

  #refuse(jobs: Job[], cause: unknown): void {
    if (jobs.length === 0) return;
    this.#onError(cause, `${jobs.length} writes could not be stored`);
    const error = asTrouble(cause) ?? cause;
    for (const job of jobs) job.settle({ error });
  }
}

/** Short at first, since most locks are; then long enough to cost nothing. Uneven, so that two who wait don't meet for ever. */
const pauseAfter = (tries: number) => Math.min(2 ** tries, 30) * (0.5 + Math.random());

/** Lets no statement of this connection run unless `check` lets it: a job that was given up may go on later. */
function guardStatements(sqlite: Sqlite.Database, check: () => void): void {
  const prepare = sqlite.prepare.bind(sqlite) as (source: string) => Sqlite.Statement;
  sqlite.prepare = ((source: string) => {
    const statement = prepare(source);
    for (const way of ["run", "get", "all"] as const) {
      const run = statement[way].bind(statement) as (...values: unknown[]) => never;
      statement[way] = (...values: unknown[]) => {
        check();
        return run(...values);
      };
    }
    return statement;
  }) as typeof sqlite.prepare;
}

/** Who asks was looked up before the write had its turn: their account may be deleted by then. */
const goneMeanwhile = (cause: unknown) => new AppError("not_found", "This no longer exists.", { cause });

class OpenTransaction implements Transaction {
  readonly topics = new Set<string>();
  readonly #drizzle: Drizzle;
  readonly #storeEvent: Sqlite.Statement<[string, string, number]>;
  readonly #isCrossProcess: (topic: string) => boolean;
  #open = true;

  constructor(
    drizzle: Drizzle,
    storeEvent: Sqlite.Statement<[string, string, number]>,
    isCrossProcess: (topic: string) => boolean,
  ) {
    this.#drizzle = drizzle;
    this.#storeEvent = storeEvent;
    this.#isCrossProcess = isCrossProcess;
  }

  get drizzle(): Drizzle {
    if (!this.#open)
      throw new Error("This transaction has ended: something awaited more than the store inside it.");
    return this.#drizzle;
  }

  async emit<Kind extends TopicKind>(topic: Topic<Kind>, event: StoredEvent<NoInfer<Kind>>): Promise<void> {
    if (!this.#open) throw new Error("This transaction has ended.");
    this.#storeEvent.run(topic, JSON.stringify(event), Date.now());
    this.topics.add(topic);
  }

  signal(topic: string): void {
    if (this.#isCrossProcess(topic)) this.#storeEvent.run(topic, '{"kind":"signalled"}', Date.now());
    this.topics.add(topic);
  }

  end(): void {
    this.#open = false;
  }
}

class Endless extends Error {}

/** A job that waits for the network would hold up every other write: it fails instead. */
async function withPatience<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await Promise.race([
      work,
      new Promise<never>((_, reject) => {
        timer = setTimeout(
          () => reject(new Endless("A write awaited something else than the store and was undone.")),
          patience,
        );
      }),
    ]);
  } finally {
    clearTimeout(timer);
  }
}
