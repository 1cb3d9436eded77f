import { usePendingMutations } from "../live/live.ts";

/** Shows "Saving…" while a mutation of this name is being sent. */
export function SavingNote({ mutation }: { mutation: string }) {
  const isSaving = usePendingMutations().some(({ name, state }) => name === mutation && state !== "answered");
  return (
    <span className="note settings-saving" role="status">
      {isSaving && "Saving…"}
    </span>
  );
}
