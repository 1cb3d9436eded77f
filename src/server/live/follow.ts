import { tracked, type TrackedEnvelope } from "@trpc/server";
import { formatCursor, formatPart } from "../../shared/cursor.ts";
import { limits } from "../../shared/limits.ts";
import type { StreamEvent, Told, TopicName } from "../../shared/live.ts";
import type { Database } from "../database/connection.ts";
import type { Bus } from "./bus.ts";
import type { OpenLine, Place } from "./crowd.ts";
import { messageOf, onWritten } from "./shared-messages.ts";
import { factsAfter, resumeFrom, type StoredRow } from "./outbox.ts";
import type { Moment } from "./presence.ts";
import { Rights, type Right } from "./rights.ts";
import { spreadOf, type Frame, type News, type Source, type Tail } from "./tail.ts";
import { BlockFilter, type HiddenSource } from "./block-filter.ts";

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
  hidden?: HiddenSource | undefined;
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
  readonly #joined = new Map<TopicName, (isBarred?: boolean) => void>();
  readonly #stirred = new Set<TopicName>();
  readonly #rights: Rights;
  readonly #blockFilter: BlockFilter;
  /** From where on a topic is told that could not be read before. */
  readonly #since = new Map<string, number>();
  /** Of each stored topic those sources that may be read, as far as anybody asked since a right changed. */
  readonly #open = new Map<string, Source[]>();
  readonly #stops: (() => void)[] = [];
  #news: News[] = [];
  #isLost = false;
  #owesAt = true;
  #wake: (() => void) | undefined;
  #isRoused = false;
  /** By which tRPC knows this stream on its socket, once that is known. */
  #id: number | undefined;
  #place: Place | undefined;
  #epoch = "";
  /** All up to here has been told. */
  #told = 0;

  constructor(options: FollowOptions) {
    this.#options = options;
    this.#blockFilter = new BlockFilter(options.hidden);
    const names = options.topics.map(({ name }) => name);
    this.#rights = new Rights(names, options, () => this.#rouse());
    for (const { name, source, moment } of options.topics) {
      if (moment) this.#moments.set(name, moment);
      if (source) this.#sources.set(source.topic, [...(this.#sources.get(source.topic) ?? []), source]);
    }
  }

  async *run(place: Place | undefined): Stream {
    const { database, bus, tail, own, signal, from } = this.#options;
    signal?.addEventListener("abort", this.#wakeUp, { once: true });
    if (place) place.onEnd = this.#wakeUp;
    this.#place = place;
    try {
      // Listen before looking: what is committed between the two would be missed.
      this.#stops.push(tail.join(this.#sources.keys(), { hear: (news) => this.#hear(news) }));
      if (own !== undefined) this.#stops.push(bus.listen(own, () => this.#owe()));
      this.#stops.push(this.#blockFilter.listen(bus, () => this.#rouse()));
      const start = await resumeFrom(database.read, from);
      this.#epoch = start.epoch;
      this.#told = start.seq;
      await tail.look();
      yield* this.#settleRights();
      if (start.lost) yield this.#reset();
      else yield* this.#catchUp();
      while (!this.#isOver) {
        const isQuiet = this.#news.length === 0 && !this.#isLost && !this.#owesAt && this.#stirred.size === 0;
        if (isQuiet && !this.#isInDoubt) {
          await new Promise<void>((resolve) => (this.#wake = resolve));
          continue;
        }
        const owesAt = this.#owesAt;
        this.#owesAt = false;
        if (owesAt) await tail.soon();
        yield* this.#goOn();
        yield* this.#tellMoments();
        if (owesAt && !this.#isOver) yield this.#at();
      }
    } finally {
      place?.leave();
      this.#rights.leave();
      for (const stop of [...this.#stops, ...this.#joined.values()]) stop();
      signal?.removeEventListener("abort", this.#wakeUp);
    }
  }

  get #isOver(): boolean {
    return (this.#options.signal?.aborted ?? false) || (this.#place?.ended ?? false);
  }

  get #isInDoubt(): boolean {
    return this.#rights.inDoubt || this.#blockFilter.stale;
  }

  #hear(news: News | "lost"): void {
    if (news === "lost") this.#isLost = true;
    else this.#news.push(news);
    // Whoever does not take what is sent is told to ask again once they do.
    if (this.#news.length > limits.live.replay) this.#isLost = true;
    if (this.#isLost) this.#news = [];
    // Made by the time of `#pass`.
    else if (this.#id !== undefined) this.#prepare(news as News);
    this.#rouse();
  }

  #owe(): void {
    this.#owesAt = true;
    this.#rouse();
  }

  #rouse(): void {
    if (!this.#wake || this.#isRoused) return;
    this.#isRoused = true;
    this.#options.bus.later(() => {
      this.#isRoused = false;
      if (!this.#pass()) this.#wakeUp();
    });
  }

  readonly #wakeUp = (): void => {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  };

  /**
   * Sends what there is over the socket while the stream sleeps on: of a crowd, waking each costs many times what
   * writing does. Returns false where it must wake, since something is to be asked or said first.
   */
  #pass(): boolean {
    const line = this.#wake && this.#id !== undefined ? this.#options.line : undefined;
    if (!line?.send || this.#isLost || this.#owesAt || this.#isInDoubt || this.#isOver) return false;
    const parts: (Frame[] | undefined)[] = [];
    for (const news of this.#news)
      for (const source of this.#sourcesOf(news.topic)) parts.push(news.made(source));
    const frames = inOrder(parts);
    if (!frames || frames.some(({ among }) => among !== undefined)) return false;
    this.#news = [];
    const written: Buffer[] = [];
    for (let index = 0; index < frames.length; index++) {
      const told = this.#blockFilter.filter(frames[index]!);
      const cursor = told && this.#cursorOf(frames[index]!, frames[index + 1]);
      if (cursor) written.push(messageOf(this.#id!, cursor, told));
    }
    this.#told = Math.max(this.#told, this.#options.tail.seq);
    for (const name of this.#stirred) {
      const told = this.#standing(name);
      if (told) written.push(messageOf(this.#id!, formatCursor(this.#epoch, this.#told), told));
    }
    this.#stirred.clear();
    line.send(written);
    return true;
  }

  #say(topic: Told["topic"], event: StreamEvent): TrackedEnvelope<Told> {
    return tracked(formatCursor(this.#epoch, this.#told), { topic, event });
  }

  /** All up to here is told. By the id that it is written under what comes next may be written. */
  #at(): TrackedEnvelope<Told> {
    const [cursor, told] = this.#say("", { kind: "at" });
    if (this.#options.line?.send) onWritten(told, (id) => (this.#id = id));
    return tracked(cursor, told);
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
    const behind: [topic: string, rows: StoredRow[]][] = [];
    let room = limits.live.replay;
    if (this.#told < upTo)
      for (const topic of this.#sources.keys()) {
        const rows = await factsAfter(database.read, topic, this.#told, room + 1);
        const before = rows.filter(({ seq }) => seq <= upTo);
        room -= before.length;
        if (room < 0) return void (yield this.#reset());
        if (before.length > 0) behind.push([topic, before]);
      }
    yield* this.#tell(
      behind.flatMap(([topic, rows]) => this.#sourcesOf(topic).map((source) => tail.frames(source, rows))),
      upTo,
    );
  }

  async *#goOn(): Stream {
    yield* this.#settleRights();
    if (this.#isLost) return void (yield this.#reset());
    const upTo = this.#options.tail.seq;
    yield* this.#tell(
      this.#news
        .splice(0)
        .flatMap((news) => this.#sourcesOf(news.topic).map((source) => this.#frames(news, source))),
      upTo,
    );
  }

  #frames(news: News, source: Source): Promise<Frame[]> {
    const { tail } = this.#options;
    return news.frames(source, tail.spread(news.topic), tail.onError);
  }

  /** Has the frames made: of a crowd by the first one. */
  #prepare(news: News): void {
    for (const source of this.#sourcesOf(news.topic))
      if (!news.isAsked(source)) void this.#frames(news, source);
  }

  /** Those of a stored topic that may be read. */
  #sourcesOf(topic: string): Source[] {
    let open = this.#open.get(topic);
    if (!open) {
      open = (this.#sources.get(topic) ?? []).filter(({ name }) => this.#rights.may(name));
      this.#open.set(topic, open);
    }
    return open;
  }

  async *#tell(parts: Promise<Frame[]>[], upTo: number): Stream {
    const frames = inOrder(await Promise.all(parts))!;
    for (const [index, frame] of frames.entries()) {
      if (this.#isOver) return;
      const {
        told: { topic },
        among,
      } = frame;
      // Asked first: what may be read is looked at last before it is sent.
      const isForMe = among === undefined || (await this.#options.isAmong(topic, among));
      if (this.#isInDoubt) yield* this.#settleRights();
      const told = isForMe ? this.#blockFilter.filter(frame) : undefined;
      const cursor = told && this.#cursorOf(frame, frames[index + 1]);
      if (cursor) yield tracked(cursor, told);
    }
    this.#told = Math.max(this.#told, upTo);
  }

  /** Where the stream stands once this is told; undefined where it is not told. */
  #cursorOf({ seq, told: { topic } }: Frame, next: Frame | undefined): string | undefined {
    const isNew = seq > Math.max(this.#told, this.#since.get(topic) ?? 0);
    if (!isNew || !(topic === "" || this.#rights.may(topic))) return undefined;
    // The same fact in other words is to come: whoever is cut between the two hears both again.
    if (next?.seq === seq) return formatPart(this.#epoch, seq);
    this.#told = seq;
    return formatCursor(this.#epoch, seq);
  }

  /** How it stands now: whoever takes long to read is told once of all that changed meanwhile. */
  async *#tellMoments(): Stream {
    const stirred = [...this.#stirred];
    this.#stirred.clear();
    for (const name of stirred) {
      if (this.#isInDoubt) yield* this.#settleRights();
      const told = this.#standing(name);
      if (this.#isOver) return;
      if (told) yield tracked(formatCursor(this.#epoch, this.#told), told);
    }
  }

  #standing(name: TopicName): Told | undefined {
    const told = this.#joined.has(name) ? this.#moments.get(name)?.now() : undefined;
    return told && this.#blockFilter.filterEphemeral(told);
  }

  #attend(name: TopicName, readable: boolean): void {
    this.#joined.get(name)?.(!readable);
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

  /** Asks for the rights that are in doubt, and says what may be read no more, or again. */
  async *#settleRights(): Stream {
    await this.#blockFilter.refresh();
    for await (const { name, readable, before } of this.#rights.settle(() => this.#isOver)) {
      this.#open.clear();
      this.#attend(name, readable);
      // What was presented while it could not be read is never sent; who comes back asks for all of it.
      if (before === false) this.#since.set(name, this.#options.tail.seq);
      const isAddress = name.startsWith("address:");
      const spread = this.#spread(name);
      if (!readable && (before || !isAddress)) yield this.#say(name, { kind: "gone", spread });
      if (readable && (before === false || isAddress)) yield this.#say(name, { kind: "back", spread });
    }
  }

  /** Over how many milliseconds those are spread who ask when this one goes or comes back. */
  #spread(name: TopicName): number {
    const { source } = this.#options.topics.find((topic) => topic.name === name) ?? {};
    return source ? this.#options.tail.spread(source.topic) : 0;
  }
}

/** The frames of several topics as they followed each other; undefined where those of one are still to be made. */
function inOrder(parts: (Frame[] | undefined)[]): Frame[] | undefined {
  const [first, ...others] = parts;
  if (first && others.length === 0) return first;
  const made = parts.filter((frames) => frames !== undefined);
  if (made.length < parts.length) return undefined;
  return made.flat().sort((one, other) => one.seq - other.seq);
}
