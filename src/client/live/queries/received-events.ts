import type { LiveEvent, LiveMessage, TopicName } from "../../../shared/live.ts";

export interface ReceivedEvent {
  seq: number;
  topic: LiveMessage["topic"];
  event: LiveEvent;
}

/** The number of events that are kept for answers that were read earlier and arrive later. */
const CAPACITY = 2_000;

/** The events that this tab has received, and for each followed topic since when without a gap. */
export class ReceivedEvents {
  epoch: string | undefined;
  /** The newest place in the event log that the stream has reached. */
  position: number | undefined;
  /** For each followed topic, the place from which no event is missing. */
  readonly #followed = new Map<TopicName, number>();
  #events: ReceivedEvent[] = [];

  /** In the order of the event log. */
  get events(): readonly ReceivedEvent[] {
    return this.#events;
  }

  get topics(): TopicName[] {
    return [...this.#followed.keys()];
  }

  /** Whether every event of these topics after `seq` was received or will be. */
  covers(topics: readonly TopicName[], seq: number): boolean {
    return topics.every((topic) => (this.#followed.get(topic) ?? Infinity) <= seq);
  }

  /** Notes that the stream sends the events of these topics after `from`. */
  follow(topics: Iterable<TopicName>, from: number): void {
    for (const topic of topics)
      this.#followed.set(topic, Math.min(from, this.#followed.get(topic) ?? Infinity));
  }

  unfollow(topics: readonly TopicName[]): void {
    for (const topic of topics) this.#followed.delete(topic);
  }

  add(received: ReceivedEvent): void {
    const before = this.#events.findLastIndex(({ seq }) => seq <= received.seq);
    const isKnown = this.#events.some(({ seq, topic }) => seq === received.seq && topic === received.topic);
    if (isKnown && !isAccessChange(received.event)) return;
    this.#events.splice(before + 1, 0, received);
    if (this.#events.length <= CAPACITY) return;
    const droppedSeq = this.#events.shift()!.seq;
    for (const [topic, from] of this.#followed) if (from < droppedSeq) this.#followed.set(topic, droppedSeq);
  }

  /** Starts over at `seq`: earlier events have no order relative to those that follow. */
  reset(epoch: string, seq: number): void {
    this.epoch = epoch;
    this.position = seq;
    this.#events = [];
    for (const topic of this.#followed.keys()) this.#followed.set(topic, seq);
  }

  /** Drops everything that was received for another viewer. */
  clear(): void {
    this.#events = [];
    this.#followed.clear();
    this.position = undefined;
  }
}

export const isAccessChange = ({ kind }: LiveEvent): boolean =>
  kind === "accessLost" || kind === "accessRestored";

/**
 * The topics that the viewer may not read. A stream begins by naming all of them, up to its first checkpoint: a topic that was
 * lost and is not named there is readable again.
 */
export class LostTopics {
  readonly #lost = new Set<TopicName>();
  /** The topics named since the stream began; undefined after its first checkpoint. */
  #named: Set<TopicName> | undefined;

  onStart(): void {
    this.#named = new Set();
  }

  /** Notes an event. Returns the topics that became readable again without an event that says so. */
  onEvent(topic: LiveMessage["topic"], event: LiveEvent): TopicName[] {
    if (topic !== "" && event.kind === "accessLost") {
      this.#lost.add(topic);
      this.#named?.add(topic);
    }
    if (topic !== "" && event.kind === "accessRestored") this.#lost.delete(topic);
    const named = this.#named;
    if (event.kind !== "checkpoint" || !named) return [];
    this.#named = undefined;
    return [...this.#lost].filter((name) => !named.has(name));
  }

  clear(): void {
    this.#lost.clear();
  }
}
