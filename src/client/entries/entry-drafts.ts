import type { NodeJson } from "../../shared/document/schema.ts";
import { leaveDraft, readDraft, storeDraft } from "../comments/drafts.ts";
import type { DraftPlace } from "../comments/drafts.ts";
import { ExternalStore } from "../ui/external-store.ts";

/** What the composer of an entry holds. */
export interface EntryDraft {
  title: string;
  isKey: boolean;
  /** ProseMirror JSON. */
  document: NodeJson;
  /** Of a change of an entry: when the entry had last been edited, so that it is never put over a later edit. */
  base?: string | null;
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

/** Makes a text that could not be posted the draft again, before what was typed since. */
export function restoreEntryDraft(place: DraftPlace, draft: EntryDraft): void {
  const typed = readEntryDraft(place);
  storeEntryDraft(place, typed ? joined(draft, typed) : draft);
  restoredDrafts.set(restoredDrafts.get() + 1);
}

/** Puts one text before the other. The second title becomes a line. */
function joined(first: EntryDraft, second: EntryDraft): EntryDraft {
  const line = { type: "paragraph", content: [{ type: "text", text: second.title }] };
  const content = [
    ...(first.document.content ?? []),
    ...(first.title && second.title ? [line] : []),
    ...(second.document.content ?? []),
  ];
  return {
    title: first.title || second.title,
    isKey: first.isKey || second.isKey,
    document: { ...first.document, content },
  };
}
