import type { Bus } from "../live/bus.ts";
import { blogTopic } from "../live/stored-events.ts";
import { peopleTopic, rightsTopic } from "../live/signals.ts";
import { SignalCache } from "../live/signal-cache.ts";

/** Of a blog the newest people and comments, as guests may know them. `closed` are those whom followers of theirs may know, too. */
export interface Lists {
  likes: string[];
  saves: string[];
  comments: string[];
  closed: { likes: string[]; saves: string[] };
}
interface Kept extends Lists {
  /** So many of each were asked for. */
  each: number;
}

/** Ids in memory: some ten megabytes. */
const most = 100_000;
/** What an entry weighs beside its ids. More than 5,000 would hold the thread for long when all of them are dropped. */
const weight = 20;

/** Lists of ids that stand in cards: read once, and again when something of the blog is signalled, or who shows what. */
export class KeptLists {
  readonly #kept: SignalCache<Kept>;

  constructor(bus: Pick<Bus, "listen">) {
    this.#kept = new SignalCache(bus, {
      maxSize: most,
      sizeOf: ({ likes, saves, comments }) => likes.length + saves.length + comments.length + weight,
    });
  }

  /** At least the newest `each` of these blogs; `read` reads what is not known. */
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
    // Not a little less each time that an answer has room for a little more.
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
