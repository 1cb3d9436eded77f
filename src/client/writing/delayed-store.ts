/** Whether this device has what the server lacks. `idle`: there is nothing to store. */
export type DeviceState = "idle" | "saving" | "saved" | "failed";

/** The place of one draft. Writes take effect in the order of the calls. Each can fail: storage can be full, forbidden or broken. */
export interface DraftPlace<Draft> {
  put(draft: Draft): Promise<void>;
  remove(): Promise<void>;
}

/** Milliseconds from the last change to a write, */
const PAUSE = 400;
/** but at most from the first unwritten one. */
const MAX_WAIT = 900;

/** Stores a page's draft on this device a moment after each change: a closed tab loses nothing, a crash at most the last second. */
export class DelayedStore<Draft> {
  readonly #place: DraftPlace<Draft>;
  readonly #onState: (state: DeviceState) => void;
  #pending: (() => Draft | null) | undefined;
  #waitingSince: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #latest: Promise<void> = Promise.resolve();

  constructor(place: DraftPlace<Draft>, onState: (state: DeviceState) => void) {
    this.#place = place;
    this.#onState = onState;
  }

  /** Schedules a write. `read` is called then; null removes what is stored. */
  scheduleWrite(read: () => Draft | null): void {
    this.#pending = read;
    this.#waitingSince ??= Date.now();
    this.#onState("saving");
    clearTimeout(this.#timer);
    const left = this.#waitingSince + MAX_WAIT - Date.now();
    this.#timer = setTimeout(() => void this.flush(), Math.max(0, Math.min(PAUSE, left)));
  }

  /** Begins the scheduled write at once: the page may be closing. Never rejects: the state says if it failed. */
  flush(): Promise<void> {
    const read = this.#pending;
    if (!read) return this.#latest;
    this.dropPending();
    const draft = read();
    return draft ? this.#report("saved", this.#place.put(draft)) : this.remove();
  }

  /** Removes what is stored: the server has everything. */
  remove(): Promise<void> {
    this.dropPending();
    // What stays is found again later: nothing is lost.
    return this.#report(
      "idle",
      this.#place.remove().catch(() => undefined),
    );
  }

  /** Drops pending changes: another object stores them from now on. */
  dropPending(): void {
    clearTimeout(this.#timer);
    this.#pending = undefined;
    this.#waitingSince = undefined;
  }

  #report(state: DeviceState, write: Promise<void>): Promise<void> {
    const show = (result: DeviceState): void => {
      // Otherwise a newer change is already shown.
      if (latest === this.#latest && !this.#pending) this.#onState(result);
    };
    const latest = write.then(
      () => show(state),
      () => show("failed"),
    );
    return (this.#latest = latest);
  }
}
