import type { Node } from "prosemirror-model";
import { describe, expect, test } from "vitest";
import { factsOf } from "../../../../src/client/editor/selection-state.ts";
import { addRowAbove, toggleHeaderRow } from "../../../../src/client/editor/tables.ts";
import { schema } from "../../../../src/shared/document/schema.ts";
import { EditorDriver, doc, p } from "./typing.ts";

const { table, table_row, table_cell, table_header } = schema.nodes;
/** A table of such rows; a cell that begins with # is a header. */
const tableOf = (...rows: string[]): Node =>
  table.create(
    null,
    rows.map((row) =>
      table_row.create(
        null,
        row
          .split(" ")
          .map((cell) => [cell.startsWith("#") ? table_header : table_cell, cell.replace("#", "")] as const)
          .map(([type, text]) => type.create(null, text ? p(text) : p())),
      ),
    ),
  );

describe("the header row", () => {
  test.each([
    ["is the first row, whichever cell has the caret", ["a b", "c d"], "c|", ["#a #b", "c d"]],
    ["becomes plain with all other header rows", ["#a #b", "#c #d", "e f"], "|f", ["a b", "c d", "e f"]],
    ["leaves a column of headers", ["#a #b", "#c d"], "|d", ["#a b", "#c d"]],
    ["is made of one with a column of headers", ["#a b", "#c d"], "|a", ["#a #b", "#c d"]],
    ["is made and made plain in a table of one row", ["#a"], "|a", ["a"]],
  ])("%s", (_title, before, caret, after) => {
    const writer = new EditorDriver(doc(tableOf(...before))).placeCursor(caret);
    const wasOn = factsOf(writer.state).hasHeaderRow;
    expect(writer.run(toggleHeaderRow)).toBe(true);
    expect(writer.text).toBe(doc(tableOf(...after)).toString());
    expect(factsOf(writer.state).hasHeaderRow).toBe(!wasOn);
  });
  test("keeps the attributes of its cells", () => {
    const wide = table_row.create(null, table_cell.create({ colspan: 2 }, p("a")));
    const writer = new EditorDriver(doc(table.create(null, [wide, ...tableOf("b c").children]))).placeCursor(
      "|a",
    );
    writer.run(toggleHeaderRow);
    expect(writer.state.doc.firstChild!.firstChild!.firstChild).toMatchObject({
      type: table_header,
      attrs: { colspan: 2 },
    });
  });
  test("is the first row also after a row was added above", () => {
    const writer = new EditorDriver(doc(tableOf("#a #b", "c d"))).placeCursor("|a");
    writer.run(addRowAbove);
    expect(writer.text).toBe(doc(tableOf("# #", "a b", "c d")).toString());
    writer.placeCursor("|c").run(addRowAbove);
    expect(writer.state.doc.firstChild!.children.map((row) => row.firstChild!.type.name)).toEqual([
      "table_header",
      "table_cell",
      "table_cell",
      "table_cell",
    ]);
  });
});
