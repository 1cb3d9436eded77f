import { useEffect } from "react";
import type { Viewer } from "../../shared/users.ts";
import { ExternalStore, useStore } from "../ui/external-store.ts";
import { onDemand } from "../ui/on-demand.tsx";

const asked = new ExternalStore(false);

/** Opens the dialog that deletes the viewer's account. */
export const askToDeleteAccount = (): void => asked.set(true);

const DeleteAccountDialog = onDemand(() => import("./delete-account-dialog.tsx"));

/** The one place for the dialog, in app/member-effects.tsx. */
export function DeleteAccountHost({ viewer }: { viewer: Viewer }) {
  const isAsked = useStore(asked);
  // The next viewer has not asked for it.
  useEffect(() => () => asked.set(false), []);
  return (
    isAsked && (
      <DeleteAccountDialog viewer={viewer} onClose={() => asked.set(false)} onFail={() => asked.set(false)} />
    )
  );
}
