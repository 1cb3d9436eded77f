import { withNotesInOrder } from "./referenced-notes.ts";
import type { DocumentJson, NodeJson } from "./schema.ts";

/** Returns a valid footnote key, which published HTML uses in ids; else null. */
export function noteKey(value: unknown): string | null {
  return typeof value === "string" && /^[a-z0-9][a-z0-9-]{0,39}$/.test(value) ? value : null;
}

/** Makes a key of another program's name; null if no character is usable. */
export function toNoteKey(name: string): string | null {
  return noteKey(
    name
      .slice(0, 200)
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-/, "")
      .slice(0, 40),
  );
}

/** Sorts and numbers the notes by their references; a reference without a note gets key 0. */
export function withNumberedNotes(stored: DocumentJson): DocumentJson {
  const document = withNotesInOrder(stored);
  const numbers = new Map<NodeJson, string>();
  const signs = new Map<unknown, string>();
  const number = (node: NodeJson): void => {
    if (node.type === "footnote") {
      numbers.set(node, String(numbers.size + 1));
      // Of two with one key a reference means the first.
      if (!signs.has(node.attrs?.note)) signs.set(node.attrs?.note, String(numbers.size));
    }
    node.content?.forEach(number);
  };
  number(document);
  const renamed = (node: NodeJson): NodeJson => {
    const { attrs } = node;
    const note = node.type === "footnote_ref" ? (signs.get(attrs?.note) ?? "0") : numbers.get(node);
    return {
      ...node,
      ...(note !== undefined && { attrs: { ...attrs, note } }),
      ...(node.content && { content: node.content.map(renamed) }),
    };
  };
  return renamed(document) as DocumentJson;
}
