import { Fragment, Slice } from "prosemirror-model";
import type { Node, NodeType } from "prosemirror-model";
import { Selection } from "prosemirror-state";
import type { EditorState, Transaction } from "prosemirror-state";
import { schema } from "../../shared/document/schema.ts";
import { newNoteKey } from "./blocks/footnote.ts";

const { nodes } = schema;

/**
 * Gives pasted footnotes new keys where theirs are taken, together with the references pasted with them. The range `from` to
 * `to` is replaced: its footnotes do not count, so that moved ones keep their keys. References without their footnote mean
 * one of `doc`, unless they are from another text.
 */
export function withUniqueNoteKeys(
  slice: Slice,
  doc: Node,
  { from, to, isForeign = false }: { from: number; to: number; isForeign?: boolean },
): Slice {
  const types = isForeign ? [nodes.footnote, nodes.footnote_ref] : [nodes.footnote];
  if (!contains(slice.content, types)) return slice;
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
  const referenceKey = (key: string): string | null => {
    if (isForeign && usedKeys.has(key) && !keys.has(key)) keys.set(key, newNoteKey());
    return keys.get(key) ?? null;
  };
  const withKeys = withNoteKeys(content, (node) =>
    node.type === nodes.footnote_ref ? referenceKey(String(node.attrs.note)) : null,
  );
  return new Slice(withKeys, slice.openStart, slice.openEnd);
}

function contains(content: Fragment, types: readonly NodeType[]): boolean {
  let found = false;
  content.descendants((node) => {
    found ||= types.includes(node.type);
    return !found;
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

/**
 * Inserts pasted text that ends with footnotes: these join the text's own list, in the order of the references. In a footnote
 * the text goes before the list. Null if the slice has no text with footnotes.
 */
export function withJoinedNotes(state: EditorState, slice: Slice): Transaction | null {
  const blocks = slice.content.content;
  const text = Fragment.fromArray(blocks.filter(({ type }) => type !== nodes.footnotes));
  const notes = blocks.filter(({ type }) => type === nodes.footnotes).flatMap(({ children }) => children);
  if (blocks.at(-1)?.type !== nodes.footnotes || text.childCount === 0) return null;
  const { tr } = state;
  const { $from } = state.selection;
  const isInNotes = $from.depth > 0 && $from.node(1).type === nodes.footnotes;
  if (isInNotes) {
    tr.insert($from.before(1), text);
    tr.setSelection(Selection.near(tr.doc.resolve(tr.mapping.map($from.before(1))), -1));
  } else tr.replaceSelection(new Slice(text, slice.openStart, Slice.maxOpen(text).openEnd));
  const { list, place } = placeOfNotes(tr.doc, tr.selection.from);
  if (list) tr.insert(place, notes);
  else tr.insert(place, nodes.footnotes.create(null, notes));
  return tr.scrollIntoView();
}

/** Returns where notes of the text before `end` go: behind those that it refers to before, in the last list of the document. */
function placeOfNotes(doc: Node, end: number): { list: Node | null; place: number } {
  let place = doc.content.size;
  let list: Node | null = null;
  doc.forEach((block, offset) => {
    if (block.type === nodes.footnotes) [list, place] = [block, offset + 1];
  });
  const before = new Set<unknown>();
  doc.nodesBetween(0, end, ({ type, attrs }) => void (type === nodes.footnote_ref && before.add(attrs.note)));
  const start = place;
  (list as Node | null)?.forEach((note, offset) => {
    if (before.has(note.attrs.note)) place = start + offset + note.nodeSize;
  });
  return { list, place };
}
