import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { AppError, shuttingDown, tooBusy } from "../../shared/errors.ts";
import type { StoredEvent, Topic, TopicKind } from "../live/stored-events.ts";
import { preparedQuery, type Connection, type Drizzle } from "./connection.ts";
import { liveEvents } from "./schema/live.ts";
import { asUnavailable, isAborted, isBusy, isForeignKeyError } from "./errors.ts";

/** An open transaction. Await nothing but the database while it is open. */
export interface Transaction extends Connection {
  /** Has an event stored when the write ends, with the change; its topic is signalled after the commit. */
  emit<Kind extends TopicKind>(topic: Topic<Kind>, event: StoredEvent<NoInfer<Kind>>): void;
  /** Signals a topic without an event: access may have changed, caches must be dropped. */
  signal(topic: string): void;
}

interface Job {
  work: (tx: Transaction) => Promise<unknown>;
  /** When it is refused if the database stays locked. */
  until: number;
  settle: (outcome: { value: unknown } | { error: unknown }) => void;
}

export interface WriterOptions {
  /** Called after each commit with the changed topics. */
  signal: (topics: Iterable<string>) => void;
  /** Called with errors that the caller of `write` does not get. */
  onError?: (error: unknown, what: string) => void;
  /** Whether signals are stored, so that other processes send them on to their pages. */
  storesSignals?: boolean;
  /** Milliseconds to wait for another process's lock. */
  lockTimeoutMs?: number;
}

/** What ends at once returns nothing. */
type MaybePromise = Promise<void> | void;

/** The connection of the writer, of either store. Its transaction is the only one that writes, in all processes. */
export interface WriteConnection {
  /** For the work of jobs. */
  readonly drizzle: Drizzle;
  /** Milliseconds for a job. */
  readonly jobTimeoutMs: number;
  begin(): MaybePromise;
  beginJob(): MaybePromise;
  endJob(): MaybePromise;
  undoJob(): MaybePromise;
  commit(): MaybePromise;
  rollback(): MaybePromise;
  /** Some errors end the transaction. */
  readonly inTransaction: boolean;
  close(): MaybePromise;
}

const maxBatch = 64;
/** Milliseconds after which a batch takes no more. */
const maxBatchMs = 25;
const maxQueue = 10_000;

/**
 * The only writer of this process. Queued jobs share a transaction (each in a savepoint) and one fsync. A job resolves after the commit; only
 * then are topics signalled. Waits for other processes' locks without blocking the thread.
 */
export class Writer {
  readonly #queue: Job[] = [];
  readonly #connection: WriteConnection;
  readonly #signal: WriterOptions["signal"];
  readonly #onError: NonNullable<WriterOptions["onError"]>;
  readonly #storesSignals: boolean;
  readonly #ownEvents = new Set<number>();
  readonly #lockTimeoutMs: number;
  readonly #scope = new AsyncLocalStorage<OpenTransaction>();
  #current: OpenTransaction | undefined;
  #draining: Promise<void> | undefined;
  #closed = false;
  #stored = 0;

