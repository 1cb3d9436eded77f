import { setTimeout as sleep } from "node:timers/promises";
import { limits } from "../../shared/limits.ts";
import type { Database } from "../database/connection.ts";
import type { Bus } from "./bus.ts";
import { eventsAfter, newestSeq, topicsSince, type LogEntry } from "./event-log.ts";
import type { Frame, OnError, Source } from "./source.ts";

/** Milliseconds between two dispatches: for each reader, about what writing to them takes, and at most. */
const cooldown = { each: 0.01, most: 100 };

/** Milliseconds until another try to read the log. */
const retryMs = 500;

interface PendingFrames {
  promise: Promise<Frame[]>;
  /** Set once the promise is fulfilled. */
  frames?: Frame[];
}

/** The events of one topic since the last dispatch. All readers get the same object, so that it is presented once. */
export class EventBatch {
  readonly topic: string;
  readonly entries: LogEntry[];
  readonly #frames = new Map<string, PendingFrames>();

  constructor(topic: string, entries: LogEntry[]) {
    this.topic = topic;
    this.entries = entries;
  }

  frames({ name, frames }: Source, jitterMs: number, onError: OnError): Promise<Frame[]> {
    let pending = this.#frames.get(name);
    if (!pending) {
      const started: PendingFrames = { promise: frames(this.entries, jitterMs, onError) };
      started.promise.then(
        (resolved) => (started.frames = resolved),
        () => undefined,
      );
      this.#frames.set(name, (pending = started));
    }
    return pending.promise;
  }

  /** Returns whether `frames` was called for this source. */
  isRequested({ name }: Source): boolean {
    return this.#frames.has(name);
  }

  framesIfReady({ name }: Source): Frame[] | undefined {
    return this.#frames.get(name)?.frames;
  }
}

/** A stream's end of the dispatcher. It receives "lost" where more events came at once than are sent one by one. */
export interface Listener {
  receive(batch: EventBatch | "lost"): void;
}

interface TopicState {
  listeners: Map<Listener, true>;
  /** Events up to this sequence number were handed on; undefined before the first dispatch. */
  seq: number | undefined;
  stop: () => void;
}

/**
 * Reads the event log once for all streams: after a signal it hands the new events of each topic to the listeners of the
 * topic. At any time all listeners have received everything up to `seq`, so that no event overtakes another.
 */
export class EventDispatcher {
  readonly #database: Database;
  readonly #bus: Bus;
  readonly onError: OnError;
  readonly #topics = new Map<string, TopicState>();
  readonly #recent = new Map<string, EventBatch>();
  #signalled = new Set<string>();
  #scheduled: Promise<boolean> | undefined;
  /** By the clock of `performance`. */
  #cooldownUntil = 0;
  #running: Promise<unknown> = Promise.resolve();
  #next: Promise<boolean> | undefined;
  #seq: number | undefined;
  /** The time of the first signal that was not dispatched yet, by the clock of `performance`. */
  #signalledAt: number | undefined;
  /** Milliseconds from a signal until its last listener received the events, as last measured. */
  lag = 0;

  constructor(database: Database, bus: Bus, onError: OnError) {
    this.#database = database;
    this.#bus = bus;
    this.onError = onError;
  }

  /** Everything up to this sequence number was handed on. */
  get seq(): number {
    return this.#seq ?? 0;
  }

  /** Hands the events of these topics to the listener from the next dispatch on, until the returned function is called. */
  join(topics: Iterable<string>, listener: Listener): () => void {
    const uniqueTopics = [...new Set(topics)];
    for (const topic of uniqueTopics) {
      let state = this.#topics.get(topic);
      if (!state) {
        const stop = this.#bus.listen(topic, () => this.#onSignal(topic));
        this.#topics.set(topic, (state = { listeners: new Map(), seq: undefined, stop }));
      }
      state.listeners.set(listener, true);
    }
    return () => {
      for (const topic of uniqueTopics) {
        const state = this.#topics.get(topic);
        state?.listeners.delete(listener);
        if (state?.listeners.size !== 0) continue;
        state.stop();
        this.#topics.delete(topic);
      }
    };
  }

