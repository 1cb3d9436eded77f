import { LRUCache } from "lru-cache";
import { blogTopic, peopleTopic, rightsTopic } from "../live/facts.ts";

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
  stops: (() => void)[];
}

interface Doorbell {
  listen(topic: string, wake: () => void): () => void;
}

/** Ids in memory: some ten megabytes. */
const most = 100_000;

/** Lists of ids that stand in cards: read once, and again when something of the blog rings, or who shows what. */
export class KeptLists {
  readonly #bell: Doorbell;
  readonly #kept: LRUCache<string, Kept>;

  constructor(bell: Doorbell) {
    this.#bell = bell;
    this.#kept = new LRUCache({
      maxSize: most,
      sizeCalculation: ({ likes, saves, comments }) => likes.length + saves.length + comments.length + 5,
      ttl: 60_000,
      dispose: ({ stops }) => {
        for (const stop of stops) stop();
      },
    });
    // Who shows what may be in all of them.
    bell.listen(peopleTopic, () => this.#kept.clear());
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
    const rung = new Set<string>();
    let isOld = false;
    // Listen before reading: what is committed meanwhile rings.
    const stopPeople = this.#bell.listen(peopleTopic, () => {
      isOld = true;
    });
    const stops = new Map(
      unknown.map((id) => {
        const drop = () => {
          rung.add(id);
          this.#kept.delete(id);
        };
        return [id, [blogTopic(id), rightsTopic(id)].map((topic) => this.#bell.listen(topic, drop))];
      }),
    );
    try {
      for (const [id, lists] of await read(unknown, asked)) {
        found.set(id, lists);
        if (isOld || rung.has(id)) continue;
        this.#kept.set(id, { ...lists, each: asked, stops: stops.get(id) ?? [] });
        stops.delete(id);
      }
    } finally {
      stopPeople();
      for (const stop of [...stops.values()].flat()) stop();
    }
    return found;
  }
}
