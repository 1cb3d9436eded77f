import { setBlockType } from "prosemirror-commands";
import { InputRule } from "prosemirror-inputrules";
import type { Node, NodeType } from "prosemirror-model";
import { liftListItem, splitListItem, wrapInList } from "prosemirror-schema-list";
import type { Command, EditorState, Transaction } from "prosemirror-state";
import { schema } from "../../../shared/document/schema.ts";
import type { EditorBlock, Tool } from "../block.ts";
import { withoutSigns, wrapped, wrapRule } from "../block-rules.ts";
import { ancestor, combineCommands, indent, inEachCell } from "../commands.ts";
import { itemTypes, selectedItems } from "../selected-items.ts";

const { nodes } = schema;

const isItem = (node: Node): boolean => itemTypes.some((type) => type === node.type);

export function touchedItems(state: EditorState, list: Node, pos: number): { node: Node; pos: number }[] {
  const { from, to } = state.selection;
  const found: { node: Node; pos: number }[] = [];
  list.forEach((node, offset) => {
    const start = pos + 1 + offset;
    if (start < to && start + node.nodeSize > from) found.push({ node, pos: start });
  });
  return found;
}

export function setItemType(
  tr: Transaction,
  found: readonly { node: Node; pos: number }[],
  type: NodeType,
): void {
  for (const { node, pos } of found) if (node.type !== type) tr.setNodeMarkup(pos, type, null);
}

/** Whether all of the selection is items of such a list. */
export const isListOf =
  (listType: NodeType, itemType: NodeType) =>
  (state: EditorState): boolean => {
    const list = ancestor(state, nodes.bullet_list, nodes.ordered_list);
    return (
      list?.node.type === listType &&
      touchedItems(state, list.node, list.pos).every(({ node }) => node.type === itemType)
    );
  };

/** Makes a list, changes its kind, or lifts items out of it. */
export function toggleList(type: NodeType): Command {
  const paragraphs = setBlockType(nodes.paragraph);
  const isOn = isListOf(type, nodes.list_item);
  return inEachCell((state, dispatch) => {
    const list = ancestor(state, nodes.bullet_list, nodes.ordered_list);
    if (!list) {
      if (paragraphs(state))
        return (
          combineCommands(paragraphs, wrapInList(type))(state, dispatch) || wrapInList(type)(state, dispatch)
        );
      return wrapInList(type)(state, dispatch);
    }
    if (isOn(state)) return liftListItem(itemTypes)(state, dispatch);
    const tr = state.tr;
    const touched = list.node.type === type ? state : wholeOf(state);
    setItemType(tr, touchedItems(touched, list.node, list.pos), nodes.list_item);
    if (list.node.type !== type) tr.setNodeMarkup(list.pos, type, null);
    dispatch?.(tr.scrollIntoView());
    return true;
  }, isOn);
}

const wholeOf = (state: EditorState): EditorState =>
  ({ selection: { from: 0, to: state.doc.content.size } }) as EditorState;

const split = splitListItem(itemTypes);

/** Enter in an item: the new one is unchecked. */
const splitItem: Command = (state, dispatch) =>
  split(
    state,
    dispatch &&
      ((tr) => {
        const { $from } = state.selection;
        const $new = tr.selection.$from;
        for (let depth = $new.depth; depth > 0; depth--) {
          const node = $new.node(depth);
          if (!isItem(node)) continue;
          // At an item's start, the empty one before it is new.
          const isBefore =
            $from.parentOffset === 0 && $from.parent.content.size > 0 && $new.index(depth - 1) > 0;
          const before = $new.node(depth - 1).maybeChild($new.index(depth - 1) - 1);
          const pos = $new.before(depth) - (isBefore && before ? before.nodeSize : 0);
          if (tr.doc.nodeAt(pos)?.attrs.checked) tr.setNodeMarkup(pos, null, { checked: false });
          break;
        }
        dispatch(tr);
      }),
  );

/** `1. `, or the next number of the list before, which can have other blocks after it: a line can begin with a date. */
const ordered = new InputRule(/^(\d{1,6})[.)]\s$/, (state, match, start, end) => {
  const $start = state.doc.resolve(start);
  const order = Number(match[1]);
  const list = $start
    .node(-1)
    .children.slice(0, $start.index(-1))
    .findLast(({ type }) => type === nodes.ordered_list);
  if (order !== 1 && (!list || list.childCount + Number(list.attrs.order) !== order)) return null;
  return wrapped(withoutSigns(state, start, end), start, nodes.ordered_list, { order });
});

export const bulletsTool: Tool = {
  name: "Bullet list",
  icon: "M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01",
  keys: "Mod-Shift-8",
  command: toggleList(nodes.bullet_list),
  pressed: (facts) => facts.bulletList,
};

export const numbersTool: Tool = {
  name: "Numbered list",
  icon: "M10 6h10M10 12h10M10 18h10M4 4.5 5.5 4v5M4 14.5c.2-.9 2.5-.9 2.5.4 0 1.2-2.5 1.9-2.5 3.6h2.6",
  keys: "Mod-Shift-7",
  command: toggleList(nodes.ordered_list),
  pressed: (facts) => facts.orderedList,
};

/** Tab never leaves a list by accident. */
const tab =
  (direction: 1 | -1): Command =>
  (state, dispatch, view) =>
    selectedItems(state).runs.length > 0 && (indent(direction)(state, dispatch, view) || true);

export const listBlock: EditorBlock = {
  keys: {
    "Mod-Shift-7": numbersTool.command,
    "Mod-Shift-8": bulletsTool.command,
    Enter: splitItem,
    Tab: tab(1),
    "Shift-Tab": tab(-1),
  },
  rules: [wrapRule(/^\s*[-+*]\s$/, nodes.bullet_list), ordered],
  items: [
    { ...bulletsTool, keywords: "ul unordered points" },
    { ...numbersTool, keywords: "ol ordered" },
  ],
};
