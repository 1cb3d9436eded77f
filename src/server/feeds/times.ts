import { LRUCache } from "lru-cache";

const second = 1_000;
const defaultMaxFeeds = 5_000;

/**
 * Remembers when each feed changed, for `Last-Modified`; its newest entry's date would not show removals. Starts empty with the
 * server, so clients fetch each feed once again.
 */
export class FeedTimes {
  readonly #changes: LRUCache<string, { etag: string; since: number }>;

  constructor(maxFeeds = defaultMaxFeeds) {
    this.#changes = new LRUCache({ max: maxFeeds });
  }

  /** Returns a whole second, in milliseconds, after the change, which no other version gets. */
  since(key: string, etag: string, now = Date.now()): number {
    const previous = this.#changes.get(key);
    if (previous?.etag === etag) return previous.since;
    const next = Math.floor(now / second + 1) * second;
    const since = Math.max(next, (previous?.since ?? 0) + second);
    this.#changes.set(key, { etag, since });
    return since;
  }
}