  /** Dispatches new events. A call during a dispatch waits for the next one. Returns false, and tries again, if they could not be read. */
  dispatch(): Promise<boolean> {
    this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      const dispatched = this.#dispatch().then(
        () => true,
        (error: unknown) => {
          this.onError(error, "the event log could not be read");
          setTimeout(() => void this.scheduleDispatch(), retryMs).unref();
          return false;
        },
      );
      this.#running = dispatched;
      return dispatched;
    });
    return this.#next;
  }

  /** Returns the jitter for the pages that listen to a topic, where all of them have to refetch. */
  jitterMs(topic: string): number {
    return jitterFor(this.#topics.get(topic)?.listeners.size ?? 0);
  }

  /** Returns the frames of older events. Streams that resume at the same place within a second share them. */
  frames(source: Source, entries: LogEntry[]): Promise<Frame[]> {
    const key = `${source.topic} ${entries[0]?.seq} ${entries.at(-1)?.seq}`;
    let batch = this.#recent.get(key);
    if (!batch) {
      this.#recent.set(key, (batch = new EventBatch(source.topic, entries)));
      setTimeout(() => this.#recent.delete(key), 1_000).unref();
    }
    return batch.frames(source, this.jitterMs(source.topic), this.onError);
  }

  #onSignal(topic: string): void {
    this.#signalledAt ??= performance.now();
    this.#signalled.add(topic);
    void this.scheduleDispatch();
  }

  /** Dispatches after the cooldown: events of that time are sent together. */
  scheduleDispatch(): Promise<boolean> {
    return (this.#scheduled ??= this.#cooldown().then(() => {
      this.#scheduled = undefined;
      return this.dispatch();
    }));
  }

  async #cooldown(): Promise<void> {
    await new Promise<void>((resolve) => this.#bus.later(resolve));
    const remainingMs = this.#cooldownUntil - performance.now();
    if (remainingMs > 1) await sleep(remainingMs, undefined, { ref: false });
  }

  async #dispatch(): Promise<void> {
    const { read } = this.#database;
    const lastSeq = await newestSeq(read);
    // Writes of other processes are signalled up to a second late: their topics are read from the log.
    if (this.#seq !== undefined && lastSeq > this.#seq)
      for (const topic of await topicsSince(read, this.#seq)) this.#signalled.add(topic);
    const { signalledAt, signalled } = { signalledAt: this.#signalledAt, signalled: this.#signalled };
    this.#signalled = new Set();
    this.#signalledAt = undefined;
    const delivered: { state: TopicState; batch: EventBatch | "lost"; upTo: number }[] = [];
    for (const topic of signalled) {
      const state = this.#topics.get(topic);
      if (state?.seq === undefined) continue;
      const entries = await eventsAfter(read, topic, state.seq, limits.live.replay + 1);
      const before = entries.filter(({ seq }) => seq <= lastSeq);
      // Events that came during the read are for the next dispatch.
      if (before.length < entries.length) this.#onSignal(topic);
      const last = before.at(-1);
      if (before.length > limits.live.replay) delivered.push({ state, batch: "lost", upTo: lastSeq });
      else if (last) delivered.push({ state, batch: new EventBatch(topic, before), upTo: last.seq });
    }
    // Synchronous from here: a stream that reads `seq` has received everything up to it. Nothing is noted before all was read.
    for (const state of this.#topics.values()) state.seq ??= lastSeq;
    this.#seq = lastSeq;
    let receiverCount = 0;
    for (const { state, batch, upTo } of delivered) {
      const { listeners } = state;
      state.seq = upTo;
      receiverCount += listeners.size;
      for (const listener of listeners.keys()) listener.receive(batch);
    }
    if (signalledAt !== undefined) this.lag = performance.now() - signalledAt;
    if (receiverCount > 0)
      this.#bus.later(() => {
        this.#cooldownUntil = performance.now() + Math.min(receiverCount * cooldown.each, cooldown.most);
      });
  }
}

/** Returns over how many milliseconds so many pages spread their refetches. */
export const jitterFor = (pages: number): number =>
  Math.min(pages * limits.live.jitter.each, limits.live.jitter.most);
