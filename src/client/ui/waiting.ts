import { useSyncExternalStore } from "react";

let count = 0;
const listeners = new Set<() => void>();
const change = (by: number): void => {
  count += by;
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Somebody waits for code that they asked for: the line at the top shows it. Returns how to end that. Browser only. */
export function beginWaiting(): () => void {
  change(1);
  return () => change(-1);
}

export const useWaiting = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => count > 0,
    () => false,
  );
