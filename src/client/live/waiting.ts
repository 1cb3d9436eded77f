import type { AnyAct, Hands, Outbox, Waiting } from "./own.ts";

/** Acts by the name under which they wait. */
export type KeptActs = Readonly<Record<string, (hands: Hands) => Promise<AnyAct>>>;

/** Says that something may wait in the outbox, so that its code is loaded. */
export const FLAG = "reprise:outbox";

/** Before something is to wait there: without a network its code could not be had any more. */
export const loadOutbox = () => import("./outbox.ts");

/** The outbox, whose code is loaded where something is put into it, or waits there. */
export function outboxFor(acts: KeptActs, hands: Hands): Outbox {
  let before: AbortController | undefined;
  return {
    put: async (entry) => (await loadOutbox()).put(entry),
    remove: async (id) => (await loadOutbox()).remove(id),
    resume: async (viewerId, take) => {
      before?.abort();
      before = new AbortController();
      const give = async (entry: Waiting): Promise<"taken" | "later" | "never"> => {
        const act = await acts[entry.name]?.(hands);
        if (!act) return "never";
        return take(entry, act) ? "taken" : "later";
      };
      const look = async (begins: boolean): Promise<void> => {
        if (isFlagged()) await (await loadOutbox()).resume(viewerId, give, begins);
      };
      // What another tab puts there is this one's as soon as that is closed.
      const heard = ({ key, newValue }: StorageEvent): void => {
        if (key === FLAG && newValue !== null) void look(false).catch(() => undefined);
      };
      addEventListener("storage", heard, { signal: before.signal });
      await look(true);
    },
  };
}

export function isFlagged(): boolean {
  try {
    return localStorage.getItem(FLAG) !== null;
  } catch {
    return false;
  }
}
