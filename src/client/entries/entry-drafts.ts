import { leaveDraft, readDraft, storeDraft } from "../comments/drafts.ts";
import type { DraftPlace } from "../comments/drafts.ts";
import { ExternalStore } from "../ui/external-store.ts";

/** What the composer of an entry holds. */
export interface EntryDraft {
  title: string;
  isKey: boolean;
  /** ProseMirror JSON. */
  document: unknown;
}

/** Counts the drafts that were put back, so that an open composer reads its own again. */
export const restoredDrafts = new ExternalStore(0);

/** Returns the text that a composer held when it was last left, if any. */
export function readEntryDraft(place: DraftPlace): EntryDraft | undefined {
  try {
    return (JSON.parse(readDraft(place) || "null") as EntryDraft | null) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores what a composer holds on this device; null where it is empty. */
export const storeEntryDraft = (place: DraftPlace, draft: EntryDraft | null): void =>
  storeDraft(place, draft === null ? "" : JSON.stringify(draft));

export { leaveDraft as leaveEntryDraft };

/** Makes a text that could not be posted the draft again, unless another one was begun. */
export function restoreEntryDraft(place: DraftPlace, draft: EntryDraft): void {
  if (readEntryDraft(place)) return;
  storeEntryDraft(place, draft);
  restoredDrafts.set(restoredDrafts.get() + 1);
}
