import { InputRule } from "prosemirror-inputrules";
import { Fragment } from "prosemirror-model";
import { TextSelection } from "prosemirror-state";
import type { Command, Transaction } from "prosemirror-state";
import type { NodeView } from "prosemirror-view";
import { schema } from "../../../shared/document/schema.ts";
import type { EditorBlock } from "../block.ts";
import { element } from "../element.ts";

const { nodes } = schema;

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
const enterFold: Command = (state, dispatch) => {
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
const leaveFold: Command = (state, dispatch) => {
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

const rule = new InputRule(/^<details>$/, (state, _match, start, end) => {
  let insertion: Transaction | null = null;
  const cleared = state.apply(state.tr.delete(start, end));
  if (!insertFold(cleared, (tr) => (insertion = tr))) return null;
  const combined = state.tr.delete(start, end);
  for (const step of (insertion as unknown as Transaction).steps) combined.step(step);
  return combined.setSelection(TextSelection.create(combined.doc, start + 1));
});

function divView(name: string): NodeView {
  const dom = element("div", { class: name });
  return { dom, contentDOM: dom };
}

export const foldBlock: EditorBlock = {
  keys: { Enter: enterFold, Backspace: leaveFold },
  rules: [rule],
  items: [
    {
      name: "Fold-out",
      keywords: "details toggle summary spoiler",
      icon: "m4 6 3 3 3-3M13 7.5h7M4 15h16M4 19.5h16",
      command: insertFold,
    },
  ],
  // Not `details`: it would close, and toggle with each space typed.
  views: () => ({ fold: () => divView("fold"), fold_summary: () => divView("fold-summary") }),
};
