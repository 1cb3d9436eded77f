import { useSyncExternalStore } from "react";
import { ExternalStore } from "../../ui/external-store.ts";

/** Whether all tools are shown, as chosen on this page; undefined for the stored choice. */
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
    // Without storage it applies to this page only.
  }
  chosen.set(open);
}

export const useToolbarChoice = (): [isOpen: boolean, choose: (open: boolean) => void] => [
  useSyncExternalStore(chosen.subscribe, isOpen, () => false),
  choose,
];
