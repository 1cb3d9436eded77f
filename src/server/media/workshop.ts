import { closing } from "../../shared/errors.ts";
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { AppError, type ErrorCode } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { FairQueue } from "../fair-queue.ts";
import { cardType } from "./card-words.ts";
import type { Card } from "./draw-card.ts";
import type { Encoded } from "./encode.ts";
import { damaged, tooCostly } from "./refusals.ts";

export interface Job {
  source: string;
  folder: string;
  /** To be drawn into `source`, where that is the job. */
  card?: Card;
  /** `source` is a full file of ours: the smaller ones are to be made beside it. */
  again?: true;
}

/** A job, and the bytes of memory that the process may have for it. */
export interface Given extends Job {
  memory: number;
}

/** What a process of the workshop says: one of the four. */
export interface Answer {
  /** Null of a card. */
  made?: Encoded | null;
  refused?: { code: ErrorCode; message: string };
  failed?: string;
  /** It needs more memory than it was given. */
  heavy?: boolean;
  /** That it is to be ended: it can't do so itself before what libvips is at has ended. */
  last?: boolean;
}

/**
 * On whose account a picture is worked on, whether beside nothing else, what says that nobody waits for it any more, and what
 * hears how many milliseconds it took, whatever came of it.
 */
export interface Order {
  account: string;
  alone: boolean;
  signal?: AbortSignal | undefined;
  onWorked?: (milliseconds: number) => void;
}

/** Bytes that a process may have: beside another one, and alone. */
export type Memory = Record<"shared" | "alone", number>;

interface Task extends Order {
  job: Job;
  settle: (work: Promise<Encoded | null>) => void;
}

const mostAtOnce = 2;
/** What is done with its work ends so long after it, and its memory is everybody's again. */
const idleFor = 10_000;
/** What hears no time-out of its own is ended so much later. */
const grace = 2_000;

/**
 * Where pictures are worked on: at most two at once, each in a process of its own, which can be ended whatever it is at. One
 * that turns out to need more than its share of memory begins again, alone. Who sends many waits behind who sends one.
 * (docs/decisions/0012-pictures.md)
 */
export class Workshop {
  readonly #waiting = new FairQueue<Task>();
  readonly #atWork = new Set<Task>();
  readonly #hands = new Set<Hand>();
  readonly #idle = new Set<Hand>();
  readonly #memory: Memory;
  #closed = false;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** Throws `unavailable` where too many wait, an `AppError` that says what is wrong with the picture, and the signal's reason. */
  async do(job: Job, order: Order): Promise<Encoded | null> {
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
    return this.#atWork.size;
  }

