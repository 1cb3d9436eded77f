import { setImmediate } from "node:timers/promises";

/* What an answer of /api/v1 has room for (docs/decisions/0014-answers-that-end.md). */

/** An answer stays below a million bytes; what stands around its lists is little. */
const mostBytes = 995_000;

/** What an id takes in a list of ids, and in one of objects, with its comma. */
export const idBytes = 39;
export const idObjectBytes = 47;

/** What a part of an answer takes, with its comma. */
export const bytesOf = (part: unknown): number => Buffer.byteLength(JSON.stringify(part)) + 1;

/** Lets others have the thread: between two long steps of one answer. */
export const breathe = (): Promise<void> => setImmediate();

/** A list that wants to stand in an answer: the bytes of its entries, and how many of them go before all that is not so urgent. */
export interface Wish {
  sizes: number[];
  least: number;
  /** It is cut at multiples of this. */
  step?: number;
}

/** How much still goes into an answer. */
export class Room {
  #left = mostBytes;

  get left(): number {
    return Math.max(0, this.#left);
  }

  take(bytes: number): void {
    this.#left -= bytes;
  }

  /** How many entries of each list go in: the least of each, then of the first list all that fits, then of the second, … */
  fit(lists: Wish[]): number[] {
    const taken = lists.map(() => 0);
    const extend = ({ sizes, step = 1 }: Wish, index: number, upTo: number) => {
      for (let from = taken[index] ?? 0; from < Math.min(upTo, sizes.length); from += step) {
        const to = Math.min(from + step, sizes.length);
        let bytes = 0;
        for (let place = from; place < to; place += 1) bytes += sizes[place] ?? 0;
        if (bytes > this.#left) return;
        this.#left -= bytes;
        taken[index] = to;
      }
    };
    for (const [index, list] of lists.entries()) extend(list, index, list.least);
    for (const [index, list] of lists.entries()) extend(list, index, list.sizes.length);
    return taken;
  }
}

/** Sizes of ids, for `fit`. */
export const sizesOfIds = (ids: number, bytes: number): number[] =>
  Array<number>(Math.floor(ids)).fill(bytes);

/** How many each of these lists may have, at most `most`, so that together they have no more than `total`: the short ones whole. */
export function evenly(lengths: number[], total: number, most: number): number {
  let left = total;
  const shortFirst = lengths.map((length) => Math.min(length, most)).sort((one, other) => one - other);
  for (const [index, length] of shortFirst.entries()) {
    const share = Math.floor(left / (shortFirst.length - index));
    if (length > share) return Math.max(0, share);
    left -= length;
  }
  return most;
}
