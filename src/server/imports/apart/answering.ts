import { parentPort } from "node:worker_threads";
import { AppError } from "../../../shared/errors.ts";
import { openFiles } from "../files/open.ts";
import { hashOf } from "../says.ts";
import { sourceOf } from "../kinds.ts";
import { whatItLooksLike } from "../looks.ts";
import { FileProblem, type Files, type Found, type Source } from "../source.ts";
import { withinBounds } from "../within.ts";
import { saidEvery, type Asked, type Asks, type Next, type Said, type Wanted } from "./asked.ts";

/** What one thread has open: one source, and the walks through it that are under way. */
class Reading {
  #source: Source | undefined;
  readonly #walks = new Map<number, AsyncIterator<Found>>();
  /** The post behind the one that was asked for last: it is read while that one is written. */
  readonly #ahead = new Map<number, Promise<Next>>();

  readonly asks: {
    [Ask in keyof Asks]: (input: Parameters<Asks[Ask]>[0]) => Promise<ReturnType<Asks[Ask]>>;
  } = {
    look: (wanted) => this.#look(wanted),
    open: async (wanted) => {
      this.#source = await opened(wanted);
      const { kind, count, origins } = this.#source;
      return { kind, count, origins };
    },
    posts: async (walk) => {
      this.#walks.set(walk, this.#opened().posts()[Symbol.asyncIterator]());
      return null;
    },
    next: async (walk) => {
      const next = await (this.#ahead.get(walk) ?? this.#next(walk));
      this.#ahead.delete(walk);
      if (next === null) return null;
      const ahead = this.#next(walk);
      // Whoever asks for it hears of what went wrong.
      ahead.catch(() => undefined);
      this.#ahead.set(walk, ahead);
      return next;
    },
    leave: async (walk) => {
      this.#ahead.delete(walk);
      await this.#walks.get(walk)?.return?.();
      this.#walks.delete(walk);
      return null;
    },
    file: async ({ post, name, most }) =>
      // A copy: its memory is handed over, and a small one's is shared with others.
      new Uint8Array(await this.#opened().file({ file: post }, name, most)),
    close: async () => {
      await this.#source?.close();
      return null;
    },
  };

  #opened(): Source {
    if (!this.#source) throw new Error("No import is open.");
    return this.#source;
  }

  async #next(walk: number): Promise<Next> {
    const { done, value } = (await this.#walks.get(walk)?.next()) ?? { done: true, value: null };
    if (done || value === null) return null;
    const found = withinBounds(value);
    if ("post" in found) found.post.says = hashOf(found.post);
    return { found, origins: this.#opened().origins };
  }

  async #look(wanted: Wanted) {
    const files = await openFiles(wanted.file, wanted.name);
    try {
      const looks = await whatItLooksLike(files);
      if (looks === null || looks === wanted.kind) await (await sourceOf(wanted.kind, files, wanted)).close();
      return looks;
    } finally {
      await files.close();
    }
  }
}

async function opened(wanted: Wanted): Promise<Source> {
  const files: Files = await openFiles(wanted.file, wanted.name);
  try {
    return await sourceOf(wanted.kind, files, wanted);
  } catch (error) {
    await files.close();
    throw error;
  }
}

/** Answers whatever is asked of this thread. */
export function answerAsked(): void {
  if (!parentPort) throw new Error("This file must be run as a worker thread.");
  const port = parentPort;
  const reading = new Reading();
  let [underWay, beat]: [number, ReturnType<typeof setInterval> | undefined] = [0, undefined];
  const say = (said: Said, handedOver: ArrayBuffer[] = []) => port.postMessage(said, handedOver);
  port.on("message", ({ id, ask, input }: Asked) => {
    underWay++;
    beat ??= setInterval(() => say({ isAlive: true }), saidEvery);
    const answer = reading.asks[ask] as (given: unknown) => Promise<unknown>;
    void answer(input)
      .then(
        (value) => say({ id, value }, value instanceof Uint8Array ? [value.buffer as ArrayBuffer] : []),
        (error: unknown) => say(refusal(id, error)),
      )
      .finally(() => {
        if (--underWay > 0) return;
        clearInterval(beat);
        beat = undefined;
      });
  });
}

function refusal(id: number, error: unknown): Said {
  if (error instanceof AppError) return { id, problem: error.message, code: error.code };
  if (error instanceof FileProblem) return { id, problem: error.message };
  return { id, failed: error };
}
