import {
  addColumnAfter,
  addRowAfter,
  deleteColumn,
  deleteRow,
  deleteTable,
  toggleHeaderRow,
} from "prosemirror-tables";
import type { Command } from "prosemirror-state";
import type { ToolIconName } from "./tool-icons.tsx";

export interface TableTool {
  name: string;
  icon: ToolIconName;
  command: Command;
  /** Begins a group. */
  hasSeparator?: boolean;
}

export const tableTools: readonly TableTool[] = [
  { name: "Add row below", icon: "addRow", command: addRowAfter },
  { name: "Add column after", icon: "addColumn", command: addColumnAfter },
  { name: "Header row", icon: "headerRow", command: toggleHeaderRow },
  { name: "Delete row", icon: "deleteRow", command: deleteRow, hasSeparator: true },
  { name: "Delete column", icon: "deleteColumn", command: deleteColumn },
  { name: "Delete table", icon: "remove", command: deleteTable },
];
