import type { Node } from "prosemirror-model";
import { liftListItem, sinkListItem } from "prosemirror-schema-list";
import { EditorState, TextSelection } from "prosemirror-state";
import type { Transaction } from "prosemirror-state";
import { schema } from "../../shared/document/schema.ts";

const { nodes } = schema;

export const itemTypes = [nodes.list_item, nodes.task_item] as const;

interface Selected {
  /** Selected items that are next to each other in one list, by the positions of the first and the last. */
  runs: { list: Node; first: number; last: number; lastIndex: number }[];
  /** Blocks of text outside of lists. */
  outside: { node: Node; pos: number }[];
}

/** Returns the list items with a selected line of their own, not just a nested one, and the blocks outside of lists. */
export function selectedItems({ doc, selection }: EditorState): Selected {
  const runs: Selected["runs"] = [];
  const outside: Selected["outside"] = [];
  /** Returns whether a line outside of nested items is selected. `start` is where the node's content starts. */
  const visit = (node: Node, start: number, from: number, to: number, isInItem: boolean): boolean => {
    let hasLine = false;
    node.forEach((child, offset, index) => {
      const pos = start + offset;
      const end = pos + child.nodeSize;
      if (pos >= to || end <= from) return;
      if (child.isTextblock || child.isAtom) {
        hasLine = true;
        if (child.isTextblock && !isInItem) outside.push({ node: child, pos });
        return;
      }
      const isItem = itemTypes.some((type) => type === child.type);
      const nested = runs.length;
      const hasInner = visit(child, pos + 1, from, to, isInItem || isItem);
      if (!isItem) hasLine ||= hasInner;
      else if (hasInner) {
        // Nested items move with this one.
        runs.length = nested;
        const before = runs.at(-1);
        if (before?.list === node && before.lastIndex === index - 1) {
          before.last = pos;
          before.lastIndex = index;
        } else runs.push({ list: node, first: pos, last: pos, lastIndex: index });
      }
    });
    return hasLine;
  };
  for (const { $from, $to } of selection.ranges) visit(doc, 0, $from.pos, $to.pos, false);
  return { runs, outside };
}

/** Nests each run of items (1) or lifts it out (-1). */
export function moveItems(tr: Transaction, runs: Selected["runs"], direction: 1 | -1): void {
  const move = direction > 0 ? sinkListItem(itemTypes) : liftListItem(itemTypes);
  // Last to first, so that positions stay.
  for (const { first, last } of runs.toReversed()) {
    const selection = TextSelection.create(tr.doc, first + 2, last + 2);
    move(EditorState.create({ doc: tr.doc, selection }), ({ steps }) => {
      for (const step of steps) tr.step(step);
    });
  }
}
