import { Worker } from "node:worker_threads";
import { AppError } from "../../../shared/errors.ts";
import type { ImportKind } from "../../../shared/imports.ts";
import { entryOf } from "../../workers/pool.ts";
import { FileProblem, type Found, type Source, type SourceKind, type SourcePost } from "../source.ts";
import { saidEvery, type About, type Asks, type Said, type Wanted } from "./asked.ts";

/*
 * What is imported from is read in a thread of its own: unpacked, decoded, taken apart and tidied. Pages are answered
 * meanwhile, and what takes too much ends that thread alone.
 */

/** The bounds of the thread; tests set their own. */
export interface Bounds {
  /** Of its heap. */
  megabytes: number;
  /** How often it is looked at, in milliseconds, and how many times it may have said nothing since. */
  lookedAtEvery: number;
  silences: number;
}
const usual: Bounds = { megabytes: 384, lookedAtEvery: saidEvery, silences: 30 };
/** Megabytes for what it has just made: of more it would keep more that nobody needs. */
const young = 16;

/**
 * Opens what is to be imported from. Throws `FileProblem` where it is none of its kind or cannot be read; reading on throws
 * `AppError` where one text takes too long or the whole too much memory.
 */
export async function openSource(wanted: Wanted, bounds: Partial<Bounds> = {}): Promise<Source> {
  const thread = new SourceThread({ ...usual, ...bounds });
  try {
    return new SourceApart(thread, await thread.ask("open", wanted));
  } catch (error) {
    await thread.end();
    throw error;
  }
}

/** Of what a file is by the names in it, where these are plain; where it is of the kind that was said, it was opened. Throws as `openSource` does. */
export async function lookAtSource(wanted: Wanted): Promise<ImportKind | null> {
  const thread = new SourceThread(usual);
  try {
    return await thread.ask("look", wanted);
  } finally {
    await thread.end();
  }
}

class SourceApart implements Source {
  readonly kind: SourceKind;
  readonly count: number;
  origins: readonly string[] | undefined;
  readonly #thread: SourceThread;
  #walks = 0;

  constructor(thread: SourceThread, { kind, count, origins }: About) {
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

  constructor({ megabytes, lookedAtEvery, silences }: Bounds) {
    this.#mostSilences = silences;
    this.#worker = new Worker(entryOf("source-reader"), {
      // Ours may be for the main thread alone, such as those of a watch.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: young },
    });
    this.#worker.on("message", (said: Said) => this.#hear(said));
    this.#worker.on("error", (error: NodeJS.ErrnoException) =>
      this.#fail(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? tooMuch() : error),
    );
    this.#worker.on("exit", () => this.#fail(new Error("The thread that reads an import has ended.")));
    this.#watch = setInterval(() => this.#look(), lookedAtEvery);
    this.#watch.unref();
  }

  ask<Ask extends keyof Asks>(
    ask: Ask,
    input: Parameters<Asks[Ask]>[0],
  ): Promise<Exclude<ReturnType<Asks[Ask]>, undefined>> {
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

  #hear(said: Said): void {
    this.#silences = 0;
    if ("isAlive" in said) return;
    const waiting = this.#waiting.get(said.id);
    this.#waiting.delete(said.id);
    if ("value" in said) waiting?.resolve(said.value as never);
    else if ("failed" in said) waiting?.reject(said.failed);
    else waiting?.reject(said.code ? new AppError(said.code, said.problem) : new FileProblem(said.problem));
  }

  /** Counted, not timed: a machine that slept has nobody late. */
  #look(): void {
    if (this.#waiting.size === 0 || ++this.#silences < this.#mostSilences) return;
    this.#fail(tooLong());
    void this.#worker.terminate();
  }

  #fail(error: Error): void {
    this.#over ??= error;
    clearInterval(this.#watch);
    for (const { reject } of this.#waiting.values()) reject(this.#over);
    this.#waiting.clear();
  }
}

const tooMuch = () =>
  new AppError(
    "bad_request",
    "This file needs more memory than an import can use. Posts imported so far were kept. Please import the rest in smaller parts.",
  );
const tooLong = () =>
  new AppError(
    "bad_request",
    "One of its texts takes too long to read. Posts imported so far were kept. Please import the rest in smaller parts.",
  );
