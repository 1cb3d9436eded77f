import { Slice } from "prosemirror-model";
import type { Node } from "prosemirror-model";
import { undo } from "prosemirror-history";
import { describe, expect, test } from "vitest";
import { factsOf } from "../../../../src/client/editor/selection-state.ts";
import { addRowAbove, toggleHeaderRow } from "../../../../src/client/editor/blocks/table-rows.ts";
import { schema } from "../../../../src/shared/document/schema.ts";
import { toggleBlockquote } from "../../../../src/client/editor/blocks/quote.ts";
import { cleanFormatting } from "../../../../src/client/editor/commands.ts";
import { toggleCodeBlock } from "../../../../src/client/editor/blocks/code.ts";
import { removeLink, setLink } from "../../../../src/client/editor/links.ts";
import { toggleList } from "../../../../src/client/editor/blocks/list.ts";
import { toggleTasks } from "../../../../src/client/editor/blocks/tasks.ts";
import { EditorDriver, doc, expectBlocks, p } from "./typing.ts";

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
    expectBlocks(writer, tableOf(...after));
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
    expectBlocks(writer, tableOf("# #", "a b", "c d"));
    writer.placeCursor("|c").run(addRowAbove);
    expect(writer.state.doc.firstChild!.children.map((row) => row.firstChild!.type.name)).toEqual([
      "table_header",
      "table_cell",
      "table_cell",
      "table_cell",
    ]);
  });
});

describe("selected cells", () => {
  const names = (writer: EditorDriver): string[] =>
    writer.state.doc.firstChild!.children.flatMap((row) =>
      row.children.map((cell) => cell.firstChild!.type.name),
    );

  test.each([
    ["a list", toggleList(schema.nodes.bullet_list), "bullet_list"],
    ["tasks", toggleTasks, "bullet_list"],
    ["a quote", toggleBlockquote, "blockquote"],
    ["code", toggleCodeBlock, "code_block"],
  ])("all become %s, and plain again once all are", (_title, command, name) => {
    const before = doc(tableOf("a b", "c d"));
    const writer = new EditorDriver(before).placeCursor("|b");
    writer.run(command);
    writer.selectCells("a", "d").run(command);
    expect(names(writer)).toEqual([name, name, name, name]);
    writer.run(command);
    expect(writer.text).toBe(before.toString());
    writer.run(undo);
    expect(names(writer)).toEqual([name, name, name, name]);
  });

  test("are linked, unlinked and cleaned together, except others and empty ones", () => {
    const writer = new EditorDriver(doc(tableOf("a b", "c "))).selectCells("a", "c");
    writer.run(setLink("https://example.org"));
    expect(writer.text.match(/link/g)).toHaveLength(2);
    writer.selectCells("b", "").run(setLink("https://example.org"));
    expect(writer.state.doc.textContent).toBe("abc");
    writer.selectCells("a", "").run(removeLink);
    expect(writer.text).not.toContain("link");
    writer.press("b", { ctrlKey: true });
    writer.selectCells("a", "c").run(cleanFormatting);
    expect(writer.text.match(/strong\("\w/g)).toEqual(['strong("b']);
  });
});

describe("a pasted table", () => {
  const pasted = (cells: Node) => new Slice(doc(cells).content, 0, 0);

  test("fills cells that are empty", () => {
    const writer = new EditorDriver(doc(tableOf("a b", " "))).select(16);
    writer.paste(pasted(tableOf("1 2")));
    expectBlocks(writer, tableOf("a b", "1 2"));
  });

  test("becomes rows below where it would replace text", () => {
    const writer = new EditorDriver(doc(tableOf("a b", "c d"))).placeCursor("a|");
    writer.paste(pasted(tableOf("1 2 3", "4 5 6")));
    expectBlocks(writer, tableOf("a b ", "1 2 3", "4 5 6", "c d "));
    expect(writer.type("!").text).toContain("6!");
  });

  test("goes below cells that reach into the next row", () => {
    const tall = table_cell.create({ rowspan: 2 }, p("a"));
    const start = table.create(null, [
      table_row.create(null, [tall, table_cell.create(null, p("b"))]),
      table_row.create(null, table_cell.create(null, p("c"))),
    ]);
    const writer = new EditorDriver(doc(start)).placeCursor("b|").paste(pasted(tableOf("1 2", "3 4")));
    expect(writer.state.doc.firstChild!.children.map((row) => row.textContent)).toEqual([
      "ab",
      "c",
      "12",
      "34",
    ]);
  });

  test("of one cell is its text", () => {
    const writer = new EditorDriver(doc(tableOf("a b"))).placeCursor("a|").paste(pasted(tableOf("1")));
    expectBlocks(writer, tableOf("a1 b"));
  });
});
