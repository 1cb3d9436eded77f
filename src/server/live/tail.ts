import { setTimeout as sleep } from "node:timers/promises";
import { limits } from "../../shared/limits.ts";
import type { LiveEvent, Told } from "../../shared/live.ts";
import type { Database } from "../database/connection.ts";
import type { Bus } from "./bus.ts";
import { parseFact, type Fact, type Topic, type TopicKind } from "./facts.ts";
import { factsAfter, newestSeq, topicsSince, type StoredRow } from "./outbox.ts";

/** A frame of a topic, the same object for every reader, so that it is written once (`shared-messages.ts`). */
export interface Frame {
  seq: number;
  told: Told;
  /** Where it is not for everybody who may listen: whom the stream asks about. */
  among?: string | undefined;
  /** Whom it is by or about: where one of them is hidden from the reader, the fallback of the first is sent, or nothing. */
  hiddenIfBlocked?: HiddenIfBlocked<Told>[] | undefined;
}
interface HiddenIfBlocked<What> {
  person: string;
  /** Readers who have muted the person do not get it either. */
  evenMuted?: true;
  fallback?: What | null | undefined;
}

/** A stored topic as it is told under one name: the open blog and its card are told the same facts in different words. */
export interface Source {
  name: Told["topic"];
  topic: Topic;
  /** Makes frames of facts; done once for a crowd. `spread` is over how many milliseconds who listens may be spread. */
  frames: (rows: StoredRow[], spread: number, onError: OnError) => Promise<Frame[]>;
}

/** Milliseconds between the end of one look's news and the next look: for each that heard them, about what writing to it takes, and at most. */
const rest = { each: 0.01, most: 100 };

type OnError = (error: unknown, what: string) => void;
export interface Presented {
  seq: number;
  /** Null where the fact has nothing to show any more. */
  event: LiveEvent | null;
  among?: string | undefined;
  hiddenIfBlocked?: HiddenIfBlocked<LiveEvent>[] | undefined;
}
interface Stored<Kind extends TopicKind> {
  seq: number;
  fact: Fact<Kind>;
}

/**
 * Tells a topic by `present`, which may be given many facts at once and gives each as things stand now. What it can't
 * present, and what this version does not know, is logged and left out: nothing else waits for it.
 */
export function asSource<Kind extends TopicKind>(
  kind: Kind,
  topic: Topic<Kind>,
  name: Told["topic"],
  present: (facts: Stored<Kind>[], spread: number) => Promise<Presented[]>,
): Source {
  return {
    name,
    topic,
    frames: async (rows, spread, onError) => {
      const facts = rows.flatMap(({ seq, fact: stored }) => {
        const fact = parseFact(kind, stored);
        if (!fact) onError(new Error(`This is no fact of a ${kind}.`), "an unknown fact");
        return fact ? [{ seq, fact }] : [];
      });
      const one = (fact: Stored<Kind>) =>
        present([fact], spread).catch((error: unknown) => {
          onError(error, "a fact could not be presented");
          return [];
        });
      const presented = await present(facts, spread).catch(async () =>
        (await Promise.all(facts.map(one))).flat(),
      );
      const told = (event: LiveEvent): Told => ({ topic: event.kind === "reset" ? "" : name, event });
      return presented.flatMap(({ seq, event, among, hiddenIfBlocked }) =>
        event
          ? [
              {
                seq,
                told: told(event),
                among,
                hiddenIfBlocked: hiddenIfBlocked?.map(({ fallback, ...about }) => ({
                  ...about,
                  fallback: fallback && told(fallback),
                })),
              },
            ]
          : [],
      );
    },
  };
}

interface Making {
  making: Promise<Frame[]>;
  /** Once they are there. */
  made?: Frame[];
}

/** What happened in one topic since the last look: a crowd has the same object, and presents it once. */
export class News {
  readonly topic: string;
  readonly rows: StoredRow[];
  readonly #frames = new Map<string, Making>();

  constructor(topic: string, rows: StoredRow[]) {
    this.topic = topic;
    this.rows = rows;
  }

  frames({ name, frames }: Source, spread: number, onError: OnError): Promise<Frame[]> {
    let known = this.#frames.get(name);
    if (!known) {
      const begun: Making = { making: frames(this.rows, spread, onError) };
      begun.making.then(
        (made) => (begun.made = made),
        () => undefined,
      );
      this.#frames.set(name, (known = begun));
    }
    return known.making;
  }

  /** Whether somebody has asked for these frames. */
  isAsked({ name }: Source): boolean {
    return this.#frames.has(name);
  }

  /** The frames, once they are made. */
  made({ name }: Source): Frame[] | undefined {
    return this.#frames.get(name)?.made;
  }
}

/** A stream, as far as the tail goes: `lost` where more came at once than is told one by one. */
export interface Listener {
  hear(news: News | "lost"): void;
}

interface Watched {
  listeners: Map<Listener, true>;
  /** As far as its facts were handed on; undefined until the first look. */
  seq: number | undefined;
  stop: () => void;
}

/**
 * The end of the outbox, read once for all streams: after a ring it looks up to the newest fact, and hands what is new in
 * each topic to whoever listens there. Everybody has heard of all up to `seq` at any time, so that nothing overtakes.
 */
