import { tracked, type TrackedEnvelope } from "@trpc/server";
import { formatCursor, formatPartialCursor } from "../../shared/cursor.ts";
import { limits } from "../../shared/limits.ts";
import { tooBusy } from "../../shared/errors.ts";
import type { LiveMessage, StreamEvent, TopicName } from "../../shared/live.ts";
import type { Database } from "../database/connection.ts";
import { AccessTracker, type TopicAccess } from "./access-tracker.ts";
import { BlockFilter, type HiddenSource } from "./block-filter.ts";
import type { Bus } from "./bus.ts";
import type { ClientConnection, StreamSlot } from "./connection-limits.ts";
import { jitterFor, type EventBatch, type EventDispatcher } from "./event-dispatcher.ts";
import { type Frame, type Source } from "./source.ts";
import { eventsAfter, resumeFrom, type LogEntry } from "./event-log.ts";
import type { EphemeralTopic } from "./ephemeral-topics.ts";
import { messageOf, onSubscriptionId } from "./shared-messages.ts";

export interface TopicStreamOptions {
  database: Database;
  bus: Bus;
  dispatcher: EventDispatcher;
  /** The topics with their stored events, or their current state. One without either only sends `accessRestored`. */
  topics: { name: TopicName; source: Source | undefined; ephemeral?: EphemeralTopic | undefined }[];
  /** The cursors that the page and its connection have; the later one counts. */
  from: (string | undefined)[];
  /** Signalled after each change that the viewer makes. */
  viewerTopic: string | undefined;
  /** Reads the access to several topics: to all of them at the start, then to those whose signals came. */
  accessTo: (names: TopicName[]) => Promise<Map<TopicName, TopicAccess>>;
  /** Whether the viewer belongs to the audience of an event. */
  isInAudience: (name: LiveMessage["topic"], audience: string) => Promise<boolean>;
  hidden?: HiddenSource | undefined;
  /** Called with the bytes of missed events before they are sent. */
  onReplayed?: (bytes: number) => void;
  signal: AbortSignal | undefined;
  connection: ClientConnection | undefined;
}

type Stream = AsyncGenerator<TrackedEnvelope<LiveMessage>, void, unknown>;

/**
 * Opens a page's stream of many topics, in one order. It listens first, replays second, then sends what comes. For a topic
 * that the viewer cannot read it sends `accessLost`, and nothing more until `accessRestored`. It ends the stream that the
 * connection had before.
 */
export const openTopicStream = (options: TopicStreamOptions): Stream =>
  new TopicStream(options).run(options.connection?.openSlot());

class TopicStream {
  readonly #options: TopicStreamOptions;
  readonly #sources = new Map<string, Source[]>();
  readonly #ephemeral = new Map<TopicName, EphemeralTopic>();
  /** Ephemeral topics that the stream has joined, each with the function that leaves it. */
  readonly #joined = new Map<TopicName, (isBarred?: boolean) => void>();
  /** Ephemeral topics that changed since they were sent. */
  readonly #dirty = new Set<TopicName>();
  readonly #access: AccessTracker;
  readonly #blockFilter: BlockFilter;
  /** Sequence numbers after which a topic is sent that could not be read before. */
  readonly #readableSince = new Map<string, number>();
  /** The readable sources of each stored topic, cached until an access changes. */
  readonly #readableSources = new Map<string, Source[]>();
  readonly #stops: (() => void)[] = [];
  #batches: EventBatch[] = [];
  #isLost = false;
  #owesCheckpoint = true;
  #wake: (() => void) | undefined;
  #isWaking = false;
  /** tRPC's id of this subscription on its socket, once it is known. */
  #id: number | undefined;
  #slot: StreamSlot | undefined;
  #epoch = "";
  /** All events up to this sequence number have been sent. */
  #sentSeq = 0;

  constructor(options: TopicStreamOptions) {
    this.#options = options;
    this.#blockFilter = new BlockFilter(options.hidden);
    const names = options.topics.map(({ name }) => name);
    this.#access = new AccessTracker(names, options, () => this.#wakeSoon());
    for (const { name, source, ephemeral } of options.topics) {
      if (ephemeral) this.#ephemeral.set(name, ephemeral);
      if (source) this.#sources.set(source.topic, [...(this.#sources.get(source.topic) ?? []), source]);
    }
  }

