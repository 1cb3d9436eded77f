import { useOwnChanges } from "../live/live.ts";

/** Says that a setting is on its way to the server. `act` is the name of what changes it. */
export function SavingNote({ act }: { act: string }) {
  const isSaving = useOwnChanges().some(({ name, state }) => name === act && state !== "answered");
  return (
    <span className="settings-saving" role="status">
      {isSaving && "Saving…"}
    </span>
  );
}
