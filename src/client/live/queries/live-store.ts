import type { QueryClient } from "@tanstack/react-query";
import { parseCursor } from "../../../shared/cursor.ts";
import type { LiveMessage, TopicName } from "../../../shared/live.ts";
import type { LiveConnection, LiveConnectionHandlers } from "../connection/live-connection.ts";
import type { MutationContext, OptimisticLayer } from "../mutations/optimistic-mutations.ts";
import { setServerTime } from "../../ui/clock.ts";
import type { LiveSubscription } from "../connection/transport.ts";
import { CachedQueries } from "./cached-queries.ts";
import { LayeredCache } from "./layered-cache.ts";
import type { LiveQueries } from "./live-query.ts";
import { isAccessChange, LostTopics, ReceivedEvents } from "./received-events.ts";

/** The part of the connection that the store uses. */
export type StoreConnection = Pick<LiveConnection, "follow" | "restart">;

type Message = Parameters<LiveConnectionHandlers["onMessage"]>[0];

interface Options {
  /** For live queries with a `refetch` of their own. */
  client?: MutationContext["client"];
  /** For tests: the milliseconds over which events are gathered, and the source of chance. */
  gather?: number;
  random?: () => number;
}

/** A query that is further behind than this number of events is fetched again instead of receiving them. */
const MOST_BEHIND = 5_000;
/** The number of topics that stay followed although nothing shows them any more. */
const IDLE_TOPICS = 60;

/**
 * Keeps every query in the tab's cache as a fresh load would show it (docs/decisions/0007-event-log-and-live-store.md): follows
 * the topics of what is shown over one connection, and applies each event once and in order to the queries whose live query
 * handles it.
 */
export class LiveStore {
  /** The queries that are kept current, to fetch them or to put answers into them. */
  readonly queries: CachedQueries;
  readonly #queryClient: QueryClient;
  readonly #connection: StoreConnection;
  readonly #gather: number;
  readonly #received = new ReceivedEvents();
  readonly #lostTopics = new LostTopics();
  readonly #cache: LayeredCache;
  /** Topics that components follow without a query, with the number of followers. */
  readonly #followed = new Map<TopicName, number>();
  readonly #listeners = new Set<(message: LiveMessage) => void>();
  /** The place from which the stream continues: before `#received.position` while it repeats events for an older query. */
  #resume: number | undefined;
  #messages: Message[] = [];
  #isGathering = false;
  #isScheduled = false;
  #hasViewer = false;
  #onAdvanced: (seq: number) => void = () => undefined;
  #onUnauthorized: () => void = () => undefined;

