import { ExternalStore } from "../ui/external-store.ts";
import { readDraft, storeDraft } from "./drafts.ts";
import type { DraftPlace } from "./drafts.ts";

/** Counts the quotes, so that an open field reads its draft again. */
export const quotes = new ExternalStore(0);

/** Puts a quote before what is typed in the field of a comment. */
export function quote(place: DraftPlace, text: string): void {
  const typed = readDraft(place).trim();
  storeDraft(place, `> ${text}\n\n${typed}`);
  quotes.set(quotes.get() + 1);
}
