import { availableParallelism } from "node:os";
import path from "node:path";
import type { Piscina } from "piscina";
import { AppError, closing, tooBusy } from "../../shared/errors.ts";
import { DocumentError } from "../../shared/document/document-error.ts";
import { FairQueue } from "../fair-queue.ts";
import type { Tasks } from "./tasks.ts";
import type { Answered } from "./worker.ts";

/** The bounds of the threads; tests set their own. */
export interface Bounds {
  /** What a thread runs. */
  entry: string;
  threads: number;
  /** Milliseconds that one task may take. */
  patience: number;
  /** Tasks that may wait for a thread, in all and of one account or address. */
  waiting: number;
  waitingOfOne: number;
  megabytes: number;
  /** Milliseconds after which a thread without work ends. */
  idle: number;
  /** What is thrown for what a thread refuses, and for what takes too long or too much. */
  refusal: (message: string, cause?: unknown) => Error;
  tooMuch: string;
}

/** What a thread runs, by name: built, it lies beside this module's chunk. */
export function entryOf(name: string): string {
  const ending = import.meta.filename.endsWith(".ts") ? "ts" : "js";
  return path.join(import.meta.dirname, `${name}.${ending}`);
}

/** Megabytes for what a thread has just made: of more it would keep more that nobody needs. */
const young = 16;

const usual: Bounds = {
  entry: entryOf("worker"),
  // One core is the main thread's.
  threads: Math.min(2, Math.max(1, availableParallelism() - 1)),
  patience: 15_000,
  waiting: 40,
  // As many as the calls of one batch.
  waitingOfOne: 20,
  megabytes: 112,
  idle: 10_000,
  refusal: (message, cause) => new DocumentError(message, { cause }),
  tooMuch: "This text takes too long to read. Please send it in parts.",
};

type Task = (input: never) => unknown;

/**
 * Threads for what takes long: HTML, Markdown, whole documents. They start with the first task, end when there is none,
 * and are killed where one takes too long or too much. Who sends many waits behind who sends one.
 */
export class Workers<Can extends { [Name in keyof Can]: Task } = Tasks> {
  readonly #bounds: Bounds;
  readonly #waiting = new FairQueue<() => void>();
  #pool: Promise<Piscina> | undefined;
  #running = 0;
  #closed = false;

  constructor(bounds: Partial<Bounds> = {}) {
    this.#bounds = { ...usual, ...bounds };
  }

  /**
   * Does a task for an account or an address; without one for the site itself. Throws a refusal with what is wrong (of a
   * text: `DocumentError`), `too_many` where too many of theirs wait, `unavailable` where too many wait in all.
   */
  async run<Name extends keyof Can>(
    name: Name,
    input: Parameters<Can[Name]>[0],
    whose = "",
  ): Promise<Awaited<ReturnType<Can[Name]>>> {
    await this.#turn(whose);
    // From here on: what a task waits for its turn is not its own fault.
    const end = new AbortController();
    const timer = setTimeout(() => end.abort(), this.#bounds.patience);
    try {
      const pool = await (this.#pool ??= this.#open());
      const answered = (await pool.run({ name, input }, { signal: end.signal })) as Answered;
      if ("refused" in answered) throw this.#bounds.refusal(answered.refused);
      return answered.value as Awaited<ReturnType<Can[Name]>>;
    } catch (cause) {
      if (this.#closed) throw closing();
      if (end.signal.aborted || (cause as NodeJS.ErrnoException).code === "ERR_WORKER_OUT_OF_MEMORY")
        throw this.#bounds.refusal(this.#bounds.tooMuch, cause);
      throw cause;
    } finally {
      clearTimeout(timer);
      this.#next();
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await (await this.#pool)?.destroy();
  }

  async #turn(whose: string): Promise<void> {
    if (this.#closed) throw closing();
    if (this.#waiting.sizeOf(whose) >= this.#bounds.waitingOfOne)
      throw new AppError("too_many", "Too many requests at once. Please try again in a moment.", {
        retryAfter: 5,
      });
    if (this.#waiting.size >= this.#bounds.waiting) throw tooBusy();
    if (this.#running < this.#bounds.threads) this.#running++;
    else await new Promise<void>((resolve) => this.#waiting.add(whose, resolve));
  }

  /** Whoever is done hands their place over, to the account that was served longest ago. */
  #next(): void {
    const begin = this.#waiting.shift();
    if (begin) begin();
    else this.#running--;
  }

  async #open(): Promise<Piscina> {
    const { Piscina } = await import("piscina");
    const { entry, threads, idle, megabytes } = this.#bounds;
    return new Piscina({
      filename: entry,
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: idle,
      recordTiming: false,
      // Ours may be for the main thread alone, such as those of a watch.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: young },
    });
  }
}
