import { useSyncExternalStore } from "react";
import type { JournalState } from "../../editor/journal/journal.ts";

function follow(listener: () => void): () => void {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}

const twoColumns = "(min-width: 64rem)";

function followWidth(listener: () => void): () => void {
  const query = window.matchMedia(twoColumns);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}

/** Whether the form stands in two columns, as its sheet has it. */
export function useTwoColumns(): boolean {
  return useSyncExternalStore(
    followWidth,
    () => window.matchMedia(twoColumns).matches,
    () => true,
  );
}

/** What the writer sees of the journal; empty while there is nothing to keep. */
export function keptText(kept: JournalState, online: boolean): string {
  if (kept === "failed") return "Failed to save on this device";
  if (kept === "saving") return "Saving…";
  if (kept === "idle") return online ? "" : "Offline";
  return online ? "Saved on this device" : "Offline: saved on this device";
}

/** `apart`: the blog was changed elsewhere, which the strip above the form says at length and may be out of sight. */
export function KeptStatus({ kept, apart }: { kept: JournalState; apart: boolean }) {
  const online = useSyncExternalStore(
    follow,
    () => navigator.onLine,
    () => true,
  );
  return (
    <p
      className="blog-form-kept"
      data-state={kept === "failed" ? "failed" : online ? kept : "offline"}
      role="status"
    >
      {apart && "Changed elsewhere. "}
      {keptText(kept, online)}
    </p>
  );
}
