import { lift, wrapIn } from "prosemirror-commands";
import { InputRule } from "prosemirror-inputrules";
import type { Attrs, NodeType } from "prosemirror-model";
import { TextSelection } from "prosemirror-state";
import type { Command, EditorState, Transaction } from "prosemirror-state";
import { canJoin, findWrapping } from "prosemirror-transform";
import { schema } from "../../shared/document/schema.ts";
import { ancestor, inEachCell } from "./commands.ts";

/* How a block is made of what is typed at the start of a line, and how a command puts a box around blocks. */

/** Deletes a block rule's signs. At the very top the rule is for a new line above: the paragraph stays as it is. */
export function withoutSigns(state: EditorState, start: number, end: number): Transaction {
  const tr = state.tr.delete(start, end);
  const { parent, depth } = tr.doc.resolve(start);
  const isAtTop = depth === 1 && parent === tr.doc.firstChild && parent.type === schema.nodes.paragraph;
  if (isAtTop && parent.content.size > 0) tr.split(start).setSelection(TextSelection.create(tr.doc, start));
  return tr;
}

/** Wraps the line, and joins it with such a block before. */
export function wrapped(
  tr: Transaction,
  start: number,
  type: NodeType,
  attrs: Attrs | null = null,
): Transaction | null {
  const range = tr.doc.resolve(start).blockRange();
  const wrapping = range && findWrapping(range, type, attrs);
  if (!wrapping) return null;
  tr.wrap(range, wrapping);
  const at = range.start;
  const previous = tr.doc.resolve(at).nodeBefore;
  const isNext =
    previous?.type === type && (!attrs || previous.childCount + Number(previous.attrs.order) === attrs.order);
  return isNext && canJoin(tr.doc, at) ? tr.join(at) : tr;
}

export const wrapRule = (pattern: RegExp, type: NodeType): InputRule =>
  new InputRule(pattern, (state, _match, start, end) =>
    wrapped(withoutSigns(state, start, end), start, type),
  );

/** Wraps the selection in a box, changes the box's attributes, or lifts its content out. */
export function toggleBox(type: NodeType, attrs: Attrs | null = null): Command {
  const toggle: Command = (state, dispatch) => {
    const box = ancestor(state, type);
    if (!box) return wrapIn(type, attrs)(state, dispatch);
    if (!box.node.hasMarkup(type, attrs)) {
      dispatch?.(state.tr.setNodeMarkup(box.pos, null, attrs));
      return true;
    }
    const inner = state.doc.resolve(box.pos + 1);
    const range = inner.blockRange(
      state.doc.resolve(box.pos + box.node.nodeSize - 1),
      (node) => node === box.node,
    );
    if (!range) return lift(state, dispatch);
    dispatch?.(state.tr.lift(range, box.depth - 1).scrollIntoView());
    return true;
  };
  return inEachCell(toggle, (state) => ancestor(state, type)?.node.hasMarkup(type, attrs) ?? false);
}
