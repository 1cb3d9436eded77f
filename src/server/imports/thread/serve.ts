import { parentPort } from "node:worker_threads";
import { AppError } from "../../../shared/errors.ts";
import { openFiles } from "../files/open.ts";
import { postHash } from "../post-hash.ts";
import { openAsKind } from "../kinds.ts";
import { detectKind } from "../detect-kind.ts";
import { FileProblem, type Files, type Found, type Source } from "../source.ts";
import { mendPost } from "../mend-post.ts";
import {
  heartbeatInterval,
  type ThreadRequest,
  type ThreadRequests,
  type NextPost,
  type ThreadReply,
  type SourceRequest,
} from "./messages.ts";

/** The state of one thread: a source and the iterations through it. */
class SourceServer {
  #source: Source | undefined;
  readonly #iterators = new Map<number, AsyncIterator<Found>>();
  /** The next post of each iteration, read while the caller writes the previous one. */
  readonly #ahead = new Map<number, Promise<NextPost>>();

  readonly handlers: {
    [Method in keyof ThreadRequests]: (
      input: Parameters<ThreadRequests[Method]>[0],
    ) => Promise<ReturnType<ThreadRequests[Method]>>;
  } = {
    look: (request) => this.#detectKind(request),
    open: async (request) => {
      this.#source = await openRequested(request);
      const { kind, count, origins } = this.#source;
      return { kind, count, origins };
    },
    posts: async (iteration) => {
      this.#iterators.set(iteration, this.#requireSource().posts()[Symbol.asyncIterator]());
      return null;
    },
    next: async (iteration) => {
      const next = await (this.#ahead.get(iteration) ?? this.#next(iteration));
      this.#ahead.delete(iteration);
      if (next === null) return null;
      const following = this.#next(iteration);
      // The next `next` reports the error.
      following.catch(() => undefined);
      this.#ahead.set(iteration, following);
      return next;
    },
    leave: async (iteration) => {
      this.#ahead.delete(iteration);
      await this.#iterators.get(iteration)?.return?.();
      this.#iterators.delete(iteration);
      return null;
    },
    file: async ({ post, name, most }) =>
      // A copy: the memory is transferred, and small buffers share theirs.
      new Uint8Array(await this.#requireSource().file({ file: post }, name, most)),
    close: async () => {
      await this.#source?.close();
      return null;
    },
  };

  #requireSource(): Source {
    if (!this.#source) throw new Error("No import is open.");
    return this.#source;
  }

  async #next(iteration: number): Promise<NextPost> {
    const { done, value } = (await this.#iterators.get(iteration)?.next()) ?? { done: true, value: null };
    if (done || value === null) return null;
    const found = mendPost(value);
    if ("post" in found) found.post.contentHash = postHash(found.post);
    return { found, origins: this.#requireSource().origins };
  }

  async #detectKind(request: SourceRequest) {
    const files = await openFiles(request.file, request.name);
    try {
      const detected = await detectKind(files);
      if (detected === null || detected === request.kind)
        await (await openAsKind(request.kind, files, request)).close();
      return detected;
    } finally {
      await files.close();
    }
  }
}

async function openRequested(request: SourceRequest): Promise<Source> {
  const files: Files = await openFiles(request.file, request.name);
  try {
    return await openAsKind(request.kind, files, request);
  } catch (error) {
    await files.close();
    throw error;
  }
}

/** Answers requests to this thread. */
export function serveSource(): void {
  if (!parentPort) throw new Error("This file must be run as a worker thread.");
  const port = parentPort;
  const server = new SourceServer();
  let [pending, heartbeat]: [number, ReturnType<typeof setInterval> | undefined] = [0, undefined];
  const send = (reply: ThreadReply, transfer: ArrayBuffer[] = []) => port.postMessage(reply, transfer);
  port.on("message", ({ id, method, input }: ThreadRequest) => {
    pending++;
    heartbeat ??= setInterval(() => send({ isAlive: true }), heartbeatInterval);
    const handle = server.handlers[method] as (input: unknown) => Promise<unknown>;
    void handle(input)
      .then(
        (value) => send({ id, value }, value instanceof Uint8Array ? [value.buffer as ArrayBuffer] : []),
        (error: unknown) => send(refusal(id, error)),
      )
      .finally(() => {
        if (--pending > 0) return;
        clearInterval(heartbeat);
        heartbeat = undefined;
      });
  });
}

function refusal(id: number, error: unknown): ThreadReply {
  if (error instanceof AppError) return { id, problem: error.message, code: error.code };
  if (error instanceof FileProblem) return { id, problem: error.message };
  return { id, failed: error };
}
