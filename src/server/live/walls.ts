import type { Told } from "../../shared/live.ts";
import type { Bus } from "./bus.ts";
import { withoutWriters } from "./here.ts";
import { withoutThose } from "./presence.ts";
import type { Frame } from "./tail.ts";

/** Who is not there for the viewer, and whom they want to hear nothing new of. */
interface Hidden {
  walled: ReadonlySet<string>;
  muted: ReadonlySet<string>;
  /** Who is there for their followers alone: the same set for every stream; those of them whom this viewer sees. */
  silenced: ReadonlySet<string>;
  seen: ReadonlySet<string>;
}
const nobody: ReadonlySet<string> = new Set();

/** How a stream learns who is hidden from its viewer, and what is rung when that changes. */
export interface Hiding {
  rung: string[];
  ask: () => Promise<Hidden>;
}

/** Who is hidden from a stream's viewer, as far as it is known; what was rung is in doubt until it was asked about again. */
export class Walls {
  readonly #hiding: Hiding | undefined;
  #hidden: Hidden = { walled: nobody, muted: nobody, silenced: nobody, seen: nobody };
  #inDoubt: boolean;

  constructor(hiding: Hiding | undefined) {
    this.#hiding = hiding;
    this.#inDoubt = hiding !== undefined;
  }

  get inDoubt(): boolean {
    return this.#inDoubt;
  }

  /** Listens for changes; gives what stops it. */
  listen(bus: Bus, onDoubt: () => void): () => void {
    const doubt = () => {
      this.#inDoubt = true;
      onDoubt();
    };
    const stops = this.#hiding?.rung.map((topic) => bus.listen(topic, doubt)) ?? [];
    return () => {
      for (const stop of stops) stop();
    };
  }

  /** Asks until nothing is in doubt. */
  async settle(): Promise<void> {
    while (this.#inDoubt && this.#hiding) {
      // Before asking: what changes while the answer is on its way is asked about again.
      this.#inDoubt = false;
      this.#hidden = await this.#hiding.ask();
    }
  }

  readonly #isHidden = (person: string): boolean => {
    const { walled, silenced, seen } = this.#hidden;
    return walled.has(person) || (silenced.has(person) && !seen.has(person));
  };

  /** What the viewer is told: all who have no wall before them the same object, which is written once. */
  judged({ told, across }: Frame): Told | undefined {
    const { walled, muted, silenced } = this.#hidden;
    if (walled.size + muted.size + silenced.size === 0) return told;
    const behind = across?.find(
      ({ person, evenMuted }) => this.#isHidden(person) || (evenMuted && muted.has(person)),
    );
    return behind ? (behind.instead ?? undefined) : told;
  }

  /** The same of what stands at the moment. */
  judgedMoment(told: Told): Told {
    const { walled, silenced } = this.#hidden;
    return walled.size + silenced.size > 0
      ? withoutWriters(withoutThose(told, this.#isHidden), this.#isHidden)
      : told;
  }
}
