import { ExternalStore, useStore } from "./external-store.ts";

const pendingCount = new ExternalStore(0);

/** Shows the progress line while requested code loads. Returns how to end it. Browser only. */
export function beginProgress(): () => void {
  pendingCount.set(pendingCount.get() + 1);
  return () => pendingCount.set(pendingCount.get() - 1);
}

export const useInProgress = (): boolean => useStore(pendingCount) > 0;
