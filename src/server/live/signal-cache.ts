import type { Services } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { cacheMemory, type Cache } from "../runtime/cache.ts";
import type { Bus } from "./bus.ts";
import { withRights } from "./signals.ts";

/** Milliseconds after which a value is dropped in any case. */
const maxAge = 60_000;

/** Bytes of a topic that a value listens to. */
const listenerSize = 150;

/** Listens while a value is made. The caller calls `end` in any case. */
export interface CacheFill<Value> {
  listen: (topics: Iterable<string>) => void;
  /** Stores the value, unless one of the topics was signalled meanwhile. */
  store: (value: Value) => void;
  end: () => void;
}

/**
 * A cache whose values are dropped after a signal of one of the topics that they depend on, and after a minute in any case.
 * It listens before a value is read, so that no outdated value is stored, and is not used while signals may be missing.
 */
export class SignalCache<Value extends object> {
  readonly #bus: Pick<Bus, "listen" | "isBehind">;
  readonly #values: Cache<Value>;
  readonly #pendingReads = new Map<string, Promise<Value>>();

  /** `sizeOf` a value in bytes. */
  constructor(bus: Pick<Bus, "listen" | "isBehind">, sizeOf: (value: Value) => number, memory = cacheMemory) {
    this.#bus = bus;
    this.#values = memory.open({ sizeOf, ttl: maxAge });
  }

  get(key: string): Value | undefined {
    return this.#bus.isBehind ? undefined : this.#values.get(key);
  }

  /** Returns the cached value, or what `read` returns; calls during a read share it. Callers must not change the value. */
  of(key: string, topics: Iterable<string>, read: () => Promise<Value>): Value | Promise<Value> {
    const cached = this.get(key) ?? this.#pendingReads.get(key);
    if (cached) return cached;
    const pending = this.#read(key, topics, read).finally(() => {
      if (this.#pendingReads.get(key) === pending) this.#pendingReads.delete(key);
    });
    this.#pendingReads.set(key, pending);
    return pending;
  }

  /** Starts to make a value that depends on these topics. */
  startFill(key: string, topics: Iterable<string>): CacheFill<Value> {
    const stops: (() => void)[] = [];
    let isOutdated = false;
    let isStored = false;
    const drop = (): void => {
      isOutdated = true;
      this.#pendingReads.delete(key);
      this.#values.delete(key);
    };
    const listen = (more: Iterable<string>): void => {
      for (const topic of more) stops.push(this.#bus.listen(topic, drop));
    };
    const stop = (): void => {
      for (const stopListening of stops.splice(0)) stopListening();
    };
    listen(topics);
    return {
      listen,
      store: (value) => {
        if (isOutdated) return;
        isStored = this.#values.set(key, value, { onDrop: stop, beside: stops.length * listenerSize });
      },
      end: () => {
        if (!isStored) stop();
      },
    };
  }

  async #read(key: string, topics: Iterable<string>, read: () => Promise<Value>): Promise<Value> {
    const fill = this.startFill(key, topics);
    try {
      const value = await read();
      fill.store(value);
      return value;
    } finally {
      fill.end();
    }
  }
}

/**
 * Returns what `read` returned, shared by all calls with this key; read again after a signal of one of the topics, or a minute. It reads
 * what is stored now: the snapshot of the request may be older than the last signal.
 */
export const sharedRead = async <Value extends object>(
  { sharedReads, database }: Pick<Services, "sharedReads" | "database">,
  key: string,
  topics: string[],
  read: (connection: Connection) => Promise<Value>,
): Promise<Value> => (await sharedReads.of(key, withRights(topics), () => read(database.latest))) as Value;
