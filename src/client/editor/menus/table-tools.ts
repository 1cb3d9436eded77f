import {
  addColumnAfter,
  addColumnBefore,
  addRowAfter,
  deleteColumn,
  deleteRow,
  deleteTable,
} from "prosemirror-tables";
import type { Command } from "prosemirror-state";
import type { SelectionState } from "../selection-state.ts";
import { addRowAbove, toggleHeaderRow } from "../blocks/table-rows.ts";
import { icons } from "./icons.ts";

export interface TableTool {
  name: string;
  icon: string;
  command: Command;
  /** Missing for a tool without a state. */
  pressed?: (facts: SelectionState) => boolean;
  /** Begins a group. */
  hasSeparator?: boolean;
}

export const tableTools: readonly TableTool[] = [
  { name: "Add row below", icon: icons.addRow, command: addRowAfter },
  { name: "Add row above", icon: icons.addRowAbove, command: addRowAbove },
  { name: "Add column after", icon: icons.addColumn, command: addColumnAfter },
  { name: "Add column before", icon: icons.addColumnBefore, command: addColumnBefore },
  {
    name: "Header row",
    icon: icons.headerRow,
    command: toggleHeaderRow,
    pressed: ({ hasHeaderRow }) => hasHeaderRow,
  },
  { name: "Delete row", icon: icons.deleteRow, command: deleteRow, hasSeparator: true },
  { name: "Delete column", icon: icons.deleteColumn, command: deleteColumn },
  { name: "Delete table", icon: icons.remove, command: deleteTable },
];
