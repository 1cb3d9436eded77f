/**
 * What a writer has typed and the server has not confirmed, kept on this device: by account and blog. A closed tab, a
 * crash or an ended session loses at most the last second.
 */
export interface JournalEntry<Fields> {
  account: string;
  /** Made by the client before the blog exists: saved again after a lost answer, it is the same blog. */
  blogId: string;
  /** The version of the blog that was being changed; null for a new one. A text, from before there were versions, is none that stands. */
  base: number | string | null;
  fields: Fields;
  /** A cover that was chosen and has not reached the server. */
  cover: Blob | null;
  /** Names of pictures that were on their way into the text: where it is taken up again they did not arrive. */
  pictures?: string[] | undefined;
  /** Milliseconds since 1970. */
  changedAt: number;
}

/** Where entries are kept. Each call may fail: storage can be full, forbidden or broken. */
export interface JournalStore<Fields> {
  get(account: string, blogId: string): Promise<JournalEntry<Fields> | undefined>;
  /** All of an account, the last changed first. */
  all(account: string): Promise<JournalEntry<Fields>[]>;
  put(entry: JournalEntry<Fields>): Promise<void>;
  remove(account: string, blogId: string): Promise<void>;
}

/** `idle`: there is nothing to keep. */
export type JournalState = "idle" | "saving" | "saved" | "failed";

/** Writes follow this long after the last change, */
const PAUSE = 400;
/** and no later than this after the first that is not written yet. */
const AT_MOST = 900;

/** Writes down one form's changes as they come. Writes never overlap, and the last one wins. */
export class Journal<Fields> {
  readonly #store: JournalStore<Fields>;
  readonly #onState: (state: JournalState) => void;
  #pending: (() => JournalEntry<Fields> | null) | undefined;
  #waitingSince: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writing: Promise<void> = Promise.resolve();
  readonly #place: { account: string; blogId: string };

  constructor(
    store: JournalStore<Fields>,
    place: { account: string; blogId: string },
    onState: (state: JournalState) => void,
  ) {
    this.#store = store;
    this.#place = place;
    this.#onState = onState;
  }

  /** Something changed. `read` is asked when it is written; null means that there is nothing to keep any more. */
  changed(read: () => JournalEntry<Fields> | null): void {
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
      if (entry) await this.#store.put(entry);
      else await this.#store.remove(this.#place.account, this.#place.blogId);
      return entry ? "saved" : "idle";
    });
  }

  /** The server has it: nothing is kept, and nothing that waits is written. */
  forget(): Promise<void> {
    clearTimeout(this.#timer);
    this.#pending = undefined;
    this.#waitingSince = undefined;
    return this.#queue(async () => {
      await this.#store.remove(this.#place.account, this.#place.blogId);
      return "idle";
    });
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
