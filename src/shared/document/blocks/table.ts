import type { Node } from "prosemirror-model";
import type { Block, MarkdownWriter } from "../block.ts";
import { RefusedValue } from "../document-error.ts";
import { elementsNamed, moveContent, ownerOf, tagOf } from "../dom.ts";
import { documentLimits as limits } from "../limits.ts";
import { hasBreak, hasCollapsibleSpaces, isPlainBlock } from "../markdown-signs.ts";
import { isWhole, isWholeBetween } from "../values.ts";

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

export const tableBlock = {
  nodes: {
    table: {
      group: "block",
      content: "table_row+",
      tableRole: "table",
      isolating: true,
      parseDOM: [{ tag: "table" }],
      toDOM: () => ["table", ["tbody", 0]],
      markdown: toMarkdown,
      check: checkColumns,
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
  },
  straighten: liftCaptions,
} satisfies Block;

/** Returns a table; null unless the first row is all headings and each cell is one line. */
function toMarkdown(node: Node, out: MarkdownWriter): string | null {
  const [head] = node.children;
  const isPlainCell = (cell: Node, name: string) =>
    cell.type.name === name &&
    cell.attrs.colspan === 1 &&
    cell.attrs.rowspan === 1 &&
    cell.attrs.colwidth === null &&
    cell.childCount === 1 &&
    cell.firstChild?.type.name === "paragraph" &&
    isPlainBlock(cell.firstChild) &&
    !hasCollapsibleSpaces(cell.firstChild) &&
    !hasBreak(cell.firstChild);
  const isPlain = node.children.every(
    (row, at) =>
      row.childCount === head?.childCount &&
      row.children.every((cell) => isPlainCell(cell, at === 0 ? "table_header" : "table_cell")),
  );
  if (!isPlain || !head?.childCount) return null;
  const rows = node.children.map(
    ({ children }) =>
      `| ${children.map(({ firstChild }) => (firstChild ? out.line(firstChild) : "")).join(" | ")} |`,
  );
  rows.splice(1, 0, `|${" --- |".repeat(head.childCount)}`);
  return rows.join("\n");
}

// Limits the columns: the editor lays a table out as a grid, and spans must not make a huge one of a few cells.
function checkColumns(table: Node): void {
  const changes = Array.from({ length: table.childCount + 1 }, () => 0);
  table.forEach((row, _offset, at) => {
    row.forEach((cell) => {
      const { colspan, rowspan } = cell.attrs as { colspan: number; rowspan: number };
      const end = Math.min(at + rowspan, table.childCount);
      changes[at] = (changes[at] ?? 0) + colspan;
      changes[end] = (changes[end] ?? 0) - colspan;
    });
  });
  let columns = 0;
  for (const change of changes) {
    columns += change;
    if (columns > limits.tableColumns)
      throw new RefusedValue(
        `This text has a table that is too wide: at most ${limits.tableColumns} columns are possible.`,
      );
  }
}

/** Puts captions above their tables, as text. */
function liftCaptions(root: globalThis.Node): void {
  for (const caption of elementsNamed(root, "caption")) {
    const table = caption.parentNode;
    if (!table || tagOf(table) !== "table") continue;
    const above = ownerOf(caption).createElement("div");
    moveContent(caption, above);
    table.removeChild(caption);
    table.parentNode?.insertBefore(above, table);
  }
}
