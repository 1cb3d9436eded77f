import { LRUCache } from "lru-cache";
import { shared } from "./concurrency.ts";

const caches = new Set<Pick<DerivedTexts, "forget">>();

/**
 * Keeps what is made of stored texts, up to `maxSize` bytes, by the blog (or another source) and the version of its text.
 * Concurrent calls for the same share the making.
 */
export class DerivedTexts<Value extends object = object> {
  readonly #kept: LRUCache<string, Value>;
  readonly #pending = new Map<string, Promise<Value>>();

  /** `ttl`: milliseconds, for what also depends on something else. */
  constructor(maxSize: number, sizeOf: (value: Value) => number, ttl = 0) {
    this.#kept = new LRUCache({ maxSize, sizeCalculation: (value) => sizeOf(value) + 200, ttl });
    caches.add(this);
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
      const ttl = ttlOf?.(value);
      // Unless it was forgotten meanwhile.
      if (this.#pending.get(key) === pending) this.#kept.set(key, value, ttl === undefined ? {} : { ttl });
      return value;
    });
    this.#pending.set(key, pending);
    try {
      return await pending;
    } finally {
      if (this.#pending.get(key) === pending) this.#pending.delete(key);
    }
  }

  forget(source: string): void {
    for (const map of [this.#kept, this.#pending])
      for (const key of Array.from(map.keys())) if (key.startsWith(`${source} `)) map.delete(key);
  }
}

/** Forgets everything made of a blog's text. For changes without a new version, after the commit. */
export function forgetDerivedTexts(blogId: string): void {
  for (const cache of caches) cache.forget(blogId);
}
