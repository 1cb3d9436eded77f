import type { Query, QueryClient, QueryKey, QueryOptions } from "@tanstack/react-query";
import type { LiveEvent, TopicName } from "../../shared/live.ts";
import { parseCursor } from "./cursor.ts";
import { ask, Lacking } from "./kept.ts";
import type { About, Kept, KeptTable } from "./kept.ts";
import type { LineHandlers } from "./line.ts";
import type { ForeseenEvent, Hands } from "./own.ts";

/** The line that the store listens through; `LiveLine` is the real one. */
export interface Line {
  follow(request: () => { topics: string[]; since: string | undefined } | null, handlers: LineHandlers): void;
  restart(): void;
}

/** A change of one's own, laid over what the server told: see `own.ts`. */
export interface Laid {
  /** What it is foreseen to do. */
  readonly events: readonly { topic: TopicName; event: LiveEvent | ForeseenEvent }[];
}

type Told = Parameters<LineHandlers["onTold"]>[0];
type AnyQuery = Query;

interface Entry {
  seq: number;
  topic: Told["topic"];
  event: LiveEvent;
}

interface Options {
  /** What rows ask with that ask again in their own way. */
  client?: Hands["client"];
  /** For tests: how long events are gathered, and chance. */
  gather?: number;
  random?: () => number;
}

/** Events that are kept to be applied to answers that come late. */
const LOG = 2_000;
/** Further behind than this an answer is asked for again, instead of having all that happened since told. */
const REACH = 5_000;
/** Topics that nothing shows any more are followed until there are so many. */
const IDLE_TOPICS = 60;

/**
 * Keeps every answer in the tab's query cache as a fresh load would show it (docs/decisions/0018): follows the topics of
 * what is shown over one line, and applies what it is told, once and in order, to each answer by the table's rows.
 */
export class LiveStore {
  readonly #queryClient: QueryClient;
  #table: KeptTable;
  readonly #line: Line;
  readonly #client: Hands["client"] | undefined;
  readonly #gather: number;
  readonly #random: () => number;
  /** As far as each answer holds what happened: its cursor, then what it was told. */
  readonly #positions = new WeakMap<AnyQuery, number>();
  /** The server's word of an answer that own changes lie over, and what the cache shows for it. */
  readonly #facts = new WeakMap<AnyQuery, { facts: unknown; shown: unknown }>();
  /** Answers that events asked for again, and that have not come yet. */
  readonly #asked = new WeakSet<AnyQuery>();
  /** Since where each followed topic has been heard without a gap. */
  readonly #followed = new Map<string, number>();
  /** Topics that may not be read, and those that the stream has named so since it began; undefined once it has gone on from there. */
  readonly #gone = new Set<TopicName>();
  #named: Set<TopicName> | undefined;
  /** Topics that something asks for without an answer in the cache. */
  readonly #wanted = new Map<TopicName, number>();
  readonly #listeners = new Set<(told: { topic: Told["topic"]; event: LiveEvent }) => void>();
  #log: Entry[] = [];
  #laid: readonly Laid[] = [];
  #epoch: string | undefined;
  /** The last place that was told of. */
  #at: number | undefined;
  /** Where the stream goes on: behind `at` while something is told again for an answer that is older. */
  #resume: number | undefined;
  #heard: Told[] = [];
  #gathering = false;
  #planned = false;
  #onPassed: (seq: number) => void = () => undefined;
  #onUnauthorized: () => void = () => undefined;
  #me: string | null = null;
  #applying = false;

  constructor(
    queryClient: QueryClient,
    table: KeptTable,
    line: Line,
    { client, gather = 8, random = Math.random }: Options = {},
  ) {
    this.#client = client;
    this.#queryClient = queryClient;
    this.#table = table;
    this.#line = line;
    this.#gather = gather;
    this.#random = random;
  }

