import { toggleMark } from "prosemirror-commands";
import { closeHistory } from "prosemirror-history";
import type { Attrs, MarkType, Node, NodeType, ResolvedPos } from "prosemirror-model";
import { EditorState, Selection, TextSelection } from "prosemirror-state";
import type { Command, Transaction } from "prosemirror-state";
import { CellSelection } from "prosemirror-tables";
import { liftTarget } from "prosemirror-transform";
import type { Align } from "../../shared/document/text-blocks.ts";
import { documentLimits } from "../../shared/document/limits.ts";
import { schema } from "../../shared/document/schema.ts";
import { itemTypes, moveItems, selectedItems } from "./selected-items.ts";
import type { ToggledMark } from "./selection-state.ts";

const { nodes } = schema;

/** Runs several commands as one undo step. Not applicable when one of them is not. */
export function combineCommands(...commands: Command[]): Command {
  return (state, dispatch) => {
    let current = state;
    const combined = state.tr;
    for (const command of commands) {
      let part: Transaction | undefined;
      if (!command(current, (tr) => (part = tr)) || !part) return false;
      for (const step of part.steps) combined.step(step);
      current = current.apply(part);
    }
    // Resolved again: `current` has another document object.
    combined.setSelection(Selection.fromJSON(combined.doc, current.selection.toJSON() as object));
    dispatch?.(combined.scrollIntoView());
    return true;
  };
}

/**
 * Runs a command that knows one range in each selected cell, as one undo step: in those where it is not `isOn`, or in all if it is
 * in all of them. Any other selection is as without.
 */
export function inEachCell(command: Command, isOn: (state: EditorState) => boolean = () => true): Command {
  return (state, dispatch, view) => {
    const { selection, tr } = state;
    if (!(selection instanceof CellSelection)) return command(state, dispatch, view);
    const within = (at: number): EditorState => {
      const { $from, $to } = selection.ranges[at]!;
      const ends = [$from, $to].map(({ pos }) => tr.doc.resolve(tr.mapping.map(pos))) as [
        ResolvedPos,
        ResolvedPos,
      ];
      return EditorState.create({ doc: tr.doc, selection: TextSelection.between(...ends) });
    };
    const cells = selection.ranges.map((_range, at) => at);
    const off = cells.filter((at) => !isOn(within(at)));
    for (const at of off.length > 0 ? off : cells)
      command(within(at), ({ steps }) => {
        for (const step of steps) tr.step(step);
      });
    if (!tr.docChanged) return false;
    dispatch?.(tr.scrollIntoView());
    return true;
  };
}

/** Returns the nearest such node that contains the whole selection. */
export function ancestor(
  state: EditorState,
  ...types: NodeType[]
): { node: Node; pos: number; depth: number } | null {
  const { $from, to } = state.selection;
  for (let depth = $from.sharedDepth(to); depth > 0; depth--) {
    const node = $from.node(depth);
    if (types.includes(node.type)) return { node, pos: $from.before(depth), depth };
  }
  return null;
}

export function textblocks(state: EditorState): { node: Node; pos: number }[] {
  const found: { node: Node; pos: number }[] = [];
  for (const { $from, $to } of state.selection.ranges) {
    state.doc.nodesBetween($from.pos, $to.pos, (node, pos) => {
      if (node.isTextblock) found.push({ node, pos });
      return !node.isTextblock;
    });
  }
  return found;
}

/** Sets attributes of the selected paragraphs and headings. `change` returns null for no change. */
function setBlockAttrs(change: (node: Node) => Attrs | null): Command {
  return (state, dispatch) => {
    const tr = state.tr;
    for (const { node, pos } of textblocks(state)) {
      if (!("align" in node.attrs)) continue;
      const attrs = change(node);
      if (attrs) tr.setNodeMarkup(pos, null, { ...node.attrs, ...attrs });
    }
    if (!tr.docChanged) return false;
    dispatch?.(tr.scrollIntoView());
    return true;
  };
}

/** `null`: at the start of the line. */
export function setAlign(align: Align | null): Command {
  return setBlockAttrs((node) => (node.attrs.align === align ? null : { align }));
}

/** Moves in (1) or out (-1): list items by nesting, other blocks by their level from 0 to 8. */
export function indent(direction: 1 | -1): Command {
  return (state, dispatch) => {
    const tr = state.tr;
    const { runs, outside } = selectedItems(state);
    for (const { node, pos } of outside) {
      if (!("indent" in node.attrs)) continue;
      const level = Number(node.attrs.indent) + direction;
      if (level < 0 || level > documentLimits.indent) continue;
      tr.setNodeMarkup(pos, null, { ...node.attrs, indent: level });
    }
    moveItems(tr, runs, direction);
    if (!tr.docChanged) return false;
    dispatch?.(tr.scrollIntoView());
    return true;
  };
}

