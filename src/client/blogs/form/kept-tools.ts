import { useSyncExternalStore } from "react";

/** Whether the writer has all tools in sight, kept on this device. */
const key = "editor-tools";
let chosen: boolean | undefined;
const listeners = new Set<() => void>();

function isOpen(): boolean {
  try {
    chosen ??= localStorage.getItem(key) === "open";
  } catch {
    chosen = false;
  }
  return chosen;
}

function choose(open: boolean): void {
  chosen = open;
  try {
    if (open) localStorage.setItem(key, "open");
    else localStorage.removeItem(key);
  } catch {
    // Where nothing may be kept it counts for this page.
  }
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useKeptTools = (): [isOpen: boolean, choose: (open: boolean) => void] => [
  useSyncExternalStore(subscribe, isOpen, () => false),
  choose,
];
