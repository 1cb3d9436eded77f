import { useEffect } from "react";
import type { Viewer } from "../../shared/users.ts";
import { ExternalStore, useStore } from "../ui/external-store.ts";
import { onDemand } from "../ui/on-demand.tsx";

const dialogOpen = new ExternalStore(false);

/** Opens the dialog that deletes the viewer's account. */
export const askToDeleteAccount = (): void => dialogOpen.set(true);

const DeleteAccountDialog = onDemand(() => import("./delete-account-dialog.tsx"));

/** The one place for the dialog, in app/member-effects.tsx. */
export function DeleteAccountHost({ viewer }: { viewer: Viewer }) {
  const isOpen = useStore(dialogOpen);
  // The next viewer has not asked for it.
  useEffect(() => () => dialogOpen.set(false), []);
  return isOpen && <DeleteAccountDialog viewer={viewer} onClose={() => dialogOpen.set(false)} />;
}
