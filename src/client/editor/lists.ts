import { setBlockType } from "prosemirror-commands";
import type { Node, NodeType } from "prosemirror-model";
import { liftListItem, splitListItem, wrapInList } from "prosemirror-schema-list";
import type { Command, EditorState, Transaction } from "prosemirror-state";
import { schema } from "../../shared/document/schema.ts";
import { ancestor, inOneStep, items } from "./commands.ts";

const { nodes } = schema;

const isItem = (node: Node): boolean => items.some((type) => type === node.type);

/** Items of the list at `pos` that the selection touches. */
function touchedItems(state: EditorState, list: Node, pos: number): { node: Node; pos: number }[] {
  const { from, to } = state.selection;
  const found: { node: Node; pos: number }[] = [];
  list.forEach((node, offset) => {
    const start = pos + 1 + offset;
    if (start < to && start + node.nodeSize > from) found.push({ node, pos: start });
  });
  return found;
}

/** Makes items of one kind of all these; a numbered list has no boxes. */
function makeItems(tr: Transaction, found: readonly { node: Node; pos: number }[], type: NodeType): void {
  for (const { node, pos } of found) if (node.type !== type) tr.setNodeMarkup(pos, type, null);
}

/** Into a list of this kind, out of it, or from one kind into the other. */
export function toggleList(type: NodeType): Command {
  const paragraphs = setBlockType(nodes.paragraph);
  return (state, dispatch) => {
    const list = ancestor(state, nodes.bullet_list, nodes.ordered_list);
    if (!list) {
      if (paragraphs(state))
        return inOneStep(paragraphs, wrapInList(type))(state, dispatch) || wrapInList(type)(state, dispatch);
      return wrapInList(type)(state, dispatch);
    }
    const touched = touchedItems(state, list.node, list.pos);
    const isPlain = touched.every(({ node }) => node.type === nodes.list_item);
    if (list.node.type === type && isPlain) return liftListItem(items)(state, dispatch);
    const tr = state.tr;
    const all = list.node.type === type ? touched : touchedItems(wholeOf(state), list.node, list.pos);
    makeItems(tr, all, nodes.list_item);
    if (list.node.type !== type) tr.setNodeMarkup(list.pos, type, null);
    dispatch?.(tr.scrollIntoView());
    return true;
  };
}

const wholeOf = (state: EditorState): EditorState =>
  ({ selection: { from: 0, to: state.doc.content.size } }) as EditorState;

const boxes: Command = (state, dispatch) => {
  const list = ancestor(state, nodes.bullet_list);
  if (!list) return false;
  const tr = state.tr;
  makeItems(tr, touchedItems(state, list.node, list.pos), nodes.task_item);
  dispatch?.(tr.scrollIntoView());
  return true;
};

/** Items that can be ticked, of whatever the selection is in; what is some already leaves its list. */
export const toggleTasks: Command = (state, dispatch, view) => {
  const list = ancestor(state, nodes.bullet_list, nodes.ordered_list);
  if (list?.node.type === nodes.bullet_list) {
    const all = touchedItems(state, list.node, list.pos).every(({ node }) => node.type === nodes.task_item);
    return all ? liftListItem(items)(state, dispatch, view) : boxes(state, dispatch, view);
  }
  return inOneStep(toggleList(nodes.bullet_list), boxes)(state, dispatch, view);
};

/** Ticks the item with the caret in it, or takes it back. */
export const tick: Command = (state, dispatch) => {
  const item = ancestor(state, nodes.task_item);
  if (!item) return false;
  dispatch?.(state.tr.setNodeMarkup(item.pos, null, { checked: !item.node.attrs.checked }));
  return true;
};

const split = splitListItem(items);

/** Enter in an item: the new one is not done yet. */
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
          // What was empty is the new one, though it stands before.
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
