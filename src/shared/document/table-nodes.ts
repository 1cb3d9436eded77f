import type { Node, NodeSpec } from "prosemirror-model";
import { RefusedValue } from "./document-error.ts";
import { documentLimits as limits } from "./limits.ts";
import { isWhole, isWholeBetween } from "./values.ts";

// The roles and attributes that prosemirror-tables expects. That package imports the editor's view, which a server does not
// need.

const cellAttrs = {
  colspan: { default: 1, validate: isWhole(1, limits.cellSpan) },
  rowspan: { default: 1, validate: isWhole(1, limits.cellSpan) },
  colwidth: { default: null, validate: isColumnWidths },
};

function isColumnWidths(value: unknown): void {
  if (value === null) return;
  const widths =
    Array.isArray(value) && value.length > 0 && value.length <= limits.cellSpan
      ? (value as unknown[])
      : [null];
  if (!widths.every((width) => isWholeBetween(width, 0, limits.columnWidth)))
    throw new RefusedValue("This text has a table with columns of no possible width.");
}

function readCell(dom: HTMLElement) {
  const colspan = span(dom.getAttribute("colspan"));
  const widths = (dom.getAttribute("data-colwidth") ?? "").split(",", limits.cellSpan + 1).map(Number);
  const fits = dom.hasAttribute("data-colwidth") && widths.length === colspan;
  return {
    colspan,
    rowspan: span(dom.getAttribute("rowspan")),
    colwidth: fits && widths.every((width) => isWholeBetween(width, 0, limits.columnWidth)) ? widths : null,
  };
}

function span(value: string | null): number {
  const number = Number(/^\s*(\d{1,6})/.exec(value ?? "")?.[1] ?? 1);
  return Math.min(Math.max(number, 1), limits.cellSpan);
}

function writeCell(node: Node): Record<string, string> {
  const { colspan, rowspan, colwidth } = node.attrs as {
    colspan: number;
    rowspan: number;
    colwidth: number[] | null;
  };
  return {
    ...(colspan !== 1 && { colspan: String(colspan) }),
    ...(rowspan !== 1 && { rowspan: String(rowspan) }),
    ...(colwidth && { "data-colwidth": colwidth.join(",") }),
  };
}

export const tableNodes = {
  table: {
    group: "block",
    content: "table_row+",
    tableRole: "table",
    isolating: true,
    parseDOM: [{ tag: "table" }],
    toDOM: () => ["table", ["tbody", 0]],
  },
  table_row: {
    content: "(table_cell | table_header)*",
    tableRole: "row",
    parseDOM: [{ tag: "tr" }],
    toDOM: () => ["tr", 0],
  },
  table_cell: {
    content: "block+",
    tableRole: "cell",
    isolating: true,
    attrs: cellAttrs,
    parseDOM: [{ tag: "td", getAttrs: readCell }],
    toDOM: (node) => ["td", writeCell(node), 0],
  },
  table_header: {
    content: "block+",
    tableRole: "header_cell",
    isolating: true,
    attrs: cellAttrs,
    parseDOM: [{ tag: "th", getAttrs: readCell }],
    toDOM: (node) => ["th", writeCell(node), 0],
  },
} satisfies Record<string, NodeSpec>;
