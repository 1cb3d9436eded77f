import { limits } from "../../../shared/limits.ts";
import type { NodeJson } from "../../../shared/document/schema.ts";
import { safeLink } from "../../../shared/document/values.ts";
import { newId } from "../../api/ids.ts";
import { deviceStore } from "../../editor/journal/store.ts";
import type { Entry, Waiting } from "./work.ts";
import { emptyFields } from "./values.ts";
import type { BlogFields } from "./values.ts";

/** Of what another program shares, in characters: it comes in an address. */
const MOST = 20_000;

/** What another program shares, in the address that leads to a new blog (server/pages/device.ts). */
export interface Shared {
  title: string;
  text: string;
  link: string;
}

export function sharedIn(search: string): Shared | null {
  const query = new URLSearchParams(search);
  const of = (name: string): string => (query.get(name) ?? "").slice(0, MOST).trim();
  const shared = { title: of("title"), text: of("text"), link: of("link") };
  return shared.title || shared.text || shared.link ? shared : null;
}

/** Begins a new blog with it, kept on this device like any that was not saved: its form finds it, and what was begun before waits beside it. */
export async function keepShared(account: string, shared: Shared): Promise<void> {
  const waiting = { account, blogId: newId(), base: null, fields: fieldsOfShared(shared) };
  await deviceStore<Entry, Waiting>().putWaiting(waiting);
}

function fieldsOfShared({ title, text, link }: Shared): BlogFields {
  const line = [...title.replace(/\s+/g, " ")].slice(0, limits.title.max).join("");
  // Some programs name the link in the text.
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
