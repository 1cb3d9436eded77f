import { shuttingDown } from "../../shared/errors.ts";
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { AppError, type ErrorCode } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { FairQueue } from "../runtime/fair-queue.ts";
import { cardFontsFolder } from "./card-text.ts";
import type { Card } from "./render-card.ts";
import type { Encoded } from "./encode-picture.ts";
import { damagedPicture, diskFull, tooComplexPicture } from "./picture-errors.ts";

/** A picture's files, or a card or JPEG, whose bytes are returned. */
export interface Job {
  source: string;
  folder: string;
  card?: Card;
  /** Only return a JPEG of `source`, a full one. */
  jpeg?: true;
}
type Made = Encoded | Buffer;

/** `memory`: bytes allowed. */
export interface ImageWorkerJob extends Job {
  memory: number;
}

/** A message of a child process: one of the first five fields, and perhaps `last`. */
export interface ImageWorkerMessage {
  made?: Made;
  refused?: { code: ErrorCode; message: string };
  failed?: string;
  isDiskFull?: boolean;
  /** It needs more memory than allowed. */
  heavy?: boolean;
  /** To be killed: libvips delays its exit. */
  last?: boolean;
}

/** Whose picture; whether to run it alone; `onWorked` gets the milliseconds, even on failure. */
export interface ImageJobOptions {
  account: string;
  alone: boolean;
  signal?: AbortSignal | undefined;
  onWorked?: (milliseconds: number) => void;
}

/** Bytes per process: with another one, and alone. */
export type Memory = Record<"shared" | "alone", number>;

interface Task extends ImageJobOptions {
  job: Job;
  settle: (work: Promise<Made>) => void;
}

const maxConcurrent = 2;
/** Milliseconds until an idle process ends, to free its memory. */
const idleTimeoutMs = 10_000;
/** Milliseconds after the job's own timeout until it is killed. */
const graceMs = 2_000;

/**
 * Processes at most two pictures at once, each in a child process that can be killed. One that needs more than its share of
 * memory restarts alone. Accounts take turns. (docs/decisions/0026-pictures.md)
 */
