import { LRUCache } from "lru-cache";

interface Entry {
  value: object;
  onDrop: (() => void) | undefined;
}

interface CacheOptions<Value> {
  /** About how many bytes a value takes. */
  sizeOf: (value: Value) => number;
  /** Milliseconds after which a value is dropped in any case. */
  ttl?: number;
}

interface ValueOptions {
  /** Milliseconds until it is dropped. */
  ttl?: number | undefined;
  /** Called when it is dropped or not kept. */
  onDrop?: () => void;
  /** Bytes that it takes beside the value. */
  beside?: number;
}

/** Bytes that an entry takes beside its value and key. */
const entrySize = 200;

/**
 * Memory that several caches share: when it is full, the least recently used entries of all of them are dropped. Only for
 * values that can be computed again: rate limits and challenges keep their own bounds.
 */
export class CacheMemory {
  #entries: LRUCache<string, Entry>;
  #caches = 0;

  constructor(bytes: number) {
    this.#entries = createEntries(bytes);
  }

  /** Drops everything if the size is another. */
  resize(bytes: number): void {
    if (bytes === this.#entries.maxSize) return;
    this.#entries.clear();
    this.#entries = createEntries(bytes);
  }

  /** Opens a cache in this memory; its keys are its own. */
  open<Value extends object>({ sizeOf, ttl = 0 }: CacheOptions<Value>): Cache<Value> {
    const prefix = `${this.#caches++} `;
    return {
      get: (key) => this.#entries.get(prefix + key)?.value as Value | undefined,
      has: (key) => this.#entries.has(prefix + key),
      set: (key, value, options = {}) => {
        const size = Math.ceil(sizeOf(value)) + 2 * key.length + entrySize + (options.beside ?? 0);
        this.#entries.set(prefix + key, { value, onDrop: options.onDrop }, { size, ttl: options.ttl ?? ttl });
        return this.#entries.has(prefix + key);
      },
      delete: (key) => void this.#entries.delete(prefix + key),
    };
  }
}

const createEntries = (bytes: number): LRUCache<string, Entry> =>
  new LRUCache({ maxSize: bytes, ttlAutopurge: true, dispose: ({ onDrop }) => onDrop?.() });

export interface Cache<Value extends object> {
  get: (key: string) => Value | undefined;
  has: (key: string) => boolean;
  /** Returns whether the value is kept; one that is larger than the memory is not. */
  set: (key: string, value: Value, options?: ValueOptions) => boolean;
  delete: (key: string) => void;
}

const defaultBytes = 64 * 1024 * 1024;

/** For what pages are made of: texts, changes, drafts, cards. */
export const cacheMemory = new CacheMemory(defaultBytes / 2);
/** For finished answers to guests: anyone can ask for endless variations of these, and they drop only each other. */
export const pageMemory = new CacheMemory(defaultBytes / 2);

/** Sets how much memory the caches of this process take together (`CACHE_MB`). */
export function resizeCaches(bytes: number): void {
  cacheMemory.resize(bytes / 2);
  pageMemory.resize(bytes / 2);
}
