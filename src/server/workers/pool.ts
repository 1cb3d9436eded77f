import path from "node:path";
import type { Piscina } from "piscina";
import { AppError, shuttingDown, tooBusy } from "../../shared/errors.ts";
import { DocumentError } from "../../shared/document/document-error.ts";
import { FairQueue } from "../runtime/fair-queue.ts";
import type { Tasks } from "./tasks.ts";
import type { TaskResult } from "./worker.ts";

/** Tasks that share places and threads. */
interface LaneOptions {
  threads: number;
  /** Waiting tasks at most, in all and per account or address. */
  waiting: number;
  maxWaitingPerClient: number;
}

/** The bounds of the threads; tests set their own. */
export interface ThreadPoolOptions extends LaneOptions {
  entry: string;
  /** Milliseconds per task. */
  timeoutMs: number;
  /** What readers cause. These tasks wait apart, after all others, and always leave a thread to those if there are two. */
  reading: LaneOptions & { tasks: readonly string[] };
  megabytes: number;
  /** Milliseconds after which an idle thread ends. */
  idleTimeoutMs: number;
  /** Errors for refused tasks, and for those that take too much time or memory. */
  refusal: (message: string, cause?: unknown) => Error;
  timeoutMessage: string;
}

/** Returns a thread's file; built, it is beside this chunk. */
export function entryOf(name: string): string {
  const ending = import.meta.filename.endsWith(".ts") ? "ts" : "js";
  return path.join(import.meta.dirname, `${name}.${ending}`);
}

/** Megabytes for new objects: more would only hold garbage. */
const youngGenerationMb = 16;

const defaultOptions: ThreadPoolOptions = {
  entry: entryOf("worker"),
  // One for readers, and one for saves alone; the main thread has priority over both.
  threads: 2,
  timeoutMs: 15_000,
  waiting: 100,
  // As many as calls in a batch.
  maxWaitingPerClient: 20,
  reading: {
    tasks: ["draw", "drawPieces", "flatHtml", "toMarkdown", "feed"],
    threads: 1,
    waiting: 40,
    maxWaitingPerClient: 5,
  },
  megabytes: 112,
  idleTimeoutMs: 10_000,
  refusal: (message, cause) => new DocumentError(message, { cause }),
  timeoutMessage: "This text takes too long to read. Please send it in parts.",
};

type Task = (input: never) => unknown;

interface Lane {
  options: LaneOptions;
  queue: FairQueue<() => void>;
  running: number;
}

/**
 * Threads for long work, such as whole documents. They start with the first task, end when idle, and are killed when one takes
 * too much time or memory. Accounts take turns, and saves come before what readers cause.
 */
export class ThreadPool<Can extends { [Name in keyof Can]: Task } = Tasks> {
  readonly #bounds: ThreadPoolOptions;
  readonly #saving: Lane;
  readonly #reading: Lane;
  #pool: Promise<Piscina> | undefined;
  #closed = false;

  constructor(bounds: Partial<ThreadPoolOptions> = {}) {
    this.#bounds = { ...defaultOptions, ...bounds };
    const laneOf = (options: LaneOptions): Lane => ({ options, queue: new FairQueue(), running: 0 });
    this.#saving = laneOf(this.#bounds);
    this.#reading = laneOf(this.#bounds.reading);
  }

  /**
   * Runs a task for an account, an address or (empty) the site. Throws its refusal (of a text: `DocumentError`), `too_many`
   * when too many of theirs wait, `unavailable` when too many wait in all.
   */
  async run<Name extends keyof Can>(
    name: Name,
    input: Parameters<Can[Name]>[0],
    client = "",
  ): Promise<Awaited<ReturnType<Can[Name]>>> {
    const lane = this.#bounds.reading.tasks.includes(name as string) ? this.#reading : this.#saving;
    await this.#waitForThread(lane, client);
    // The wait before does not count towards the task's time.
    const end = new AbortController();
    const timer = setTimeout(() => end.abort(), this.#bounds.timeoutMs);
    try {
      const pool = await (this.#pool ??= this.#open());
      const result = (await pool.run({ name, input }, { signal: end.signal })) as TaskResult;
      if ("refused" in result) throw this.#bounds.refusal(result.refused);
      return result.value as Awaited<ReturnType<Can[Name]>>;
    } catch (cause) {
      if (this.#closed) throw shuttingDown();
      if (end.signal.aborted || (cause as NodeJS.ErrnoException).code === "ERR_WORKER_OUT_OF_MEMORY")
        throw this.#bounds.refusal(this.#bounds.timeoutMessage, cause);
      throw cause;
    } finally {
      clearTimeout(timer);
      lane.running--;
      this.#startNext();
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await (await this.#pool)?.destroy();
  }

  async #waitForThread(lane: Lane, client: string): Promise<void> {
    if (this.#closed) throw shuttingDown();
    const { queue, options } = lane;
    if (queue.sizeOf(client) >= options.maxWaitingPerClient)
      throw new AppError("too_many", "Too many requests at once. Please try again in a moment.", {
        retryAfter: 5,
      });
    if (queue.size >= options.waiting) throw tooBusy();
    await new Promise<void>((resolve) => {
      queue.add(client, resolve);
      this.#startNext();
    });
  }

  /** Gives free threads to the accounts served longest ago: first for saves, then for readers. */
  #startNext(): void {
    for (const lane of [this.#saving, this.#reading])
      while (
        lane.running < lane.options.threads &&
        this.#saving.running + this.#reading.running < this.#bounds.threads
      ) {
        const start = lane.queue.shift();
        if (!start) break;
        lane.running++;
        start();
      }
  }

  async #open(): Promise<Piscina> {
    const { Piscina } = await import("piscina");
    const { entry, threads, idleTimeoutMs, megabytes } = this.#bounds;
    return new Piscina({
      filename: entry,
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: idleTimeoutMs,
      recordTiming: false,
      // Ours, such as those of a watch, may not suit threads.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: youngGenerationMb },
    });
  }
}
