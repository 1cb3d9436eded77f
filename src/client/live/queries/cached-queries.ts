import type { Query, QueryClient, QueryKey, QueryOptions } from "@tanstack/react-query";
import { parseCursor } from "../../../shared/cursor.ts";
import type { MutationContext, OptimisticLayer } from "../mutations/optimistic-mutations.ts";
import { inputOf, resultOf } from "./layered-cache.ts";
import type { LayeredCache } from "./layered-cache.ts";
import { Incomplete, REFETCH } from "./live-query.ts";
import type { LiveQuery } from "./live-query.ts";
import { isAccessChange } from "./received-events.ts";
import type { ReceivedEvent, ReceivedEvents } from "./received-events.ts";

/** The shortest time between two delayed fetches of one query, in milliseconds. */
const SHORTEST_INTERVAL = 1_000;

interface Options {
  /** For live queries with a `refetch` of their own. */
  client: MutationContext["client"] | undefined;
  random: () => number;
  /** Called when an answer for a shown query has arrived. */
  onFetched: () => void;
  /** Called when an answer that an event asked for has arrived. */
  onRefetched: () => void;
}

/** The live queries in the cache, each with its place in the event log: later events are applied to it, once each. */
export class CachedQueries {
  readonly #queryClient: QueryClient;
  readonly #cache: LayeredCache;
  readonly #received: ReceivedEvents;
  readonly #options: Options;
  /** The place up to which each query's data holds the events: its cursor at first. */
  readonly #positions = new WeakMap<Query, number>();
  /** Queries that an event has asked for and that have not been answered yet. */
  readonly #awaited = new WeakSet<Query>();
  /** Queries that a click wants as they are now: their answer replaces the data, whatever events ask meanwhile. */
  readonly #replacing = new WeakSet<Query>();
  /** Queries to be fetched by `refetchVisible`, until something else asks for them. */
  readonly #visibleOnly = new WeakSet<Query>();
  /** Queries whose data was read by the viewer before. */
  readonly #ofPreviousViewer = new WeakSet<Query>();
  /** The time of each query's last or next delayed fetch. */
  readonly #fetchTimes = new WeakMap<Query, number>();

  constructor(queryClient: QueryClient, cache: LayeredCache, received: ReceivedEvents, options: Options) {
    this.#queryClient = queryClient;
    this.#cache = cache;
    this.#received = received;
    this.#options = options;
  }

  all(): Query[] {
    return this.#queryClient.getQueryCache().getAll();
  }

  positionOf(query: Query): number | undefined {
    return this.#positions.get(query);
  }

