import type { Bus } from "../live/bus.ts";
import { blogTopic } from "../live/stored-events.ts";
import { peopleTopic, rightsTopic } from "../live/signals.ts";
import { SignalCache } from "../live/signal-cache.ts";

/** A blog's newest people and comments as guests see them. Followers also see those in `closed`. */
export interface Lists {
  likes: string[];
  saves: string[];
  comments: string[];
  closed: { likes: string[]; saves: string[] };
}
interface CachedLists extends Lists {
  /** The number of ids requested. */
  requestedCount: number;
}

/** Ids in memory: some ten megabytes. */
const maxIds = 100_000;
/** An entry's own weight, which bounds entries to 5,000: dropping more at once would block the thread. */
const weight = 20;

/** Caches the lists of cards until a topic of the blog or of people is signalled. */
export class CachedIdLists {
  readonly #cache: SignalCache<CachedLists>;

  constructor(bus: Pick<Bus, "listen">) {
    this.#cache = new SignalCache(bus, {
      maxSize: maxIds,
      sizeOf: ({ likes, saves, comments }) => likes.length + saves.length + comments.length + weight,
    });
  }

  /** Returns at least the newest `each` ids of these blogs; `read` reads missing lists. */
  async get(
    blogIds: string[],
    each: number,
    read: (missing: string[], each: number) => Promise<Map<string, Lists>>,
  ): Promise<Map<string, Lists>> {
    const found = new Map<string, Lists>();
    for (const id of blogIds) {
      const cached = this.#cache.get(id);
      if (cached && cached.requestedCount >= each) found.set(id, cached);
    }
    const missing = blogIds.filter((id) => !found.has(id));
    if (missing.length === 0) return found;
    // A power of two, so that a slightly larger `each` is a hit.
    const requestedCount = Math.min(1_000, 2 ** Math.ceil(Math.log2(each)));
    const fills = new Map(
      missing.map((id) => [id, this.#cache.startFill(id, [peopleTopic, blogTopic(id), rightsTopic(id)])]),
    );
    try {
      for (const [id, lists] of await read(missing, requestedCount)) {
        found.set(id, lists);
        fills.get(id)?.store({ ...lists, requestedCount });
      }
    } finally {
      for (const fill of fills.values()) fill.end();
    }
    return found;
  }
}
