import type { TopicName } from "../../shared/live.ts";
import type { Bus } from "./bus.ts";

/** Whether the viewer can read a topic, and the signals after which that may have changed. */
export interface TopicAccess {
  readable: boolean;
  signals: string[];
}

interface Options {
  bus: Bus;
  /** Reads the access to several topics: to all of them at the start, then to those whose signals came. */
  accessTo: (names: TopicName[]) => Promise<Map<TopicName, TopicAccess>>;
}

/** Knows which topics of a stream its viewer can read. After a signal the topics that depend on it are stale until `refresh`. */
export class AccessTracker {
  readonly #options: Options;
  readonly #onStale: () => void;
  readonly #readable = new Map<string, boolean>();
  readonly #stale: Set<TopicName>;
  /** The topics that depend on each signal. */
  readonly #dependents = new Map<string, Set<TopicName>>();
  readonly #stops: (() => void)[] = [];

  constructor(names: TopicName[], options: Options, onStale: () => void) {
    this.#options = options;
    this.#onStale = onStale;
    this.#stale = new Set(names);
  }

  get stale(): boolean {
    return this.#stale.size > 0;
  }

  /** Returns whether the viewer can read the topic; false before the first `refresh`. */
  canRead(name: string): boolean {
    return this.#readable.get(name) ?? false;
  }

  /** Reads the access to stale topics until there are none or `isOver`, and yields each topic whose access changed. */
  async *refresh(
    isOver: () => boolean,
  ): AsyncGenerator<{ name: TopicName; readable: boolean; before: boolean | undefined }> {
    while (this.#stale.size > 0 && !isOver()) {
      const names = [...this.#stale];
      // Before reading: a change during the read makes its topic stale again.
      this.#stale.clear();
      const access = await this.#options.accessTo(names);
      for (const name of names) {
        const { readable = false, signals = [] } = access.get(name) ?? {};
        const before = this.#readable.get(name);
        // A signal may have come before we listened for it.
        if (signals.filter((signal) => this.#dependOn(name, signal)).length > 0) this.#stale.add(name);
        else if (readable !== before) {
          this.#readable.set(name, readable);
          yield { name, readable, before };
        }
      }
    }
  }

  /** Stops listening. */
  stop(): void {
    for (const stop of this.#stops.splice(0)) stop();
  }

  /** Makes a topic stale at each such signal. Returns whether this is new. */
  #dependOn(name: TopicName, signal: string): boolean {
    const existing = this.#dependents.get(signal);
    if (existing?.has(name)) return false;
    const names = existing ?? new Set<TopicName>();
    names.add(name);
    this.#dependents.set(signal, names);
    const expire = () => {
      for (const dependent of names) this.#stale.add(dependent);
      this.#onStale();
    };
    if (!existing) this.#stops.push(this.#options.bus.listen(signal, expire));
    return true;
  }
}
