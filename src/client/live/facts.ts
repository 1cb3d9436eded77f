import type { Query, QueryClient } from "@tanstack/react-query";
import type { LiveEvent, LiveMessage, TopicName } from "../../shared/live.ts";
import { ask, Lacking } from "./kept.ts";
import type { About, Kept, KeptTable } from "./kept.ts";
import type { ForeseenEvent, Laid } from "./own.ts";

/** The server's word of each answer in the cache, and one's own changes over it, as the table's rows say. */
export class Facts {
  readonly #queryClient: QueryClient;
  /** The server's word of an answer that own changes lie over, and what the cache shows for it. */
  readonly #facts = new WeakMap<Query, { facts: unknown; shown: unknown }>();
  readonly #onShown: () => void;
  #table: KeptTable;
  #laid: readonly Laid[] = [];
  /** Whose tab this is; null for a guest's. */
  me: string | null = null;
  /** While it is the store itself that changes the cache. */
  isShowing = false;

  /** `onShown` hears that the cache shows something else. */
  constructor(queryClient: QueryClient, table: KeptTable, onShown: () => void) {
    this.#queryClient = queryClient;
    this.#table = table;
    this.#onShown = onShown;
  }

  keepAlso(rows: KeptTable): void {
    this.#table = { ...this.#table, ...rows };
  }

  rowOf({ queryKey }: Query): Kept | undefined {
    const [path] = queryKey;
    return Array.isArray(path) ? this.#table[path.join(".")] : undefined;
  }

  topicsOf(query: Query, row: Kept): TopicName[] {
    const { data } = query.state;
    if (data === undefined || data === null) return [];
    const topics = row.topics(data, inputOf(query)).filter((topic) => topic !== false);
    return this.me !== null ? topics : topics.filter((topic) => topic !== "me");
  }

  /** What the server has told of it. */
  of(query: Query): unknown {
    const known = this.#facts.get(query);
    return known && known.shown === query.state.data ? known.facts : query.state.data;
  }

  /** What is in the cache has come from the server: it takes the place of what was known, or is `merged` with it. */
  take(query: Query, row: Kept, merged: boolean): void {
    const { data } = query.state;
    const before = this.#facts.get(query)?.facts;
    const facts = merged && row.merge && before ? row.merge(before, data, inputOf(query)) : data;
    this.#facts.set(query, { facts, shown: data });
  }

  lay(laid: readonly Laid[]): void {
    this.#laid = laid;
    for (const query of this.#queryClient.getQueryCache().getAll()) {
      const row = this.rowOf(query);
      if (row) this.show(query, row, this.of(query));
    }
  }

  /** Puts the server's word into the cache, with one's own changes over it. */
  show(query: Query, row: Kept, facts: unknown): void {
    let shown = facts;
    for (const { events } of this.#laid)
      for (const { topic, event } of events)
        shown = outcome(this.apply(row, query, shown, topic, event, true), shown);
    if (shown !== query.state.data) {
      const { isInvalidated, dataUpdatedAt } = query.state;
      this.isShowing = true;
      shown = this.#queryClient.setQueryData(query.queryKey, shown, { updatedAt: dataUpdatedAt });
      this.isShowing = false;
      if (isInvalidated) query.invalidate();
      this.#onShown();
    }
    this.#facts.set(query, { facts, shown });
  }

  /** What an own change makes of an answer, where that is anything else. */
  changes(query: Query, { events }: Laid): unknown[] {
    const row = this.rowOf(query);
    if (!row) return [];
    const facts = this.of(query);
    return events
      .map(({ topic, event }) => this.apply(row, query, facts, topic, event, true))
      .filter((after) => after !== facts);
  }

  /** What an event makes of this data by the row: other data, the same, some that is `Lacking`, or `ask`. */
  apply(
    row: Kept,
    query: Query,
    data: unknown,
    topic: LiveMessage["topic"],
    event: LiveEvent | ForeseenEvent,
    own: boolean,
  ): unknown {
    const change = row.on[event.kind] as
      | ((data: unknown, event: LiveEvent | ForeseenEvent, about: About<unknown>) => unknown)
      | undefined;
    if (!change || data === undefined || data === null) return data;
    const input = inputOf(query);
    // Over an own change there is nothing to look up: its topic is where it happens.
    if (own && topic !== "" && topic !== "me" && !row.topics(data, input).includes(topic)) return data;
    return change(data, event, { input, topic, own, me: this.me });
  }
}

/** What stands after a row was applied to `facts`. */
export function outcome(after: unknown, facts: unknown): unknown {
  if (after instanceof Lacking) return after.data;
  return after === ask ? facts : after;
}

export const inputOf = ({ queryKey }: Query): unknown =>
  (queryKey[1] as { input?: unknown } | undefined)?.input ?? {};
