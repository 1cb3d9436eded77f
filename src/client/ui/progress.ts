import { ExternalStore, useStore } from "./external-store.ts";

const waiting = new ExternalStore(0);

/** Shows the progress line while requested code loads. Returns how to end it. Browser only. */
export function beginProgress(): () => void {
  waiting.set(waiting.get() + 1);
  return () => waiting.set(waiting.get() - 1);
}

export const useInProgress = (): boolean => useStore(waiting) > 0;
