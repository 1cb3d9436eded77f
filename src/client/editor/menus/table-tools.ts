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
import { addRowAbove, toggleHeaderRow } from "../tables.ts";
import type { ToolIconName } from "./tool-icons.tsx";

export interface TableTool {
  name: string;
  icon: ToolIconName;
  command: Command;
  /** Missing for a tool without a state. */
  pressed?: (facts: SelectionState) => boolean;
  /** Begins a group. */
  hasSeparator?: boolean;
}

export const tableTools: readonly TableTool[] = [
  { name: "Add row below", icon: "addRow", command: addRowAfter },
  { name: "Add row above", icon: "addRowAbove", command: addRowAbove },
  { name: "Add column after", icon: "addColumn", command: addColumnAfter },
  { name: "Add column before", icon: "addColumnBefore", command: addColumnBefore },
  {
    name: "Header row",
    icon: "headerRow",
    command: toggleHeaderRow,
    pressed: ({ hasHeaderRow }) => hasHeaderRow,
  },
  { name: "Delete row", icon: "deleteRow", command: deleteRow, hasSeparator: true },
  { name: "Delete column", icon: "deleteColumn", command: deleteColumn },
  { name: "Delete table", icon: "remove", command: deleteTable },
];
