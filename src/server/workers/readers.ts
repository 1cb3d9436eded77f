import { AppError } from "../../shared/errors.ts";
import { entryOf, Workers } from "./pool.ts";
import type { Reads } from "./reader.ts";

/** A thread that reads the store for what takes long: a search for a word of many long texts. */
export type Readers = Workers<Reads>;

export const openReaders = (): Readers =>
  new Workers<Reads>({
    entry: entryOf("reader"),
    threads: 1,
    waiting: 1_000,
    // An office may stand behind one address.
    waitingOfOne: 500,
    megabytes: 64,
    refusal: (message, cause) => new AppError("unavailable", message, { cause, retryAfter: 5 }),
    tooMuch: "This search takes too long. Please try it with other words, or in a moment.",
  });
