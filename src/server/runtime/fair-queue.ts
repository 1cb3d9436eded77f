/** A queue that serves owners in turn, so that many entries of one do not delay others. */
export class FairQueue<Entry> {
  /** The owner served longest ago comes first. */
  readonly #waiting = new Map<string, Entry[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  sizeOf(owner: string): number {
    return this.#waiting.get(owner)?.length ?? 0;
  }

  add(owner: string, entry: Entry, place: "first" | "last" = "last"): void {
    const own = this.#waiting.get(owner) ?? [];
    this.#waiting.set(owner, place === "first" ? [entry, ...own] : [...own, entry]);
    this.#size++;
  }

  /** Removes and returns the next entry, if `mayBegin`. */
  shift(mayBegin: (entry: Entry) => boolean = () => true): Entry | undefined {
    const [first] = this.#waiting;
    const [owner, [entry, ...rest]] = first ?? ["", []];
    if (entry === undefined || !mayBegin(entry)) return undefined;
    this.#waiting.delete(owner);
    if (rest.length > 0) this.#waiting.set(owner, rest);
    this.#size--;
    return entry;
  }

  /** Returns whether it was queued. */
  remove(owner: string, entry: Entry): boolean {
    const own = this.#waiting.get(owner) ?? [];
    const rest = own.filter((other) => other !== entry);
    if (rest.length === own.length) return false;
    if (rest.length > 0) this.#waiting.set(owner, rest);
    else this.#waiting.delete(owner);
    this.#size--;
    return true;
  }

  /** Removes and returns all entries. */
  clear(): Entry[] {
    const all = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    this.#size = 0;
    return all;
  }
}