export class ImagePool {
  readonly #queue = new FairQueue<Task>();
  readonly #running = new Set<Task>();
  readonly #workers = new Set<ImageWorker>();
  readonly #idle = new Set<ImageWorker>();
  readonly #memory: Memory;
  #closed = false;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** Runs a job. Throws `unavailable` when too many wait, an `AppError` for an invalid picture, or the abort reason. */
  async run(job: Job, options: ImageJobOptions): Promise<Made> {
    options.signal?.throwIfAborted();
    const { waiting, waitingOfOne } = limits.image;
    const ownCount = this.#queue.sizeOf(options.account);
    if (this.#closed || this.#queue.size >= waiting || ownCount >= waitingOfOne)
      throw new AppError("unavailable", "Many pictures are being processed. Please try again in a moment.", {
        retryAfter: 10,
      });
    return new Promise((resolve) => {
      const task: Task = { ...options, job, settle: resolve };
      this.#queue.add(task.account, task);
      options.signal?.addEventListener("abort", () => this.#dequeue(task), { once: true });
      this.#next();
    });
  }

  get runningCount(): number {
    return this.#running.size;
  }

  /** Kills the processes; refuses waiting and running jobs. */
  close(): void {
    this.#closed = true;
    for (const task of this.#queue.clear()) task.settle(Promise.reject(shuttingDown()));
    for (const worker of this.#workers) void worker.end();
  }

  #dequeue(task: Task): void {
    if (!this.#queue.remove(task.account, task)) return;
    task.settle(Promise.reject(task.signal?.reason as Error));
    this.#next();
  }

  /** Starts jobs while there is room. */
  #next(): void {
    const hasRoom = (task: Task): boolean => {
      const isAlone = task.alone || [...this.#running].some(({ alone }) => alone);
      return this.#running.size < (isAlone ? 1 : maxConcurrent);
    };
    for (let task = this.#queue.shift(hasRoom); task; task = this.#queue.shift(hasRoom)) {
      this.#running.add(task);
      void this.#finish(task);
    }
  }

  /** Runs a task; queues it again, alone, if too heavy. */
  async #finish(task: Task): Promise<void> {
    const result = this.#run(task);
    const isHeavy = await result.then(
      () => false,
      (error: unknown) => error instanceof MemoryLimitExceeded,
    );
    this.#running.delete(task);
    if (!isHeavy) task.settle(result);
    else if (this.#closed) task.settle(Promise.reject(shuttingDown()));
    else if (task.signal?.aborted) task.settle(Promise.reject(task.signal.reason as Error));
    else {
      task.alone = true;
      // Before the account's others: it has waited already.
      this.#queue.add(task.account, task, "first");
    }
    this.#next();
  }

  async #run({ job, signal, alone, onWorked }: Task): Promise<Made> {
    // Frees the memory of idle processes.
    if (alone) await this.#endIdle();
    signal?.throwIfAborted();
    const [worker = this.#startWorker()] = this.#idle;
    this.#idle.delete(worker);
    const workerJob = { ...job, memory: this.#memory[alone ? "alone" : "shared"] };
    const startedAt = performance.now();
    const { made, refused, failed, isDiskFull, heavy, last } = await worker
      .run(workerJob, signal)
      .catch((error: unknown) => {
        throw this.#closed ? shuttingDown() : error;
      })
      .finally(() => onWorked?.(performance.now() - startedAt));
    // Until it exits, its memory is in use.
    if (last) await worker.end();
    if (heavy) throw alone ? tooComplexPicture() : new MemoryLimitExceeded();
    if (!last) {
      this.#idle.add(worker);
      // First, so that no job is sent to an exiting process.
      worker.endWhenIdle(() => this.#idle.delete(worker));
    }
    if (isDiskFull) throw diskFull();
    if (refused) throw new AppError(refused.code, refused.message);
    if (made === undefined) throw new Error(`A picture could not be worked on: ${failed}`);
    return made;
  }

  /** Ends all idle processes but one. */
  async #endIdle(): Promise<void> {
    const [, ...others] = this.#idle;
    for (const worker of others) this.#idle.delete(worker);
    await Promise.all(others.map((worker) => worker.end()));
  }

  #startWorker(): ImageWorker {
    const worker: ImageWorker = new ImageWorker(() => {
      this.#workers.delete(worker);
      this.#idle.delete(worker);
    });
    this.#workers.add(worker);
    return worker;
  }
}

class MemoryLimitExceeded extends Error {}

const script = path.join(
  import.meta.dirname,
  import.meta.filename.endsWith(".ts") ? "encoder.ts" : "encoder.js",
);

/** A child process for pictures. */
class ImageWorker {
  readonly #child: ChildProcess;
  readonly #exited: Promise<void>;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(onEnd: () => void) {
    this.#child = fork(script, {
      execArgv: [],
      env: {
        PATH: process.env.PATH,
        NODE_ENV: "production",
        UV_THREADPOOL_SIZE: "2",
        // Cards use our fonts, not the machine's.
        FONTCONFIG_FILE: path.join(cardFontsFolder, "fonts.conf"),
      },
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      // Sends bytes as they are.
      serialization: "advanced",
    });
    this.#child.on("error", onEnd);
    this.#exited = new Promise((resolve) => {
      this.#child.once("error", () => resolve());
      this.#child.once("exit", () => {
        onEnd();
        resolve();
      });
    });
  }

  /** Runs a job. Throws when the process ends: by itself, on timeout, or aborted. */
  async run(job: ImageWorkerJob, signal?: AbortSignal): Promise<ImageWorkerMessage> {
    clearTimeout(this.#idleTimer);
    this.#setReferenced(true);
    const termination: { reason?: Error } = {};
    const terminate = (reason: Error) => {
      termination.reason = reason;
      void this.end();
    };
    const timeout = setTimeout(() => terminate(tooComplexPicture()), limits.image.seconds * 1_000 + graceMs);
    const onAbort = () => terminate(signal?.reason as Error);
    signal?.addEventListener("abort", onAbort);
    const listeners = new AbortController();
    try {
      const message = once(this.#child, "message", listeners) as Promise<[ImageWorkerMessage]>;
      const exit = once(this.#child, "exit", listeners).then(([code]) => {
        throw termination.reason ?? crashError(code as number | null);
      });
      this.#child.send(job, (error) => error && void this.end());
      const [reply] = await Promise.race([message, exit]);
      // It responded while being killed.
      if (termination.reason) throw termination.reason;
      return reply;
    } finally {
      listeners.abort();
      clearTimeout(timeout);
      signal?.removeEventListener("abort", onAbort);
      this.#setReferenced(false);
    }
  }

  /** Ends the process when it stays idle. */
  endWhenIdle(onEnd: () => void): void {
    this.#idleTimer = setTimeout(() => {
      onEnd();
      void this.end();
    }, idleTimeoutMs).unref();
  }

  /** Kills it; resolves when it has exited. */
  async end(): Promise<void> {
    clearTimeout(this.#idleTimer);
    // Keep this process until the child has exited.
    this.#setReferenced(true);
    this.#child.kill("SIGKILL");
    await this.#exited;
  }

  /** Sets whether this process waits for the child before it exits. */
  #setReferenced(isReferenced: boolean): void {
    const method = isReferenced ? "ref" : "unref";
    this.#child[method]();
    this.#child.channel?.[method]();
  }
}

/** A crashed decoder is blamed on the picture. */
const crashError = (code: number | null) =>
  damagedPicture(new Error(`The process that read it ended with ${code ?? "a signal"}.`));
