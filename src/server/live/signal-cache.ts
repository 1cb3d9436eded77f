import { LRUCache } from "lru-cache";
import type { Bus } from "./bus.ts";

/** In milliseconds: nothing is kept for longer, whatever was missed. */
const longest = 60_000;

/** Listens while a value is made. `end` is to be called in any case. */
export interface Watch<Value> {
  listen: (topics: Iterable<string>) => void;
  /** Keeps the value, unless a topic has rung since it was listened to. */
  keep: (value: Value) => void;
  end: () => void;
}

/**
 * Values that are dropped as soon as one of the topics rings that they are made of, and after a minute in any case. It listens
 * before a value is read, so that what changes meanwhile is not kept.
 */
export class SignalCache<Value extends object> {
  readonly #bus: Pick<Bus, "listen">;
  readonly #kept: LRUCache<string, { value: Value; stop: () => void }>;
  readonly #underWay = new Map<string, Promise<Value>>();

  /** `sizeOf` a value in the unit of `maxSize`, at least 1. */
  constructor(
    bus: Pick<Bus, "listen">,
    { max, maxSize, sizeOf = () => 1 }: { max?: number; maxSize: number; sizeOf?: (value: Value) => number },
  ) {
    this.#bus = bus;
    this.#kept = new LRUCache({
      ...(max === undefined ? {} : { max }),
      maxSize,
      sizeCalculation: ({ value }) => sizeOf(value),
      ttl: longest,
      dispose: ({ stop }) => stop(),
    });
  }

  get(key: string): Value | undefined {
    return this.#kept.get(key)?.value;
  }

  /** The value that is kept, or what `read` finds; those who ask while nothing has rung share one reading. Nobody may change it. */
  of(key: string, topics: Iterable<string>, read: () => Promise<Value>): Value | Promise<Value> {
    const known = this.get(key) ?? this.#underWay.get(key);
    if (known) return known;
    const reading = this.#read(key, topics, read).finally(() => {
      if (this.#underWay.get(key) === reading) this.#underWay.delete(key);
    });
    this.#underWay.set(key, reading);
    return reading;
  }

  /** Begins to make a value of what these topics tell of. */
  watch(key: string, topics: Iterable<string>): Watch<Value> {
    const stops: (() => void)[] = [];
    let isOld = false;
    let isKept = false;
    const drop = (): void => {
      isOld = true;
      this.#underWay.delete(key);
      this.#kept.delete(key);
    };
    const listen = (more: Iterable<string>): void => {
      for (const topic of more) stops.push(this.#bus.listen(topic, drop));
    };
    const stop = (): void => {
      for (const each of stops.splice(0)) each();
    };
    listen(topics);
    return {
      listen,
      keep: (value) => {
        if (isOld) return;
        this.#kept.set(key, { value, stop });
        isKept = this.#kept.has(key);
      },
      end: () => {
        if (!isKept) stop();
      },
    };
  }

  async #read(key: string, topics: Iterable<string>, read: () => Promise<Value>): Promise<Value> {
    const watch = this.watch(key, topics);
    try {
      const value = await read();
      watch.keep(value);
      return value;
    } finally {
      watch.end();
    }
  }
}
