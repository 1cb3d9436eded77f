import { Selection, TextSelection } from "prosemirror-state";
import type { Command } from "prosemirror-state";
import { CellSelection, addRowAfter, deleteTable, goToNextCell, nextCell } from "prosemirror-tables";

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
