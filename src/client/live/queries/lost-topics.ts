import type { LiveEvent, LiveMessage, TopicName } from "../../../shared/live.ts";

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
