import { useSyncExternalStore } from "react";
import { ExternalStore } from "../../ui/external-store.ts";

/** Whether the writer has all tools in sight, kept on this device; undefined before that was looked up. */
const chosen = new ExternalStore<boolean | undefined>(undefined);
const key = "editor-tools";

function isOpen(): boolean {
  const open = chosen.get();
  if (open !== undefined) return open;
  try {
    return localStorage.getItem(key) === "open";
  } catch {
    return false;
  }
}

function choose(open: boolean): void {
  try {
    if (open) localStorage.setItem(key, "open");
    else localStorage.removeItem(key);
  } catch {
    // Where nothing may be kept it counts for this page.
  }
  chosen.set(open);
}

export const useToolbarChoice = (): [isOpen: boolean, choose: (open: boolean) => void] => [
  useSyncExternalStore(chosen.subscribe, isOpen, () => false),
  choose,
];
