import { InputRule } from "prosemirror-inputrules";
import { liftListItem } from "prosemirror-schema-list";
import type { Command } from "prosemirror-state";
import { canJoin, findWrapping } from "prosemirror-transform";
import { schema } from "../../../shared/document/schema.ts";
import type { EditorBlock } from "../block.ts";
import { ancestor, combineCommands, inEachCell } from "../commands.ts";
import { itemTypes } from "../selected-items.ts";
import { isListOf, setItemType, toggleList, touchedItems } from "./list.ts";
import { TaskView } from "./task-view.ts";

const { nodes } = schema;

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

/** `[ ] ` and `[x] ` at the start of a line make a task of a bullet item, and a task list of a paragraph. */
const rule = new InputRule(/^\[([ xX]?)\]\s$/, (state, match, start, end) => {
  const $start = state.doc.resolve(start);
  if ($start.parent.type !== nodes.paragraph) return null;
  const attrs = { checked: /x/i.test(match[1]!) };
  const tr = state.tr.delete(start, end);
  const item = $start.depth > 1 && $start.index(-1) === 0 ? $start.node(-1) : null;
  if (item?.type === nodes.list_item || item?.type === nodes.task_item)
    return $start.node(-2).type === nodes.bullet_list
      ? tr.setNodeMarkup($start.before(-1), nodes.task_item, attrs)
      : null;
  const range = tr.doc.resolve(start).blockRange();
  if (!range || !findWrapping(range, nodes.bullet_list)) return null;
  tr.wrap(range, [{ type: nodes.bullet_list }, { type: nodes.task_item, attrs }]);
  const at = range.start;
  if (tr.doc.resolve(at).nodeBefore?.type === nodes.bullet_list && canJoin(tr.doc, at)) tr.join(at);
  return tr;
});

export const tasksBlock: EditorBlock = {
  keys: { "Mod-Shift-6": toggleTasks, "Alt-Enter": toggleTask },
  rules: [rule],
  items: [
    {
      name: "Task list",
      keywords: "todo checkbox check",
      icon: "M4 4.5h5v5H4zM4 14.5h5v5H4zM13 7h7M13 17h7M5.2 7l1.1 1.1L8 5.8",
      command: toggleTasks,
    },
  ],
  views: () => ({ task_item: (node, view, getPos) => new TaskView(node, view, getPos) }),
};
