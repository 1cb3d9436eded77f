import { AppError } from "../../shared/errors.ts";
import { entryOf, ThreadPool } from "./pool.ts";
import type { Reads } from "./reader.ts";

/** A thread for long reads, such as searches. */
export type ReaderPool = ThreadPool<Reads>;

export const createReaderPool = (): ReaderPool =>
  new ThreadPool<Reads>({
    entry: entryOf("reader"),
    threads: 1,
    waiting: 1_000,
    // An office may share one address.
    maxWaitingPerClient: 500,
    megabytes: 64,
    refusal: (message, cause) => new AppError("unavailable", message, { cause, retryAfter: 5 }),
    timeoutMessage: "This search takes too long. Please try it with other words, or in a moment.",
  });
