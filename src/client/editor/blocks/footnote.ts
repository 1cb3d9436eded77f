import { closeHistory } from "prosemirror-history";
import { InputRule } from "prosemirror-inputrules";
import type { Node } from "prosemirror-model";
import { Plugin, TextSelection } from "prosemirror-state";
import type { Command, EditorState, Transaction } from "prosemirror-state";
import { Decoration, DecorationSet } from "prosemirror-view";
import { schema } from "../../../shared/document/schema.ts";
import { referencedKeys } from "../../../shared/document/referenced-notes.ts";
import type { EditorBlock } from "../block.ts";
import { ancestor } from "../commands.ts";
import { documentDecorations } from "../document-decorations.ts";

const { nodes } = schema;

interface Note {
  key: string;
  node: Node;
  pos: number;
}

/** Footnotes and references, in document order. */
function footnotesIn(doc: Node): { notes: Note[]; signs: { key: string; pos: number }[] } {
  const notes: Note[] = [];
  const signs: { key: string; pos: number }[] = [];
  doc.descendants((node, pos) => {
    const key = String(node.attrs.note);
    if (node.type === nodes.footnote) notes.push({ key, node, pos });
    else if (node.type === nodes.footnote_ref) signs.push({ key, pos });
  });
  return { notes, signs };
}

/** Returns the keys of the footnotes that readers see. */
function visibleKeys({ notes, signs }: ReturnType<typeof footnotesIn>): ReadonlySet<unknown> {
  const inText: string[] = [];
  const inNotes = new Map<string, string[]>();
  for (const { key, pos } of signs) {
    const enclosing = notes.find((note) => pos > note.pos && pos < note.pos + note.node.nodeSize);
    if (enclosing) inNotes.set(enclosing.key, [...(inNotes.get(enclosing.key) ?? []), key]);
    else inText.push(key);
  }
  return referencedKeys({ inText, inNotes });
}

/**
 * Returns the notes in the order of their numbers: in each list as the text refers to them (`withNotesInOrder`). Of two notes
 * with one key a reference means the first.
 */
function numberedNotes(doc: Node, referenced: ReadonlySet<unknown>): Note[] {
  const ranks = new Map([...referenced].map((key, rank) => [key, rank]));
  const inOrder: Note[] = [];
  const add = (parent: Node, start: number): void => {
    const children: (Note & { rank: number })[] = [];
    parent.forEach((node, offset) => {
      if (node.inlineContent || node.isLeaf) return;
      const key = String(node.attrs.note);
      const rank = ranks.get(key) ?? Number.MAX_SAFE_INTEGER;
      if (node.type === nodes.footnote) ranks.delete(key);
      children.push({ key, node, pos: start + offset, rank });
    });
    if (parent.type === nodes.footnotes) children.sort((one, other) => one.rank - other.rank);
    for (const { key, node, pos } of children) {
      if (node.type === nodes.footnote) inOrder.push({ key, node, pos });
      add(node, pos + 1);
    }
  };
  add(doc, 0);
  return inOrder;
}

/** Random, so that two writers never create the same key. */
export const newNoteKey = (): string => `n${Math.random().toString(36).slice(2, 8)}`;

/**
 * Replaces a range by a reference to a new footnote, in the order of the references, and moves the caret into it. With the
 * `number` of a footnote it only adds a reference. Null where none is possible.
 */
function withFootnote(state: EditorState, from: number, to: number, number?: string): Transaction | null {
  const $from = state.doc.resolve(from);
  const isText =
    $from.parent.inlineContent && !$from.parent.type.spec.code && $from.sameParent(state.doc.resolve(to));
  if (!isText) return null;
  for (let depth = $from.depth; depth > 0; depth--)
    if ($from.node(depth).type === nodes.footnotes) return null;
  const found = footnotesIn(state.doc);
  const { notes, signs } = found;
  const existing = number ? numberedNotes(state.doc, visibleKeys(found))[Number(number) - 1] : undefined;
  const key = existing?.key ?? newNoteKey();
  const tr = closeHistory(state.tr).replaceWith(from, to, nodes.footnote_ref.create({ note: key }));
  if (existing) return tr.setSelection(TextSelection.create(tr.doc, from + 1)).scrollIntoView();
  const before = signs.filter(({ pos }) => pos < from).map((sign) => sign.key);
  const last = notes.findLast((note) => before.includes(note.key));
  const place = last ? last.pos + last.node.nodeSize : notes[0]?.pos;
  const note = nodes.footnote.create({ note: key }, nodes.paragraph.create());
  const at = place === undefined ? tr.doc.content.size : tr.mapping.map(place);
  tr.insert(at, place === undefined ? nodes.footnotes.create(null, note) : note);
  return tr.setSelection(TextSelection.near(tr.doc.resolve(at + 1))).scrollIntoView();
}

export const insertFootnote: Command = (state, dispatch) => {
  const tr = withFootnote(state, state.selection.from, state.selection.from);
  if (tr) dispatch?.(tr);
  return tr !== null;
};

