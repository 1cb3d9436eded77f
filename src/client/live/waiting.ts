import type { AnyAct, Hands, Outbox } from "./own.ts";

/** Acts by the name under which they wait. */
export type KeptActs = Readonly<Record<string, (hands: Hands) => Promise<AnyAct>>>;

/** Says that something may wait in the outbox, so that its code is loaded. */
export const FLAG = "reprise:outbox";

/** Before something is to wait there: without a network its code could not be had any more. */
export const loadOutbox = () => import("./outbox.ts");

/** The outbox, whose code is loaded where something is put into it, or waits there. */
export function outboxFor(acts: KeptActs, hands: Hands): Outbox {
  return {
    put: async (entry) => (await loadOutbox()).put(entry),
    remove: async (id) => (await loadOutbox()).remove(id),
    resume: async (viewerId, take) => {
      if (!isFlagged()) return;
      const outbox = await loadOutbox();
      await outbox.resume(viewerId, async (entry) => {
        const act = await acts[entry.name]?.(hands);
        if (!act) return "never";
        return take(entry, act) ? "taken" : "later";
      });
    },
  };
}

function isFlagged(): boolean {
  try {
    return localStorage.getItem(FLAG) !== null;
  } catch {
    return false;
  }
}
