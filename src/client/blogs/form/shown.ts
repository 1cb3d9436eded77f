import { ExternalStore } from "../../ui/external-store.ts";

/** What a page shows of something that changes. */
export class Shown<Snapshot extends object> {
  readonly store: ExternalStore<Snapshot>;

  constructor(snapshot: Snapshot) {
    this.store = new ExternalStore(snapshot);
  }

  readonly snapshot = (): Snapshot => this.store.get();

  /** Shows these from now on; what is the same already is not drawn anew. */
  protected show(change: Partial<Snapshot>): void {
    const before = this.snapshot();
    if (Object.entries(change).every(([name, value]) => before[name as keyof Snapshot] === value)) return;
    this.store.set({ ...before, ...change });
  }
}
