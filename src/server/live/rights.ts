import type { TopicName } from "../../shared/live.ts";
import type { Bus } from "./bus.ts";

/** Whether a topic may be read, and which rings may change that. */
export interface Right {
  readable: boolean;
  rung: string[];
}

interface Options {
  bus: Bus;
  /** Asked of all topics together at the start, and of those concerned after a ring of what their right hangs on. */
  rightsTo: (names: TopicName[]) => Promise<Map<TopicName, Right>>;
}

/** Which of a stream's topics may be read, as far as it is known; what was rung is in doubt until it was asked about again. */
export class Rights {
  readonly #options: Options;
  readonly #onDoubt: () => void;
  readonly #readable = new Map<string, boolean>();
  readonly #doubted: Set<TopicName>;
  /** Which topics are in doubt when something is rung. */
  readonly #hanging = new Map<string, Set<TopicName>>();
  readonly #stops: (() => void)[] = [];

  constructor(names: TopicName[], options: Options, onDoubt: () => void) {
    this.#options = options;
    this.#onDoubt = onDoubt;
    this.#doubted = new Set(names);
  }

  get inDoubt(): boolean {
    return this.#doubted.size > 0;
  }

  /** Whether it may be read; not so before it was asked about. */
  may(name: string): boolean {
    return this.#readable.get(name) ?? false;
  }

  /** Asks about those in doubt until there are none or `isOver`, and gives each that is now otherwise than `before`. */
  async *settle(
    isOver: () => boolean,
  ): AsyncGenerator<{ name: TopicName; readable: boolean; before: boolean | undefined }> {
    while (this.#doubted.size > 0 && !isOver()) {
      const names = [...this.#doubted];
      // Before asking: what changes while the answer is on its way is asked about again.
      this.#doubted.clear();
      const rights = await this.#options.rightsTo(names);
      for (const name of names) {
        const { readable = false, rung = [] } = rights.get(name) ?? {};
        const before = this.#readable.get(name);
        // A ring may have been missed before anybody knew to listen for it.
        if (rung.filter((topic) => this.#hang(name, topic)).length > 0) this.#doubted.add(name);
        else if (readable !== before) {
          this.#readable.set(name, readable);
          yield { name, readable, before };
        }
      }
    }
  }

  /** Listens no more. */
  leave(): void {
    for (const stop of this.#stops.splice(0)) stop();
  }

  /** Puts a topic in doubt whenever this is rung; true where it was not so before. */
  #hang(name: TopicName, rung: string): boolean {
    const known = this.#hanging.get(rung);
    if (known?.has(name)) return false;
    const names = known ?? new Set<TopicName>();
    names.add(name);
    this.#hanging.set(rung, names);
    const doubt = () => {
      for (const doubted of names) this.#doubted.add(doubted);
      this.#onDoubt();
    };
    if (!known) this.#stops.push(this.#options.bus.listen(rung, doubt));
    return true;
  }
}
