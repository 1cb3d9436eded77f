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
interface Kept extends Lists {
  /** The number of ids requested. */
  each: number;
}

/** Ids in memory: some ten megabytes. */
const most = 100_000;
/** An entry's own weight, which bounds entries to 5,000: dropping more at once would block the thread. */
const weight = 20;

/** Caches the lists of cards until a topic of the blog or of people is signalled. */
export class CachedIdLists {
  readonly #kept: SignalCache<Kept>;

  constructor(bus: Pick<Bus, "listen">) {
    this.#kept = new SignalCache(bus, {
      maxSize: most,
      sizeOf: ({ likes, saves, comments }) => likes.length + saves.length + comments.length + weight,
    });
  }

  /** Returns at least the newest `each` ids of these blogs; `read` reads missing lists. */
  async of(
    blogIds: string[],
    each: number,
    read: (unknown: string[], each: number) => Promise<Map<string, Lists>>,
  ): Promise<Map<string, Lists>> {
    const found = new Map<string, Lists>();
    for (const id of blogIds) {
      const known = this.#kept.get(id);
      if (known && known.each >= each) found.set(id, known);
    }
    const unknown = blogIds.filter((id) => !found.has(id));
    if (unknown.length === 0) return found;
    // A power of two, so that a slightly larger `each` is a hit.
    const asked = Math.min(1_000, 2 ** Math.ceil(Math.log2(each)));
    const watches = new Map(
      unknown.map((id) => [id, this.#kept.startFill(id, [peopleTopic, blogTopic(id), rightsTopic(id)])]),
    );
    try {
      for (const [id, lists] of await read(unknown, asked)) {
        found.set(id, lists);
        watches.get(id)?.store({ ...lists, each: asked });
      }
    } finally {
      for (const watch of watches.values()) watch.end();
    }
    return found;
  }
}
