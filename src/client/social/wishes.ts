/** How a switch stands: whether the person turned it on, and how many people did; null where that is not told. */
export interface Standing {
  on: boolean;
  count: number | null;
}

interface Wish {
  wanted: boolean;
  /** What the server last said, before it is asked for what is wanted. */
  from: Standing;
  /** The newest count that the live stream brought since then. */
  heard: number | undefined;
}

/**
 * What the person wants of switches (like, save, follow), for as long as the server does not have it yet. A switch shows
 * the wish at once; one request at a time is under way for it, and another follows only where the wish has changed
 * meanwhile, so that twenty fast clicks end in the right state. Where a request fails the wish is dropped, and with it
 * nothing but the own change: what others did stands in the cache.
 */
export class Wishes {
  #open = new Map<string, Wish>();
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  get(key: string): Wish | undefined {
    return this.#open.get(key);
  }

  /** Somebody else is signed in, or nobody: what the one before wanted is shown, asked for and kept no more. */
  forget(): void {
    this.#open = new Map();
    for (const listener of this.#listeners) listener();
  }

  /** The live stream told of a count: it holds back while a wish is open, so that the own change never counts twice. */
  heard(key: string, count: number): void {
    const wish = this.#open.get(key);
    if (wish) this.#change(key, { ...wish, heard: count });
  }

  /**
   * Turns a switch. `send` asks the server for the wanted state and answers with how it stands then; `settled` puts that
   * into the cache. Rejects where the server refuses or can't be reached; a wish added to one that is under way resolves
   * at once.
   */
  async want(
    key: string,
    wanted: boolean,
    now: Standing,
    send: (on: boolean) => Promise<Standing>,
    settled: (standing: Standing) => void,
  ): Promise<void> {
    const open = this.#open.get(key);
    if (open) {
      this.#change(key, { ...open, wanted });
      return;
    }
    if (now.on === wanted) return;
    const mine = this.#open;
    this.#change(key, { wanted, from: now, heard: undefined });
    try {
      for (let wish = this.#open.get(key); wish && wish.wanted !== wish.from.on; wish = this.#open.get(key)) {
        const asked = wish.wanted;
        const answer = await send(asked);
        if (this.#open !== mine) return;
        const after = mine.get(key) ?? wish;
        // The answer and the stream come by different ways. What the stream said is at least as new, or is followed by
        // the event of this very change.
        const standing = { on: answer.on, count: after.heard ?? answer.count };
        this.#change(key, { ...after, from: standing, heard: undefined });
        settled(standing);
        if (answer.on !== asked) break;
      }
    } finally {
      if (this.#open === mine) this.#change(key, undefined);
    }
  }

  #change(key: string, wish: Wish | undefined): void {
    if (wish) this.#open.set(key, wish);
    else this.#open.delete(key);
    for (const listener of this.#listeners) listener();
  }
}

/** How a switch shows: the server's word, or the wish where one is open. */
export function shownStanding(standing: Standing, wish: Pick<Wish, "wanted" | "from"> | undefined): Standing {
  if (!wish) return standing;
  const { from, wanted } = wish;
  if (from.on === wanted || from.count === null) return { on: wanted, count: from.count };
  return { on: wanted, count: Math.max(0, from.count + (wanted ? 1 : -1)) };
}
