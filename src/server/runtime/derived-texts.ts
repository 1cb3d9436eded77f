import { cacheMemory, type Cache } from "./cache.ts";
import { shared } from "./concurrency.ts";

/**
 * Keeps what is made of stored texts, by the blog (or another source) and the version of its text.
 * Concurrent calls for the same share the making.
 */
export class DerivedTexts<Value extends object> {
  readonly #kept: Cache<Value>;
  readonly #pending = new Map<string, Promise<Value>>();

  /** `sizeOf` a value in bytes; `ttl`: milliseconds, for what also depends on something else. */
  constructor(sizeOf: (value: Value) => number, ttl = 0) {
    this.#kept = cacheMemory.open({ sizeOf, ttl });
  }

  /** Returns what is kept, or made by `make`. `ttlOf`: milliseconds for a value that is soon to be made again. */
  async of(
    source: string,
    version: string | number,
    make: () => Promise<Value>,
    ttlOf?: (value: Value) => number | undefined,
  ): Promise<Value> {
    const key = `${source} ${version}`;
    const kept = this.#kept.get(key);
    if (kept) return kept;
    const others = this.#pending.get(key);
    if (others) return shared(others);
    const pending = make().then((value) => {
      this.#kept.set(key, value, { ttl: ttlOf?.(value) });
      return value;
    });
    this.#pending.set(key, pending);
    try {
      return await pending;
    } finally {
      this.#pending.delete(key);
    }
  }
}
