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
  type ThreadRequest,
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
export async function openSource(
  request: SourceRequest,
  bounds: Partial<ThreadLimits> = {},
): Promise<Source> {
  const thread = new SourceThread({ ...defaultLimits, ...bounds });
  try {
    return new ThreadedSource(thread, await thread.request("open", request));
  } catch (error) {
    await thread.end();
    throw error;
  }
}

/** Guesses a source's kind from its file names. Unless it clearly is another kind, opens it and throws as `openSource` does. */
export async function detectSourceKind(request: SourceRequest): Promise<ImportKind | null> {
  const thread = new SourceThread(defaultLimits);
  try {
    return await thread.request("look", request);
  } finally {
    await thread.end();
  }
}

class ThreadedSource implements Source {
  readonly kind: SourceKind;
  readonly count: number;
  origins: readonly string[] | undefined;
  readonly #thread: SourceThread;
  #iterations = 0;

  constructor(thread: SourceThread, { kind, count, origins }: SourceSummary) {
    this.#thread = thread;
    this.kind = kind;
    this.count = count;
    this.origins = origins;
  }

  async *posts(): AsyncGenerator<Found> {
    const iteration = this.#iterations++;
    await this.#thread.request("posts", iteration);
    try {
      for (;;) {
        const next = await this.#thread.request("next", iteration);
        if (next === null) return;
        this.origins = next.origins;
        yield next.found;
      }
    } finally {
      await this.#thread.request("leave", iteration).catch(() => undefined);
    }
  }

  async file({ file }: Pick<SourcePost, "file">, name: string, maxBytes: number): Promise<Buffer> {
    return Buffer.from((await this.#thread.request("file", { post: file, name, most: maxBytes })).buffer);
  }

  async close(): Promise<void> {
    await this.#thread.request("close", null).catch(() => undefined);
    await this.#thread.end();
  }
}

interface PendingRequest {
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
}

class SourceThread {
  readonly #worker: Worker;
  readonly #pending = new Map<number, PendingRequest>();
  readonly #checkTimer: ReturnType<typeof setInterval>;
  readonly #maxSilentChecks: number;
  #requestCount = 0;
  #silentChecks = 0;
  #endError: Error | undefined;

  constructor({ megabytes, checkInterval, maxSilentChecks }: ThreadLimits) {
    this.#maxSilentChecks = maxSilentChecks;
    this.#worker = new Worker(entryOf("source-reader"), {
      // Some options suit only the main thread, as in watch mode.
      execArgv: [],
      resourceLimits: {
        maxOldGenerationSizeMb: megabytes,
        maxYoungGenerationSizeMb: youngGenerationMegabytes,
      },
    });
    this.#worker.on("message", (reply: ThreadReply) => this.#receive(reply));
    this.#worker.on("error", (error: NodeJS.ErrnoException) =>
      this.#fail(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? tooMuchMemory() : error),
    );
    this.#worker.on("exit", () => this.#fail(new Error("The thread that reads an import has ended.")));
    this.#checkTimer = setInterval(() => this.#checkHeartbeat(), checkInterval);
    this.#checkTimer.unref();
  }

  request<Method extends keyof ThreadRequests>(
    method: Method,
    input: Parameters<ThreadRequests[Method]>[0],
  ): Promise<Exclude<ReturnType<ThreadRequests[Method]>, undefined>> {
    if (this.#endError !== undefined) return Promise.reject(this.#endError);
    const id = this.#requestCount++;
    this.#silentChecks = 0;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      const request: ThreadRequest = { id, method, input };
      this.#worker.postMessage(request, []);
    });
  }

  async end(): Promise<void> {
    clearInterval(this.#checkTimer);
    this.#endError ??= new Error("The import source is closed.");
    await this.#worker.terminate();
  }

  #receive(reply: ThreadReply): void {
    this.#silentChecks = 0;
    if ("isAlive" in reply) return;
    const pending = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    if ("value" in reply) pending?.resolve(reply.value as never);
    else if ("failed" in reply) pending?.reject(reply.failed);
    else
      pending?.reject(reply.code ? new AppError(reply.code, reply.problem) : new FileProblem(reply.problem));
  }

  /** Counts checks, not time, because machines sleep. */
  #checkHeartbeat(): void {
    if (this.#pending.size === 0 || ++this.#silentChecks < this.#maxSilentChecks) return;
    this.#fail(readingTimeout());
    void this.#worker.terminate();
  }

  #fail(error: Error): void {
    this.#endError ??= error;
    clearInterval(this.#checkTimer);
    for (const { reject } of this.#pending.values()) reject(this.#endError);
    this.#pending.clear();
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
