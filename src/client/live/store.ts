import type { QueryClient, QueryKey } from "@tanstack/react-query";
import { parseCursor } from "../../shared/cursor.ts";
import type { LiveMessage, TopicName } from "../../shared/live.ts";
import { Answers } from "./answers.ts";
import { Facts } from "./facts.ts";
import type { KeptTable } from "./kept.ts";
import type { LineHandlers } from "./line.ts";
import { isOfRights, Log } from "./log.ts";
import type { Hands, Laid } from "./own.ts";
import { Rights } from "./rights.ts";

/** The line that the store listens through; `LiveLine` is the real one. */
export interface Line {
  follow(request: () => { topics: string[]; since: string | undefined } | null, handlers: LineHandlers): void;
  restart(): void;
}

type Heard = Parameters<LineHandlers["onTold"]>[0];

interface Options {
  /** What rows ask with that ask again in their own way. */
  client?: Hands["client"];
  /** For tests: how long events are gathered, and chance. */
  gather?: number;
  random?: () => number;
}

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
  readonly #line: Line;
  readonly #gather: number;
  readonly #log = new Log();
  readonly #rights = new Rights();
  readonly #facts: Facts;
  readonly #answers: Answers;
  /** Topics that something asks for without an answer in the cache. */
  readonly #wanted = new Map<TopicName, number>();
  readonly #listeners = new Set<(told: LiveMessage) => void>();
  /** Where the stream goes on: behind what the log has while something is told again for an answer that is older. */
  #resume: number | undefined;
  #heard: Heard[] = [];
  #gathering = false;
  #planned = false;
  #isSomebodys = false;
  #onPassed: (seq: number) => void = () => undefined;
  #onUnauthorized: () => void = () => undefined;

  constructor(
    queryClient: QueryClient,
    table: KeptTable,
    line: Line,
    { client, gather = 8, random = Math.random }: Options = {},
  ) {
    this.#queryClient = queryClient;
    this.#line = line;
    this.#gather = gather;
    this.#facts = new Facts(queryClient, table, () => this.#plan());
    this.#answers = new Answers(queryClient, this.#facts, this.#log, {
      client,
      random,
      onCame: () => this.#plan(),
      onAsked: () => this.#tellPassed(),
    });
  }

  /**
   * Begins to keep what is and what comes into the cache. `onPassed` hears how far the stream has told; `onUnauthorized`
   * that the viewer's topic was refused.
   */
  start(onPassed: (seq: number) => void, onUnauthorized: () => void): void {
    this.#onPassed = onPassed;
    this.#onUnauthorized = onUnauthorized;
    for (const query of this.#answers.all()) this.#answers.came(query);
    this.#queryClient.getQueryCache().subscribe(({ type, query, ...rest }) => {
      if (this.#facts.isShowing) return;
      if (type === "updated" && "action" in rest) {
        const { action } = rest;
        // What somebody else puts there is kept from then on, too.
        if (action.type === "success" && (!action.manual || this.#answers.positionOf(query) === undefined))
          this.#answers.came(query);
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
    this.#facts.keepAlso(rows);
    for (const query of this.#answers.all())
      if (this.#answers.positionOf(query) === undefined) this.#answers.came(query);
  }

  /** Whose tab this is: somebody's (their own topic is followed) or a guest's. What was heard for another is forgotten. */
  become(viewerId: string | null): void {
    if (this.#isSomebodys) this.#answers.handOver();
    this.#isSomebodys = true;
    this.#facts.me = viewerId;
    this.#log.forget();
    this.#rights.forget();
    this.#heard = [];
    this.#resume = undefined;
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
      this.#plan();
    };
  }

  /** Calls `hear` for each event, once, after it was applied. Returns how to stop. */
  listen(hear: (told: LiveMessage) => void): () => void {
    this.#listeners.add(hear);
    return () => void this.#listeners.delete(hear);
  }

  /** Own changes that lie over the server's facts, oldest first. */
  lay(laid: readonly Laid[]): void {
    this.#facts.lay(laid);
  }

  /** Whether the stream has told of everything up to this cursor. */
  hasPassed(cursor: string | undefined): boolean {
    const place = parseCursor(cursor);
    const { epoch, at = -1 } = this.#log;
    return place === undefined || (place.epoch === epoch && at >= place.seq);
  }

  /** Asks again for every answer that holds one of these own changes: the stream does not tell of them. */
  askAbout(laid: Laid): void {
    this.#answers.askAbout(laid);
  }

  /** Whether an answer that is shown with this own change has to be asked for first: the stream does not tell all of it. */
  isAskedAbout(laid: Laid): boolean {
    return this.#answers.isAskedAbout(laid);
  }

  /** Puts an answer into the cache that came otherwise: that of a change, which is this query's, too. */
  take(queryKey: QueryKey, answer: unknown): void {
    this.#answers.take(queryKey, answer);
  }

  /** Asks for an answer as it is now, whatever was shown before; for what waits behind a button. */
  anew(queryKey: QueryKey): Promise<void> {
    return this.#answers.anew(queryKey);
  }

  /**
   * Adds what was read beside the cache, at `cursor`, to an answer that is kept there, and tells the whole of it what has
   * happened since: twice changes nothing. False, with nothing changed, where it is not known what that was.
   */
  join<Data>(queryKey: QueryKey, cursor: string, change: (facts: Data) => Data): boolean {
    return this.#answers.join(queryKey, cursor, change);
  }

  #request(): { topics: string[]; since: string | undefined } | null {
    const { topics, epoch } = this.#log;
    if (topics.length === 0) return null;
    this.#rights.begin();
    const since = epoch === undefined || this.#resume === undefined ? undefined : `${epoch}.${this.#resume}`;
    return { topics, since };
  }

  /** Events of one turn are applied together: what belongs to one change is drawn at once. */
  #hear(told: Heard): void {
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
    if (heard.length > 0) this.#tellPassed();
  }

  #tellPassed(): void {
    if (this.#log.at !== undefined) this.#onPassed(this.#log.at);
  }

  #take({ cursor, topic, event }: Heard): void {
    const place = parseCursor(cursor);
    if (!place) return;
    const { epoch, seq, isPart } = place;
    const log = this.#log;
    const tell = (): void => {
      for (const listener of this.#listeners) listener({ topic, event });
    };
    // It stands nowhere in the order of what happened.
    if (event.kind === "presence" || event.kind === "writers") return tell();
    if (event.kind === "reset" || (log.epoch !== undefined && epoch !== log.epoch)) {
      log.reset(epoch, seq);
      this.#answers.reset(seq, event.kind === "reset" ? event.jitterMs : 0);
    }
    log.epoch = epoch;
    this.#resume = isPart ? seq - 1 : seq;
    for (const back of this.#rights.hear(topic, event))
      this.#take({ cursor, topic: back, event: { kind: "accessRestored" } });
    // Where it tells again for an older answer it goes on below what was told.
    const isNews = log.at === undefined || seq > log.at || isOfRights(event);
    if (event.kind === "reset") return tell();
    if (event.kind !== "checkpoint") {
      const entry = { seq, topic, event };
      log.keep(entry);
      this.#answers.tellAll(entry);
    }
    if (log.at === undefined || seq > log.at) log.at = seq;
    if (isNews) tell();
  }

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
    // What was heard by now is of what was followed by now: it does not stand for what is told again from here on.
    this.flush();
    const log = this.#log;
    const topics = new Set<TopicName>(this.#wanted.keys());
    if (this.#facts.me !== null) topics.add("me");
    let since = this.#resume;
    let isBehind = false;
    for (const query of this.#answers.all()) {
      const row = this.#facts.rowOf(query);
      if (!row || query.state.data === undefined || !query.isActive()) continue;
      for (const topic of this.#facts.topicsOf(query, row)) topics.add(topic);
      const position = this.#answers.positionOf(query);
      if (position === undefined || this.#answers.isCurrent(query, row)) continue;
      if (log.at !== undefined && log.at - position > REACH) {
        this.#answers.skipTo(query, log.at);
        continue;
      }
      isBehind = true;
      if (since === undefined || position < since) since = position;
    }
    const followed = log.topics;
    const isNew = [...topics].some((topic) => !followed.includes(topic));
    const left = followed.filter((topic) => !topics.has(topic));
    // Whoever has gone from a blog is not to be counted there.
    const away = left.filter((topic) => /^(reading|here|looking)/.test(topic));
    if (!isNew && !isBehind && away.length === 0 && followed.length <= IDLE_TOPICS) return;
    if (topics.size === 0 && followed.length === 0) return;
    // Nothing is shown yet: what happens until then would be missed.
    if (since === undefined && this.#wanted.size === 0) return;
    this.#answers.settle(Math.min(log.at ?? 0, this.#resume ?? Infinity));
    log.unfollow(followed.length + topics.size > IDLE_TOPICS || isNew ? left : away);
    // Without a place yet the stream begins where the first answer was read.
    log.follow(topics, since ?? 0);
    this.#resume = since;
    this.#line.restart();
  }
}
