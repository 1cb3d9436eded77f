/** `idle`: there is nothing to store. */
export type JournalState = "idle" | "saving" | "saved" | "failed";

/** The storage of one entry. Each call can fail: storage can be full, forbidden or broken. */
export interface EntryStorage<Entry> {
  put(entry: Entry): Promise<void>;
  /** Stores an entry at once, until it is put. */
  putAtUnload(entry: Entry): void;
  remove(): Promise<void>;
}

/** Milliseconds from the last change to a write, */
const PAUSE = 400;
/** but at most from the first unwritten one. */
const MAX_WAIT = 900;

/**
 * Stores a page's unconfirmed changes on this device: a closed tab loses nothing, a crash or an ended session at most the last
 * second. Writes never overlap, and the last one wins.
 */
export class Journal<Entry> {
  readonly #place: EntryStorage<Entry>;
  readonly #onState: (state: JournalState) => void;
  #pending: (() => Entry | null) | undefined;
  /** Being written. */
  #unwritten: { read: () => Entry | null } | undefined;
  #waitingSince: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(place: EntryStorage<Entry>, onState: (state: JournalState) => void) {
    this.#place = place;
    this.#onState = onState;
  }

  /** Schedules a write. `read` is called then; null removes the entry. */
  scheduleWrite(read: () => Entry | null): void {
    this.#pending = read;
    this.#waitingSince ??= Date.now();
    this.#onState("saving");
    clearTimeout(this.#timer);
    const left = this.#waitingSince + MAX_WAIT - Date.now();
    this.#timer = setTimeout(() => void this.flush(), Math.max(0, Math.min(PAUSE, left)));
  }

  flush(): Promise<void> {
    clearTimeout(this.#timer);
    const read = this.#pending;
    if (!read) return this.#writing;
    this.#pending = undefined;
    this.#waitingSince = undefined;
    const unwritten = { read };
    this.#unwritten = unwritten;
    return this.#queue(async () => {
      const entry = read();
      if (entry) await this.#place.put(entry);
      // An entry that stays is found again later: nothing is lost.
      else await this.#place.remove().catch(() => undefined);
      if (this.#unwritten === unwritten) this.#unwritten = undefined;
      return entry ? "saved" : "idle";
    });
  }

  /** Stores at once what is not written yet: the page may be closing, which ends a write. */
  storeAtUnload(): Promise<void> {
    const entry = (this.#pending ?? this.#unwritten?.read)?.();
    if (entry) this.#place.putAtUnload(entry);
    return this.flush();
  }

  /** Removes the entry: the server has everything. */
  removeEntry(): Promise<void> {
    this.dropPending();
    return this.#queue(async () => {
      await this.#place.remove().catch(() => undefined);
      return "idle";
    });
  }

  /** Drops pending changes: another journal stores them from now on. */
  dropPending(): void {
    clearTimeout(this.#timer);
    this.#pending = undefined;
    this.#unwritten = undefined;
    this.#waitingSince = undefined;
  }

  #queue(work: () => Promise<JournalState>): Promise<void> {
    this.#writing = this.#writing.then(work).then(
      (state) => {
        // Otherwise a newer change is already shown.
        if (!this.#pending) this.#onState(state);
      },
      () => this.#onState("failed"),
    );
    return this.#writing;
  }
}
