import type { Query, QueryClient } from "@tanstack/react-query";
import type { LiveEvent, LiveMessage, TopicName } from "../../../shared/live.ts";
import type { OptimisticEvent, OptimisticLayer } from "../mutations/optimistic-mutations.ts";
import { Incomplete, REFETCH } from "./live-query.ts";
import type { EventContext, LiveQueries, LiveQuery } from "./live-query.ts";

/** The query cache in two layers: each query's data as the server has it, and over it the viewer's optimistic changes. */
export class LayeredCache {
  readonly #queryClient: QueryClient;
  /** The data of both layers for queries with optimistic changes; `shown` is what the cache holds. */
  readonly #layers = new WeakMap<Query, { server: unknown; shown: unknown }>();
  readonly #onShown: () => void;
  #queries: LiveQueries;
  #optimistic: readonly OptimisticLayer[] = [];
  /** The signed-in person's id; null for a guest. */
  viewerId: string | null = null;
  /** Set while this class itself writes into the query cache. */
  isWriting = false;

  /** Calls `onShown` whenever it has changed the data in the query cache. */
  constructor(queryClient: QueryClient, queries: LiveQueries, onShown: () => void) {
    this.#queryClient = queryClient;
    this.#queries = queries;
    this.#onShown = onShown;
  }

  register(queries: LiveQueries): void {
    this.#queries = { ...this.#queries, ...queries };
  }

  liveQueryOf({ queryKey }: Query): LiveQuery | undefined {
    const [path] = queryKey;
    return Array.isArray(path) ? this.#queries[path.join(".")] : undefined;
  }

  topicsOf(query: Query, live: LiveQuery): TopicName[] {
    const { data } = query.state;
    if (data === undefined || data === null) return [];
    const topics = live.topics(data, inputOf(query)).filter((topic) => topic !== false);
    return this.viewerId !== null ? topics : topics.filter((topic) => topic !== "me");
  }

  /** Returns the query's data without optimistic changes. */
  serverData(query: Query): unknown {
    const layered = this.#layers.get(query);
    return layered && layered.shown === query.state.data ? layered.server : query.state.data;
  }

  /** Takes the data that is in the cache as the server's; with `merged`, merges it with the data before. */
  setServerData(query: Query, live: LiveQuery, merged: boolean): void {
    const { data } = query.state;
    const before = this.#layers.get(query)?.server;
    const server = merged && live.merge && before ? live.merge(before, data, inputOf(query)) : data;
    this.#layers.set(query, { server, shown: data });
  }

  /** Replaces the optimistic changes, oldest first, and shows the outcome. */
  setLayers(layers: readonly OptimisticLayer[]): void {
    this.#optimistic = layers;
    for (const query of this.#queryClient.getQueryCache().getAll()) {
      const live = this.liveQueryOf(query);
      if (live) this.show(query, live, this.serverData(query));
    }
  }

  /** Writes the server's data into the query cache, with the optimistic changes applied. */
  show(query: Query, live: LiveQuery, server: unknown): void {
    let shown = server;
    for (const { events } of this.#optimistic)
      for (const { topic, event } of events)
        shown = resultOf(this.apply(live, query, shown, topic, event, true), shown);
    if (shown !== query.state.data) {
      const { isInvalidated, dataUpdatedAt } = query.state;
      this.isWriting = true;
      shown = this.#queryClient.setQueryData(query.queryKey, shown, { updatedAt: dataUpdatedAt });
      this.isWriting = false;
      if (isInvalidated) query.invalidate();
      this.#onShown();
    }
    this.#layers.set(query, { server, shown });
  }

  /** Returns what the layer's events make of the query, leaving out those that change nothing. */
  changesOf(query: Query, { events }: OptimisticLayer): unknown[] {
    const live = this.liveQueryOf(query);
    if (!live) return [];
    const server = this.serverData(query);
    return events
      .map(({ topic, event }) => this.apply(live, query, server, topic, event, true))
      .filter((after) => after !== server);
  }

  /** Applies an event. Returns the new data, the same data, `Incomplete` data or `REFETCH`. */
  apply(
    live: LiveQuery,
    query: Query,
    data: unknown,
    topic: LiveMessage["topic"],
    event: LiveEvent | OptimisticEvent,
    isOptimistic: boolean,
  ): unknown {
    const handle = live.on[event.kind] as
      | ((data: unknown, event: LiveEvent | OptimisticEvent, context: EventContext<unknown>) => unknown)
      | undefined;
    if (!handle || data === undefined || data === null) return data;
    const input = inputOf(query);
    // The stream's events were matched with the query's topics already; optimistic ones were not.
    if (isOptimistic && topic !== "" && topic !== "me" && !live.topics(data, input).includes(topic))
      return data;
    return handle(data, event, { input, topic, isOptimistic, viewerId: this.viewerId });
  }
}

/** Returns the data to show after a handler has returned `after` for `before`. */
export function resultOf(after: unknown, before: unknown): unknown {
  if (after instanceof Incomplete) return after.data;
  return after === REFETCH ? before : after;
}

export const inputOf = ({ queryKey }: Query): unknown =>
  (queryKey[1] as { input?: unknown } | undefined)?.input ?? {};
