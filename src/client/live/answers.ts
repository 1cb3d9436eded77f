import { parseCursor } from "../../shared/cursor.ts";
import type { Query, QueryClient, QueryKey, QueryOptions } from "@tanstack/react-query";
import { inputOf, outcome } from "./facts.ts";
import type { Facts } from "./facts.ts";
import { ask, Lacking } from "./kept.ts";
import type { Kept } from "./kept.ts";
import { isOfRights } from "./log.ts";
import type { Entry, Log } from "./log.ts";
import type { Hands, Laid } from "./own.ts";

/** However few listen, an answer is asked for by chance no oftener than in so many milliseconds. */
const APART = 1_000;

interface Options {
  /** What rows ask with that ask again in their own way. */
  client: Hands["client"] | undefined;
  random: () => number;
  /** An answer that somebody looks at has come. */
  onCame: () => void;
  /** An answer that an event asked for has come. */
  onAsked: () => void;
}

/** The answers in the cache, each with its place in the stream: what it was not told yet is applied to it, once. */
export class Answers {
  readonly #queryClient: QueryClient;
  readonly #facts: Facts;
  readonly #log: Log;
  readonly #options: Options;
  /** As far as each answer holds what happened: its cursor, then what it was told. */
  readonly #positions = new WeakMap<Query, number>();
  /** Answers that events asked for again, and that have not come yet. */
  readonly #asked = new WeakSet<Query>();
  /** Those that a click wants as they are now: an event that asks meanwhile, and so again, does not merge them. */
  readonly #anew = new WeakSet<Query>();
  /** Those that are asked for calmly, until something asks otherwise. */
  readonly #calm = new WeakSet<Query>();
  /** Those that were for whoever was here before, until they come for who is now. */
  readonly #ofOthers = new WeakSet<Query>();
  /** When the next asking by chance is due, or the last was. */
  readonly #turns = new WeakMap<Query, number>();

  constructor(queryClient: QueryClient, facts: Facts, log: Log, options: Options) {
    this.#queryClient = queryClient;
    this.#facts = facts;
    this.#log = log;
    this.#options = options;
  }

  all(): Query[] {
    return this.#queryClient.getQueryCache().getAll();
  }

  positionOf(query: Query): number | undefined {
    return this.#positions.get(query);
  }

