import type { Connection } from "../database/connection.ts";
import type { Bus } from "../live/bus.ts";
import { limitedTopic } from "../live/signals.ts";
import { SignalCache } from "../live/signal-cache.ts";
import { limitedIds } from "./queries.ts";

/** The ids of limited accounts, cached for all streams until a signal. */
export class LimitedAccounts {
  readonly #read: Connection;
  readonly #cache: SignalCache<ReadonlySet<string>>;

  constructor(read: Connection, bus: Pick<Bus, "listen">) {
    this.#read = read;
    this.#cache = new SignalCache(bus, { maxSize: 1 });
  }

  all = async (): Promise<ReadonlySet<string>> =>
    this.#cache.of("all", [limitedTopic], async () => new Set(await limitedIds(this.#read)));
}
