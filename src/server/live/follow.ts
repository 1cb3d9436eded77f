import { tracked, type TrackedEnvelope } from "@trpc/server";
import { limits } from "../../shared/limits.ts";
import type { StreamEvent, Told, TopicName } from "../../shared/live.ts";
import type { Database } from "../database/connection.ts";
import type { Bus } from "./bus.ts";
import type { OpenLine, Place } from "./crowd.ts";
import { factsAfter, formatCursor, formatPart, resumeFrom, type StoredRow } from "./outbox.ts";
import type { Moment } from "./presence.ts";
import { spreadOf, type Frame, type News, type Source, type Tail } from "./tail.ts";

/** Whether a topic may be read, and which rings may change that. */
export interface Right {
  readable: boolean;
  rung: string[];
}

export interface FollowOptions {
  database: Database;
  bus: Bus;
  tail: Tail;
  /** What is followed: what is stored of it, or how it stands; one without either only ever comes `back`. */
  topics: { name: TopicName; source: Source | undefined; moment?: Moment | undefined }[];
  /** Where the page stands, by itself and by its connection: the later one counts. */
  from: (string | undefined)[];
  /** Rung after whatever the viewer did. */
  own: string | undefined;
  /** Asked of all topics together at the start, and of those concerned after a ring of what their right hangs on. */
  rightsTo: (names: TopicName[]) => Promise<Map<TopicName, Right>>;
  /** Whether the viewer is one of those whom an event of a topic is for. */
  isAmong: (name: Told["topic"], among: string) => Promise<boolean>;
  signal: AbortSignal | undefined;
  /** The line that it runs over. */
  line: OpenLine | undefined;
}

type Stream = AsyncGenerator<TrackedEnvelope<Told>, void, unknown>;

/**
 * A page's stream of many topics in one order: listens first, replays second, then goes on. What may not be read says `gone`
 * and goes on listening for its right; nothing is sent of it until it is `back`. It takes the place of the one that its line had.
 */
export const follow = (options: FollowOptions): Stream => new Following(options).run(options.line?.open());

class Following {
  readonly #options: FollowOptions;
  readonly #sources = new Map<string, Source[]>();
  readonly #moments = new Map<TopicName, Moment>();
  /** Those that are followed, with how to leave; those that have changed since they were told. */
  readonly #joined = new Map<TopicName, () => void>();
  readonly #stirred = new Set<TopicName>();
  /** Whether each topic may be read, once that was asked; and from where on it is told, where it could not be before. */
  readonly #readable = new Map<string, boolean>();
  readonly #since = new Map<string, number>();
  readonly #doubted: Set<TopicName>;
  /** Which topics are in doubt when something is rung. */
  readonly #hanging = new Map<string, Set<TopicName>>();
  readonly #stops: (() => void)[] = [];
  #news: News[] = [];
  #isLost = false;
  #owesAt = true;
  #wake: (() => void) | undefined;
  #place: Place | undefined;
  #epoch = "";
  /** All up to here has been told. */
  #told = 0;

  constructor(options: FollowOptions) {
    this.#options = options;
    this.#doubted = new Set(options.topics.map(({ name }) => name));
    for (const { name, source, moment } of options.topics) {
      if (moment) this.#moments.set(name, moment);
      if (source) this.#sources.set(source.topic, [...(this.#sources.get(source.topic) ?? []), source]);
    }
  }

