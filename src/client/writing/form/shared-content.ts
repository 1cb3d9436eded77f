import { limits } from "../../../shared/limits.ts";
import type { NodeJson } from "../../../shared/document/schema.ts";
import { safeLink } from "../../../shared/document/values.ts";
import { newId } from "../../api/ids.ts";
import { serverTime } from "../../ui/clock.ts";
import { draftStore } from "../draft-store.ts";
import type { StoredDraft } from "../draft.ts";
import { emptyDraft, firstPosition } from "../find-draft.ts";

/** The most characters of each field: they come in an address. */
const MAX_CHARS = 20_000;

/** Content shared by another app, in the address of a new blog (server/pages/pwa.ts). */
export interface SharedContent {
  title: string;
  text: string;
  link: string;
}

export function parseShared(search: string): SharedContent | null {
  const query = new URLSearchParams(search);
  const param = (name: string): string => (query.get(name) ?? "").slice(0, MAX_CHARS).trim();
  const shared = { title: param("title"), text: param("text"), link: param("link") };
  return shared.title || shared.text || shared.link ? shared : null;
}

/** Stores it on this device as a new blog, which the form finds and sends. Throws if the device stores nothing. */
export const storeShared = (account: string, shared: SharedContent): Promise<void> =>
  draftStore.put(draftFromShared(account, shared));

/** Returns a draft as if the content had been typed into an empty one. */
export function draftFromShared(account: string, { title, text, link }: SharedContent): StoredDraft {
  const client = newId();
  const line = [...title.replace(/\s+/g, " ")].slice(0, limits.title.max).join("");
  // Some apps repeat the link in the text.
  const lines = text.split(/\r?\n/).filter((one) => one.trim() !== "" && one.trim() !== link);
  const content = [...lines, link].filter(Boolean).map(paragraphOf);
  const draft = emptyDraft(newId(), firstPosition(client));
  // In place of the empty paragraph.
  if (content.length > 0) draft.at.steps = [{ stepType: "replace", from: 0, to: 2, slice: { content } }];
  draft.at.fields = { title: line, intent: { draft: true, later: null } };
  return { ...draft, account, client, pictures: [], changedAt: serverTime() };
}

function paragraphOf(text: string): NodeJson {
  const href = safeLink(text.trim());
  const marks = href ? [{ type: "link", attrs: { href, title: null } }] : [];
  return {
    type: "paragraph",
    attrs: { align: null, indent: 0 },
    content: [{ type: "text", text: text.trim(), ...(href ? { marks } : {}) }],
  };
}
