/** Streams that may be woken in one turn of the event loop, so that a crowd does not hold up everybody else. */
const slice = 50;

/**
 * The doorbell: tells who listens to a topic that there is news, and nothing of the news. What is rung may be rung again;
 * what happened stands in the outbox.
 */
export class Bus {
  readonly #topics = new Map<string, Set<() => void>>();
  readonly #rings = new Map<string, number>();

  /** Calls `wake` at each ring of the topic, until the function it returns is called. */
  listen(topic: string, wake: () => void): () => void {
    let listeners = this.#topics.get(topic);
    if (!listeners) this.#topics.set(topic, (listeners = new Set()));
    listeners.add(wake);
    return () => {
      listeners.delete(wake);
      if (listeners.size === 0 && this.#topics.get(topic) === listeners) {
        this.#topics.delete(topic);
        this.#rings.delete(topic);
      }
    };
  }

  ring(topics: Iterable<string>): void {
    for (const topic of topics) {
      const listeners = this.#topics.get(topic);
      if (!listeners) continue;
      this.#rings.set(topic, this.rings(topic) + 1);
      if (listeners.size <= slice) for (const wake of listeners) wake();
      else wakeInSlices([...listeners]);
    }
  }

  /** How often a topic was rung while somebody listened: what was read at another count may be stale. */
  rings(topic: string): number {
    return this.#rings.get(topic) ?? 0;
  }

  /** How many listen, for tests and metrics. */
  get listeners(): number {
    let count = 0;
    for (const listeners of this.#topics.values()) count += listeners.size;
    return count;
  }
}

function wakeInSlices(listeners: (() => void)[], from = 0): void {
  for (const wake of listeners.slice(from, from + slice)) wake();
  if (from + slice < listeners.length) setImmediate(() => wakeInSlices(listeners, from + slice));
}
