import { ExternalStore, useStore } from "./external-store.ts";

const waiting = new ExternalStore(0);

/** Somebody waits for code that they asked for: the line at the top shows it. Returns how to end that. Browser only. */
export function beginWaiting(): () => void {
  waiting.set(waiting.get() + 1);
  return () => waiting.set(waiting.get() - 1);
}

export const useWaiting = (): boolean => useStore(waiting) > 0;
