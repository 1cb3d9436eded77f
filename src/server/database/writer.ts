import type Sqlite from "better-sqlite3";
import { AppError } from "../../shared/errors.ts";
import type { Connection, Drizzle } from "./connection.ts";
import { isDangling } from "./errors.ts";

/** What a topic is told of: stored in the outbox in the same transaction as the change. */
export interface Fact {
  kind: string;
  [detail: string]: unknown;
}

/** An open transaction. Nothing but the store may be awaited while it is open. */
export interface Transaction extends Connection {
  /** Stores a fact in the outbox; its topic is rung after the commit. */
  fact(topic: string, fact: Fact): Promise<void>;
  /** Rings a topic after the commit without storing anything: rights that may have changed, caches to drop. */
  ring(topic: string): void;
}

interface Job {
  work: (tx: Transaction) => Promise<unknown>;
  settle: (outcome: { value: unknown } | { error: unknown }) => void;
}

const longestBatch = 64;
const longestQueue = 10_000;
const patience = 10_000;

/**
 * The only writer. Jobs queue; several share one transaction (each in a savepoint) and one fsync. A job is answered after
 * the commit, and only then are the topics rung.
 */
export class Writer {
  readonly #queue: Job[] = [];
  readonly #sqlite: Sqlite.Database;
  readonly #drizzle: Drizzle;
  readonly #ring: (topics: Iterable<string>) => void;
  readonly #storeFact: Sqlite.Statement<[string, string, number]>;
  #draining: Promise<void> | undefined;
  #closed = false;

  constructor(sqlite: Sqlite.Database, drizzle: Drizzle, ring: (topics: Iterable<string>) => void) {
    this.#sqlite = sqlite;
    this.#drizzle = drizzle;
    this.#ring = ring;
    this.#storeFact = sqlite.prepare("insert into live_events (topic, fact, created_at) values (?, ?, ?)");
  }

  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    if (this.#closed)
      return Promise.reject(
        new AppError("unavailable", "The site is shutting down. Please try again in a moment.", {
          retryAfter: 5,
        }),
      );
    if (this.#queue.length >= longestQueue) {
      return Promise.reject(
        new AppError("unavailable", "The site is very busy. Please try again in a moment.", {
          retryAfter: 2,
        }),
      );
    }
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({
        work,
        settle: (outcome) => ("value" in outcome ? resolve(outcome.value as T) : reject(outcome.error)),
      });
      this.#draining ??= this.#drain();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    while (this.#draining) await this.#draining;
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      // Requests that arrived in the same turn of the event loop join this commit.
      await new Promise((turn) => setImmediate(turn));
      await this.#commitBatch(this.#queue.splice(0, longestBatch));
    }
    // In the same step as the last look at the queue: a job that came between the two would wait for ever.
    this.#draining = undefined;
  }

  async #commitBatch(batch: Job[]): Promise<void> {
    const answers: (() => void)[] = [];
    const topics = new Set<string>();
    try {
      this.#sqlite.exec("begin immediate");
      for (const job of batch) {
        const tx = new OpenTransaction(this.#drizzle, this.#storeFact);
        this.#sqlite.exec("savepoint job");
        try {
          const value = await withPatience(job.work(tx));
          this.#sqlite.exec("release job");
          for (const topic of tx.topics) topics.add(topic);
          answers.push(() => job.settle({ value }));
        } catch (cause) {
          this.#sqlite.exec("rollback to job; release job");
          const error = isDangling(cause) ? goneMeanwhile(cause) : cause;
          answers.push(() => job.settle({ error }));
        } finally {
          tx.end();
        }
      }
      this.#sqlite.exec("commit");
    } catch (error) {
      if (this.#sqlite.inTransaction) this.#sqlite.exec("rollback");
      for (const job of batch) job.settle({ error });
      return;
    }
    // Rights and caches hear of the change before anybody is told that it is done.
    this.#ring(topics);
    for (const answer of answers) answer();
  }
}

/** Who asks was looked up before the write had its turn: their account may be deleted by then. */
const goneMeanwhile = (cause: unknown) =>
  new AppError("not_found", "What this belongs to does not exist any more.", { cause });

class OpenTransaction implements Transaction {
  readonly topics = new Set<string>();
  readonly #drizzle: Drizzle;
  readonly #storeFact: Sqlite.Statement<[string, string, number]>;
  #open = true;

  constructor(drizzle: Drizzle, storeFact: Sqlite.Statement<[string, string, number]>) {
    this.#drizzle = drizzle;
    this.#storeFact = storeFact;
  }

  get drizzle(): Drizzle {
    if (!this.#open)
      throw new Error("This transaction has ended: something awaited more than the store inside it.");
    return this.#drizzle;
  }

  async fact(topic: string, fact: Fact): Promise<void> {
    if (!this.#open) throw new Error("This transaction has ended.");
    this.#storeFact.run(topic, JSON.stringify(fact), Date.now());
    this.topics.add(topic);
  }

  ring(topic: string): void {
    this.topics.add(topic);
  }

  end(): void {
    this.#open = false;
  }
}

/** A job that waits for the network would hold up every other write: it fails instead. */
async function withPatience<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await Promise.race([
      work,
      new Promise<never>((_, reject) => {
        timer = setTimeout(
          () => reject(new Error("A write took longer than 10 seconds and was rolled back.")),
          patience,
        );
      }),
    ]);
  } finally {
    clearTimeout(timer);
  }
}
