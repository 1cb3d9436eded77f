import type { JournalState } from "../../editor/journal/journal.ts";
import type { SyncState } from "../../editor/sync/sync.ts";

/** What the writer sees of where their words are; empty while there is nothing to say. */
export function keptText(sync: SyncState, kept: JournalState, isTouched: boolean): string {
  if (!isTouched) return "";
  if (sync.name === "failed") return `Couldn’t save: ${sync.reason}`;
  // What is on its way into it, a picture or half a tag, this device alone has.
  if (sync.name === "saved" && kept !== "saving") return kept === "saved" ? "Saved on this device" : "Saved";
  if (kept === "failed") return "Failed to save on this device";
  if (sync.name === "saving" || kept === "saving") return "Saving…";
  return sync.name in passing ? passing[sync.name as keyof typeof passing] : "Saved on this device";
}

/** Why the server has not all of it yet, and that nothing is lost. */
const passing = {
  offline: "Offline: saved on this device",
  troubled: "Server problem. Saved on this device, retrying",
  busy: "Server busy. Saved on this device, retrying",
};

export function KeptStatus({
  sync,
  kept,
  isTouched,
}: {
  sync: SyncState;
  kept: JournalState;
  isTouched: boolean;
}) {
  const text = keptText(sync, kept, isTouched);
  const isFailed = isTouched && (sync.name === "failed" || (kept === "failed" && sync.name !== "saved"));
  return (
    <p className="blog-form-kept" data-state={isFailed ? "failed" : sync.name} role="status">
      {text}
    </p>
  );
}