  /** Handles a new answer: it is as old as its cursor, so events received since then are applied to it. */
  onFetched(query: Query): void {
    const live = this.#cache.liveQueryOf(query);
    const { data } = query.state;
    if (!live || data === undefined || data === null) return;
    const place = parseCursor((data as { cursor?: string }).cursor);
    if (!place) return;
    this.#received.epoch ??= place.epoch;
    this.#ofPreviousViewer.delete(query);
    const wasAwaited = this.#awaited.delete(query);
    const isReplacing = this.#replacing.delete(query);
    this.#cache.setServerData(query, live, wasAwaited && !isReplacing);
    this.#positions.set(query, place.seq);
    if (place.epoch === this.#received.epoch && this.isCurrent(query, live))
      for (const received of this.#received.events) this.applyEvent(query, received);
    this.#cache.show(query, live, this.#cache.serverData(query));
    if (wasAwaited) this.#options.onRefetched();
    if (query.isActive()) this.#options.onFetched();
  }

  /** Applies an event unless the query's data holds it; with `isAnyPlace` also one at the place of the data itself. */
  applyEvent(query: Query, { seq, topic, event }: ReceivedEvent, isAnyPlace = false): void {
    const live = this.#cache.liveQueryOf(query);
    const position = this.#positions.get(query);
    if (!live || position === undefined || (seq <= position && !isAnyPlace)) return;
    if (topic !== "" && !this.#cache.topicsOf(query, live).includes(topic)) return;
    if (!this.isCurrent(query, live)) return;
    const before = this.#cache.serverData(query);
    const after =
      event.kind === "accessRestored" && !live.on.accessRestored
        ? REFETCH
        : this.#cache.apply(live, query, before, topic, event, false);
    this.#positions.set(query, Math.max(seq, position));
    const result = resultOf(after, before);
    if (result !== before) this.#cache.show(query, live, result);
    if (after === REFETCH || after instanceof Incomplete)
      this.scheduleRefetch(query, Math.max(("jitterMs" in event && event.jitterMs) || 0, live.jitterMs ?? 0));
  }

  applyToAll(received: ReceivedEvent): void {
    for (const query of this.all()) this.applyEvent(query, received, isAccessChange(received.event));
  }

  /** Whether every event since the query's data was read has been received or will be. */
  isCurrent(query: Query, live: LiveQuery): boolean {
    const position = this.#positions.get(query);
    return position !== undefined && this.#received.covers(this.#cache.topicsOf(query, live), position);
  }

  /** Moves all current queries forward to `seq`, up to which every event has been applied to them. */
  advance(seq: number): void {
    for (const query of this.all()) {
      const live = this.#cache.liveQueryOf(query);
      if (live && this.isCurrent(query, live))
        this.#positions.set(query, Math.max(seq, this.#positions.get(query) ?? 0));
    }
  }

  /** The stream started over without the events since then: all queries are fetched. */
  reset(seq: number, jitterMs: number): void {
    for (const query of this.all()) {
      const live = this.#cache.liveQueryOf(query);
      if (!live || query.state.data === undefined) continue;
      const isVisibleOnly = live.refetchVisible !== undefined && !this.#awaited.has(query);
      this.scheduleRefetch(query, jitterMs);
      if (!isVisibleOnly) continue;
      this.#visibleOnly.add(query);
      this.#positions.set(query, seq);
    }
  }

  /** Another person has signed in: no data that is shown now is merged into their answers. */
  changeViewer(): void {
    for (const query of this.all()) this.#ofPreviousViewer.add(query);
  }

  /** Fetches a query that is too far behind to receive all events since, and sets its place to `seq`. */
  skipTo(query: Query, seq: number): void {
    this.#positions.set(query, seq);
    this.scheduleRefetch(query, 0);
  }

  /** Puts an answer into the cache that came with a mutation. */
  setAnswer(queryKey: QueryKey, answer: unknown): void {
    const cache = this.#queryClient.getQueryCache();
    const before = cache.find({ queryKey, exact: true });
    const place = parseCursor((answer as { cursor?: string } | null)?.cursor);
    // A newer answer may have arrived first.
    const position = before && this.#positions.get(before);
    if (place && place.epoch === this.#received.epoch && position !== undefined && position > place.seq)
      return;
    if (before) this.#awaited.delete(before);
    this.#queryClient.setQueryData(queryKey, answer);
    this.onFetched(cache.find({ queryKey, exact: true })!);
  }

  /** Fetches a query and shows the answer itself instead of merging it; for changes that wait behind a button. */
  async refetchNow(queryKey: QueryKey): Promise<void> {
    const query = this.#queryClient.getQueryCache().find({ queryKey, exact: true });
    if (!query) return;
    this.#awaited.delete(query);
    this.#replacing.add(query);
    await this.#refetch(query).finally(() => this.#replacing.delete(query));
  }

  /**
   * Updates a query with data that was read beside the cache at `cursor`, then applies the events since then to all of it.
   * Returns false, and changes nothing, where some of these events are not known.
   */
  updateAt<Data>(queryKey: QueryKey, cursor: string, update: (data: Data) => Data): boolean {
    const query = this.#queryClient.getQueryCache().find({ queryKey, exact: true });
    const live = query && this.#cache.liveQueryOf(query);
    const place = parseCursor(cursor);
    if (!live || !place || query.state.data === undefined || place.epoch !== this.#received.epoch)
      return false;
    const topics = this.#cache.topicsOf(query, live);
    if (!this.#received.covers(topics, place.seq)) return false;
    let data: unknown = update(this.#cache.serverData(query) as Data);
    let isIncomplete = false;
    for (const { seq, topic, event } of this.#received.events) {
      if (seq <= place.seq || (topic !== "" && !topics.includes(topic))) continue;
      const after = this.#cache.apply(live, query, data, topic, event, false);
      isIncomplete ||= after === REFETCH || after instanceof Incomplete;
      data = resultOf(after, data);
    }
    this.#cache.show(query, live, data);
    if (isIncomplete) this.scheduleRefetch(query, 0);
    // Topics that the update added were not followed: the stream has to go back to `cursor` for them. Events that are applied
    // twice change nothing.
    const isWider = this.#cache.topicsOf(query, live).some((topic) => !topics.includes(topic));
    const position = this.#positions.get(query);
    if (isWider && position !== undefined) this.#positions.set(query, Math.min(position, place.seq));
    return true;
  }

  /** Fetches every query that this optimistic change touches: the server sent no events for it. */
  refetchAffected(layer: OptimisticLayer): void {
    for (const query of this.all())
      if (this.#cache.changesOf(query, layer).length > 0) this.scheduleRefetch(query, 0);
  }

  /** Whether a shown query that this optimistic change touches is being fetched, since the events said only part of it. */
  awaitsRefetch(layer: OptimisticLayer): boolean {
    return this.all().some(
      (query) =>
        this.#awaited.has(query) &&
        query.isActive() &&
        this.#cache.changesOf(query, layer).some((after) => after !== REFETCH),
    );
  }

  /**
   * Fetches a query after a random delay of at most `jitterMs` milliseconds, if it is shown by then. Further calls in that time
   * cause no further fetch, so that many pages together ask no more often than for one event.
   */
  scheduleRefetch(query: Query, jitterMs: number): void {
    query.invalidate();
    this.#visibleOnly.delete(query);
    this.#awaited.add(query);
    const fetchIfShown = (): void => {
      if (query.isActive() && query.state.isInvalidated) void this.#refetch(query).catch(() => undefined);
    };
    if (jitterMs === 0) return queueMicrotask(fetchIfShown);
    // Not Date.now(): the device's clock may be set back.
    const now = performance.now();
    const scheduled = this.#fetchTimes.get(query) ?? -Infinity;
    if (scheduled > now) return;
    const next = Math.max(
      now + this.#options.random() * jitterMs,
      scheduled + Math.max(jitterMs, SHORTEST_INTERVAL),
    );
    this.#fetchTimes.set(query, next);
    setTimeout(fetchIfShown, next - now);
  }

  #refetch(query: Query): Promise<unknown> {
    const live = this.#cache.liveQueryOf(query);
    const refetch = this.#visibleOnly.delete(query)
      ? (((client, _input, shown) => live!.refetchVisible!(client, shown)) satisfies LiveQuery["refetch"])
      : live?.refetch;
    const { client } = this.#options;
    const { options } = query.observers.find((observer) => observer.options.queryFn) ?? query;
    const { queryFn } = options;
    const fetchOptions: QueryOptions =
      refetch && client && typeof queryFn === "function"
        ? {
            ...options,
            // React Query keeps this function for later fetches: another viewer's answer must not start from what is shown.
            queryFn: (context) =>
              this.#ofPreviousViewer.has(query)
                ? queryFn(context)
                : refetch(client, inputOf(query), () => this.#cache.serverData(query)),
          }
        : options;
    return query.fetch(fetchOptions, { cancelRefetch: true });
  }
}
