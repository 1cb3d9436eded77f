import { lift, wrapIn } from "prosemirror-commands";
import { Fragment } from "prosemirror-model";
import type { Attrs, NodeType } from "prosemirror-model";
import { TextSelection } from "prosemirror-state";
import type { Command } from "prosemirror-state";
import type { CalloutKind } from "../../shared/document/blocks/callout.ts";
import { schema } from "../../shared/document/schema.ts";
import { ancestor, inEachCell } from "./commands.ts";

const { nodes } = schema;

/** Nodes whose first or last block can be lifted out. */
export const boxTypes: readonly NodeType[] = [nodes.blockquote, nodes.pull_quote, nodes.callout];

/** Wraps the selection in a box, changes the box's attributes, or lifts its content out. */
function toggleBox(type: NodeType, attrs: Attrs | null = null): Command {
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

export const toggleBlockquote: Command = toggleBox(nodes.blockquote);
export const togglePullQuote: Command = toggleBox(nodes.pull_quote);
export const toggleCallout = (kind: CalloutKind): Command => toggleBox(nodes.callout, { kind });

/** Turns the block with the caret into the summary of a collapsible section. */
export const insertFold: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  const block = $from.parent;
  const outer = $from.depth > 0 ? $from.node(-1) : null;
  const at = $from.depth > 0 ? $from.index(-1) : 0;
  if (!empty || (block.type !== nodes.paragraph && block.type !== nodes.heading)) return false;
  if (!outer?.canReplaceWith(at, at + 1, nodes.fold)) return false;
  const fold = nodes.fold.create(null, [
    nodes.fold_summary.create(null, block.content),
    nodes.paragraph.create(),
  ]);
  const tr = state.tr.replaceWith($from.before(), $from.after(), fold);
  dispatch?.(tr.setSelection(TextSelection.create(tr.doc, $from.pos + 1)).scrollIntoView());
  return true;
};

/** Enter in a summary moves the caret and the text after it into the section. */
export const enterFold: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  if (!empty || $from.parent.type !== nodes.fold_summary) return false;
  const rest = $from.parent.content.cut($from.parentOffset);
  const tr = state.tr;
  const after = $from.after();
  const next = tr.doc.resolve(after).nodeAfter;
  const isWaiting = rest.size === 0 && next?.type === nodes.paragraph && next.content.size === 0;
  if (!isWaiting) tr.insert(after, nodes.paragraph.create(null, rest));
  if (rest.size > 0) tr.delete($from.pos, $from.end());
  dispatch?.(tr.setSelection(TextSelection.create(tr.doc, tr.mapping.map(after, -1) + 1)).scrollIntoView());
  return true;
};

/** Backspace at the start of a summary dissolves the section; at the start of its content it moves to the summary. */
export const leaveFold: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  if (!empty || $from.parentOffset > 0 || $from.depth < 2 || $from.node(-1).type !== nodes.fold) return false;
  const fold = $from.node(-1);
  const at = $from.index(-1);
  if (at === 0) {
    const rest = fold.content.cut($from.parent.nodeSize);
    const blocks = Fragment.from(nodes.paragraph.create(null, $from.parent.content)).append(rest);
    const tr = state.tr.replaceWith($from.before(-1), $from.after(-1), blocks);
    dispatch?.(tr.setSelection(TextSelection.create(tr.doc, $from.pos - 1)).scrollIntoView());
    return true;
  }
  if (at > 1) return false;
  const tr = state.tr;
  if ($from.parent.content.size === 0 && fold.childCount > 2) tr.delete($from.before(), $from.after());
  dispatch?.(tr.setSelection(TextSelection.create(tr.doc, $from.before() - 1)).scrollIntoView());
  return true;
};
