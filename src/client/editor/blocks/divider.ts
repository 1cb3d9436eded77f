import { InputRule } from "prosemirror-inputrules";
import { TextSelection } from "prosemirror-state";
import type { Command, EditorState, Transaction } from "prosemirror-state";
import { insertPoint } from "prosemirror-transform";
import { schema } from "../../../shared/document/schema.ts";
import type { EditorBlock, Tool } from "../block.ts";
import { openInsertPosition } from "../commands.ts";

const { nodes } = schema;

/** Replaces a paragraph of only a rule's signs; null where there can be no rule. */
function ruleInstead(state: EditorState, start: number, end: number): Transaction | null {
  const $start = state.doc.resolve(start);
  if ($start.parent.type !== nodes.paragraph || end !== $start.end()) return null;
  if (!$start.node(-1).canReplaceWith($start.index(-1), $start.indexAfter(-1), nodes.horizontal_rule))
    return null;
  const tr = state.tr.delete(start, end).insert($start.before(), nodes.horizontal_rule.create());
  return tr.setSelection(TextSelection.create(tr.doc, $start.before() + 2));
}

// Asterisks alone can become `***bold italics***`.
const rule = new InputRule(/^(?:---|—-|\*\*\*\s)$/, (state, _match, start, end) =>
  ruleInstead(state, start, end),
);

/** Enter after `***` makes a rule. */
const enterRule: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  if (!empty || $from.parent.textContent !== "***" || $from.parentOffset !== 3) return false;
  const tr = ruleInstead(state, $from.start(), $from.pos);
  if (tr) dispatch?.(tr.scrollIntoView());
  return tr !== null;
};

export const insertRule: Command = (state, dispatch) => {
  const { tr, pos } = openInsertPosition(state);
  const at = insertPoint(tr.doc, pos, nodes.horizontal_rule);
  if (at === null) return false;
  tr.insert(at, nodes.horizontal_rule.create());
  if (tr.doc.lastChild?.type === nodes.horizontal_rule)
    tr.insert(tr.doc.content.size, nodes.paragraph.create());
  dispatch?.(tr.scrollIntoView());
  return true;
};

export const dividerTool: Tool = {
  name: "Horizontal rule",
  icon: "M4 12h16M8 6h8M8 18h8",
  command: insertRule,
};

export const dividerBlock: EditorBlock = {
  keys: { Enter: enterRule },
  rules: [rule],
  items: [{ ...dividerTool, keywords: "line divider hr" }],
};
