import { Fragment, Slice } from "prosemirror-model";
import type { Node } from "prosemirror-model";
import { schema } from "../../shared/document/schema.ts";
import { newNoteKey } from "./footnotes.ts";

const { nodes } = schema;

/**
 * What is pasted or dropped, with keys of their own for the notes whose keys are taken in the text, and for the signs that come along with
 * them: each sign leads to the note it was copied with. `from` to `to` is what it takes the place of: what stands there goes, and keys
 * that come back are the same notes.
 */
export function withOwnNotes(slice: Slice, doc: Node, from: number, to: number): Slice {
  if (!holds(slice.content)) return slice;
  const taken = new Set<string>();
  doc.descendants((node, pos) => {
    const isReplaced = pos >= from && pos + node.nodeSize <= to;
    if (node.type === nodes.footnote && !isReplaced) taken.add(String(node.attrs.note));
    return !node.isTextblock;
  });
  const keys = new Map<string, string>();
  const keyOf = (note: Node): string => {
    const key = String(note.attrs.note);
    const own = taken.has(key) ? newNoteKey() : key;
    // A second one by the same key has no signs: they mean the first.
    if (!keys.has(key)) keys.set(key, own);
    taken.add(own);
    return own;
  };
  const content = mapped(slice.content, (node) => (node.type === nodes.footnote ? keyOf(node) : null));
  const signed = mapped(content, (node) =>
    node.type === nodes.footnote_ref ? (keys.get(String(node.attrs.note)) ?? null) : null,
  );
  return new Slice(signed, slice.openStart, slice.openEnd);
}

function holds(content: Fragment): boolean {
  let found = false;
  content.descendants((node) => {
    found ||= node.type === nodes.footnote;
    return !found && !node.isTextblock;
  });
  return found;
}

/** The same nodes, with another key where `key` gives one. */
function mapped(content: Fragment, key: (node: Node) => string | null): Fragment {
  return Fragment.fromArray(
    content.content.map((node) => {
      if (node.isText) return node;
      const note = key(node);
      const inner = mapped(node.content, key);
      return note === null ? node.copy(inner) : node.type.create({ ...node.attrs, note }, inner, node.marks);
    }),
  );
}
