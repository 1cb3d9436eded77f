import type { LiveMessage } from "../../shared/live.ts";
import type { Bus } from "./bus.ts";
import { withoutWriters } from "./draft-presence.ts";
import { withoutRepliers } from "./presence.ts";
import type { Frame } from "./source.ts";

/** Ids of the people whose events a viewer does not get. */
interface Hidden {
  blocked: ReadonlySet<string>;
  muted: ReadonlySet<string>;
  /** All limited accounts, one set for every stream; and those of them that this viewer follows or owns. */
  limited: ReadonlySet<string>;
  visibleLimited: ReadonlySet<string>;
}
const noIds: ReadonlySet<string> = new Set();

/** Where a stream reads who is hidden from its viewer, and the topics that signal a change. */
export interface HiddenSource {
  signals: string[];
  load: () => Promise<Hidden>;
}

/** Withholds from a stream what is by or about people who are hidden from its viewer. Stale after a signal, until `refresh`. */
export class BlockFilter {
  readonly #source: HiddenSource | undefined;
  #hidden: Hidden = { blocked: noIds, muted: noIds, limited: noIds, visibleLimited: noIds };
  #stale: boolean;

  constructor(source: HiddenSource | undefined) {
    this.#source = source;
    this.#stale = source !== undefined;
  }

  get stale(): boolean {
    return this.#stale;
  }

  /** Listens for changes, and returns the function that stops it. */
  listen(bus: Bus, onStale: () => void): () => void {
    const expire = () => {
      this.#stale = true;
      onStale();
    };
    const stops = this.#source?.signals.map((topic) => bus.listen(topic, expire)) ?? [];
    return () => {
      for (const stop of stops) stop();
    };
  }

  /** Reads who is hidden until that is not stale. */
  async refresh(): Promise<void> {
    while (this.#stale && this.#source) {
      // Before reading: a change meanwhile makes it stale again.
      this.#stale = false;
      this.#hidden = await this.#source.load();
    }
  }

  readonly #isHidden = (person: string): boolean => {
    const { blocked, limited, visibleLimited } = this.#hidden;
    return blocked.has(person) || (limited.has(person) && !visibleLimited.has(person));
  };

  /** Returns what the viewer gets of a frame: where nobody is hidden the same object for all, which is written once. */
  filter({ message, hiddenIfBlocked }: Frame): LiveMessage | undefined {
    const { blocked, muted, limited } = this.#hidden;
    if (blocked.size + muted.size + limited.size === 0) return message;
    const hidden = hiddenIfBlocked?.find(
      ({ person, alsoIfMuted }) => this.#isHidden(person) || (alsoIfMuted && muted.has(person)),
    );
    return hidden ? (hidden.fallback ?? undefined) : message;
  }

  /** The same for presence, of which hidden people are left out. */
  filterEphemeral(message: LiveMessage): LiveMessage {
    const { blocked, limited } = this.#hidden;
    return blocked.size + limited.size > 0
      ? withoutWriters(withoutRepliers(message, this.#isHidden), this.#isHidden)
      : message;
  }
}
