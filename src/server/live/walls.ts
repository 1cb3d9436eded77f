import type { Told } from "../../shared/live.ts";
import type { Bus } from "./bus.ts";
import { withoutThose } from "./presence.ts";
import type { Frame } from "./tail.ts";

/** Who is not there for the viewer, and whom they want to hear nothing new of. */
interface Hidden {
  walled: ReadonlySet<string>;
  muted: ReadonlySet<string>;
}

/** How a stream learns who is hidden from its viewer, and what is rung when that changes; guests have nobody. */
export interface Hiding {
  rung: string;
  ask: () => Promise<Hidden>;
}

/** Who is hidden from a stream's viewer, as far as it is known; what was rung is in doubt until it was asked about again. */
export class Walls {
  readonly #hiding: Hiding | undefined;
  #hidden: Hidden = { walled: new Set(), muted: new Set() };
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
    if (!this.#hiding) return () => undefined;
    return bus.listen(this.#hiding.rung, () => {
      this.#inDoubt = true;
      onDoubt();
    });
  }

  /** Asks until nothing is in doubt. */
  async settle(): Promise<void> {
    while (this.#inDoubt && this.#hiding) {
      // Before asking: what changes while the answer is on its way is asked about again.
      this.#inDoubt = false;
      this.#hidden = await this.#hiding.ask();
    }
  }

  /** What the viewer is told: all who have no wall before them the same object, which is written once. */
  judged({ told, across }: Frame): Told | undefined {
    const { walled, muted } = this.#hidden;
    if (walled.size + muted.size === 0) return told;
    const behind = across?.find(
      ({ person, evenMuted }) => walled.has(person) || (evenMuted && muted.has(person)),
    );
    return behind ? (behind.instead ?? undefined) : told;
  }

  /** The same of what stands at the moment. */
  judgedMoment(told: Told): Told {
    const { walled } = this.#hidden;
    return walled.size > 0 ? withoutThose(told, walled) : told;
  }
}
