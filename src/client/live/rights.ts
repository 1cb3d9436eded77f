import type { LiveEvent, LiveMessage, TopicName } from "../../shared/live.ts";

/** Topics that may not be read. A stream names all of them before it goes on: what was gone and is not named is back. */
export class Rights {
  readonly #gone = new Set<TopicName>();
  /** Those that the stream has named since it began; undefined once it has gone on from there. */
  #named: Set<TopicName> | undefined;

  /** A stream begins. */
  begin(): void {
    this.#named = new Set();
  }

  /** Returns the topics that are back without having been told so. */
  hear(topic: LiveMessage["topic"], event: LiveEvent): TopicName[] {
    if (topic !== "" && event.kind === "accessLost") {
      this.#gone.add(topic);
      this.#named?.add(topic);
    }
    if (topic !== "" && event.kind === "accessRestored") this.#gone.delete(topic);
    const named = this.#named;
    if (event.kind !== "checkpoint" || !named) return [];
    this.#named = undefined;
    return [...this.#gone].filter((name) => !named.has(name));
  }

  forget(): void {
    this.#gone.clear();
  }
}
