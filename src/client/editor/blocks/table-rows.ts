import type { Node, NodeType } from "prosemirror-model";
import type { Command, Transaction } from "prosemirror-state";
import { addRowBefore } from "prosemirror-tables";
import { schema } from "../../../shared/document/schema.ts";
import { ancestor } from "../commands.ts";

const { nodes } = schema;

const isHeader = (cell: Node | null): boolean => cell?.type === nodes.table_header;

/** Whether all cells of a row are headers. */
export const isHeaderRow = (row: Node | null): boolean =>
  row !== null && row.childCount > 0 && row.children.every((cell) => isHeader(cell));

const hasHeaderColumn = (table: Node): boolean =>
  table.children.some((row) => !isHeaderRow(row)) && table.children.every((row) => isHeader(row.firstChild));

/** Sets the type of a row's cells, from the column at index `column`. */
function setRowType(tr: Transaction, rowPos: number, type: NodeType, column: number): void {
  tr.doc.nodeAt(rowPos)!.forEach((cell, offset, index) => {
    if (index >= column && cell.type !== type) tr.setNodeMarkup(rowPos + 1 + offset, type, cell.attrs);
  });
}

/** Makes the first row a header row, or all header rows plain. A column of headers stays. */
export const toggleHeaderRow: Command = (state, dispatch) => {
  const table = ancestor(state, nodes.table);
  if (!table) return false;
  const { tr } = state;
  const first = table.pos + 1;
  if (isHeaderRow(table.node.firstChild)) {
    const column = hasHeaderColumn(table.node) ? 1 : 0;
    table.node.forEach((row, offset) => {
      if (isHeaderRow(row)) setRowType(tr, first + offset, nodes.table_cell, column);
    });
  } else setRowType(tr, first, nodes.table_header, 0);
  dispatch?.(tr);
  return true;
};

/** Adds a row. Above a header row it becomes the header, and the row below it plain. */
export const addRowAbove: Command = (state, dispatch) => {
  const before = ancestor(state, nodes.table);
  return addRowBefore(
    state,
    dispatch &&
      ((tr) => {
        const table = before && tr.doc.nodeAt(before.pos);
        if (table && isHeaderRow(before.node.firstChild) && !isHeaderRow(table.firstChild)) {
          const first = before.pos + 1;
          const column = hasHeaderColumn(before.node) ? 1 : 0;
          setRowType(tr, first, nodes.table_header, 0);
          setRowType(tr, first + table.firstChild!.nodeSize, nodes.table_cell, column);
        }
        dispatch(tr);
      }),
  );
};