  constructor(
    queryClient: QueryClient,
    queries: LiveQueries,
    connection: StoreConnection,
    { client, gather = 8, random = Math.random }: Options = {},
  ) {
    this.#queryClient = queryClient;
    this.#connection = connection;
    this.#gather = gather;
    this.#cache = new LayeredCache(queryClient, queries, () => this.#schedule());
    this.queries = new CachedQueries(queryClient, this.#cache, this.#received, {
      client,
      random,
      onFetched: () => this.#schedule(),
      onRefetched: () => this.#reportProgress(),
    });
  }

  /**
   * Starts with what is in the cache and what arrives there. Calls `onAdvanced` with the place up to which events have been applied, and
   * `onUnauthorized` when the viewer's own topic was refused.
   */
  start(onAdvanced: (seq: number) => void, onUnauthorized: () => void): void {
    this.#onAdvanced = onAdvanced;
    this.#onUnauthorized = onUnauthorized;
    for (const query of this.queries.all()) this.queries.onFetched(query);
    this.#queryClient.getQueryCache().subscribe(({ type, query, ...rest }) => {
      if (this.#cache.isWriting) return;
      if (type === "updated" && "action" in rest) {
        const { action } = rest;
        // Data that other code puts into the cache becomes live, too.
        if (action.type === "success" && (!action.manual || this.queries.positionOf(query) === undefined))
          this.queries.onFetched(query);
      }
      if (type === "observerAdded" || type === "observerRemoved" || type === "observerOptionsUpdated")
        this.#schedule();
    });
    this.#connection.follow(() => this.#subscription(), {
      onStart: () => this.#lostTopics.onStart(),
      onMessage: (message) => this.#gatherMessage(message),
      onUnauthorized: () => this.#onUnauthorized(),
    });
    this.#schedule();
  }

  /** Adds live queries, also for data that is in the cache already. */
  register(queries: LiveQueries): void {
    this.#cache.register(queries);
    for (const query of this.queries.all())
      if (this.queries.positionOf(query) === undefined) this.queries.onFetched(query);
  }

  /** Sets the signed-in person, whose own topic is followed, or null for a guest. Drops what another viewer received. */
  setViewer(viewerId: string | null): void {
    if (this.#hasViewer) this.queries.changeViewer();
    this.#hasViewer = true;
    this.#cache.viewerId = viewerId;
    this.#received.clear();
    this.#lostTopics.clear();
    this.#messages = [];
    this.#resume = undefined;
    this.#schedule();
  }

  /** Follows a topic that belongs to no query. Returns a function that stops. */
  followTopic(topic: TopicName): () => void {
    this.#followed.set(topic, (this.#followed.get(topic) ?? 0) + 1);
    this.#schedule();
    return () => {
      const left = (this.#followed.get(topic) ?? 1) - 1;
      if (left > 0) this.#followed.set(topic, left);
      else this.#followed.delete(topic);
      this.#schedule();
    };
  }

  /** Calls `listener` for each event, once, after it was applied. Returns a function that stops. */
  listen(listener: (message: LiveMessage) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Replaces the optimistic changes over the server's data, oldest first. */
  setLayers(layers: readonly OptimisticLayer[]): void {
    this.#cache.setLayers(layers);
  }

  /** Whether every event up to this cursor was applied. */
  hasReached(cursor: string | undefined): boolean {
    const place = parseCursor(cursor);
    const { epoch, position = -1 } = this.#received;
    return place === undefined || (place.epoch === epoch && position >= place.seq);
  }

  #subscription(): LiveSubscription | null {
    const { topics, epoch } = this.#received;
    if (topics.length === 0) return null;
    const since = epoch === undefined || this.#resume === undefined ? undefined : `${epoch}.${this.#resume}`;
    return { topics, since };
  }

  /** Gathers the messages of a moment, so that the events of one change are rendered together. */
  #gatherMessage(message: Message): void {
    this.#messages.push(message);
    if (this.#isGathering) return;
    this.#isGathering = true;
    setTimeout(() => {
      this.#isGathering = false;
      this.flush();
    }, this.#gather);
  }

  /** Applies the gathered messages. */
  flush(): void {
    const messages = this.#messages;
    this.#messages = [];
    for (const message of messages) this.#apply(message);
    if (messages.length > 0) this.#reportProgress();
  }

  #reportProgress(): void {
    if (this.#received.position !== undefined) this.#onAdvanced(this.#received.position);
  }

  #apply({ cursor, topic, event }: Message): void {
    const place = parseCursor(cursor);
    if (!place) return;
    const { epoch, seq, isPartial } = place;
    const received = this.#received;
    const notify = (): void => {
      for (const listener of this.#listeners) listener({ topic, event });
    };
    // These are not in the event log: they have no place in its order.
    if (event.kind === "presence" || event.kind === "writers") return notify();
    if (event.kind === "reset" || (received.epoch !== undefined && epoch !== received.epoch)) {
      received.reset(epoch, seq);
      this.queries.reset(seq, event.kind === "reset" ? event.jitterMs : 0);
    }
    received.epoch = epoch;
    this.#resume = isPartial ? seq - 1 : seq;
    for (const restored of this.#lostTopics.onEvent(topic, event))
      this.#apply({ cursor, topic: restored, event: { kind: "accessRestored" } });
    // Events that are repeated for an older query were announced before.
    const isNew = received.position === undefined || seq > received.position || isAccessChange(event);
    if (event.kind === "reset") return notify();
    if (event.kind === "checkpoint") setServerTime(event.now);
    else {
      received.add({ seq, topic, event });
      this.queries.applyToAll({ seq, topic, event });
    }
    if (received.position === undefined || seq > received.position) received.position = seq;
    if (isNew) notify();
  }

  /** Follows what is shown once for all changes of this turn. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setTimeout(() => {
      this.#isScheduled = false;
      this.#followShown();
    }, 0);
  }

  #followShown(): void {
    // The gathered messages belong to the topics followed until now.
    this.flush();
    const received = this.#received;
    const topics = new Set<TopicName>(this.#followed.keys());
    if (this.#cache.viewerId !== null) topics.add("me");
    let since = this.#resume;
    let isBehind = false;
    for (const query of this.queries.all()) {
      const live = this.#cache.liveQueryOf(query);
      if (!live || query.state.data === undefined || !query.isActive()) continue;
      for (const topic of this.#cache.topicsOf(query, live)) topics.add(topic);
      const position = this.queries.positionOf(query);
      if (position === undefined || this.queries.isCurrent(query, live)) continue;
      if (received.position !== undefined && received.position - position > MOST_BEHIND) {
        this.queries.skipTo(query, received.position);
        continue;
      }
      isBehind = true;
      if (since === undefined || position < since) since = position;
    }
    const before = received.topics;
    const hasNew = [...topics].some((topic) => !before.includes(topic));
    const left = before.filter((topic) => !topics.has(topic));
    // Presence ends at once: a person who left a page must not be counted there.
    const leftPresence = left.filter((topic) => /^(reading|here|looking)/.test(topic));
    if (!hasNew && !isBehind && leftPresence.length === 0 && before.length <= IDLE_TOPICS) return;
    if (topics.size === 0 && before.length === 0) return;
    // Without a query there is no place to start from: events until the first answer would be missed.
    if (since === undefined && this.#followed.size === 0) return;
    this.queries.advance(Math.min(received.position ?? 0, this.#resume ?? Infinity));
    received.unfollow(before.length + topics.size > IDLE_TOPICS || hasNew ? left : leftPresence);
    received.follow(topics, since ?? 0);
    this.#resume = since;
    this.#connection.restart();
  }
}
