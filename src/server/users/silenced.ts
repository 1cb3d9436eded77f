import type { Connection } from "../database/connection.ts";
import type { Bus } from "../live/bus.ts";
import { silencedTopic } from "../live/facts.ts";
import { SignalCache } from "../live/signal-cache.ts";
import { silencedIds } from "./wall-queries.ts";

/** Whom moderators left to their followers: one set for all streams, read again after a ring. */
export class Silenced {
  readonly #read: Connection;
  readonly #kept: SignalCache<ReadonlySet<string>>;

  constructor(read: Connection, bus: Pick<Bus, "listen">) {
    this.#read = read;
    this.#kept = new SignalCache(bus, { maxSize: 1 });
  }

  all = async (): Promise<ReadonlySet<string>> =>
    this.#kept.of("all", [silencedTopic], async () => new Set(await silencedIds(this.#read)));
}
