import { Fragment, Slice } from "prosemirror-model";
import type { Node } from "prosemirror-model";
import { schema } from "../../shared/document/schema.ts";
import { newNoteKey } from "./footnotes.ts";

const { nodes } = schema;

/**
 * Gives pasted footnotes new keys where theirs are taken, together with the references pasted with them. The range `from` to
 * `to` is replaced: its footnotes do not count, so that moved ones keep their keys.
 */
export function withUniqueNoteKeys(slice: Slice, doc: Node, from: number, to: number): Slice {
  if (!hasFootnote(slice.content)) return slice;
  const usedKeys = new Set<string>();
  doc.descendants((node, pos) => {
    const isReplaced = pos >= from && pos + node.nodeSize <= to;
    if (node.type === nodes.footnote && !isReplaced) usedKeys.add(String(node.attrs.note));
    return !node.isTextblock;
  });
  const keys = new Map<string, string>();
  const keyOf = (note: Node): string => {
    const key = String(note.attrs.note);
    const newKey = usedKeys.has(key) ? newNoteKey() : key;
    // References mean the first footnote of a key.
    if (!keys.has(key)) keys.set(key, newKey);
    usedKeys.add(newKey);
    return newKey;
  };
  const content = withNoteKeys(slice.content, (node) => (node.type === nodes.footnote ? keyOf(node) : null));
  const withKeys = withNoteKeys(content, (node) =>
    node.type === nodes.footnote_ref ? (keys.get(String(node.attrs.note)) ?? null) : null,
  );
  return new Slice(withKeys, slice.openStart, slice.openEnd);
}

function hasFootnote(content: Fragment): boolean {
  let found = false;
  content.descendants((node) => {
    found ||= node.type === nodes.footnote;
    return !found && !node.isTextblock;
  });
  return found;
}

/** Copies the nodes, with the keys that `key` returns. */
function withNoteKeys(content: Fragment, key: (node: Node) => string | null): Fragment {
  return Fragment.fromArray(
    content.content.map((node) => {
      if (node.isText) return node;
      const note = key(node);
      const inner = withNoteKeys(node.content, key);
      return note === null ? node.copy(inner) : node.type.create({ ...node.attrs, note }, inner, node.marks);
    }),
  );
}
