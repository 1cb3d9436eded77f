/** A queue that serves owners in turn, so that many entries of one do not delay others. */
export class FairQueue<Entry> {
  /** The owner served longest ago comes first. */
  readonly #entriesByOwner = new Map<string, Entry[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  sizeOf(owner: string): number {
    return this.#entriesByOwner.get(owner)?.length ?? 0;
  }

  add(owner: string, entry: Entry, place: "first" | "last" = "last"): void {
    const entries = this.#entriesByOwner.get(owner) ?? [];
    this.#entriesByOwner.set(owner, place === "first" ? [entry, ...entries] : [...entries, entry]);
    this.#size++;
  }

  /** Removes and returns the next entry, if `mayBegin`. */
  shift(mayBegin: (entry: Entry) => boolean = () => true): Entry | undefined {
    const [first] = this.#entriesByOwner;
    const [owner, [entry, ...remaining]] = first ?? ["", []];
    if (entry === undefined || !mayBegin(entry)) return undefined;
    this.#entriesByOwner.delete(owner);
    if (remaining.length > 0) this.#entriesByOwner.set(owner, remaining);
    this.#size--;
    return entry;
  }

  /** Returns whether it was queued. */
  remove(owner: string, entry: Entry): boolean {
    const entries = this.#entriesByOwner.get(owner) ?? [];
    const remaining = entries.filter((other) => other !== entry);
    if (remaining.length === entries.length) return false;
    if (remaining.length > 0) this.#entriesByOwner.set(owner, remaining);
    else this.#entriesByOwner.delete(owner);
    this.#size--;
    return true;
  }

  /** Removes and returns all entries. */
  clear(): Entry[] {
    const all = [...this.#entriesByOwner.values()].flat();
    this.#entriesByOwner.clear();
    this.#size = 0;
    return all;
  }
}
