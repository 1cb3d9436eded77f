/** `idle`: there is nothing to keep. */
export type JournalState = "idle" | "saving" | "saved" | "failed";

/** Where one entry is kept. Each call may fail: storage can be full, forbidden or broken. */
export interface JournalPlace<Entry> {
  put(entry: Entry): Promise<void>;
  remove(): Promise<void>;
}

/** Writes follow this long after the last change, */
const PAUSE = 400;
/** and no later than this after the first that is not written yet. */
const AT_MOST = 900;

/**
 * Writes down on this device what one page has written and the server has not confirmed, as it comes: a closed tab, a crash or an
 * ended session loses at most the last second. Writes never overlap, and the last one wins.
 */
export class Journal<Entry> {
  readonly #place: JournalPlace<Entry>;
  readonly #onState: (state: JournalState) => void;
  #pending: (() => Entry | null) | undefined;
  #waitingSince: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(place: JournalPlace<Entry>, onState: (state: JournalState) => void) {
    this.#place = place;
    this.#onState = onState;
  }

  /** Something changed. `read` is asked when it is written; null means that there is nothing to keep any more. */
  changed(read: () => Entry | null): void {
    this.#pending = read;
    this.#waitingSince ??= Date.now();
    this.#onState("saving");
    clearTimeout(this.#timer);
    const left = this.#waitingSince + AT_MOST - Date.now();
    this.#timer = setTimeout(() => void this.flush(), Math.max(0, Math.min(PAUSE, left)));
  }

  /** Writes at once what waits to be written. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    const read = this.#pending;
    if (!read) return this.#writing;
    this.#pending = undefined;
    this.#waitingSince = undefined;
    return this.#queue(async () => {
      const entry = read();
      if (entry) await this.#place.put(entry);
      // What can't be taken away is found again, and nothing is lost.
      else await this.#place.remove().catch(() => undefined);
      return entry ? "saved" : "idle";
    });
  }

  /** The server has it: nothing is kept, and nothing that waits is written. */
  forget(): Promise<void> {
    this.quit();
    return this.#queue(async () => {
      await this.#place.remove().catch(() => undefined);
      return "idle";
    });
  }

  /** Another keeps it from now on: nothing that waits is written. */
  quit(): void {
    clearTimeout(this.#timer);
    this.#pending = undefined;
    this.#waitingSince = undefined;
  }

  #queue(work: () => Promise<JournalState>): Promise<void> {
    this.#writing = this.#writing.then(work).then(
      (state) => {
        // Something newer waits already: what people see is that.
        if (!this.#pending) this.#onState(state);
      },
      () => this.#onState("failed"),
    );
    return this.#writing;
  }
}
