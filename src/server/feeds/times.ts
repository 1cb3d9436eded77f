import { LRUCache } from "lru-cache";

const second = 1_000;
const most = 5_000;

/**
 * Since when a feed is as it is, as `Last-Modified` says it: its newest blog does not tell, since what went leaves older ones. Known
 * since the server began; what a client has from before is older, and is sent anew once.
 */
export class FeedTimes {
  readonly #known = new LRUCache<string, { etag: string; since: number }>({ max: most });

  /** In milliseconds, a whole second, which is over when nothing else can bear it any more. */
  since(key: string, etag: string, now = Date.now()): number {
    const known = this.#known.get(key);
    if (known?.etag === etag) return known.since;
    const next = Math.floor(now / second + 1) * second;
    const since = Math.max(next, (known?.since ?? 0) + second);
    this.#known.set(key, { etag, since });
    return since;
  }
}
