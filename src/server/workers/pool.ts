import { availableParallelism } from "node:os";
import path from "node:path";
import type { Piscina } from "piscina";
import { AppError } from "../../shared/errors.ts";
import { DocumentError } from "../../shared/document/document-error.ts";
import type { Tasks } from "./tasks.ts";
import type { Answered, Asked } from "./worker.ts";

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
}

const usual: Bounds = {
  // Built, it lies beside this module's chunk.
  entry: path.join(import.meta.dirname, import.meta.filename.endsWith(".ts") ? "worker.ts" : "worker.js"),
  // One core is the main thread's.
  threads: Math.min(2, Math.max(1, availableParallelism() - 1)),
  patience: 15_000,
  waiting: 40,
  // As many as the calls of one batch.
  waitingOfOne: 20,
  megabytes: 256,
  idle: 30_000,
};

type Input<Name extends keyof Tasks> = Parameters<Tasks[Name]>[0];
type Output<Name extends keyof Tasks> = Awaited<ReturnType<Tasks[Name]>>;

/**
 * Threads for what takes long: HTML, Markdown, whole documents. They start with the first task, end when there is none,
 * and are killed where one takes too long or too much. Who sends many waits behind who sends one.
 */
export class Workers {
  readonly #bounds: Bounds;
  readonly #waiting = new Map<string, (() => void)[]>();
  #count = 0;
  #pool: Promise<Piscina> | undefined;
  #running = 0;
  #closed = false;

  constructor(bounds: Partial<Bounds> = {}) {
    this.#bounds = { ...usual, ...bounds };
  }

  /**
   * Does a task for an account or an address; without one for the site itself. Throws `DocumentError` for what is wrong with a
   * text, `too_many` where too many of theirs wait, `unavailable` where too many wait in all.
   */
  async run<Name extends keyof Tasks>(name: Name, input: Input<Name>, whose = ""): Promise<Output<Name>> {
    await this.#turn(whose);
    // From here on: what a task waits for its turn is not its own fault.
    const end = new AbortController();
    const timer = setTimeout(() => end.abort(), this.#bounds.patience);
    try {
      const pool = await (this.#pool ??= this.#open());
      const answered = (await pool.run({ name, input } satisfies Asked, { signal: end.signal })) as Answered;
      if ("refused" in answered) throw new DocumentError(answered.refused);
      return answered.value as Output<Name>;
    } catch (cause) {
      if (this.#closed) throw closing();
      if (end.signal.aborted || (cause as NodeJS.ErrnoException).code === "ERR_WORKER_OUT_OF_MEMORY")
        throw new DocumentError("This text takes too much work to be read. Please send it in parts.", {
          cause,
        });
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
    const own = this.#waiting.get(whose) ?? [];
    if (own.length >= this.#bounds.waitingOfOne)
      throw new AppError("too_many", "That is a lot at once. Please try again in a moment.", {
        retryAfter: 5,
      });
    if (this.#count >= this.#bounds.waiting)
      throw new AppError("unavailable", "The site is very busy. Please try again in a moment.", {
        retryAfter: 5,
      });
    if (this.#running < this.#bounds.threads) this.#running++;
    else {
      this.#count++;
      await new Promise<void>((resolve) => this.#waiting.set(whose, [...own, resolve]));
    }
  }

  /** Whoever is done hands their place over, to the account that was served longest ago. */
  #next(): void {
    const [first] = this.#waiting;
    if (!first) return void this.#running--;
    const [whose, [begin, ...rest]] = first;
    this.#waiting.delete(whose);
    if (rest.length > 0) this.#waiting.set(whose, rest);
    this.#count--;
    begin?.();
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
      resourceLimits: { maxOldGenerationSizeMb: megabytes },
    });
  }
}

const closing = () =>
  new AppError("unavailable", "The site is shutting down. Please try again in a moment.", { retryAfter: 5 });
