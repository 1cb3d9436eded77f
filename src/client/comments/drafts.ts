import { hasLeft } from "../session/left.ts";

/**
 * What was typed and not sent, kept in the browser until it is: by person, blog and place (a comment, a reply, an edit).
 * Without storage, or with a full one, the text still stands in its box.
 */
export interface DraftPlace {
  viewerId: string;
  blogId: string;
  /** `new`, `reply-{id}` or `edit-{id}`. */
  at: string;
}

const prefix = "reprise:draft:";
const keptFor = 30 * 24 * 60 * 60 * 1000;
const most = 50;

interface Draft {
  text: string;
  savedAt: number;
}

const keyOf = ({ viewerId, blogId, at }: DraftPlace): string => `${prefix}${viewerId}:${blogId}:${at}`;

export function readDraft(place: DraftPlace): string {
  return read(keyOf(place))?.text ?? "";
}

export function keepDraft(place: DraftPlace, text: string): void {
  const key = keyOf(place);
  if (hasLeft(place.viewerId)) return;
  try {
    if (text.trim() === "") localStorage.removeItem(key);
    else {
      const draft: Draft = { text, savedAt: Date.now() };
      localStorage.setItem(key, JSON.stringify(draft));
      tidy(key);
    }
  } catch {
    // No storage, or none left: there is nothing better to do.
  }
}

/** Puts a text that could not be sent back where it was written, before what was typed there since. */
export function returnDraft(place: DraftPlace, text: string): void {
  const since = readDraft(place);
  keepDraft(place, since.trim() === "" || since === text ? text : `${text}\n\n${since}`);
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

/** Drops what nobody came back for, and the oldest where there are too many. */
function tidy(keep: string): void {
  const ages = keys()
    .filter((key) => key !== keep)
    .map((key) => ({ key, savedAt: read(key)?.savedAt ?? 0 }))
    .toSorted((a, b) => b.savedAt - a.savedAt);
  const now = Date.now();
  ages.forEach(({ key, savedAt }, index) => {
    if (index >= most || now - savedAt > keptFor) localStorage.removeItem(key);
  });
}