export class Tail {
  readonly #database: Database;
  readonly #bus: Bus;
  readonly onError: OnError;
  readonly #topics = new Map<string, Watched>();
  readonly #recent = new Map<string, News>();
  #rung = new Set<string>();
  #coming: Promise<void> | undefined;
  /** By the clock of `performance`. */
  #restUntil = 0;
  #looking: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #foreign: number | undefined;
  #seq = 0;
  /** When the first ring came that was not looked after yet, by the clock of `performance`. */
  #rungAt: number | undefined;
  /** Milliseconds from a ring to its last hearer, the newest time. */
  lag = 0;

  constructor(database: Database, bus: Bus, onError: OnError) {
    this.#database = database;
    this.#bus = bus;
    this.onError = onError;
  }

  /** All up to here has been handed on. */
  get seq(): number {
    return this.#seq;
  }

  /** Hands the listener what happens in these topics after the next look, until the function it returns is called. */
  join(topics: Iterable<string>, listener: Listener): () => void {
    const joined = [...new Set(topics)];
    for (const topic of joined) {
      let watched = this.#topics.get(topic);
      if (!watched) {
        const stop = this.#bus.listen(topic, () => this.#ring(topic));
        this.#topics.set(topic, (watched = { listeners: new Map(), seq: undefined, stop }));
      }
      watched.listeners.set(listener, true);
    }
    return () => {
      for (const topic of joined) {
        const watched = this.#topics.get(topic);
        watched?.listeners.delete(listener);
        if (watched?.listeners.size !== 0) continue;
        watched.stop();
        this.#topics.delete(topic);
      }
    };
  }

  /** Looks what is new. Who asks while one look is under way gets the next one. */
  look(): Promise<void> {
    this.#next ??= this.#looking.then(() => {
      this.#next = undefined;
      return (this.#looking = this.#look().catch((error: unknown) => {
        this.onError(error, "the outbox could not be read");
      }));
    });
    return this.#next;
  }

  /** Over how many milliseconds those who listen to a topic are spread where all have to ask for something. */
  spread(topic: string): number {
    return spreadOf(this.#topics.get(topic)?.listeners.size ?? 0);
  }

  /** The frames of older facts: a crowd that comes back to the same place has them made once. */
  frames(source: Source, rows: StoredRow[]): Promise<Frame[]> {
    const key = `${source.topic} ${rows[0]?.seq} ${rows.at(-1)?.seq}`;
    let news = this.#recent.get(key);
    if (!news) {
      this.#recent.set(key, (news = new News(source.topic, rows)));
      setTimeout(() => this.#recent.delete(key), 1_000).unref();
    }
    return news.frames(source, this.spread(source.topic), this.onError);
  }

  #ring(topic: string): void {
    this.#rungAt ??= performance.now();
    this.#rung.add(topic);
    void this.soon();
  }

  /** Looks once what was found last is passed on and others had their time: what happens meanwhile goes to a crowd together. */
  soon(): Promise<void> {
    return (this.#coming ??= this.#rest().then(() => {
      this.#coming = undefined;
      return this.look();
    }));
  }

  async #rest(): Promise<void> {
    await new Promise<void>((resolve) => this.#bus.later(resolve));
    const left = this.#restUntil - performance.now();
    if (left > 1) await sleep(left, undefined, { ref: false });
  }

  async #look(): Promise<void> {
    const { read } = this.#database;
    const foreign = this.#database.foreignVersion();
    const upTo = await newestSeq(read);
    // Rings come with the commit, those of other processes up to a second later: they are looked for.
    if (foreign !== this.#foreign && this.#foreign !== undefined)
      for (const topic of await topicsSince(read, this.#seq)) this.#rung.add(topic);
    this.#foreign = foreign;
    const { rungAt, rung } = { rungAt: this.#rungAt, rung: this.#rung };
    this.#rung = new Set();
    this.#rungAt = undefined;
    const found: [Watched, News | "lost"][] = [];
    for (const topic of rung) {
      const watched = this.#topics.get(topic);
      if (watched?.seq === undefined) continue;
      const rows = await factsAfter(read, topic, watched.seq, limits.live.replay + 1);
      const now = rows.filter(({ seq }) => seq <= upTo);
      // What came while we looked is for the next look.
      if (now.length < rows.length) this.#ring(topic);
      if (now.length > limits.live.replay) found.push([watched, "lost"]);
      else if (now.length > 0) found.push([watched, new News(topic, now)]);
      watched.seq = now.length > limits.live.replay ? upTo : (now.at(-1)?.seq ?? watched.seq);
    }
    // In one step: whoever sees `seq` has been handed all up to there.
    for (const watched of this.#topics.values()) watched.seq ??= upTo;
    this.#seq = upTo;
    let heard = 0;
    for (const [{ listeners }, news] of found) {
      heard += listeners.size;
      for (const listener of listeners.keys()) listener.hear(news);
    }
    if (rungAt !== undefined) this.lag = performance.now() - rungAt;
    if (heard > 0)
      this.#bus.later(() => {
        this.#restUntil = performance.now() + Math.min(heard * rest.each, rest.most);
      });
  }
}

/** Over how many milliseconds so many are spread. */
export const spreadOf = (many: number): number =>
  Math.min(many * limits.live.spread.each, limits.live.spread.most);
