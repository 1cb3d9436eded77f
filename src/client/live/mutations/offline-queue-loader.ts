import type { AnyMutation, MutationContext, OfflineQueue, QueuedMutation } from "./optimistic-mutations.ts";

/** The mutations that are kept offline, by their names in the queue. */
export type OfflineMutations = Readonly<Record<string, (context: MutationContext) => Promise<AnyMutation>>>;

/** The key in localStorage that says that the queue may have entries. */
export const FLAG = "reprise:offline-queue";

/** To be called before something is queued: the code cannot be loaded without a network. */
export const loadOfflineQueue = () => import("./offline-queue.ts");

/** Creates the offline queue, whose code is loaded when something is put into it or waits there. */
export function createOfflineQueue(mutations: OfflineMutations, context: MutationContext): OfflineQueue {
  let listening: AbortController | undefined;
  return {
    put: async (entry) => (await loadOfflineQueue()).put(entry),
    remove: async (id) => (await loadOfflineQueue()).remove(id),
    resume: async (viewerId, take) => {
      listening?.abort();
      listening = new AbortController();
      const offer = async (entry: QueuedMutation): Promise<"taken" | "later" | "never"> => {
        const mutation = await mutations[entry.name]?.(context);
        if (!mutation) return "never";
        return take(entry, mutation) ? "taken" : "later";
      };
      const check = async (changed: boolean): Promise<void> => {
        if (isFlagged()) await (await loadOfflineQueue()).resume(viewerId, offer, changed);
      };
      // An entry of another tab falls to this one when that tab is closed.
      const onStorage = ({ key, newValue }: StorageEvent): void => {
        if (key === FLAG && newValue !== null) void check(false).catch(() => undefined);
      };
      addEventListener("storage", onStorage, { signal: listening.signal });
      await check(true);
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
