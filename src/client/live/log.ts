import type { LiveEvent, LiveMessage, TopicName } from "../../shared/live.ts";

export interface Entry {
  seq: number;
  topic: LiveMessage["topic"];
  event: LiveEvent;
}

/** Events that are kept to be applied to answers that come late. */
const LENGTH = 2_000;

/** What the stream has told, and of which topics without a gap. */
export class Log {
  epoch: string | undefined;
  /** The last place that was told of. */
  at: number | undefined;
  /** Since where each followed topic has been heard without a gap. */
  readonly #followed = new Map<TopicName, number>();
  #entries: Entry[] = [];

  /** In the order of the stream. */
  get entries(): readonly Entry[] {
    return this.#entries;
  }

  get topics(): TopicName[] {
    return [...this.#followed.keys()];
  }

  /** Whether all that happened in these topics behind this place was heard, or will be. */
  reaches(topics: readonly TopicName[], seq: number): boolean {
    return topics.every((topic) => (this.#followed.get(topic) ?? Infinity) <= seq);
  }

  /** The stream is to tell of these topics from here on at the latest. */
  follow(topics: Iterable<TopicName>, from: number): void {
    for (const topic of topics)
      this.#followed.set(topic, Math.min(from, this.#followed.get(topic) ?? Infinity));
  }

  unfollow(topics: readonly TopicName[]): void {
    for (const topic of topics) this.#followed.delete(topic);
  }

  keep(entry: Entry): void {
    const behind = this.#entries.findLastIndex(({ seq }) => seq <= entry.seq);
    const isKnown = this.#entries.some(({ seq, topic }) => seq === entry.seq && topic === entry.topic);
    if (isKnown && !isOfRights(entry.event)) return;
    this.#entries.splice(behind + 1, 0, entry);
    if (this.#entries.length <= LENGTH) return;
    const dropped = this.#entries.shift()!.seq;
    for (const [name, from] of this.#followed) if (from < dropped) this.#followed.set(name, dropped);
  }

  /** The stream begins anew there. What was told before has no order with what it tells now. */
  reset(epoch: string, seq: number): void {
    this.epoch = epoch;
    this.at = seq;
    this.#entries = [];
    for (const topic of this.#followed.keys()) this.#followed.set(topic, seq);
  }

  /** It was told to somebody else. */
  forget(): void {
    this.#entries = [];
    this.#followed.clear();
    this.at = undefined;
  }
}

export const isOfRights = ({ kind }: LiveEvent): boolean =>
  kind === "accessLost" || kind === "accessRestored";
