import { ExternalStore } from "../external-store.ts";

/** Where a new entry of a list would appear: where the reader sees it come, above where they have scrolled to, or where it moves nothing in the window. */
export type Place = "in view" | "passed" | "out of sight";

/** How it appears: immediately, in its turn, or when the reader asks for it. */
export type Way = "now" | "in turn" | "on request";

/** More than these come only on request: they would keep the list moving. */
export const mostInTurn = 5;
/** Milliseconds between two entries that come in turn. */
export const pace = 1_000;

/** Decides how an entry appears while so many wait, it among them. The reader is busy while they type, select, or use a menu. */
export function wayFor(place: Place, isBusy: boolean, waiting: number): Way {
  if (place === "out of sight") return "now";
  return place === "passed" || isBusy || waiting > mostInTurn ? "on request" : "in turn";
}

/** What the queue knows of the page. */
export interface Surroundings {
  /** Without those that are no longer there. */
  placesOf(ids: readonly string[]): ReadonlyMap<string, Place>;
  isBusy(): boolean;
  /** Shows entries: one that comes in its turn, or all that need no turn. */
  show(ids: readonly string[], way: Exclude<Way, "on request">): void;
}

export interface Clock {
  now(): number;
  /** Calls `act` after so many milliseconds; returns how to prevent that. */
  after(delay: number, act: () => void): () => void;
}

export interface Waiting {
  ids: ReadonlySet<string>;
  /** How many of them come only on request: the button shows this number. */
  onRequest: number;
}

export const nobody: Waiting = { ids: new Set(), onRequest: 0 };

/** Holds back what is new in a list that somebody reads, and shows it one entry a second where that disturbs nothing. */
export class ArrivalQueue {
  readonly #clock: Clock;
  #page: Surroundings;
  #ids: readonly string[] = [];
  readonly store = new ExternalStore(nobody);
  #nextAt = -Infinity;
  #stop: (() => void) | undefined;

  constructor(clock: Clock, page: Surroundings) {
    this.#clock = clock;
    this.#page = page;
  }

  /** From now on the page is as these say. */
  follow(page: Surroundings): void {
    this.#page = page;
  }

  readonly waiting = this.store.get;

  add(ids: Iterable<string>): void {
    this.#ids = [...new Set([...this.#ids, ...ids])];
    this.look();
  }

  /** Delays the next turn: the reader is about to press something that it would move away. */
  delay(): void {
    this.#nextAt = Math.max(this.#nextAt, this.#clock.now() + pace);
  }

  /** Looks at the page again, and shows what may be shown by now. To be called whenever the page or the reader has moved. */
  look(): void {
    this.#stop?.();
    this.#stop = undefined;
    if (this.#ids.length === 0) return this.#publish(0);
    const found = this.#page.placesOf(this.#ids);
    const places = new Map<string, Place>();
    for (const id of this.#ids) {
      const place = found.get(id);
      if (place) places.set(id, place);
    }
    const isBusy = this.#page.isBusy();
    const waiting = [...places].filter(([, place]) => place !== "out of sight");
    const wayOf = (place: Place): Way => wayFor(place, isBusy, waiting.length);
    const now = [...places.keys()].filter((id) => wayOf(places.get(id)!) === "now");
    const inTurn = waiting.filter(([, place]) => wayOf(place) === "in turn").map(([id]) => id);
    const isDue = this.#clock.now() >= this.#nextAt;
    const next = isDue ? inTurn.shift() : undefined;
    if (next !== undefined) this.#nextAt = this.#clock.now() + pace;
    this.#ids = waiting.map(([id]) => id).filter((id) => id !== next);
    if (inTurn.length > 0)
      this.#stop = this.#clock.after(this.#nextAt - this.#clock.now(), () => this.look());
    this.#publish(this.#ids.length - inTurn.length);
    if (now.length > 0) this.#page.show(now, "now");
    if (next !== undefined) this.#page.show([next], "in turn");
  }

  /** Takes all that wait, to be shown together. */
  takeAll(): readonly string[] {
    const ids = this.#ids;
    this.#ids = [];
    this.look();
    return ids;
  }

  /** Ends its timer; to be called when the list is left. */
  stop(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  #publish(onRequest: number): void {
    const { ids, onRequest: before } = this.waiting();
    if (before === onRequest && ids.size === this.#ids.length && this.#ids.every((id) => ids.has(id))) return;
    this.store.set({ ids: new Set(this.#ids), onRequest });
  }
}
