import { limits } from "../../../shared/limits.ts";
import type { NodeJson } from "../../../shared/document/schema.ts";
import { safeLink } from "../../../shared/document/values.ts";
import { newId } from "../../api/ids.ts";
import { deviceStore } from "../../editor/journal/store.ts";
import type { StoredWork, WaitingContent } from "./working-copy.ts";
import { emptyFields } from "./blog-fields.ts";
import type { BlogFields } from "./blog-fields.ts";

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

/** Stores it on this device as a new blog, which the form finds. */
export async function storeShared(account: string, shared: SharedContent): Promise<void> {
  const waiting = { account, blogId: newId(), base: null, fields: fieldsFromShared(shared) };
  await deviceStore<StoredWork, WaitingContent>().putWaiting(waiting);
}

function fieldsFromShared({ title, text, link }: SharedContent): BlogFields {
  const line = [...title.replace(/\s+/g, " ")].slice(0, limits.title.max).join("");
  // Some apps repeat the link in the text.
  const lines = text.split(/\r?\n/).filter((one) => one.trim() !== "" && one.trim() !== link);
  return {
    ...emptyFields(),
    title: line,
    draft: true,
    document: { type: "doc", content: [...lines, link].filter(Boolean).map(paragraphOf) },
  };
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
