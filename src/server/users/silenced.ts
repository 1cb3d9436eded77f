import type { Connection } from "../database/connection.ts";
import { silencedTopic } from "../live/facts.ts";
import { silencedIds } from "./wall-queries.ts";

interface Doorbell {
  listen(topic: string, hear: () => void): () => void;
}

/** Whom moderators left to their followers: one set for all streams, read again after a ring. */
export class Silenced {
  readonly #read: Connection;
  #known: Promise<ReadonlySet<string>> | undefined;

  constructor(read: Connection, bell: Doorbell) {
    this.#read = read;
    bell.listen(silencedTopic, () => (this.#known = undefined));
  }

  all(): Promise<ReadonlySet<string>> {
    if (!this.#known) {
      const asked = silencedIds(this.#read).then((ids) => new Set(ids));
      this.#known = asked;
      asked.catch(() => this.#known === asked && (this.#known = undefined));
    }
    return this.#known;
  }
}
