import { Slice } from "prosemirror-model";
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
import { schema } from "../../shared/document/schema.ts";

/** Tab in the last cell adds a row. */
export const addRow: Command = (state, dispatch) =>
  addRowAfter(state, (tr) => {
    goToNextCell(1)(state.apply(tr), ({ selection }) => {
      dispatch?.(
        tr.setSelection(TextSelection.create(tr.doc, selection.from, selection.to)).scrollIntoView(),
      );
    });
  });

/** At a table's edge, Shift and an arrow key leave the selected cells as they are: a browser would collapse the selection. */
export const stayInCells =
  (axis: "horiz" | "vert", direction: 1 | -1): Command =>
  ({ selection }) =>
    selection instanceof CellSelection && !nextCell(selection.$headCell, axis, direction);

/** Deletes a table whose cells are all selected. */
export const deleteSelectedTable: Command = (state, dispatch) => {
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
export const pasteCells = (): Plugin =>
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
          rows.map((one) => schema.nodes.table_row.create(null, one)),
        );
        const end = tr.doc.resolve(tr.mapping.map(at));
        dispatch(tr.setSelection(TextSelection.near(end, -1)).scrollIntoView());
        return true;
      },
    },
  });
