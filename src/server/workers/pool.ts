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
  /** Tasks that may wait for a thread. */
  waiting: number;
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
  megabytes: 256,
  idle: 30_000,
};

type Input<Name extends keyof Tasks> = Parameters<Tasks[Name]>[0];
type Output<Name extends keyof Tasks> = Awaited<ReturnType<Tasks[Name]>>;

/**
 * Threads for what takes long: HTML, Markdown, whole documents. They start with the first task, end when there is none,
 * and are killed where one takes too long or too much.
 */
export class Workers {
  readonly #bounds: Bounds;
  readonly #waiting: (() => void)[] = [];
  #pool: Promise<Piscina> | undefined;
  #running = 0;
  #closed = false;

  constructor(bounds: Partial<Bounds> = {}) {
    this.#bounds = { ...usual, ...bounds };
  }

  /** Throws `DocumentError` for what is wrong with a text, `unavailable` where too many wait. */
  async run<Name extends keyof Tasks>(name: Name, input: Input<Name>): Promise<Output<Name>> {
    await this.#turn();
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
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await (await this.#pool)?.destroy();
  }

  async #turn(): Promise<void> {
    if (this.#closed) throw closing();
    if (this.#waiting.length >= this.#bounds.waiting)
      throw new AppError("unavailable", "The site is very busy. Please try again in a moment.", {
        retryAfter: 5,
      });
    if (this.#running < this.#bounds.threads) this.#running++;
    // Whoever is done hands their place over.
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
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
