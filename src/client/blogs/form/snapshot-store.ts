import { ExternalStore } from "../../ui/external-store.ts";

/** The changing state that a page shows. */
export class SnapshotStore<Snapshot extends object> {
  readonly store: ExternalStore<Snapshot>;

  constructor(snapshot: Snapshot) {
    this.store = new ExternalStore(snapshot);
  }

  readonly snapshot = (): Snapshot => this.store.get();

  /** Changes the state; equal values render nothing. */
  protected show(change: Partial<Snapshot>): void {
    const before = this.snapshot();
    if (Object.entries(change).every(([name, value]) => before[name as keyof Snapshot] === value)) return;
    this.store.set({ ...before, ...change });
  }
}