  /** `connect` gets a check to call before each statement: an abandoned job may continue later. */
  constructor(
    connect: (check: () => void) => WriteConnection,
    { signal, onError = () => undefined, lockTimeoutMs = 5_000, storesSignals = false }: WriterOptions,
  ) {
    this.#connection = connect(() => {
      if (!this.#current || this.#scope.getStore() !== this.#current)
        throw new Error("This write has ended: something awaited more than the store inside it.");
    });
    this.#signal = signal;
    this.#onError = onError;
    this.#storesSignals = storesSignals;
    this.#lockTimeoutMs = lockTimeoutMs;
  }

  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(shuttingDown());
    if (this.#queue.length >= maxQueue) return Promise.reject(tooBusy());
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({
        work,
        until: Date.now() + this.#lockTimeoutMs,
        settle: (outcome) => ("value" in outcome ? resolve(outcome.value as T) : reject(outcome.error)),
      });
      this.#draining ??= this.#drain();
    });
  }

  /** Numbers of writes: waiting, and stored since the start. */
  get counts(): { waiting: number; stored: number } {
    return { waiting: this.#queue.length, stored: this.#stored };
  }

  /** Whether this process stored an event, until it is forgotten. */
  isOwn(seq: number): boolean {
    return this.#ownEvents.has(seq);
  }

  forgetOwn(seqs: number[]): void {
    for (const seq of seqs) this.#ownEvents.delete(seq);
  }

  async close(): Promise<void> {
    this.#closed = true;
    while (this.#draining) await this.#draining;
    await this.#connection.close();
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      // Requests of this turn of the event loop join the commit.
      await new Promise((resolve) => setImmediate(resolve));
      if (await this.#begin()) await this.#commitBatch();
    }
    // In the same tick as the last check of the queue, so that no job waits forever.
    this.#draining = undefined;
  }

  /** Begins a transaction, or waits and refuses jobs that waited too long. False when none are left. */
  async #begin(): Promise<boolean> {
    for (let tries = 0; this.#queue.length > 0; tries++) {
      try {
        await this.#connection.begin();
        return true;
      } catch (error) {
        const now = Date.now();
        const expiredCount = isBusy(error) ? this.#queue.findIndex((job) => job.until > now) : maxBatch;
        this.#refuse(this.#queue.splice(0, expiredCount < 0 ? this.#queue.length : expiredCount), error);
      }
      if (this.#queue.length > 0) await pause(retryPauseMs(tries));
    }
    return false;
  }

  async #commitBatch(): Promise<void> {
    const batch: Job[] = [];
    const answers: (() => void)[] = [];
    const topics = new Set<string>();
    const seqs: number[] = [];
    const started = performance.now();
    try {
      while (batch.length < maxBatch && performance.now() - started < maxBatchMs) {
        const job = this.#queue.shift();
        if (!job) break;
        batch.push(job);
        answers.push(await this.#runJob(job, topics, seqs));
      }
      // Before others can read them.
      for (const seq of seqs) this.#ownEvents.add(seq);
      await this.#commit(topics);
    } catch (error) {
      this.forgetOwn(seqs);
      if (this.#connection.inTransaction) await this.#connection.rollback();
      this.#refuse(batch, error);
      return;
    }
    this.#stored += answers.length;
    for (const answer of answers) answer();
  }

  /** Runs a job in a savepoint. Returns what resolves it after the commit. */
  async #runJob(job: Job, topics: Set<string>, seqs: number[]): Promise<() => void> {
    const tx = new OpenTransaction(this.#connection, this.#storesSignals);
    await this.#connection.beginJob();
    this.#current = tx;
    try {
      const value = await withTimeout(
        this.#scope.run(tx, async () => {
          const result = await job.work(tx);
          await tx.storeEvents();
          return result;
        }),
        this.#connection.jobTimeoutMs,
      ).finally(() => {
        // Before it is undone: what continues meanwhile must not write.
        tx.end();
        this.#current = undefined;
      });
      await this.#connection.endJob();
      for (const topic of tx.topics) topics.add(topic);
      seqs.push(...tx.seqs);
      return () => job.settle({ value });
    } catch (cause) {
      if (cause instanceof WriteTimeout) this.#onError(cause, "a write took too long and was rolled back");
      if (isAborted(cause)) this.#onError(cause, "a write continued after a statement that had failed");
      // On a full disk SQLite rolls back the whole transaction.
      if (!this.#connection.inTransaction) throw cause;
      await this.#connection.undoJob();
      const error = isForeignKeyError(cause) ? referencedRowGone(cause) : (asUnavailable(cause) ?? cause);
      return () => job.settle({ error });
    }
  }

  async #commit(topics: Set<string>): Promise<void> {
    const until = Date.now() + this.#lockTimeoutMs;
    for (let tries = 0; ; tries++) {
      try {
        const committed = this.#connection.commit();
        if (committed) await committed;
        break;
      } catch (error) {
        if (!isBusy(error) || !this.#connection.inTransaction || Date.now() > until) throw error;
      }
      await pause(retryPauseMs(tries));
    }
    // With SQLite in the same tick: access, caches and streams know before anyone reads the change.
    try {
      this.#signal(topics);
    } catch (error) {
      this.#onError(error, "signalling after a commit failed");
    }
  }

  #refuse(jobs: Job[], cause: unknown): void {
    if (jobs.length === 0) return;
    this.#onError(cause, `${jobs.length} writes could not be stored`);
    const error = asUnavailable(cause) ?? cause;
    for (const job of jobs) job.settle({ error });
  }
}

