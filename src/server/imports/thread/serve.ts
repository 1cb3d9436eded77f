import { parentPort } from "node:worker_threads";
import { AppError } from "../../../shared/errors.ts";
import { openFiles } from "../files/open.ts";
import { postHash } from "../post-hash.ts";
import { openAsKind } from "../kinds.ts";
import { detectKind } from "../detect-kind.ts";
import { FileProblem, type Files, type Found, type Source } from "../source.ts";
import { cutToBounds } from "../cut-to-bounds.ts";
import {
  heartbeatInterval,
  type ThreadRequest,
  type ThreadRequests,
  type NextPost,
  type ThreadReply,
  type SourceRequest,
} from "./messages.ts";

/** The state of one thread: a source and the iterations ("walks") through it. */
class SourceServer {
  #source: Source | undefined;
  readonly #walks = new Map<number, AsyncIterator<Found>>();
  /** The next post of each walk, read while the caller writes the previous one. */
  readonly #ahead = new Map<number, Promise<NextPost>>();

  readonly asks: {
    [Ask in keyof ThreadRequests]: (
      input: Parameters<ThreadRequests[Ask]>[0],
    ) => Promise<ReturnType<ThreadRequests[Ask]>>;
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
      // The next `next` reports the error.
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
      // A copy: the memory is transferred, and small buffers share theirs.
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

  async #next(walk: number): Promise<NextPost> {
    const { done, value } = (await this.#walks.get(walk)?.next()) ?? { done: true, value: null };
    if (done || value === null) return null;
    const found = cutToBounds(value);
    if ("post" in found) found.post.contentHash = postHash(found.post);
    return { found, origins: this.#opened().origins };
  }

  async #look(wanted: SourceRequest) {
    const files = await openFiles(wanted.file, wanted.name);
    try {
      const looks = await detectKind(files);
      if (looks === null || looks === wanted.kind)
        await (await openAsKind(wanted.kind, files, wanted)).close();
      return looks;
    } finally {
      await files.close();
    }
  }
}

async function opened(wanted: SourceRequest): Promise<Source> {
  const files: Files = await openFiles(wanted.file, wanted.name);
  try {
    return await openAsKind(wanted.kind, files, wanted);
  } catch (error) {
    await files.close();
    throw error;
  }
}

/** Answers requests to this thread. */
export function serveSource(): void {
  if (!parentPort) throw new Error("This file must be run as a worker thread.");
  const port = parentPort;
  const reading = new SourceServer();
  let [underWay, beat]: [number, ReturnType<typeof setInterval> | undefined] = [0, undefined];
  const say = (said: ThreadReply, handedOver: ArrayBuffer[] = []) => port.postMessage(said, handedOver);
  port.on("message", ({ id, ask, input }: ThreadRequest) => {
    underWay++;
    beat ??= setInterval(() => say({ isAlive: true }), heartbeatInterval);
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

function refusal(id: number, error: unknown): ThreadReply {
  if (error instanceof AppError) return { id, problem: error.message, code: error.code };
  if (error instanceof FileProblem) return { id, problem: error.message };
  return { id, failed: error };
}
