import { hasSignedOut } from "../session/signed-out-accounts.ts";

/** The key of an unsent text in local storage: person, blog and field. */
export interface DraftPlace {
  viewerId: string;
  blogId: string;
  /** `new`, `reply-{id}` or `edit-{id}`. */
  at: string;
}

const prefix = "reprise:draft:";
const maxAgeMs = 30 * 24 * 60 * 60 * 1000;
const maxDrafts = 50;

interface Draft {
  text: string;
  savedAt: number;
}

const keyOf = ({ viewerId, blogId, at }: DraftPlace): string => `${prefix}${viewerId}:${blogId}:${at}`;

export function readDraft(place: DraftPlace): string {
  return read(keyOf(place))?.text ?? "";
}

export function storeDraft(place: DraftPlace, text: string): void {
  const key = keyOf(place);
  if (hasSignedOut(place.viewerId)) return;
  try {
    if (text.trim() === "") localStorage.removeItem(key);
    else {
      const draft: Draft = { text, savedAt: Date.now() };
      localStorage.setItem(key, JSON.stringify(draft));
      pruneDrafts(key);
    }
  } catch {
    // Storage is full or forbidden: the text remains in its field.
  }
}

/** Makes an unsent text a draft again, before anything typed since. */
export function restoreDraftText(place: DraftPlace, text: string): void {
  const current = readDraft(place);
  storeDraft(place, current.trim() === "" || current === text ? text : `${text}\n\n${current}`);
}

function read(key: string): Draft | undefined {
  try {
    const draft = JSON.parse(localStorage.getItem(key) ?? "null") as Draft | null;
    return typeof draft?.text === "string" ? draft : undefined;
  } catch {
    return undefined;
  }
}

function keys(): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefix));
  } catch {
    return [];
  }
}

const keysOf = (viewerId: string): string[] =>
  keys().filter((key) => key.startsWith(`${prefix}${viewerId}:`));

export const countDrafts = (viewerId: string): number => keysOf(viewerId).length;

export function deleteDrafts(viewerId: string): void {
  for (const key of keysOf(viewerId)) localStorage.removeItem(key);
}

/** Deletes expired drafts, and the oldest beyond `maxDrafts`. */
function pruneDrafts(keptKey: string): void {
  const draftAges = keys()
    .filter((key) => key !== keptKey)
    .map((key) => ({ key, savedAt: read(key)?.savedAt ?? 0 }))
    .toSorted((a, b) => b.savedAt - a.savedAt);
  const now = Date.now();
  draftAges.forEach(({ key, savedAt }, index) => {
    if (index >= maxDrafts || now - savedAt > maxAgeMs) localStorage.removeItem(key);
  });
}