/** Short at first, as most locks are; random, so that two waiting processes do not collide forever. */
const retryPauseMs = (tries: number) => Math.min(2 ** tries, 30) * (0.5 + Math.random());

/** The account may be deleted since its request began. */
const referencedRowGone = (cause: unknown) => new AppError("not_found", "This no longer exists.", { cause });

/** Events that one statement stores. */
const eventsAtOnce = 8;
/** The statements that store one event, two, and so on. */
const insertEvents = Array.from({ length: eventsAtOnce }, (_, last) =>
  preparedQuery((db) =>
    db
      .insert(liveEvents)
      .values(
        Array.from({ length: last + 1 }, (_row, index) => ({
          topic: sql.placeholder(`topic${index}`),
          event: sql.placeholder(`event${index}`),
          createdAt: sql.placeholder("at"),
        })),
      )
      .returning({ seq: liveEvents.seq }),
  ),
);
/** Of a signal without an event. */
const signalled = { kind: "signalled" };

class OpenTransaction implements Transaction {
  readonly topics = new Set<string>();
  readonly #connection: WriteConnection;
  /** Sequence numbers of the stored events. */
  readonly seqs: number[] = [];
  readonly #storesSignals: boolean;
  /** In their order, not stored yet. */
  readonly #events: { topic: string; event: object }[] = [];
  #open = true;

  constructor(connection: WriteConnection, storesSignals: boolean) {
    this.#connection = connection;
    this.#storesSignals = storesSignals;
  }

  get drizzle(): Drizzle {
    this.#requireOpen();
    return this.#connection.drizzle;
  }

  emit<Kind extends TopicKind>(topic: Topic<Kind>, event: StoredEvent<NoInfer<Kind>>): void {
    this.#requireOpen();
    this.topics.add(topic);
    this.#events.push({ topic, event });
  }

  signal(topic: string): void {
    if (this.#storesSignals && !this.topics.has(topic)) this.#events.push({ topic, event: signalled });
    this.topics.add(topic);
  }

  async storeEvents(): Promise<void> {
    const at = Date.now();
    while (this.#events.length > 0) {
      const events = this.#events.splice(0, eventsAtOnce);
      const values = events.flatMap(({ topic, event }, index) => [
        [`topic${index}`, topic],
        [`event${index}`, event],
      ]);
      const rows = await insertEvents[events.length - 1]!(this).all({ at, ...Object.fromEntries(values) });
      this.seqs.push(...rows.map(({ seq }) => seq));
    }
  }

  end(): void {
    this.#open = false;
  }

  #requireOpen(): void {
    if (!this.#open)
      throw new Error("This transaction has ended: something awaited more than the store inside it.");
  }
}

class WriteTimeout extends Error {}

/** Fails a job that awaits the network, which would block all other writes. */
async function withTimeout<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await Promise.race([
      work,
      new Promise<never>((_, reject) => {
        timer = setTimeout(
          () => reject(new WriteTimeout("A write awaited something else than the store and was undone.")),
          milliseconds,
        );
      }),
    ]);
  } finally {
    clearTimeout(timer);
  }
}
