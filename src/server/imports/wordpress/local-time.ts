import { parsedDate } from "../reading/values.ts";

/** The site's time zone, learned from items with local and UTC times. */
export class LocalTime {
  readonly #known: { local: number; offset: number }[] = [];
  #isSorted = true;

  learn(local: string, utc: string): void {
    const [there, here] = [parsedDate(local), parsedDate(utc)];
    if (!there || !here) return;
    const offset = there.getTime() - here.getTime();
    // Only one of the two was edited.
    if (Math.abs(offset) > 14 * 3_600_000) return;
    this.#known.push({ local: there.getTime(), offset });
    this.#isSorted = false;
  }

  /** Uses the nearest known offset, else UTC. */
  momentOf(local: string): Date | undefined {
    const there = parsedDate(local);
    if (!there || this.#known.length === 0) return there;
    if (!this.#isSorted) this.#known.sort((one, other) => one.local - other.local);
    this.#isSorted = true;
    const time = there.getTime();
    let [low, high] = [0, this.#known.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#known[middle]!.local < time) low = middle + 1;
      else high = middle;
    }
    const [before, after] = [this.#known[Math.max(0, low - 1)]!, this.#known[low]!];
    const nearest = Math.abs(time - before.local) <= Math.abs(after.local - time) ? before : after;
    return new Date(time - nearest.offset);
  }
}