/** Enter on a footnote's empty last line returns to the text after its reference. */
const leaveNote: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  const note = ancestor(state, nodes.footnote);
  const isLast = note && $from.depth === note.depth + 1 && $from.index(-1) === note.node.childCount - 1;
  const isEmptyLine = empty && $from.parent.type === nodes.paragraph && $from.parent.content.size === 0;
  if (!isLast || !isEmptyLine || note.node.childCount < 2) return false;
  const tr = state.tr.delete($from.before(), $from.after());
  const sign = footnotesIn(tr.doc).signs.find(({ key }) => key === note.node.attrs.note);
  if (!sign) return false;
  dispatch?.(tr.setSelection(TextSelection.create(tr.doc, sign.pos + 1)).scrollIntoView());
  return true;
};

/** Backspace deletes an empty footnote and its references; it never joins one with what precedes it. */
const deleteEmptyNote: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  const note = ancestor(state, nodes.footnote);
  if (!empty || !note || $from.parentOffset > 0 || $from.depth !== note.depth + 1 || $from.index(-1) > 0)
    return false;
  if (note.node.childCount > 1 || $from.parent.content.size > 0) return true;
  const tr = state.tr;
  const list = $from.node(note.depth - 1);
  if (list.childCount > 1) tr.delete(note.pos, note.pos + note.node.nodeSize);
  else tr.delete($from.before(note.depth - 1), $from.after(note.depth - 1));
  const { signs } = footnotesIn(tr.doc);
  const references = signs.filter(({ key }) => key === note.node.attrs.note);
  for (const { pos } of references.toReversed()) tr.delete(pos, pos + 1);
  if (tr.doc.childCount === 0) tr.insert(0, nodes.paragraph.create());
  const at = Math.min(references[0]?.pos ?? note.pos, tr.doc.content.size);
  dispatch?.(tr.setSelection(TextSelection.near(tr.doc.resolve(at), -1)).scrollIntoView());
  return true;
};

/** Numbers of references, and a hint at footnotes without one. */
function decorations(doc: Node): DecorationSet {
  const found = footnotesIn(doc);
  const { notes, signs } = found;
  if (notes.length === 0 && signs.length === 0) return DecorationSet.empty;
  const read = visibleKeys(found);
  const numberOf = new Map<string, number>();
  const numberAt = new Map<number, number>();
  for (const [at, { key, pos }] of numberedNotes(doc, read).entries()) {
    if (!numberOf.has(key)) numberOf.set(key, at + 1);
    numberAt.set(pos, at + 1);
  }
  return DecorationSet.create(doc, [
    // The list itself counts from 1. A further list, as of pasted text, continues the numbers.
    ...notes.flatMap(({ node, pos }) => {
      const before = doc.resolve(pos).nodeBefore;
      const counted = before ? numberAt.get(pos - before.nodeSize)! + 1 : 1;
      const number = numberAt.get(pos)!;
      return number === counted ? [] : [Decoration.node(pos, pos + node.nodeSize, { value: String(number) })];
    }),
    ...signs.map(({ key, pos }) =>
      Decoration.node(pos, pos + 1, { "data-number": String(numberOf.get(key) ?? "*") }),
    ),
    ...notes
      .filter(({ key }) => !read.has(key))
      .map(({ node, pos }) =>
        Decoration.node(pos, pos + node.nodeSize, {
          class: "editor-unsigned",
          "data-hint": "No mark in the text links to this footnote, so readers don’t see it.",
        }),
      ),
  ]);
}

/** Shows footnote numbers, which are not stored. */
const noteNumbers = (): Plugin<DecorationSet> => documentDecorations(decorations);

/**
 * Puts the caret before the footnotes that a paste ends with: the writer continues the text, not the last note. A paste into a
 * footnote leaves it there.
 */
function caretBeforePastedNotes(): Plugin {
  return new Plugin({
    appendTransaction(transactions, before, { doc, selection, tr }) {
      if (!transactions.some((one) => one.getMeta("paste"))) return null;
      const notes = notesAround({ selection });
      if (notes === null || notesAround(before) !== null) return null;
      const caret = TextSelection.findFrom(doc.resolve(notes), -1, true);
      return caret && tr.setSelection(caret).scrollIntoView();
    },
  });
}

/** Returns where the list of footnotes around the caret begins; null outside one. */
function notesAround({ selection: { $head } }: Pick<EditorState, "selection">): number | null {
  for (let depth = $head.depth; depth > 0; depth--)
    if ($head.node(depth).type === schema.nodes.footnotes) return $head.before(depth);
  return null;
}

/** `[^1]` refers to the first footnote, if there is one; otherwise, as `[^]`, to a new one. */
const rule = new InputRule(/\[\^([\w-]{0,20})\]$/, (state, match, start, end) =>
  state.doc.rangeHasMark(start, end, schema.marks.code) ? null : withFootnote(state, start, end, match[1]),
);

export const footnoteBlock: EditorBlock = {
  keys: { "Mod-Alt-f": insertFootnote, Enter: leaveNote, Backspace: deleteEmptyNote },
  rules: [rule],
  items: [
    {
      name: "Footnote",
      keywords: "endnote reference",
      icon: "M4 18 8.5 6 13 18M5.6 14h5.8M16.5 7.5 18.5 6v6",
      command: insertFootnote,
    },
  ],
  plugins: () => [noteNumbers()],
  pagePlugins: () => [caretBeforePastedNotes()],
};
