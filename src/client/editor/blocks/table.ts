import { Slice, type NodeType } from "prosemirror-model";
import { Plugin, Selection, TextSelection } from "prosemirror-state";
import type { Command } from "prosemirror-state";
import {
  CellSelection,
  __pastedCells as pastedCells,
  addRowAfter,
  deleteTable,
  goToNextCell,
  isInTable,
  nextCell,
  selectedRect,
} from "prosemirror-tables";
import { insertPoint } from "prosemirror-transform";
import { schema } from "../../../shared/document/schema.ts";
import type { EditorBlock } from "../block.ts";
import { openInsertPosition } from "../commands.ts";
import { icons } from "../menus/icons.ts";

const { nodes } = schema;

/** Tab in the last cell adds a row. */
const addRow: Command = (state, dispatch) =>
  addRowAfter(state, (tr) => {
    goToNextCell(1)(state.apply(tr), ({ selection }) => {
      dispatch?.(
        tr.setSelection(TextSelection.create(tr.doc, selection.from, selection.to)).scrollIntoView(),
      );
    });
  });

/** At a table's edge, Shift and an arrow key leave the selected cells as they are: a browser would collapse the selection. */
const stayInCells =
  (axis: "horiz" | "vert", direction: 1 | -1): Command =>
  ({ selection }) =>
    selection instanceof CellSelection && !nextCell(selection.$headCell, axis, direction);

/** Deletes a table whose cells are all selected. */
const deleteSelectedTable: Command = (state, dispatch) => {
  const { selection } = state;
  if (!(selection instanceof CellSelection) || !selection.isColSelection() || !selection.isRowSelection())
    return false;
  const start = selection.$anchorCell.before(-1);
  return deleteTable(
    state,
    dispatch && ((tr) => dispatch(tr.setSelection(Selection.near(tr.doc.resolve(start))).scrollIntoView())),
  );
};

/**
 * Cells pasted at a caret in a table replace no text: where the cells from there on are not empty, they become rows below. A
 * single cell is pasted as its text. Selected cells are replaced, as prosemirror-tables does.
 */
const pasteCells = (): Plugin =>
  new Plugin({
    props: {
      handlePaste({ state, dispatch }, _event, slice) {
        const cells = isInTable(state) && !(state.selection instanceof CellSelection) && pastedCells(slice);
        if (!cells) return false;
        const { width, height, rows } = cells;
        if (width * height === 1) {
          dispatch(state.tr.replaceSelection(Slice.maxOpen(rows[0]!.firstChild!.content)).scrollIntoView());
          return true;
        }
        const { map, table, tableStart, left, top, bottom } = selectedRect(state);
        const right = Math.min(left + width, map.width);
        const target = map.cellsInRect({ left, top, right, bottom: Math.min(top + height, map.height) });
        // A cell with an empty line.
        if (target.every((pos) => table.nodeAt(pos)!.nodeSize === 4)) return false;
        let row = bottom;
        const isInsideCell = () =>
          map.map.slice(row * map.width, (row + 1) * map.width).some((pos) => map.findCell(pos).top < row);
        while (isInsideCell()) row++;
        const at = table.children.slice(0, row).reduce((pos, { nodeSize }) => pos + nodeSize, tableStart);
        // prosemirror-tables makes all rows equally long.
        const tr = state.tr.insert(
          at,
          rows.map((one) => nodes.table_row.create(null, one)),
        );
        const end = tr.doc.resolve(tr.mapping.map(at));
        dispatch(tr.setSelection(TextSelection.near(end, -1)).scrollIntoView());
        return true;
      },
    },
  });

/** Inserts three rows of three cells, the first a header, with the caret in the first cell. */
export const insertTable: Command = (state, dispatch) => {
  const { tr, pos } = openInsertPosition(state);
  const row = (cell: NodeType) =>
    nodes.table_row.create(
      null,
      [0, 1, 2].map(() => cell.create(null, nodes.paragraph.create())),
    );
  const at = insertPoint(tr.doc, pos, nodes.table);
  if (at === null) return false;
  tr.insert(
    at,
    nodes.table.create(null, [row(nodes.table_header), row(nodes.table_cell), row(nodes.table_cell)]),
  );
  dispatch?.(tr.setSelection(TextSelection.near(tr.doc.resolve(at + 1))).scrollIntoView());
  return true;
};

/** Tab goes to the next cell. */
const tab: Command = (state, dispatch) =>
  goToNextCell(1)(state, dispatch) || (isInTable(state) && addRow(state, dispatch));

export const tableBlock: EditorBlock = {
  keys: {
    "Shift-ArrowUp": stayInCells("vert", -1),
    "Shift-ArrowDown": stayInCells("vert", 1),
    "Shift-ArrowLeft": stayInCells("horiz", -1),
    "Shift-ArrowRight": stayInCells("horiz", 1),
    Tab: tab,
    "Shift-Tab": goToNextCell(-1),
  },
  earlyKeys: { Backspace: deleteSelectedTable, Delete: deleteSelectedTable },
  items: [
    {
      name: "Table",
      keywords: "rows columns",
      icon: icons.table,
      command: insertTable,
      // No table in a table.
      isHidden: isInTable,
    },
  ],
  plugins: () => [pasteCells()],
};
