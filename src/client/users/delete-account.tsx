import { useEffect, useSyncExternalStore } from "react";
import type { Viewer } from "../../shared/users.ts";
import { onDemand } from "../ui/on-demand.tsx";

let asked = false;
const listeners = new Set<() => void>();
const become = (next: boolean): void => {
  asked = next;
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Opens the dialog that deletes the viewer's account; the menus and the settings lead here. */
export const askToDeleteAccount = (): void => become(true);

const DeleteAccountDialog = onDemand(() => import("./delete-account-dialog.tsx"));

/** Where it is shown; app/member-parts.tsx holds the one there is. */
export function DeleteAccountHost({ viewer }: { viewer: Viewer }) {
  const isAsked = useSyncExternalStore(
    subscribe,
    () => asked,
    () => false,
  );
  // Whoever signs in after a session that ended meanwhile has not asked for it.
  useEffect(() => () => become(false), []);
  return (
    isAsked && (
      <DeleteAccountDialog viewer={viewer} onClose={() => become(false)} onFail={() => become(false)} />
    )
  );
}
