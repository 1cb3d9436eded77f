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
import { damagedPicture, tooComplexPicture } from "./picture-errors.ts";

export interface Job {
  source: string;
  folder: string;
  card?: Card;
  /** Only make smaller files beside `source`, a full one. */
  again?: true;
}

/** `memory`: bytes allowed. */
export interface ImageWorkerJob extends Job {
  memory: number;
}

/** A message of a child process: one of the first four fields, and perhaps `last`. */
export interface ImageWorkerMessage {
  /** Null for a card. */
  made?: Encoded | null;
  refused?: { code: ErrorCode; message: string };
  failed?: string;
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
  settle: (work: Promise<Encoded | null>) => void;
}

const mostAtOnce = 2;
/** Milliseconds until an idle process ends, to free its memory. */
const idleFor = 10_000;
/** Milliseconds after the job's own timeout until it is killed. */
const grace = 2_000;

/**
 * Processes at most two pictures at once, each in a child process that can be killed. One that needs more than its share of
 * memory restarts alone. Accounts take turns. (docs/decisions/0012-pictures.md)
 */
export class ImagePool {
  readonly #waiting = new FairQueue<Task>();
  readonly #runningCount = new Set<Task>();
  readonly #hands = new Set<ImageWorker>();
  readonly #idle = new Set<ImageWorker>();
  readonly #memory: Memory;
  #closed = false;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** Runs a job. Throws `unavailable` when too many wait, an `AppError` for an invalid picture, or the abort reason. */
  async do(job: Job, order: ImageJobOptions): Promise<Encoded | null> {
    order.signal?.throwIfAborted();
    const { waiting, waitingOfOne } = limits.image;
    const own = this.#waiting.sizeOf(order.account);
    if (this.#closed || this.#waiting.size >= waiting || own >= waitingOfOne)
      throw new AppError("unavailable", "Many pictures are being processed. Please try again in a moment.", {
        retryAfter: 10,
      });
    return new Promise((resolve) => {
      const task: Task = { ...order, job, settle: resolve };
      this.#waiting.add(task.account, task);
      order.signal?.addEventListener("abort", () => this.#forget(task), { once: true });
      this.#next();
    });
  }

  get atWork(): number {
    return this.#runningCount.size;
  }

  /** Kills the processes; refuses waiting and running jobs. */
  close(): void {
    this.#closed = true;
    for (const task of this.#waiting.clear()) task.settle(Promise.reject(shuttingDown()));
    for (const hand of this.#hands) void hand.end();
  }

  #forget(task: Task): void {
    if (!this.#waiting.remove(task.account, task)) return;
    task.settle(Promise.reject(task.signal?.reason as Error));
    this.#next();
  }

  /** Starts jobs while there is room. */
  #next(): void {
    const hasRoom = (task: Task): boolean => {
      const isAlone = task.alone || [...this.#runningCount].some(({ alone }) => alone);
      return this.#runningCount.size < (isAlone ? 1 : mostAtOnce);
    };
    for (let task = this.#waiting.shift(hasRoom); task; task = this.#waiting.shift(hasRoom)) {
      this.#runningCount.add(task);
      void this.#finish(task);
    }
  }

  /** Runs a task; queues it again, alone, if too heavy. */
  async #finish(task: Task): Promise<void> {
    const made = this.#work(task);
    const isHeavy = await made.then(
      () => false,
      (error: unknown) => error instanceof MemoryLimitExceeded,
    );
    this.#runningCount.delete(task);
    if (!isHeavy) task.settle(made);
    else if (this.#closed) task.settle(Promise.reject(shuttingDown()));
    else if (task.signal?.aborted) task.settle(Promise.reject(task.signal.reason as Error));
    else {
      task.alone = true;
      // Before the account's others: it has waited already.
      this.#waiting.add(task.account, task, "first");
    }
    this.#next();
  }

  async #work({ job, signal, alone, onWorked }: Task): Promise<Encoded | null> {
    // Frees the memory of idle processes.
    if (alone) await this.#endIdle();
    signal?.throwIfAborted();
    const [hand = this.#hire()] = this.#idle;
    this.#idle.delete(hand);
    const given = { ...job, memory: this.#memory[alone ? "alone" : "shared"] };
    const began = performance.now();
    const { made, refused, failed, heavy, last } = await hand
      .work(given, signal)
      .catch((error: unknown) => {
        throw this.#closed ? shuttingDown() : error;
      })
      .finally(() => onWorked?.(performance.now() - began));
    // Until it exits, its memory is in use.
    if (last) await hand.end();
    if (heavy) throw alone ? tooComplexPicture() : new MemoryLimitExceeded();
    if (!last) {
      this.#idle.add(hand);
      // First, so that no job is sent to an exiting process.
      hand.rest(() => this.#idle.delete(hand));
    }
    if (refused) throw new AppError(refused.code, refused.message);
    if (made === undefined) throw new Error(`A picture could not be worked on: ${failed}`);
    return made;
  }

  /** Ends all idle processes but one. */
  async #endIdle(): Promise<void> {
    const [, ...others] = this.#idle;
    for (const hand of others) this.#idle.delete(hand);
    await Promise.all(others.map((hand) => hand.end()));
  }

  #hire(): ImageWorker {
    const hand: ImageWorker = new ImageWorker(() => {
      this.#hands.delete(hand);
      this.#idle.delete(hand);
    });
    this.#hands.add(hand);
    return hand;
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
  readonly #gone: Promise<void>;
  #resting: NodeJS.Timeout | undefined;

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
    });
    this.#child.on("error", onEnd);
    this.#gone = new Promise((resolve) => {
      this.#child.once("error", () => resolve());
      this.#child.once("exit", () => {
        onEnd();
        resolve();
      });
    });
  }

  /** Runs a job. Throws when the process ends: by itself, on timeout, or aborted. */
  async work(job: ImageWorkerJob, signal?: AbortSignal): Promise<ImageWorkerMessage> {
    clearTimeout(this.#resting);
    this.#hold(true);
    const ending: { reason?: Error } = {};
    const endFor = (reason: Error) => {
      ending.reason = reason;
      void this.end();
    };
    const tooLate = setTimeout(() => endFor(tooComplexPicture()), limits.image.seconds * 1_000 + grace);
    const abandon = () => endFor(signal?.reason as Error);
    signal?.addEventListener("abort", abandon);
    const heard = new AbortController();
    try {
      const answered = once(this.#child, "message", heard) as Promise<[ImageWorkerMessage]>;
      const exited = once(this.#child, "exit", heard).then(([code]) => {
        throw ending.reason ?? crash(code as number | null);
      });
      this.#child.send(job, (error) => error && void this.end());
      const [answer] = await Promise.race([answered, exited]);
      // It responded while being killed.
      if (ending.reason) throw ending.reason;
      return answer;
    } finally {
      heard.abort();
      clearTimeout(tooLate);
      signal?.removeEventListener("abort", abandon);
      this.#hold(false);
    }
  }

  /** Ends the process when it stays idle. */
  rest(onEnd: () => void): void {
    this.#resting = setTimeout(() => {
      onEnd();
      void this.end();
    }, idleFor).unref();
  }

  /** Kills it; resolves when it has exited. */
  async end(): Promise<void> {
    clearTimeout(this.#resting);
    // Keep this process until the child has exited.
    this.#hold(true);
    this.#child.kill("SIGKILL");
    await this.#gone;
  }

  /** Sets whether this process waits for the child before it exits. */
  #hold(isHeld: boolean): void {
    const method = isHeld ? "ref" : "unref";
    this.#child[method]();
    this.#child.channel?.[method]();
  }
}

/** A crashed decoder is blamed on the picture. */
const crash = (code: number | null) =>
  damagedPicture(new Error(`The process that read it ended with ${code ?? "a signal"}.`));