  /**
   * Begins to keep what is and what comes into the cache. `onPassed` hears how far the stream has told; `onUnauthorized`
   * that the viewer's topic was refused.
   */
  start(onPassed: (seq: number) => void, onUnauthorized: () => void): void {
    this.#onPassed = onPassed;
    this.#onUnauthorized = onUnauthorized;
    const cache = this.#queryClient.getQueryCache();
    for (const query of cache.getAll()) this.#came(query);
    cache.subscribe(({ type, query, ...rest }) => {
      if (this.#applying) return;
      if (type === "updated" && "action" in rest) {
        const { action } = rest;
        // What somebody else puts there is kept from then on, too.
        if (action.type === "success" && (!action.manual || !this.#positions.has(query))) this.#came(query);
      }
      if (type === "observerAdded" || type === "observerRemoved" || type === "observerOptionsUpdated")
        this.#plan();
    });
    this.#line.follow(() => this.#request(), {
      onTold: (told) => this.#hear(told),
      onUnauthorized: () => this.#onUnauthorized(),
    });
    this.#plan();
  }

  /** Keeps these answers, too, from now on. */
  keepAlso(rows: KeptTable): void {
    this.#table = { ...this.#table, ...rows };
    for (const query of this.#queries()) if (!this.#positions.has(query)) this.#came(query);
  }

  /** Whose tab this is: somebody's (their own topic is followed) or a guest's. What was heard for another is forgotten. */
  become(viewerId: string | null): void {
    this.#me = viewerId;
    this.#forget();
    this.#plan();
  }

  /** Follows a topic that no answer in the cache stands for. Returns how to stop. */
  want(topic: TopicName): () => void {
    this.#wanted.set(topic, (this.#wanted.get(topic) ?? 0) + 1);
    this.#plan();
    return () => {
      const left = (this.#wanted.get(topic) ?? 1) - 1;
      if (left > 0) this.#wanted.set(topic, left);
      else this.#wanted.delete(topic);
    };
  }

  /** Calls `hear` for each event, once, after it was applied. Returns how to stop. */
  listen(hear: (told: { topic: Told["topic"]; event: LiveEvent }) => void): () => void {
    this.#listeners.add(hear);
    return () => void this.#listeners.delete(hear);
  }

  /** Own changes that lie over the server's facts, oldest first. */
  lay(laid: readonly Laid[]): void {
    this.#laid = laid;
    for (const query of this.#queries()) {
      const row = this.#rowOf(query);
      if (row) this.#show(query, row, this.#factsOf(query));
    }
  }

  /** Whether the stream has told of everything up to this cursor. */
  hasPassed(cursor: string | undefined): boolean {
    const place = parseCursor(cursor);
    return place === undefined || (place.epoch === this.#epoch && (this.#at ?? -1) >= place.seq);
  }

  /** Asks again for every answer that holds one of these own changes: the stream does not tell of them. */
  askAbout(laid: Laid): void {
    for (const query of this.#queries()) if (this.#changes(query, laid).length > 0) this.#askAgain(query, 0);
  }

  /** Whether an answer that is shown with this own change has to be asked for first: the stream does not tell all of it. */
  isAskedAbout(laid: Laid): boolean {
    return this.#queries().some(
      (query) =>
        this.#asked.has(query) &&
        query.isActive() &&
        this.#changes(query, laid).some((after) => after !== ask),
    );
  }

  /** What an own change makes of an answer, where that is anything else. */
  #changes(query: AnyQuery, { events }: Laid): unknown[] {
    const row = this.#rowOf(query);
    if (!row) return [];
    const facts = this.#factsOf(query);
    return events
      .map(({ topic, event }) => this.#apply(row, query, facts, topic, event, true))
      .filter((after) => after !== facts);
  }

  /** Puts an answer into the cache that came otherwise: that of a change, which is this query's, too. */
  take(queryKey: QueryKey, answer: unknown): void {
    const cache = this.#queryClient.getQueryCache();
    const before = cache.find({ queryKey, exact: true });
    const place = parseCursor((answer as { cursor?: string } | null)?.cursor);
    // A later one may have come before it.
    const known = before && this.#positions.get(before);
    if (place && place.epoch === this.#epoch && known !== undefined && known > place.seq) return;
    if (before) this.#asked.delete(before);
    this.#queryClient.setQueryData(queryKey, answer);
    this.#came(cache.find({ queryKey, exact: true })!);
  }

  /** Asks for an answer as it is now, whatever was shown before; for what waits behind a button. */
  async anew(queryKey: QueryKey): Promise<void> {
    const query = this.#queryClient.getQueryCache().find({ queryKey, exact: true });
    if (!query) return;
    this.#asked.delete(query);
    await this.#refetch(query);
  }

  /**
   * Adds what was read beside the cache, at `cursor`, to an answer that is kept there, and tells the whole of it what has
   * happened since: twice changes nothing. False, with nothing changed, where it is not known what that was.
   */
  join<Data>(queryKey: QueryKey, cursor: string, change: (facts: Data) => Data): boolean {
    const query = this.#queryClient.getQueryCache().find({ queryKey, exact: true });
    const row = query && this.#rowOf(query);
    const place = parseCursor(cursor);
    if (!row || !place || query.state.data === undefined || place.epoch !== this.#epoch) return false;
    if (!this.#isReached(query, row, place.seq)) return false;
    let facts: unknown = change(this.#factsOf(query) as Data);
    const topics = this.#topicsOf(query, row);
    for (const { seq, topic, event } of this.#log) {
      if (seq <= place.seq || (topic !== "" && !topics.includes(topic))) continue;
      const after = this.#apply(row, query, facts, topic, event, false);
      if (after instanceof Lacking) facts = after.data;
      else if (after !== ask) facts = after;
    }
    this.#show(query, row, facts);
    return true;
  }

  // The stream

  #request(): { topics: string[]; since: string | undefined } | null {
    if (this.#followed.size === 0) return null;
    this.#named = new Set();
    const since =
      this.#epoch === undefined || this.#resume === undefined ? undefined : `${this.#epoch}.${this.#resume}`;
    return { topics: [...this.#followed.keys()], since };
  }

  /** Events of one turn are applied together: what belongs to one change is drawn at once. */
  #hear(told: Told): void {
    this.#heard.push(told);
    if (this.#gathering) return;
    this.#gathering = true;
    setTimeout(() => {
      this.#gathering = false;
      this.flush();
    }, this.#gather);
  }

  /** Applies what was heard so far. */
  flush(): void {
    const heard = this.#heard;
    this.#heard = [];
    for (const told of heard) this.#take(told);
    if (heard.length > 0 && this.#at !== undefined) this.#onPassed(this.#at);
  }

  #take({ cursor, topic, event }: Told): void {
    const place = parseCursor(cursor);
    if (!place) return;
    const { epoch, seq, isPart } = place;
    if (event.kind === "reset" || (this.#epoch !== undefined && epoch !== this.#epoch))
      this.#reset(place, event.kind === "reset" ? event.spread : 0);
    this.#epoch = epoch;
    this.#resume = isPart ? seq - 1 : seq;
    this.#takeRight(cursor, topic, event);
    // Where it tells again for an older answer it goes on below `at`.
    const isNews = this.#at === undefined || seq > this.#at || isOfRights(event);
    if (event.kind !== "at" && event.kind !== "reset") {
      const entry = { seq, topic, event };
      this.#keep(entry);
      for (const query of this.#queries()) this.#tell(query, entry, isOfRights(event));
    }
    if (this.#at === undefined || seq > this.#at) this.#at = seq;
    if (isNews) for (const listener of this.#listeners) listener({ topic, event });
  }

  /** A stream names all that may not be read before it goes on: what was gone and is not named is back. */
  #takeRight(cursor: string, topic: Told["topic"], event: LiveEvent): void {
    if (topic !== "" && event.kind === "gone") {
      this.#gone.add(topic);
      this.#named?.add(topic);
    }
    if (topic !== "" && event.kind === "back") this.#gone.delete(topic);
    if (event.kind !== "at" || !this.#named) return;
    const named = this.#named;
    this.#named = undefined;
    for (const name of this.#gone)
      if (!named.has(name)) this.#take({ cursor, topic: name, event: { kind: "back" } });
  }

  /** The log is in the order of the stream. */
  #keep(entry: Entry): void {
    const behind = this.#log.findLastIndex(({ seq }) => seq <= entry.seq);
    const isKnown = this.#log.some(({ seq, topic }) => seq === entry.seq && topic === entry.topic);
    if (isKnown && !isOfRights(entry.event)) return;
    this.#log.splice(behind + 1, 0, entry);
    if (this.#log.length <= LOG) return;
    const dropped = this.#log.shift()!.seq;
    for (const [name, from] of this.#followed) if (from < dropped) this.#followed.set(name, dropped);
  }

  #reset({ epoch, seq }: { epoch: string; seq: number }, spread: number): void {
    this.#epoch = epoch;
    this.#at = seq;
    this.#log = [];
    for (const topic of this.#followed.keys()) this.#followed.set(topic, seq);
    for (const query of this.#queries()) {
      const row = this.#rowOf(query);
      if (!row || query.state.data === undefined) continue;
      if (row.calm) this.#positions.set(query, seq);
      else this.#askAgain(query, spread);
    }
  }

  #forget(): void {
    this.#log = [];
    this.#heard = [];
    this.#followed.clear();
    this.#gone.clear();
    this.#at = this.#resume = undefined;
  }

  // What is followed

  /** Once for all that is shown and left in a turn. */
  #plan(): void {
    if (this.#planned) return;
    this.#planned = true;
    setTimeout(() => {
      this.#planned = false;
      this.#follow();
    }, 0);
  }

  #follow(): void {
    const topics = new Set<TopicName>(this.#wanted.keys());
    if (this.#me !== null) topics.add("me");
    let since = this.#resume;
    let isBehind = false;
    for (const query of this.#queries()) {
      const row = this.#rowOf(query);
      if (!row || query.state.data === undefined || !query.isActive()) continue;
      for (const topic of this.#topicsOf(query, row)) topics.add(topic);
      const position = this.#positions.get(query);
      if (position === undefined || this.#isCurrent(query, row)) continue;
      if (this.#at !== undefined && this.#at - position > REACH) {
        this.#positions.set(query, this.#at);
        this.#askAgain(query, 0);
        continue;
      }
      isBehind = true;
      if (since === undefined || position < since) since = position;
    }
    const isNew = [...topics].some((topic) => !this.#followed.has(topic));
    const left = [...this.#followed.keys()].filter((topic) => !topics.has(topic as TopicName));
    if (!isNew && !isBehind && this.#followed.size <= IDLE_TOPICS) return;
    if (topics.size === 0 && this.#followed.size === 0) return;
    // Nothing is shown yet: what happens until then would be missed.
    if (since === undefined && this.#wanted.size === 0) return;
    this.#settle();
    const drops = this.#followed.size + topics.size > IDLE_TOPICS || isNew ? left : [];
    for (const topic of drops) this.#followed.delete(topic);
    // Without a place yet the stream begins where the first answer was read.
    const from = since ?? 0;
    for (const topic of topics)
      this.#followed.set(topic, Math.min(from, this.#followed.get(topic) ?? Infinity));
    this.#resume = since;
    this.#line.restart();
  }

  /** What has been told of everything so far stands where the stream stands. */
  #settle(): void {
    if (this.#at === undefined) return;
    for (const query of this.#queries()) {
      const row = this.#rowOf(query);
      if (row && this.#isCurrent(query, row))
        this.#positions.set(query, Math.max(this.#at, this.#positions.get(query) ?? 0));
    }
  }

  // Answers

  /** An answer has come: it is as of its cursor, and is brought forward to where the stream is. */
  #came(query: AnyQuery): void {
    const row = this.#rowOf(query);
    const { data } = query.state;
    if (!row || data === undefined || data === null) return;
    const place = parseCursor((data as { cursor?: string }).cursor);
    if (!place) return;
    this.#epoch ??= place.epoch;
    const before = this.#facts.get(query)?.facts;
    const isAsked = this.#asked.delete(query);
    const facts = isAsked && row.merge && before ? row.merge(before, data, inputOf(query)) : data;
    this.#facts.set(query, { facts, shown: data });
    this.#positions.set(query, place.seq);
    if (place.epoch === this.#epoch) {
      if (this.#isReached(query, row, place.seq)) for (const entry of this.#log) this.#tell(query, entry);
    }
    this.#show(query, row, this.#factsOf(query));
    if (isAsked && this.#at !== undefined) this.#onPassed(this.#at);
    if (query.isActive()) this.#plan();
  }

  /** Applies an event to an answer that does not hold it yet; `anyway` where it may stand at the answer's own place. */
  #tell(query: AnyQuery, { seq, topic, event }: Entry, anyway = false): void {
    const row = this.#rowOf(query);
    const position = this.#positions.get(query);
    if (!row || position === undefined || (seq <= position && !anyway)) return;
    if (topic !== "" && !this.#topicsOf(query, row).includes(topic)) return;
    if (!this.#isCurrent(query, row)) return;
    const facts = this.#factsOf(query);
    const after =
      event.kind === "back" && !row.on.back ? ask : this.#apply(row, query, facts, topic, event, false);
    this.#positions.set(query, Math.max(seq, position));
    const known = after instanceof Lacking ? (after.data as unknown) : after === ask ? facts : after;
    if (known !== facts) this.#show(query, row, known);
    if (after === ask || after instanceof Lacking)
      this.#askAgain(query, Math.max("spread" in event ? event.spread : 0, row.spread ?? 0));
  }

  /** Whether everything that happened to it since it was read has been told, or will be. */
  #isCurrent(query: AnyQuery, row: Kept): boolean {
    const position = this.#positions.get(query);
    if (position === undefined) return false;
    return this.#isReached(query, row, position);
  }

  /** Whether all that happened to an answer behind this place was heard, or will be. */
  #isReached(query: AnyQuery, row: Kept, seq: number): boolean {
    return this.#topicsOf(query, row).every((topic) => (this.#followed.get(topic) ?? Infinity) <= seq);
  }

  #askAgain(query: AnyQuery, spread: number): void {
    query.invalidate();
    this.#asked.add(query);
    const refetch = (): void => {
      if (query.isActive() && query.state.isInvalidated) void this.#refetch(query).catch(() => undefined);
    };
    if (spread > 0) setTimeout(refetch, this.#random() * spread);
    else queueMicrotask(refetch);
  }

  #refetch(query: AnyQuery): Promise<unknown> {
    const again = this.#rowOf(query)?.again;
    const client = this.#client;
    const { options } = query.observers.find((observer) => observer.options.queryFn) ?? query;
    const asked: QueryOptions =
      again && client
        ? { ...options, queryFn: () => again(client, inputOf(query), () => this.#factsOf(query)) }
        : options;
    return query.fetch(asked, { cancelRefetch: true });
  }

  #factsOf(query: AnyQuery): unknown {
    const known = this.#facts.get(query);
    return known && known.shown === query.state.data ? known.facts : query.state.data;
  }

  /** Puts the server's word into the cache, with one's own changes over it. */
  #show(query: AnyQuery, row: Kept, facts: unknown): void {
    let shown = facts;
    for (const { events } of this.#laid)
      for (const { topic, event } of events) {
        const after = this.#apply(row, query, shown, topic, event, true);
        if (after instanceof Lacking) shown = after.data;
        else if (after !== ask) shown = after;
      }
    if (shown !== query.state.data) {
      const { isInvalidated, dataUpdatedAt } = query.state;
      this.#applying = true;
      shown = this.#queryClient.setQueryData(query.queryKey, shown, { updatedAt: dataUpdatedAt });
      this.#applying = false;
      if (isInvalidated) query.invalidate();
      this.#plan();
    }
    this.#facts.set(query, { facts, shown });
  }

  #apply(
    row: Kept,
    query: AnyQuery,
    data: unknown,
    topic: Told["topic"],
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
    return change(data, event, { input, topic, own, me: this.#me });
  }

  #queries(): AnyQuery[] {
    return this.#queryClient.getQueryCache().getAll();
  }

  #rowOf({ queryKey }: AnyQuery): Kept | undefined {
    const [path] = queryKey;
    return Array.isArray(path) ? this.#table[path.join(".")] : undefined;
  }

  #topicsOf(query: AnyQuery, row: Kept): TopicName[] {
    const { data } = query.state;
    if (data === undefined || data === null) return [];
    const topics = row.topics(data, inputOf(query)).filter((topic) => topic !== false);
    return this.#me !== null ? topics : topics.filter((topic) => topic !== "me");
  }
}

const isOfRights = ({ kind }: LiveEvent): boolean => kind === "gone" || kind === "back";

const inputOf = ({ queryKey }: AnyQuery): unknown =>
  (queryKey[1] as { input?: unknown } | undefined)?.input ?? {};
