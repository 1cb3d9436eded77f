/** What a page shows of something that changes: `subscribe` and `snapshot` are React's. */
export class Shown<Snapshot extends object> {
  readonly #listeners = new Set<() => void>();
  #snapshot: Snapshot;

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly snapshot = (): Snapshot => this.#snapshot;

  /** Shows these from now on; what is the same already is not drawn anew. */
  protected show(change: Partial<Snapshot>): void {
    if (Object.entries(change).every(([name, value]) => this.#snapshot[name as keyof Snapshot] === value))
      return;
    this.#snapshot = { ...this.#snapshot, ...change };
    for (const listener of this.#listeners) listener();
  }
}
