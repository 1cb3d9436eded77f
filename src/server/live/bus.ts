import { jobsTopic, limitedTopic } from "./signals.ts";

/** Milliseconds that streams get in one turn of the event loop, so that a thousand of them do not hold up other requests. */
const slice = 4;

/** Milliseconds without word of what other servers have written. */
const maxBehindMs = 3_000;

/**
 * Signals that a topic has changed, and nothing about the change: that is in the event log. A signal may come twice, and
 * may be lost with the process.
 */
export class Bus {
  readonly #topics = new Map<string, Set<() => void>>();
  readonly #queue: (() => void)[] = [];
  /** When signals of other processes were last read; undefined where there are none. */
  #readAt: number | undefined;
  #isRunning = false;
  readonly #onError: (error: unknown) => void;

  /** `onError` is called when a listener throws; the other listeners are called all the same. */
  constructor(onError: (error: unknown) => void = () => undefined) {
    this.#onError = onError;
  }

  /**
   * Calls `listener` at each signal of the topic, until the returned function is called. All listeners run before the writer
   * is answered, so a listener only sets a flag or drops a cache; work goes through `later`.
   */
  listen(topic: string, listener: () => void): () => void {
    let listeners = this.#topics.get(topic);
    if (!listeners) this.#topics.set(topic, (listeners = new Set()));
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#topics.get(topic) === listeners) this.#topics.delete(topic);
    };
  }

  signal(topics: Iterable<string>): void {
    for (const topic of topics) {
      const listeners = this.#topics.get(topic);
      if (!listeners) continue;
      for (const listener of listeners) this.#try(listener);
    }
  }

  /**
   * Notes that signals of other servers have been read, or (false) that the store is away: then pages from memory go on. A process that
   * was stopped meanwhile may be behind all the same.
   */
  noteRead(isRead: boolean): void {
    if (isRead) this.#readAt = performance.now();
    else if (!this.isBehind) this.#readAt = undefined;
  }

  /** Whether signals of other servers may wait for so long that caches are not to be used, as after a time in which the process was stopped. */
  get isBehind(): boolean {
    return this.#readAt !== undefined && performance.now() - this.#readAt > maxBehindMs;
  }

  /** Runs `work` in one of the next turns of the event loop, a slice of the queue in each. */
  later(work: () => void): void {
    this.#queue.push(work);
    if (!this.#isRunning) setImmediate(() => this.#runSlice());
    this.#isRunning = true;
  }

  #runSlice(): void {
    const end = performance.now() + slice;
    let count = 0;
    while (count < this.#queue.length && performance.now() < end) this.#try(this.#queue[count++]!);
    this.#queue.splice(0, count);
    this.#isRunning = this.#queue.length > 0;
    if (this.#isRunning) setImmediate(() => this.#runSlice());
  }

  #try(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#onError(error);
    }
  }

  /** The number of listeners, for tests. Those for queued jobs and for limited accounts do not count. */
  get listeners(): number {
    let count = 0;
    for (const [topic, listeners] of this.#topics)
      if (topic !== jobsTopic && topic !== limitedTopic) count += listeners.size;
    return count;
  }
}
