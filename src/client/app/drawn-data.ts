import type { QueryKey, useQuery } from "@tanstack/react-query";
import { documentKey } from "../api/document.ts";
import { named } from "../api/named.ts";
import { keyOf } from "../api/trpc.ts";
import type { Data } from "../api/trpc.ts";

/** Asks the API by a procedure's name, `"blogs.list"`. Rejects as its client does. */
export type Ask = (path: string, input: unknown) => Promise<unknown>;

interface Drawn {
  queryKey: QueryKey;
  asked: Promise<unknown>;
  data?: unknown;
  error: Error | null;
}

/**
 * The cache of a page that is drawn on the server: each question of its `prefetch` is asked once, and the components find
 * what came of it. TanStack Query's is made for answers that change while they are shown: to fill it, and to look into it
 * from every button, takes longer than most of the questions.
 */
export class DrawnData {
  readonly data: Data;
  readonly #ask: Ask;
  readonly #known = new Map<string, Drawn>();

  constructor(ask: Ask) {
    this.#ask = ask;
    // Whether it is fetched or ensured: there is nothing older.
    this.data = named((path, _act, input?: unknown) => this.#answer(path, input)) as Data;
  }

  /** All that was answered. */
  get answers(): [key: QueryKey, data: unknown][] {
    return [...this.#known.values()].flatMap(({ queryKey, data }): [QueryKey, unknown][] =>
      data === undefined ? [] : [[queryKey, data]],
    );
  }

  /** A document, asked for by `load`. */
  document(path: string, load: (path: string) => Promise<unknown>): Promise<unknown> {
    return this.#keep(documentKey(path), () => load(path));
  }

  /** In place of `useQuery`, for what is drawn with this data. */
  readonly useCached = (({
    queryKey,
    select,
  }: {
    queryKey: QueryKey;
    select?: (data: unknown) => unknown;
  }) => {
    const { data, error = null } = this.#known.get(nameOf(queryKey)) ?? {};
    const shown = data === undefined || !select ? data : select(data);
    return { data: shown, error, isFetching: false, refetch: notHere };
  }) as unknown as typeof useQuery;

  #answer(path: readonly string[], input: unknown): Promise<unknown> {
    return this.#keep(keyOf(path, input), () => this.#ask(path.join("."), input));
  }

  #keep(queryKey: QueryKey, ask: () => Promise<unknown>): Promise<unknown> {
    const name = nameOf(queryKey);
    let drawn = this.#known.get(name);
    if (!drawn) {
      const made: Drawn = { queryKey, asked: ask(), error: null };
      made.asked.then(
        (data) => (made.data = data),
        (error: Error) => (made.error = error),
      );
      this.#known.set(name, (drawn = made));
    }
    return drawn.asked;
  }
}

const nameOf = (queryKey: QueryKey): string => JSON.stringify(queryKey);

function notHere(): never {
  throw new Error("The server draws a page; it asks for nothing anew.");
}
