/** Entries that wait for their turn, each with an owner: who adds many waits behind who adds one. */
export class FairQueue<Entry> {
  /** The owner who was served longest ago comes first. */
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

  /** Removes the entry whose turn it is, if `mayBegin`. */
  shift(mayBegin: (entry: Entry) => boolean = () => true): Entry | undefined {
    const [first] = this.#waiting;
    const [owner, [entry, ...rest]] = first ?? ["", []];
    if (entry === undefined || !mayBegin(entry)) return undefined;
    this.#waiting.delete(owner);
    if (rest.length > 0) this.#waiting.set(owner, rest);
    this.#size--;
    return entry;
  }

  /** Removes an entry from its place; tells whether it was there. */
  remove(owner: string, entry: Entry): boolean {
    const own = this.#waiting.get(owner) ?? [];
    const rest = own.filter((other) => other !== entry);
    if (rest.length === own.length) return false;
    if (rest.length > 0) this.#waiting.set(owner, rest);
    else this.#waiting.delete(owner);
    this.#size--;
    return true;
  }

  /** Removes all, and returns them. */
  clear(): Entry[] {
    const all = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    this.#size = 0;
    return all;
  }
}
