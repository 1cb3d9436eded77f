import { parsedDate } from "../reading/dates.ts";

/** The site's time zone, learned from items with local and UTC times. */
export class LocalTime {
  readonly #offsets: { local: number; offset: number }[] = [];
  #isSorted = true;

  learn(local: string, utc: string): void {
    const [localDate, utcDate] = [parsedDate(local), parsedDate(utc)];
    if (!localDate || !utcDate) return;
    const offset = localDate.getTime() - utcDate.getTime();
    // Only one of the two was edited.
    if (Math.abs(offset) > 14 * 3_600_000) return;
    this.#offsets.push({ local: localDate.getTime(), offset });
    this.#isSorted = false;
  }

  /** Uses the nearest known offset, else UTC. */
  momentOf(local: string): Date | undefined {
    const date = parsedDate(local);
    if (!date || this.#offsets.length === 0) return date;
    if (!this.#isSorted) this.#offsets.sort((one, other) => one.local - other.local);
    this.#isSorted = true;
    const time = date.getTime();
    let [low, high] = [0, this.#offsets.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#offsets[middle]!.local < time) low = middle + 1;
      else high = middle;
    }
    const [before, after] = [this.#offsets[Math.max(0, low - 1)]!, this.#offsets[low]!];
    const nearest = Math.abs(time - before.local) <= Math.abs(after.local - time) ? before : after;
    return new Date(time - nearest.offset);
  }
}
