import { jobsTopic, limitedTopic } from "./facts.ts";

/** Milliseconds of one turn of the event loop that streams go on in, so that a crowd does not hold up everybody else. */
const slice = 4;

/**
 * The doorbell: tells who listens to a topic that there is news, and nothing of the news. What is rung may be rung again;
 * what happened stands in the outbox.
 */
export class Bus {
  readonly #topics = new Map<string, Set<() => void>>();
  readonly #waiting: (() => void)[] = [];
  #atWork = false;
  readonly #onError: (error: unknown) => void;

  /** `onError` hears of listeners that throw: they stop nobody else. */
  constructor(onError: (error: unknown) => void = () => undefined) {
    this.#onError = onError;
  }

  /**
   * Calls `hear` at each ring of the topic, until the function it returns is called. Everybody hears before whoever changed
   * something is answered, so `hear` only notes it down or drops a cache: work goes through `later`.
   */
  listen(topic: string, hear: () => void): () => void {
    let listeners = this.#topics.get(topic);
    if (!listeners) this.#topics.set(topic, (listeners = new Set()));
    listeners.add(hear);
    return () => {
      listeners.delete(hear);
      if (listeners.size === 0 && this.#topics.get(topic) === listeners) this.#topics.delete(topic);
    };
  }

  ring(topics: Iterable<string>): void {
    for (const topic of topics) {
      const listeners = this.#topics.get(topic);
      if (!listeners) continue;
      for (const hear of listeners) this.#try(hear);
    }
  }

  /** Does this in one of the next turns of the event loop, a slice of a crowd in each. */
  later(work: () => void): void {
    this.#waiting.push(work);
    if (!this.#atWork) setImmediate(() => this.#workOn());
    this.#atWork = true;
  }

  #workOn(): void {
    const end = performance.now() + slice;
    let done = 0;
    while (done < this.#waiting.length && performance.now() < end) this.#try(this.#waiting[done++]!);
    this.#waiting.splice(0, done);
    this.#atWork = this.#waiting.length > 0;
    if (this.#atWork) setImmediate(() => this.#workOn());
  }

  #try(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#onError(error);
    }
  }

  /** How many listen for pages, for tests and metrics: the runner of jobs and the set of limited accounts are the server's own. */
  get listeners(): number {
    let count = 0;
    for (const [topic, listeners] of this.#topics)
      if (topic !== jobsTopic && topic !== limitedTopic) count += listeners.size;
    return count;
  }
}
