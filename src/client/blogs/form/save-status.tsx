import { useState } from "react";
import type { JournalState } from "../../editor/journal/journal.ts";
import type { SyncState } from "../../editor/sync/sync.ts";
import { Button } from "../../ui/button.tsx";

/** Returns where the author's changes are stored, or "". */
export function saveStatusText(sync: SyncState, journalState: JournalState, isTouched: boolean): string {
  if (!isTouched) return "";
  if (sync.name === "failed") return `Couldn’t save: ${sync.reason}`;
  // Uploads and a half-typed tag are on this device only.
  if (sync.name === "saved" && journalState !== "saving")
    return journalState === "saved" ? "Saved on this device" : "Saved";
  if (journalState === "failed") return "Failed to save on this device";
  if (sync.name === "saving" || journalState === "saving") return "Saving…";
  return sync.name in temporaryTexts
    ? temporaryTexts[sync.name as keyof typeof temporaryTexts]
    : "Saved on this device";
}

/** Why the server lacks something; nothing is lost. */
const temporaryTexts = {
  offline: "Offline: saved on this device",
  troubled: "Server problem. Saved on this device, retrying",
  busy: "Server busy. Saved on this device, retrying",
};

export function SaveStatus({
  sync,
  journalState,
  isTouched,
  onRetry,
}: {
  sync: SyncState;
  journalState: JournalState;
  isTouched: boolean;
  onRetry: () => Promise<void>;
}) {
  const [isRetrying, setRetrying] = useState(false);
  const text = saveStatusText(sync, journalState, isTouched);
  const isFailed =
    isTouched && (sync.name === "failed" || (journalState === "failed" && sync.name !== "saved"));
  const retry = (): void => {
    setRetrying(true);
    void onRetry().finally(() => setRetrying(false));
  };
  return (
    <div className="blog-form-kept">
      <p data-state={isFailed ? "failed" : sync.name} role="status">
        {text}
      </p>
      {(isFailed || isRetrying) && (
        <Button size="s" busy={isRetrying} onClick={retry}>
          Retry
        </Button>
      )}
    </div>
  );
}
