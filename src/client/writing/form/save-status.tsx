import { useState } from "react";
import type { DeviceState } from "../delayed-store.ts";
import type { SyncState } from "../commits.ts";
import { Button } from "../../ui/button.tsx";

/** Returns where the author's changes are stored, or "". */
export function saveStatusText(sync: SyncState, deviceState: DeviceState, isTouched: boolean): string {
  if (!isTouched) return "";
  if (sync.name === "failed") return `Couldn’t save: ${sync.reason}`;
  // Uploads and a half-typed tag are on this device only.
  if (sync.name === "saved" && deviceState !== "saving")
    return deviceState === "saved" ? "Saved on this device" : "Saved";
  if (deviceState === "failed") return "Failed to save on this device";
  if (sync.name === "saving" || deviceState === "saving") return "Saving…";
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
  deviceState,
  isTouched,
  onRetry,
}: {
  sync: SyncState;
  deviceState: DeviceState;
  isTouched: boolean;
  onRetry: () => Promise<void>;
}) {
  const [isRetrying, setRetrying] = useState(false);
  const text = saveStatusText(sync, deviceState, isTouched);
  const isFailed =
    isTouched && (sync.name === "failed" || (deviceState === "failed" && sync.name !== "saved"));
  const retry = (): void => {
    setRetrying(true);
    void onRetry().finally(() => setRetrying(false));
  };
  return (
    <div className="blog-form-kept row gap-3 note">
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
