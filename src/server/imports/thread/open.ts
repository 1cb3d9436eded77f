import { Worker } from "node:worker_threads";
import { AppError } from "../../../shared/errors.ts";
import type { ImportKind } from "../../../shared/imports.ts";
import { entryOf } from "../../workers/pool.ts";
import { FileProblem, type Found, type Source, type SourceKind, type SourcePost } from "../source.ts";
import {
  heartbeatInterval,
  type SourceSummary,
  type ThreadRequests,
  type ThreadReply,
  type SourceRequest,
} from "./messages.ts";

/*
 * A source is read in its own thread: the server answers requests meanwhile, and exhausted time or memory ends only that
 * thread.
 */

/** The limits of the thread; tests set their own. */
export interface ThreadLimits {
  /** The thread's maximum heap. */
  megabytes: number;
  /** Milliseconds between checks, and how many may find no message. */
  checkInterval: number;
  maxSilentChecks: number;
}
const defaultLimits: ThreadLimits = { megabytes: 384, checkInterval: heartbeatInterval, maxSilentChecks: 30 };
/** Megabytes for new objects; more would retain more garbage. */
const youngGenerationMegabytes = 16;

/**
 * Opens a source. Throws `FileProblem` when it is unreadable or of another kind. Reading throws `AppError` when it takes too
 * long or too much memory.
 */
export async function openSource(wanted: SourceRequest, bounds: Partial<ThreadLimits> = {}): Promise<Source> {
  const thread = new SourceThread({ ...defaultLimits, ...bounds });
  try {
    return new ThreadedSource(thread, await thread.ask("open", wanted));
  } catch (error) {
    await thread.end();
    throw error;
  }
}

/** Guesses a source's kind from its file names. Unless it clearly is another kind, opens it and throws as `openSource` does. */
export async function detectSourceKind(wanted: SourceRequest): Promise<ImportKind | null> {
  const thread = new SourceThread(defaultLimits);
  try {
    return await thread.ask("look", wanted);
  } finally {
    await thread.end();
  }
}

class ThreadedSource implements Source {
  readonly kind: SourceKind;
  readonly count: number;
  origins: readonly string[] | undefined;
  readonly #thread: SourceThread;
  #walks = 0;

  constructor(thread: SourceThread, { kind, count, origins }: SourceSummary) {
    this.#thread = thread;
    this.kind = kind;
    this.count = count;
    this.origins = origins;
  }

  async *posts(): AsyncGenerator<Found> {
    const walk = this.#walks++;
    await this.#thread.ask("posts", walk);
    try {
      for (;;) {
        const next = await this.#thread.ask("next", walk);
        if (next === null) return;
        this.origins = next.origins;
        yield next.found;
      }
    } finally {
      await this.#thread.ask("leave", walk).catch(() => undefined);
    }
  }

  async file({ file }: Pick<SourcePost, "file">, name: string, most: number): Promise<Buffer> {
    return Buffer.from((await this.#thread.ask("file", { post: file, name, most })).buffer);
  }

  async close(): Promise<void> {
    await this.#thread.ask("close", null).catch(() => undefined);
    await this.#thread.end();
  }
}

interface Waiting {
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
}

class SourceThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #watch: ReturnType<typeof setInterval>;
  readonly #mostSilences: number;
  #asked = 0;
  #silences = 0;
  #over: Error | undefined;

  constructor({ megabytes, checkInterval: lookedAtEvery, maxSilentChecks: silences }: ThreadLimits) {
    this.#mostSilences = silences;
    this.#worker = new Worker(entryOf("source-reader"), {
      // Some options suit only the main thread, as in watch mode.
      execArgv: [],
      resourceLimits: {
        maxOldGenerationSizeMb: megabytes,
        maxYoungGenerationSizeMb: youngGenerationMegabytes,
      },
    });
    this.#worker.on("message", (said: ThreadReply) => this.#hear(said));
    this.#worker.on("error", (error: NodeJS.ErrnoException) =>
      this.#fail(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? tooMuchMemory() : error),
    );
    this.#worker.on("exit", () => this.#fail(new Error("The thread that reads an import has ended.")));
    this.#watch = setInterval(() => this.#look(), lookedAtEvery);
    this.#watch.unref();
  }

  ask<Ask extends keyof ThreadRequests>(
    ask: Ask,
    input: Parameters<ThreadRequests[Ask]>[0],
  ): Promise<Exclude<ReturnType<ThreadRequests[Ask]>, undefined>> {
    if (this.#over !== undefined) return Promise.reject(this.#over);
    const id = this.#asked++;
    this.#silences = 0;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, ask, input }, []);
    });
  }

  async end(): Promise<void> {
    clearInterval(this.#watch);
    this.#over ??= new Error("The import source is closed.");
    await this.#worker.terminate();
  }

  #hear(said: ThreadReply): void {
    this.#silences = 0;
    if ("isAlive" in said) return;
    const waiting = this.#waiting.get(said.id);
    this.#waiting.delete(said.id);
    if ("value" in said) waiting?.resolve(said.value as never);
    else if ("failed" in said) waiting?.reject(said.failed);
    else waiting?.reject(said.code ? new AppError(said.code, said.problem) : new FileProblem(said.problem));
  }

  /** Counts checks, not time, because machines sleep. */
  #look(): void {
    if (this.#waiting.size === 0 || ++this.#silences < this.#mostSilences) return;
    this.#fail(readingTimeout());
    void this.#worker.terminate();
  }

  #fail(error: Error): void {
    this.#over ??= error;
    clearInterval(this.#watch);
    for (const { reject } of this.#waiting.values()) reject(this.#over);
    this.#waiting.clear();
  }
}

const tooMuchMemory = () =>
  new AppError(
    "bad_request",
    "This file needs more memory than an import can use. Posts imported so far were kept. Please import the rest in smaller parts.",
  );
const readingTimeout = () =>
  new AppError(
    "bad_request",
    "One of its texts takes too long to read. Posts imported so far were kept. Please import the rest in smaller parts.",
  );