  /** An answer has come: it is as of its cursor, and is brought forward to where the stream is. */
  came(query: Query): void {
    const row = this.#facts.rowOf(query);
    const { data } = query.state;
    if (!row || data === undefined || data === null) return;
    const place = parseCursor((data as { cursor?: string }).cursor);
    if (!place) return;
    this.#log.epoch ??= place.epoch;
    this.#ofOthers.delete(query);
    const isAsked = this.#asked.delete(query);
    const isAnew = this.#anew.delete(query);
    this.#facts.take(query, row, isAsked && !isAnew);
    this.#positions.set(query, place.seq);
    if (place.epoch === this.#log.epoch && this.isCurrent(query, row))
      for (const entry of this.#log.entries) this.tell(query, entry);
    this.#facts.show(query, row, this.#facts.of(query));
    if (isAsked) this.#options.onAsked();
    if (query.isActive()) this.#options.onCame();
  }

  /** Applies an event to an answer that does not hold it yet; `anyway` where it may stand at the answer's own place. */
  tell(query: Query, { seq, topic, event }: Entry, anyway = false): void {
    const row = this.#facts.rowOf(query);
    const position = this.#positions.get(query);
    if (!row || position === undefined || (seq <= position && !anyway)) return;
    if (topic !== "" && !this.#facts.topicsOf(query, row).includes(topic)) return;
    if (!this.isCurrent(query, row)) return;
    const facts = this.#facts.of(query);
    const after =
      event.kind === "accessRestored" && !row.on.accessRestored
        ? ask
        : this.#facts.apply(row, query, facts, topic, event, false);
    this.#positions.set(query, Math.max(seq, position));
    const now = outcome(after, facts);
    if (now !== facts) this.#facts.show(query, row, now);
    if (after === ask || after instanceof Lacking)
      this.askAgain(query, Math.max(("jitterMs" in event && event.jitterMs) || 0, row.jitterMs ?? 0));
  }

  /** Applies what the stream tells to all of them. */
  tellAll(entry: Entry): void {
    for (const query of this.all()) this.tell(query, entry, isOfRights(entry.event));
  }

  /** Whether everything that happened to it since it was read has been told, or will be. */
  isCurrent(query: Query, row: Kept): boolean {
    const position = this.#positions.get(query);
    return position !== undefined && this.#log.reaches(this.#facts.topicsOf(query, row), position);
  }

  /** What has been told of everything so far stands where the stream stands, which may be telling again for an older answer. */
  settle(at: number): void {
    for (const query of this.all()) {
      const row = this.#facts.rowOf(query);
      if (row && this.isCurrent(query, row))
        this.#positions.set(query, Math.max(at, this.#positions.get(query) ?? 0));
    }
  }

  /** The stream begins anew and does not say what has happened: all are asked for, the calm ones as they are. */
  reset(seq: number, jitterMs: number): void {
    for (const query of this.all()) {
      const row = this.#facts.rowOf(query);
      if (!row || query.state.data === undefined) continue;
      const isCalm = row.calm !== undefined && !this.#asked.has(query);
      this.askAgain(query, jitterMs);
      if (!isCalm) continue;
      this.#calm.add(query);
      this.#positions.set(query, seq);
    }
  }

  /** The tab is another's: nothing of what is shown goes into what is asked for from now on, in whatever way that was to be. */
  handOver(): void {
    for (const query of this.all()) this.#ofOthers.add(query);
  }

  /** It is too far behind to be told all that happened: it is asked for. */
  skipTo(query: Query, at: number): void {
    this.#positions.set(query, at);
    this.askAgain(query, 0);
  }

  /** See `LiveStore.take`. */
  take(queryKey: QueryKey, answer: unknown): void {
    const cache = this.#queryClient.getQueryCache();
    const before = cache.find({ queryKey, exact: true });
    const place = parseCursor((answer as { cursor?: string } | null)?.cursor);
    // A later one may have come before it.
    const position = before && this.#positions.get(before);
    if (place && place.epoch === this.#log.epoch && position !== undefined && position > place.seq) return;
    if (before) this.#asked.delete(before);
    this.#queryClient.setQueryData(queryKey, answer);
    this.came(cache.find({ queryKey, exact: true })!);
  }

  /** See `LiveStore.anew`. */
  async anew(queryKey: QueryKey): Promise<void> {
    const query = this.#queryClient.getQueryCache().find({ queryKey, exact: true });
    if (!query) return;
    this.#asked.delete(query);
    this.#anew.add(query);
    await this.#refetch(query).finally(() => this.#anew.delete(query));
  }

  /** See `LiveStore.join`. */
  join<Data>(queryKey: QueryKey, cursor: string, change: (facts: Data) => Data): boolean {
    const query = this.#queryClient.getQueryCache().find({ queryKey, exact: true });
    const row = query && this.#facts.rowOf(query);
    const place = parseCursor(cursor);
    if (!row || !place || query.state.data === undefined || place.epoch !== this.#log.epoch) return false;
    const topics = this.#facts.topicsOf(query, row);
    if (!this.#log.reaches(topics, place.seq)) return false;
    let facts: unknown = change(this.#facts.of(query) as Data);
    for (const { seq, topic, event } of this.#log.entries) {
      if (seq <= place.seq || (topic !== "" && !topics.includes(topic))) continue;
      facts = outcome(this.#facts.apply(row, query, facts, topic, event, false), facts);
    }
    this.#facts.show(query, row, facts);
    // Topics that it brings were not followed: the stream goes back to where it was read. Hearing the rest twice changes nothing.
    const isWider = this.#facts.topicsOf(query, row).some((topic) => !topics.includes(topic));
    const position = this.#positions.get(query);
    if (isWider && position !== undefined) this.#positions.set(query, Math.min(position, place.seq));
    return true;
  }

  /** See `LiveStore.askAbout`. */
  askAbout(laid: Laid): void {
    for (const query of this.all()) if (this.#facts.changes(query, laid).length > 0) this.askAgain(query, 0);
  }

  /** See `LiveStore.isAskedAbout`. */
  isAskedAbout(laid: Laid): boolean {
    return this.all().some(
      (query) =>
        this.#asked.has(query) &&
        query.isActive() &&
        this.#facts.changes(query, laid).some((after) => after !== ask),
    );
  }

  /**
   * Asks for an answer, if somebody looks at it by then, after a pause by chance of at most `jitterMs` milliseconds. However
   * many events want it, it is asked for once in so long: a crowd asks no oftener than was made out for one event.
   */
  askAgain(query: Query, jitterMs: number): void {
    query.invalidate();
    this.#calm.delete(query);
    this.#asked.add(query);
    const refetch = (): void => {
      if (query.isActive() && query.state.isInvalidated) void this.#refetch(query).catch(() => undefined);
    };
    if (jitterMs === 0) return queueMicrotask(refetch);
    // No clock that may be set.
    const now = performance.now();
    const turn = this.#turns.get(query) ?? -Infinity;
    if (turn > now) return;
    const next = Math.max(now + this.#options.random() * jitterMs, turn + Math.max(jitterMs, APART));
    this.#turns.set(query, next);
    setTimeout(refetch, next - now);
  }

  #refetch(query: Query): Promise<unknown> {
    const row = this.#facts.rowOf(query);
    const again = this.#calm.delete(query)
      ? (((client, _input, shown) => row!.calm!(client, shown)) satisfies Kept["again"])
      : row?.again;
    const { client } = this.#options;
    const { options } = query.observers.find((observer) => observer.options.queryFn) ?? query;
    const { queryFn: first } = options;
    const asked: QueryOptions =
      again && client && typeof first === "function"
        ? {
            ...options,
            // The query goes on asking so, whoever wants it: for another it is asked as at first.
            queryFn: (about) =>
              this.#ofOthers.has(query)
                ? first(about)
                : again(client, inputOf(query), () => this.#facts.of(query)),
          }
        : options;
    return query.fetch(asked, { cancelRefetch: true });
  }
}