  async *run(slot: StreamSlot | undefined): Stream {
    const { database, bus, dispatcher, viewerTopic, signal, from } = this.#options;
    signal?.addEventListener("abort", this.#wakeUp, { once: true });
    if (slot) slot.onEnd = this.#wakeUp;
    this.#slot = slot;
    try {
      // Listen before reading, or what is committed between the two would be missed.
      this.#stops.push(dispatcher.join(this.#sources.keys(), { receive: (batch) => this.#receive(batch) }));
      if (viewerTopic !== undefined)
        this.#stops.push(bus.listen(viewerTopic, () => this.#requestCheckpoint()));
      this.#stops.push(this.#blockFilter.listen(bus, () => this.#wakeSoon()));
      const start = await resumeFrom(database.read, from);
      this.#epoch = start.epoch;
      this.#sentSeq = start.seq;
      // Otherwise events between those of the past and those to come would be missed.
      if (!(await dispatcher.dispatch())) throw tooBusy();
      yield* this.#refreshAccess();
      if (start.lost) yield this.#reset();
      else yield* this.#catchUp();
      while (!this.#isOver) {
        const isIdle =
          this.#batches.length === 0 && !this.#isLost && !this.#owesCheckpoint && this.#dirty.size === 0;
        if (isIdle && !this.#isStale) {
          await new Promise<void>((resolve) => (this.#wake = resolve));
          continue;
        }
        const owesCheckpoint = this.#owesCheckpoint;
        this.#owesCheckpoint = false;
        if (owesCheckpoint) await dispatcher.scheduleDispatch();
        yield* this.#sendBatches();
        yield* this.#sendEphemeral();
        if (owesCheckpoint && !this.#isOver) yield this.#checkpoint();
      }
    } finally {
      slot?.release();
      this.#access.stop();
      for (const stop of [...this.#stops, ...this.#joined.values()]) stop();
      signal?.removeEventListener("abort", this.#wakeUp);
    }
  }

  get #isOver(): boolean {
    return (this.#options.signal?.aborted ?? false) || (this.#slot?.ended ?? false);
  }

  get #isStale(): boolean {
    return this.#access.stale || this.#blockFilter.stale;
  }

  #receive(batch: EventBatch | "lost"): void {
    if (batch === "lost") this.#isLost = true;
    else this.#batches.push(batch);
    // A reader who does not take what is sent gets a reset once they do.
    if (this.#batches.length > limits.live.replay) this.#isLost = true;
    if (this.#isLost) this.#batches = [];
    // The frames are ready by the time of `#writeDirectly`.
    else if (this.#id !== undefined) this.#prepare(batch as EventBatch);
    this.#wakeSoon();
  }

  #requestCheckpoint(): void {
    this.#owesCheckpoint = true;
    this.#wakeSoon();
  }

  #wakeSoon(): void {
    if (!this.#wake || this.#isWaking) return;
    this.#isWaking = true;
    this.#options.bus.later(() => {
      this.#isWaking = false;
      if (this.#writeDirectly()) return;
      const unready = this.#connectionToWrite?.send ? this.#unreadyFrames() : [];
      if (unready.length === 0) return this.#wakeUp();
      // PostgreSQL needs longer than a turn to read what is presented.
      this.#isWaking = true;
      void Promise.allSettled(unready).then(() => {
        this.#isWaking = false;
        if (!this.#writeDirectly()) this.#wakeUp();
      });
    });
  }

  readonly #wakeUp = (): void => {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  };

  /**
   * Writes what there is to the socket while the generator sleeps on: with many readers, waking each generator costs many
   * times what writing does. Returns false where it must wake, since something has to be read first or is not for this path.
   */
  #writeDirectly(): boolean {
    const connection = this.#connectionToWrite;
    if (!connection?.send) return false;
    const parts: (Frame[] | undefined)[] = [];
    for (const batch of this.#batches)
      for (const source of this.#sourcesOf(batch.topic)) parts.push(batch.framesIfReady(source));
    const frames = mergeFrames(parts);
    if (!frames || frames.some(({ audience }) => audience !== undefined)) return false;
    this.#batches = [];
    const messages: Buffer[] = [];
    for (let index = 0; index < frames.length; index++) {
      const message = this.#blockFilter.filter(frames[index]!);
      const cursor = message && this.#cursorOf(frames[index]!, frames[index + 1]);
      if (cursor) messages.push(messageOf(this.#id!, cursor, message));
    }
    this.#sentSeq = Math.max(this.#sentSeq, this.#options.dispatcher.seq);
    for (const name of this.#dirty) {
      const message = this.#currentState(name);
      if (message) messages.push(messageOf(this.#id!, formatCursor(this.#epoch, this.#sentSeq), message));
    }
    this.#dirty.clear();
    connection.send(messages);
    return true;
  }

  /** Undefined where the stream must wake. */
  get #connectionToWrite() {
    return this.#wake &&
      this.#id !== undefined &&
      !this.#isLost &&
      !this.#owesCheckpoint &&
      !this.#isStale &&
      !this.#isOver
      ? this.#options.connection
      : undefined;
  }

  #unreadyFrames(): Promise<Frame[]>[] {
    return this.#batches.flatMap((batch) =>
      this.#sourcesOf(batch.topic)
        .filter((source) => !batch.framesIfReady(source))
        .map((source) => this.#frames(batch, source)),
    );
  }

  #track(topic: LiveMessage["topic"], event: StreamEvent): TrackedEnvelope<LiveMessage> {
    return tracked(formatCursor(this.#epoch, this.#sentSeq), { topic, event });
  }

  /** Says that all events up to here were sent. The id that it is written under is used to write directly from then on. */
  #checkpoint(): TrackedEnvelope<LiveMessage> {
    const [cursor, message] = this.#track("", { kind: "checkpoint", now: Date.now() });
    if (this.#options.connection?.send) onSubscriptionId(message, (id) => (this.#id = id));
    return tracked(cursor, message);
  }

  #reset(): TrackedEnvelope<LiveMessage> {
    this.#isLost = false;
    this.#batches = [];
    this.#sentSeq = this.#options.dispatcher.seq;
    return this.#track("", {
      kind: "reset",
      jitterMs: jitterFor(this.#options.connection?.expected ?? 0),
    });
  }

  /** Sends from the event log what happened before the stream began to listen. */
  async *#catchUp(): Stream {
    const { database, dispatcher } = this.#options;
    const lastSeq = dispatcher.seq;
    const missed: [topic: string, entries: LogEntry[]][] = [];
    let room = limits.live.replay;
    if (this.#sentSeq < lastSeq)
      for (const topic of this.#sources.keys()) {
        const entries = await eventsAfter(database.read, topic, this.#sentSeq, room + 1);
        const before = entries.filter(({ seq }) => seq <= lastSeq);
        room -= before.length;
        if (room < 0) return void (yield this.#reset());
        if (before.length > 0) missed.push([topic, before]);
      }
    const parts = missed.flatMap(([topic, entries]) =>
      this.#sourcesOf(topic).map((source) => dispatcher.frames(source, entries)),
    );
    let bytes = 0;
    for (const frame of (await Promise.all(parts)).flat()) {
      bytes += frame.bytes ??= Buffer.byteLength(JSON.stringify(frame.message));
      // A socket would be closed; loading the page again costs less.
      if (bytes > limits.live.buffered) return void (yield this.#reset());
    }
    this.#options.onReplayed?.(bytes);
    yield* this.#sendFrames(parts, lastSeq);
  }

  async *#sendBatches(): Stream {
    yield* this.#refreshAccess();
    if (this.#isLost) return void (yield this.#reset());
    const lastSeq = this.#options.dispatcher.seq;
    yield* this.#sendFrames(
      this.#batches
        .splice(0)
        .flatMap((batch) => this.#sourcesOf(batch.topic).map((source) => this.#frames(batch, source))),
      lastSeq,
    );
  }

  #frames(batch: EventBatch, source: Source): Promise<Frame[]> {
    const { dispatcher } = this.#options;
    return batch.frames(source, dispatcher.jitterMs(batch.topic), dispatcher.onError);
  }

  /** Begins to make the frames of a batch, unless another stream has. */
  #prepare(batch: EventBatch): void {
    for (const source of this.#sourcesOf(batch.topic))
      if (!batch.isRequested(source)) void this.#frames(batch, source);
  }

  /** Returns the sources of a stored topic that the viewer can read. */
  #sourcesOf(topic: string): Source[] {
    let readable = this.#readableSources.get(topic);
    if (!readable) {
      readable = (this.#sources.get(topic) ?? []).filter(({ name }) => this.#access.canRead(name));
      this.#readableSources.set(topic, readable);
    }
    return readable;
  }

  async *#sendFrames(parts: Promise<Frame[]>[], lastSeq: number): Stream {
    const frames = mergeFrames(await Promise.all(parts))!;
    for (const [index, frame] of frames.entries()) {
      if (this.#isOver) return;
      const { message: unfiltered, audience } = frame;
      // Before the access is refreshed, which must be the last read before sending.
      const isForViewer =
        audience === undefined || (await this.#options.isInAudience(unfiltered.topic, audience));
      if (this.#isStale) yield* this.#refreshAccess();
      const message = isForViewer ? this.#blockFilter.filter(frame) : undefined;
      const cursor = message && this.#cursorOf(frame, frames[index + 1]);
      if (cursor) yield tracked(cursor, message);
    }
    this.#sentSeq = Math.max(this.#sentSeq, lastSeq);
  }

  /** Returns the cursor to send a frame with, or undefined where it is not to be sent. */
  #cursorOf({ seq, message: { topic } }: Frame, next: Frame | undefined): string | undefined {
    const isNew = seq > Math.max(this.#sentSeq, this.#readableSince.get(topic) ?? 0);
    if (!isNew || !(topic === "" || this.#access.canRead(topic))) return undefined;
    // Another frame of the same event follows: a page that is cut off between the two gets both again.
    if (next?.seq === seq) return formatPartialCursor(this.#epoch, seq);
    this.#sentSeq = seq;
    return formatCursor(this.#epoch, seq);
  }

  /** Sends the current state of changed ephemeral topics: a slow reader gets the last one alone. */
  async *#sendEphemeral(): Stream {
    const dirty = [...this.#dirty];
    this.#dirty.clear();
    for (const name of dirty) {
      if (this.#isStale) yield* this.#refreshAccess();
      const message = this.#currentState(name);
      if (this.#isOver) return;
      if (message) yield tracked(formatCursor(this.#epoch, this.#sentSeq), message);
    }
  }

  #currentState(name: TopicName): LiveMessage | undefined {
    const message = this.#joined.has(name) ? this.#ephemeral.get(name)?.current() : undefined;
    return message && this.#blockFilter.filterEphemeral(message);
  }

  #joinEphemeral(name: TopicName, readable: boolean): void {
    this.#joined.get(name)?.(!readable);
    this.#joined.delete(name);
    const ephemeral = this.#ephemeral.get(name);
    if (!readable || !ephemeral) return;
    const onChange = () => {
      this.#dirty.add(name);
      this.#wakeSoon();
    };
    this.#dirty.add(name);
    this.#joined.set(name, ephemeral.join(onChange));
  }

  /** Reads the stale accesses, and sends `accessLost` and `accessRestored` where they changed. */
  async *#refreshAccess(): Stream {
    await this.#blockFilter.refresh();
    for await (const { name, readable, before } of this.#access.refresh(() => this.#isOver)) {
      this.#readableSources.clear();
      this.#joinEphemeral(name, readable);
      // What happened while it could not be read is never sent: the page refetches everything of the topic.
      if (before === false) this.#readableSince.set(name, this.#options.dispatcher.seq);
      const isAddress = name.startsWith("address:");
      const jitterMs = this.#jitterMs(name);
      if (!readable && (before || !isAddress)) yield this.#track(name, { kind: "accessLost", jitterMs });
      if (readable && (before === false || isAddress))
        yield this.#track(name, { kind: "accessRestored", jitterMs });
    }
  }

  /** Returns the jitter for the pages that refetch when the access to this topic changes. */
  #jitterMs(name: TopicName): number {
    const { source } = this.#options.topics.find((topic) => topic.name === name) ?? {};
    return source ? this.#options.dispatcher.jitterMs(source.topic) : 0;
  }
}

/** Merges the frames of several topics by sequence number; undefined where some are not ready. */
function mergeFrames(parts: (Frame[] | undefined)[]): Frame[] | undefined {
  const [first, ...others] = parts;
  if (first && others.length === 0) return first;
  const ready = parts.filter((frames) => frames !== undefined);
  if (ready.length < parts.length) return undefined;
  return ready.flat().sort((a, b) => a.seq - b.seq);
}
