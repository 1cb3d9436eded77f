import { ExternalStore } from "../external-store.ts";

/** Where a new list entry would appear: visible to the reader, above the window, or below it, where it moves nothing. */
export type ArrivalPosition = "in view" | "passed" | "out of sight";

/** How an entry appears: immediately, one at a time, or when the reader asks for it. */
export type ArrivalMode = "now" | "in turn" | "on request";

/** If more wait, all come on request: they would keep the list moving. */
export const maxInTurn = 5;
/** Milliseconds between entries that come one at a time. */
export const intervalMs = 1_000;

/** Decides how one of `waiting` entries appears. A busy reader types, selects or uses a menu. */
export function arrivalModeFor(position: ArrivalPosition, isBusy: boolean, waiting: number): ArrivalMode {
  if (position === "out of sight") return "now";
  return position === "passed" || isBusy || waiting > maxInTurn ? "on request" : "in turn";
}

export interface ArrivalPage {
  /** Omits entries that are gone. */
  positionsOf(ids: readonly string[]): ReadonlyMap<string, ArrivalPosition>;
  isBusy(): boolean;
  /** Shows one entry "in turn", or several "now". */
  show(ids: readonly string[], mode: Exclude<ArrivalMode, "on request">): void;
}

export interface Clock {
  now(): number;
  /** Calls `callback` after `delay` milliseconds; returns how to cancel it. */
  after(delay: number, callback: () => void): () => void;
}

export interface Waiting {
  ids: ReadonlySet<string>;
  /** The number on the button: entries that come only on request. */
  onRequest: number;
}

const emptyWaiting: Waiting = { ids: new Set(), onRequest: 0 };

/** Holds back new entries while a list is being read, and shows one per second where that disturbs nothing. */
export class ArrivalQueue {
  readonly #clock: Clock;
  #page: ArrivalPage;
  #ids: readonly string[] = [];
  readonly store = new ExternalStore(emptyWaiting);
  #nextAt = -Infinity;
  #stop: (() => void) | undefined;

  constructor(clock: Clock, page: ArrivalPage) {
    this.#clock = clock;
    this.#page = page;
  }

  setPage(page: ArrivalPage): void {
    this.#page = page;
  }

  readonly waiting = this.store.get;

  add(ids: Iterable<string>): void {
    this.#ids = [...new Set([...this.#ids, ...ids])];
    this.update();
  }

  /** Postpones the next entry: it would move what the reader is about to press. */
  delay(): void {
    this.#nextAt = Math.max(this.#nextAt, this.#clock.now() + intervalMs);
  }

  /** Shows what can be shown now. Call it when page or reader have moved. */
  update(): void {
    this.#stop?.();
    this.#stop = undefined;
    if (this.#ids.length === 0) return this.#publish(0);
    const allPositions = this.#page.positionsOf(this.#ids);
    const positions = new Map<string, ArrivalPosition>();
    for (const id of this.#ids) {
      const position = allPositions.get(id);
      if (position) positions.set(id, position);
    }
    const isBusy = this.#page.isBusy();
    const waiting = [...positions].filter(([, position]) => position !== "out of sight");
    const modeOf = (position: ArrivalPosition): ArrivalMode =>
      arrivalModeFor(position, isBusy, waiting.length);
    const now = [...positions.keys()].filter((id) => modeOf(positions.get(id)!) === "now");
    const inTurn = waiting.filter(([, position]) => modeOf(position) === "in turn").map(([id]) => id);
    const isDue = this.#clock.now() >= this.#nextAt;
    const next = isDue ? inTurn.shift() : undefined;
    if (next !== undefined) this.#nextAt = this.#clock.now() + intervalMs;
    this.#ids = waiting.map(([id]) => id).filter((id) => id !== next);
    if (inTurn.length > 0)
      this.#stop = this.#clock.after(this.#nextAt - this.#clock.now(), () => this.update());
    this.#publish(this.#ids.length - inTurn.length);
    if (now.length > 0) this.#page.show(now, "now");
    if (next !== undefined) this.#page.show([next], "in turn");
  }

  /** Removes and returns all waiting entries. */
  takeAll(): readonly string[] {
    const ids = this.#ids;
    this.#ids = [];
    this.update();
    return ids;
  }

  /** Stops the timer. Call it when the list is unmounted. */
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
