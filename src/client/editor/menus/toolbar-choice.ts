import { useSyncExternalStore } from "react";
import { choose, isChosen } from "../../storage/device-choice.ts";
import { ExternalStore } from "../../ui/external-store.ts";

/** Whether all tools are shown, as chosen on this page; undefined for the stored choice. */
const chosen = new ExternalStore<boolean | undefined>(undefined);
const key = "editor-tools";

const isOpen = (): boolean => chosen.get() ?? isChosen(key);

function setOpen(open: boolean): void {
  choose(key, open);
  chosen.set(open);
}

export const useToolbarChoice = (): [isOpen: boolean, choose: (open: boolean) => void] => [
  useSyncExternalStore(chosen.subscribe, isOpen, () => false),
  setOpen,
];
