import { newId } from "../api/ids.ts";
import { hasSignedOut } from "../session/signed-out-accounts.ts";

/*
 * Unsent texts in local storage. Each tab has its own, also after a reload; a tab without one shows a copy of the newest, which
 * it takes over when the copy is changed or sent. A tab that still shows a text that was taken over stores it again.
 */

/** The field of an unsent text. */
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

const TAB = "reprise:tab";
let ownTab: string | undefined;

/**
 * Returns the tab's name, which a reload keeps. It is in the session storage only while no page is shown: a tab that is duplicated
 * copies its session storage, and would copy the name too.
 */
function tabId(): string {
  if (ownTab !== undefined) return ownTab;
  try {
    const id = sessionStorage.getItem(TAB) ?? newId();
    sessionStorage.removeItem(TAB);
    addEventListener("pagehide", () => sessionStorage.setItem(TAB, id));
    addEventListener("pageshow", () => sessionStorage.removeItem(TAB));
    ownTab = id;
  } catch {
    ownTab = "";
  }
  return ownTab;
}

/** The key of a field's text, without the tab. */
const fieldKey = ({ viewerId, blogId, at }: DraftPlace): string => `${prefix}${viewerId}:${blogId}:${at}`;
const keyOf = (place: DraftPlace): string => `${fieldKey(place)}:${tabId()}`;

/** The texts that this tab shows, by key. */
const own = new Map<string, string>();
/** For this tab's keys, the key and text of another tab that are shown; null where the tab had its own since. */
const copies = new Map<string, { key: string; text: string } | null>();

export function readDraft(place: DraftPlace): string {
  const key = keyOf(place);
  const text = read(key)?.text;
  if (text !== undefined) {
    keepOwn(key, text);
    return text;
  }
  if (!copies.has(key)) copies.set(key, newestOf(fieldKey(place)) ?? null);
  return copies.get(key)?.text ?? "";
}

export function storeDraft(place: DraftPlace, text: string): void {
  const key = keyOf(place);
  if (hasSignedOut(place.viewerId)) return;
  const copy = copies.get(key);
  copies.set(key, null);
  try {
    if (copy && read(copy.key)?.text === copy.text) localStorage.removeItem(copy.key);
    if (text.trim() === "") {
      own.delete(key);
      localStorage.removeItem(key);
    } else {
      keepOwn(key, text);
      write(key, text);
    }
  } catch {
    // Storage is full or forbidden: the text remains in its field.
  }
}

/** Called when a field is gone: its text stays stored until another tab takes it over. */
export function leaveDraft(place: DraftPlace): void {
  const key = keyOf(place);
  own.delete(key);
  copies.delete(key);
}

function keepOwn(key: string, text: string): void {
  if (own.size === 0) addEventListener("storage", onStorage);
  own.set(key, text);
}

/** Stores a text again that another tab took over or deleted. */
function onStorage({ key, newValue }: StorageEvent): void {
  const text = newValue === null && key !== null ? own.get(key) : undefined;
  if (text === undefined || hasSignedOut(key!.slice(prefix.length).split(":")[0]!)) return;
  try {
    write(key!, text);
  } catch {
    // Storage is full: the text remains in its field.
  }
}

function write(key: string, text: string): void {
  const draft: Draft = { text, savedAt: Date.now() };
  localStorage.setItem(key, JSON.stringify(draft));
  pruneDrafts(key);
}

/** Returns the newest text of a field, of any tab. */
const newestOf = (field: string): { key: string; text: string } | undefined =>
  keys()
    .filter((key) => key.startsWith(`${field}:`))
    .flatMap((key) => {
      const draft = read(key);
      return draft ? [{ key, ...draft }] : [];
    })
    .toSorted((a, b) => b.savedAt - a.savedAt)[0];

/** Makes an unsent text a draft again, before anything typed since. Its field, if there is one, must read it. */
export function restoreDraftText(place: DraftPlace, text: string): void {
  const current = read(keyOf(place))?.text ?? "";
  storeDraft(place, current.trim() === "" || current === text ? text : `${text}\n\n${current}`);
  own.delete(keyOf(place));
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
