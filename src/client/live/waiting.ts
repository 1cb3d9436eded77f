import type { AnyAct, Hands, Outbox } from "./own.ts";

/** Acts by the name under which they wait. */
export type KeptActs = Readonly<Record<string, (hands: Hands) => Promise<AnyAct>>>;

/** Says that something may wait in the outbox, so that its code is loaded. */
export const FLAG = "reprise:outbox";

/** The outbox, whose code is loaded where something is put into it, or waits there. */
export function outboxFor(acts: KeptActs, hands: Hands): Outbox {
  const load = () => import("./outbox.ts");
  return {
    put: async (entry) => (await load()).put(entry),
    remove: async (id) => (await load()).remove(id),
    resume: async (viewerId, take) => {
      if (!isFlagged()) return;
      await (
        await load()
      ).resume(viewerId, async (entry) => {
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