  async *run(place: Place | undefined): Stream {
    const { database, bus, tail, own, signal, from } = this.#options;
    const abort = () => this.#wake?.();
    signal?.addEventListener("abort", abort, { once: true });
    if (place) place.onEnd = abort;
    this.#place = place;
    try {
      // Listen before looking: what is committed between the two would be missed.
      this.#stops.push(tail.join(this.#sources.keys(), { hear: (news) => this.#hear(news) }));
      if (own !== undefined) this.#stops.push(bus.listen(own, () => this.#owe()));
      const start = await resumeFrom(database.read, from);
      this.#epoch = start.epoch;
      this.#told = start.seq;
      await tail.look();
      yield* this.#settleRights();
      if (start.lost) yield this.#reset();
      else yield* this.#catchUp();
      while (!this.#isOver) {
        const isQuiet = this.#news.length === 0 && !this.#isLost && !this.#owesAt && this.#stirred.size === 0;
        if (isQuiet && this.#doubted.size === 0) {
          await new Promise<void>((resolve) => (this.#wake = resolve));
          continue;
        }
        const owesAt = this.#owesAt;
        this.#owesAt = false;
        if (owesAt) await tail.look();
        yield* this.#goOn();
        yield* this.#tellMoments();
        if (owesAt && !this.#isOver) yield this.#say("", { kind: "at" });
      }
    } finally {
      place?.leave();
      for (const stop of [...this.#stops, ...this.#joined.values()]) stop();
      signal?.removeEventListener("abort", abort);
    }
  }

  get #isOver(): boolean {
    return (this.#options.signal?.aborted ?? false) || (this.#place?.ended ?? false);
  }

  #hear(news: News | "lost"): void {
    if (news === "lost") this.#isLost = true;
    else this.#news.push(news);
    // Whoever does not take what is sent is told to ask again once they do.
    if (this.#news.length > limits.live.replay) this.#isLost = true;
    if (this.#isLost) this.#news = [];
    this.#rouse();
  }

  #owe(): void {
    this.#owesAt = true;
    this.#rouse();
  }

  #rouse(): void {
    if (this.#wake) this.#options.bus.later(this.#wake);
    this.#wake = undefined;
  }

  #say(topic: Told["topic"], event: StreamEvent): TrackedEnvelope<Told> {
    return tracked(formatCursor(this.#epoch, this.#told), { topic, event });
  }

  #reset(): TrackedEnvelope<Told> {
    this.#isLost = false;
    this.#news = [];
    this.#told = this.#options.tail.seq;
    return this.#say("", { kind: "reset", spread: spreadOf(this.#options.line?.expected ?? 0) });
  }

  /** What happened while nobody listened, from the store. */
  async *#catchUp(): Stream {
    const { database, tail } = this.#options;
    const upTo = tail.seq;
    const behind: [Source[], StoredRow[]][] = [];
    let room = limits.live.replay;
    if (this.#told < upTo)
      for (const [topic, sources] of this.#sources) {
        const rows = await factsAfter(database.read, topic, this.#told, room + 1);
        const before = rows.filter(({ seq }) => seq <= upTo);
        room -= before.length;
        if (room < 0) return void (yield this.#reset());
        if (before.length > 0) behind.push([sources, before]);
      }
    yield* this.#tell(
      behind.flatMap(([sources, rows]) =>
        sources.filter(this.#isReadable).map((source) => tail.frames(source, rows)),
      ),
      upTo,
    );
  }

  async *#goOn(): Stream {
    const { tail } = this.#options;
    yield* this.#settleRights();
    if (this.#isLost) return void (yield this.#reset());
    const upTo = tail.seq;
    yield* this.#tell(
      this.#news
        .splice(0)
        .flatMap((news) =>
          (this.#sources.get(news.topic) ?? [])
            .filter(this.#isReadable)
            .map((source) => news.frames(source, tail.spread(news.topic), tail.onError)),
        ),
      upTo,
    );
  }

  async *#tell(parts: Promise<Frame[]>[], upTo: number): Stream {
    const frames = (await Promise.all(parts)).flat().sort((one, other) => one.seq - other.seq);
    for (const [index, { seq, told, among }] of frames.entries()) {
      if (this.#isOver) return;
      // Asked first: what may be read is looked at last before it is sent.
      const isForMe = among === undefined || (await this.#options.isAmong(told.topic, among));
      if (this.#doubted.size > 0) yield* this.#settleRights();
      const isNew = seq > Math.max(this.#told, this.#since.get(told.topic) ?? 0);
      if (!isForMe || !isNew || !this.#readable.get(told.topic)) continue;
      // The same fact in other words is to come: whoever is cut between the two hears both again.
      const isPart = frames[index + 1]?.seq === seq;
      if (!isPart) this.#told = seq;
      yield tracked(isPart ? formatPart(this.#epoch, seq) : formatCursor(this.#epoch, seq), told);
    }
    this.#told = Math.max(this.#told, upTo);
  }

  /** How it stands now: whoever takes long to read is told once of all that changed meanwhile. */
  async *#tellMoments(): Stream {
    const stirred = [...this.#stirred];
    this.#stirred.clear();
    for (const name of stirred) {
      if (this.#doubted.size > 0) yield* this.#settleRights();
      const told = this.#joined.has(name) ? this.#moments.get(name)?.now() : undefined;
      if (this.#isOver) return;
      if (told) yield tracked(formatCursor(this.#epoch, this.#told), told);
    }
  }

  #attend(name: TopicName, readable: boolean): void {
    this.#joined.get(name)?.();
    this.#joined.delete(name);
    const moment = this.#moments.get(name);
    if (!readable || !moment) return;
    const stir = () => {
      this.#stirred.add(name);
      this.#rouse();
    };
    this.#stirred.add(name);
    this.#joined.set(name, moment.join(stir));
  }

  readonly #isReadable = ({ name }: Source): boolean => this.#readable.get(name) ?? false;

  /** Asks for the rights that are in doubt, and says what may be read no more, or again. */
  async *#settleRights(): Stream {
    while (this.#doubted.size > 0 && !this.#isOver) {
      const names = [...this.#doubted];
      // Before asking: what changes while the answer is on its way is asked about again.
      this.#doubted.clear();
      const rights = await this.#options.rightsTo(names);
      for (const name of names) {
        const { readable = false, rung = [] } = rights.get(name) ?? {};
        const before = this.#readable.get(name);
        // A ring may have been missed before anybody knew to listen for it.
        if (rung.filter((topic) => this.#hang(name, topic)).length > 0) this.#doubted.add(name);
        else if (readable !== before) {
          this.#readable.set(name, readable);
          this.#attend(name, readable);
          // What was presented while it could not be read is never sent; who comes back asks for all of it.
          if (before === false) this.#since.set(name, this.#options.tail.seq);
          const isAddress = name.startsWith("address:");
          const spread = this.#spread(name);
          if (!readable && (before || !isAddress)) yield this.#say(name, { kind: "gone", spread });
          if (readable && (before === false || isAddress)) yield this.#say(name, { kind: "back", spread });
        }
      }
    }
  }

  /** Over how many milliseconds those are spread who ask when this one goes or comes back. */
  #spread(name: TopicName): number {
    const { source } = this.#options.topics.find((topic) => topic.name === name) ?? {};
    return source ? this.#options.tail.spread(source.topic) : 0;
  }

  /** Puts a topic in doubt whenever this is rung; true where it was not so before. */
  #hang(name: TopicName, rung: string): boolean {
    const known = this.#hanging.get(rung);
    if (known?.has(name)) return false;
    const names = known ?? new Set<TopicName>();
    names.add(name);
    this.#hanging.set(rung, names);
    const doubt = () => {
      for (const doubted of names) this.#doubted.add(doubted);
      this.#rouse();
    };
    if (!known) this.#stops.push(this.#options.bus.listen(rung, doubt));
    return true;
  }
}