/** Removes the mark only if all of the selection has it. */
export const toggle = (name: ToggledMark): Command =>
  toggleMark(schema.marks[name], null, { removeWhenPresent: false });

/** Sets a mark on the selection or the text typed next; `null` removes it. */
export function setMark(type: MarkType, attrs: Attrs | null): Command {
  return (state, dispatch) => {
    const { empty, $from, ranges } = state.selection;
    if (!textblocks(state).some(({ node }) => node.type.allowsMarkType(type))) return false;
    const tr = state.tr;
    if (empty) {
      const others = (state.storedMarks ?? $from.marks()).filter((mark) => mark.type !== type);
      tr.setStoredMarks(attrs ? type.create(attrs).addToSet(others) : others);
    } else {
      for (const range of ranges) {
        if (attrs) tr.addMark(range.$from.pos, range.$to.pos, type.create(attrs));
        else tr.removeMark(range.$from.pos, range.$to.pos, type);
      }
    }
    dispatch?.(tr.scrollIntoView());
    return true;
  };
}

/** Makes plain paragraphs; only links stay. An empty selection means the block with the caret. */
export const cleanFormatting: Command = (state, dispatch) => {
  const tr = state.tr.setStoredMarks([]);
  const blocks = textblocks(state);
  const { empty, from, to, ranges } = state.selection;
  for (const { node, pos } of blocks) {
    const isWhole = empty || ranges.length > 1;
    const start = isWhole ? pos : Math.max(from, pos);
    const end = isWhole ? pos + node.nodeSize : Math.min(to, pos + node.nodeSize);
    for (const type of Object.values(schema.marks)) {
      if (type !== schema.marks.link) tr.removeMark(start, end, type);
    }
  }
  for (const { pos } of blocks) {
    const block = tr.doc.nodeAt(tr.mapping.map(pos));
    if (block?.isTextblock)
      tr.setBlockType(tr.mapping.map(pos) + 1, undefined, nodes.paragraph, { align: null, indent: 0 });
  }
  // Last to first: an item with nested items cannot leave its list.
  for (const { pos } of blocks.toReversed()) liftOut(tr, tr.mapping.map(pos));
  dispatch?.(tr.scrollIntoView());
  return true;
};

/** Blocks around any others, whose first or last block can be lifted out. */
export const boxTypes: readonly NodeType[] = Object.values(nodes).filter(
  ({ spec }) => spec.group === "block" && spec.content === "block+",
);

/** Lifts a textblock out of all lists, quotes and callouts, up to a table cell or the document. */
function liftOut(tr: Transaction, pos: number): void {
  const wrappers: readonly NodeType[] = [...itemTypes, ...boxTypes];
  for (;;) {
    const range = tr.doc.resolve(pos + 1).blockRange();
    const target = range && wrappers.includes(range.parent.type) ? liftTarget(range) : null;
    if (!range || target === null) return;
    const steps = tr.steps.length;
    tr.lift(range, target);
    pos = tr.mapping.slice(steps).map(pos);
  }
}

/** Returns a position between blocks for an insertion; the caret moves to the block after it. */
export function openInsertPosition(state: EditorState): { tr: Transaction; pos: number } {
  const tr = closeHistory(state.tr);
  const { $to } = state.selection;
  const block = $to.parent;
  if (!block.isTextblock) return { tr, pos: $to.pos };
  if (block.content.size === 0 || $to.parentOffset === 0) return { tr, pos: $to.before() };
  const after = $to.after();
  if (block.type.spec.code) return { tr, pos: after };
  if ($to.pos < $to.end()) {
    tr.split($to.pos);
    return { tr: tr.setSelection(TextSelection.create(tr.doc, $to.pos + 2)), pos: $to.pos + 1 };
  }
  const next = state.doc.resolve(after).nodeAfter;
  if (!next?.isTextblock || next.content.size > 0) tr.insert(after, nodes.paragraph.create());
  return { tr: tr.setSelection(TextSelection.create(tr.doc, after + 1)), pos: after };
}

export const insertHardBreak: Command = (state, dispatch) => {
  if (state.selection.$from.parent.type.spec.code) return false;
  dispatch?.(state.tr.replaceSelectionWith(nodes.hard_break.create()).scrollIntoView());
  return true;
};
