import { setBlockType } from "prosemirror-commands";
import type { Node, NodeType } from "prosemirror-model";
import { liftListItem, splitListItem, wrapInList } from "prosemirror-schema-list";
import type { Command, EditorState, Transaction } from "prosemirror-state";
import { schema } from "../../shared/document/schema.ts";
import { ancestor, combineCommands, inEachCell } from "./commands.ts";
import { itemTypes } from "./selected-items.ts";

const { nodes } = schema;

const isItem = (node: Node): boolean => itemTypes.some((type) => type === node.type);

function touchedItems(state: EditorState, list: Node, pos: number): { node: Node; pos: number }[] {
  const { from, to } = state.selection;
  const found: { node: Node; pos: number }[] = [];
  list.forEach((node, offset) => {
    const start = pos + 1 + offset;
    if (start < to && start + node.nodeSize > from) found.push({ node, pos: start });
  });
  return found;
}

function setItemType(tr: Transaction, found: readonly { node: Node; pos: number }[], type: NodeType): void {
  for (const { node, pos } of found) if (node.type !== type) tr.setNodeMarkup(pos, type, null);
}

/** Whether all of the selection is items of such a list. */
const isListOf =
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

const makeTasks: Command = (state, dispatch) => {
  const list = ancestor(state, nodes.bullet_list, nodes.ordered_list);
  if (list?.node.type !== nodes.bullet_list) return false;
  const tr = state.tr;
  setItemType(tr, touchedItems(state, list.node, list.pos), nodes.task_item);
  dispatch?.(tr.scrollIntoView());
  return true;
};

const isTasks = isListOf(nodes.bullet_list, nodes.task_item);

/** Makes task items of any selection; items that already are leave their list. */
export const toggleTasks: Command = inEachCell((state, dispatch, view) => {
  if (isTasks(state)) return liftListItem(itemTypes)(state, dispatch, view);
  return (
    makeTasks(state, dispatch, view) ||
    combineCommands(toggleList(nodes.bullet_list), makeTasks)(state, dispatch, view)
  );
}, isTasks);

export const toggleTask: Command = (state, dispatch) => {
  const item = ancestor(state, nodes.task_item);
  if (!item) return false;
  dispatch?.(state.tr.setNodeMarkup(item.pos, null, { checked: !item.node.attrs.checked }));
  return true;
};

const split = splitListItem(itemTypes);

/** Enter in an item: the new one is unchecked. */
export const splitItem: Command = (state, dispatch) =>
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