  /** Ends the processes; what waits or is under way is refused. */
  close(): void {
    this.#closed = true;
    for (const task of this.#waiting.clear()) task.settle(Promise.reject(closing()));
    for (const hand of this.#hands) void hand.end();
  }

  #forget(task: Task): void {
    if (!this.#waiting.remove(task.account, task)) return;
    task.settle(Promise.reject(task.signal?.reason as Error));
    this.#next();
  }

  /** Takes the first of the account that was served longest ago, as long as there is room for it. */
  #next(): void {
    const hasRoom = (task: Task): boolean => {
      const isAlone = task.alone || [...this.#atWork].some(({ alone }) => alone);
      return this.#atWork.size < (isAlone ? 1 : mostAtOnce);
    };
    for (let task = this.#waiting.shift(hasRoom); task; task = this.#waiting.shift(hasRoom)) {
      this.#atWork.add(task);
      void this.#finish(task);
    }
  }

  /** Works on it and settles it, or has it begin again. */
  async #finish(task: Task): Promise<void> {
    const made = this.#work(task);
    const isHeavy = await made.then(
      () => false,
      (error: unknown) => error instanceof TooHeavy,
    );
    this.#atWork.delete(task);
    if (!isHeavy) task.settle(made);
    else if (this.#closed) task.settle(Promise.reject(closing()));
    else if (task.signal?.aborted) task.settle(Promise.reject(task.signal.reason as Error));
    else {
      task.alone = true;
      // Ahead of its account's others: it has waited already.
      this.#waiting.add(task.account, task, "first");
    }
    this.#next();
  }

  async #work({ job, signal, alone, onWorked }: Task): Promise<Encoded | null> {
    // What the others have kept for the next one is this one's.
    if (alone) await this.#endIdle();
    signal?.throwIfAborted();
    const [hand = this.#hire()] = this.#idle;
    this.#idle.delete(hand);
    const given = { ...job, memory: this.#memory[alone ? "alone" : "shared"] };
    const began = performance.now();
    const { made, refused, failed, heavy, last } = await hand
      .work(given, signal)
      .catch((error: unknown) => {
        throw this.#closed ? closing() : error;
      })
      .finally(() => onWorked?.(performance.now() - began));
    // What it holds is nobody's before it is gone.
    if (last) await hand.end();
    if (heavy) throw alone ? tooCostly() : new TooHeavy();
    if (!last) {
      this.#idle.add(hand);
      // Out of reach before it ends, so that nothing is given to it on its way out.
      hand.rest(() => this.#idle.delete(hand));
    }
    if (refused) throw new AppError(refused.code, refused.message);
    if (made === undefined) throw new Error(`A picture could not be worked on: ${failed}`);
    return made;
  }

  /** All but one. */
  async #endIdle(): Promise<void> {
    const [, ...others] = this.#idle;
    for (const hand of others) this.#idle.delete(hand);
    await Promise.all(others.map((hand) => hand.end()));
  }

  #hire(): Hand {
    const hand: Hand = new Hand(() => {
      this.#hands.delete(hand);
      this.#idle.delete(hand);
    });
    this.#hands.add(hand);
    return hand;
  }
}

/** It needs more memory than there is beside another one. */
class TooHeavy extends Error {}

const script = path.join(
  import.meta.dirname,
  import.meta.filename.endsWith(".ts") ? "encoder.ts" : "encoder.js",
);

/** A process that works on pictures. */
class Hand {
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
        // Cards are drawn with our own faces, and with none of the machine's.
        FONTCONFIG_FILE: path.join(cardType, "fonts.conf"),
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

  /** Does a job. Throws where the process ends over it, by itself, because it took too long or since nobody waits any more. */
  async work(job: Given, signal?: AbortSignal): Promise<Answer> {
    clearTimeout(this.#resting);
    this.#hold(true);
    const ending: { reason?: Error } = {};
    const endFor = (reason: Error) => {
      ending.reason = reason;
      void this.end();
    };
    const tooLate = setTimeout(() => endFor(tooCostly()), limits.image.seconds * 1_000 + grace);
    const abandon = () => endFor(signal?.reason as Error);
    signal?.addEventListener("abort", abandon);
    const heard = new AbortController();
    try {
      const answered = once(this.#child, "message", heard) as Promise<[Answer]>;
      const exited = once(this.#child, "exit", heard).then(([code]) => {
        throw ending.reason ?? crash(code as number | null);
      });
      this.#child.send(job, (error) => error && void this.end());
      const [answer] = await Promise.race([answered, exited]);
      // It answered on its way out: nothing more can be given to it.
      if (ending.reason) throw ending.reason;
      return answer;
    } finally {
      heard.abort();
      clearTimeout(tooLate);
      signal?.removeEventListener("abort", abandon);
      this.#hold(false);
    }
  }

  /** Waits for more work for a while, then ends. */
  rest(onEnd: () => void): void {
    this.#resting = setTimeout(() => {
      onEnd();
      void this.end();
    }, idleFor).unref();
  }

  /** Ends it, whatever it is at; waits until it is gone. */
  async end(): Promise<void> {
    clearTimeout(this.#resting);
    // Nothing else may be under way here: this process would end before that one has.
    this.#hold(true);
    this.#child.kill("SIGKILL");
    await this.#gone;
  }

  /** Whether this process waits for that one before it ends. */
  #hold(isHeld: boolean): void {
    const method = isHeld ? "ref" : "unref";
    this.#child[method]();
    this.#child.channel?.[method]();
  }
}

/** A reader that falls over its picture is the picture's fault, as far as anybody can tell. */
const crash = (code: number | null) =>
  damaged(new Error(`The process that read it ended with ${code ?? "a signal"}.`));
