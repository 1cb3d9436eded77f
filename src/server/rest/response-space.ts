import { setImmediate } from "node:timers/promises";

/* The space in a response of /api/v1 (docs/decisions/0014-answers-that-end.md). */

/** Responses stay below a million bytes, with some space beside the lists. */
const mostBytes = 995_000;

/** Bytes of an id with its comma, in lists of ids and of objects. */
export const idBytes = 39;
export const idObjectBytes = 47;

/** Returns a part's bytes, with its comma. */
export const bytesOf = (part: unknown): number => Buffer.byteLength(JSON.stringify(part)) + 1;

/** Yields the thread between long steps. */
export const yieldThread = (): Promise<void> => setImmediate();

/** A list for a response: its entries' bytes, and how many have priority. */
export interface ListSpace {
  sizes: number[];
  min: number;
  /** The list is cut at multiples of this. */
  step?: number;
}

export class ResponseSpace {
  #left = mostBytes;

  get left(): number {
    return Math.max(0, this.#left);
  }

  take(bytes: number): void {
    this.#left -= bytes;
  }

  /** Returns how many entries of each list fit: first `min` of each, then the rest, list by list. */
  fit(lists: ListSpace[]): number[] {
    const counts = lists.map(() => 0);
    const extend = ({ sizes, step = 1 }: ListSpace, index: number, end: number) => {
      for (let from = counts[index] ?? 0; from < Math.min(end, sizes.length); from += step) {
        const to = Math.min(from + step, sizes.length);
        let bytes = 0;
        for (let place = from; place < to; place += 1) bytes += sizes[place] ?? 0;
        if (bytes > this.#left) return;
        this.#left -= bytes;
        counts[index] = to;
      }
    };
    for (const [index, list] of lists.entries()) extend(list, index, list.min);
    for (const [index, list] of lists.entries()) extend(list, index, list.sizes.length);
    return counts;
  }
}

export const sizesOfIds = (ids: number, bytes: number): number[] =>
  Array<number>(Math.floor(ids)).fill(bytes);

/** Returns the longest length, up to `max`, to cut lists to, so that all have at most `total` entries. */
export function evenLength(lengths: number[], total: number, max: number): number {
  let remaining = total;
  const sortedLengths = lengths.map((length) => Math.min(length, max)).sort((a, b) => a - b);
  for (const [index, length] of sortedLengths.entries()) {
    const share = Math.floor(remaining / (sortedLengths.length - index));
    if (length > share) return Math.max(0, share);
    remaining -= length;
  }
  return max;
}
