import { CellSelection } from "prosemirror-tables";
import { expect, test } from "vitest";
import { leaveAtStartKeys } from "../../../../src/client/editor/keys.ts";
import { schema } from "../../../../src/shared/document/schema.ts";
import { EditorDriver, doc, expectBlocks, h, li, p, pre, quote, ul } from "./typing.ts";

const { nodes } = schema;
const cell = (text: string) => nodes.table_cell.create(null, p(text));
const row = (...texts: string[]) => nodes.table_row.create(null, texts.map(cell));
const table = (...rows: ReturnType<typeof row>[]) => nodes.table.create(null, rows);

test.each([
  ["a quote", quote(p("one"), p("two")), "|one", "two|"],
  ["code", pre("one two"), "|one two", "one two|"],
  ["a table", table(row("one", "two"), row("three", "four")), "|two", "three|"],
])(
  "arrow keys leave %s at either end of the text, and insert no second line there",
  (_, block, first, last) => {
    const writer = new EditorDriver(doc(block)).placeCursor(first);
    expect(writer.press("ArrowUp")).toBe(true);
    expectBlocks(writer, p(), block);
    expect(writer.state.selection.from).toBe(1);
    writer.placeCursor(last);
    expect(writer.press("ArrowDown")).toBe(true);
    expectBlocks(writer, p(), block, p());
    expect(writer.state.selection.from).toBe(writer.state.doc.content.size - 1);
    // The line is there already.
    writer.placeCursor(first);
    writer.press("ArrowUp");
    writer.placeCursor(last);
    writer.press("ArrowDown");
    expectBlocks(writer, p(), block, p());
  },
);

test("arrow keys within a table insert no line outside of it", () => {
  const writer = new EditorDriver(doc(table(row("one"), row("two"), row("three"))));
  for (const [text, key] of [
    ["|two", "ArrowUp"],
    ["two|", "ArrowDown"],
    ["one|", "ArrowDown"],
    ["|three", "ArrowUp"],
  ] as const) {
    writer.placeCursor(text).press(key);
    expect(writer.state.doc.childCount).toBe(1);
  }
});

test("Tab in the last cell of a table continues in a new row", () => {
  const writer = new EditorDriver(doc(table(row("one", "two")), p("after"))).placeCursor("|one");
  writer.press("Tab");
  expect(writer.state.doc.firstChild!.childCount).toBe(1);
  expect(writer.press("Tab")).toBe(true);
  writer.type("three");
  expectBlocks(
    writer,
    table(
      row("one", "two"),
      nodes.table_row.create(null, [cell("three"), nodes.table_cell.create(null, p())]),
    ),
    p("after"),
  );
  // Shift-Tab in the first cell inserts no row.
  writer.placeCursor("|one");
  expect(writer.press("Tab", { shiftKey: true })).toBe(false);
  expect(writer.state.doc.firstChild!.childCount).toBe(2);
});

const selectCells = (writer: EditorDriver, first: string, last: string) => {
  const cells: number[] = [];
  writer.state.doc.descendants((node, pos) => {
    if (node.type === nodes.table_cell && [first, last].includes(node.textContent)) cells.push(pos);
  });
  const selection = CellSelection.create(writer.state.doc, cells[0]!, cells.at(-1));
  writer.state = writer.state.apply(writer.state.tr.setSelection(selection));
  return writer;
};

test.each([
  ["ArrowRight", "two", "four"],
  ["ArrowDown", "three", "four"],
  ["ArrowLeft", "one", "one"],
  ["ArrowUp", "one", "one"],
])("Shift-%s at a table's edge leaves the selected cells as they are", (key, first, last) => {
  const writer = new EditorDriver(doc(table(row("one", "two"), row("three", "four")), p("after")));
  const { selection } = selectCells(writer, first, last).state;
  expect(writer.press(key, { shiftKey: true })).toBe(true);
  expect(writer.state.selection.eq(selection)).toBe(true);
});

test.each(["Backspace", "Delete"])("%s deletes a table only if all of its cells are selected", (key) => {
  const document = doc(p("before"), table(row("one", "two"), row("three", "four")), p("after"));
  const writer = selectCells(new EditorDriver(document), "one", "two");
  expect(writer.press(key)).toBe(true);
  expect(writer.state.doc.textContent).toBe("beforethreefourafter");
  writer.press("z", { ctrlKey: true });
  expect(selectCells(writer, "one", "four").press(key)).toBe(true);
  expectBlocks(writer, p("before"), p("after"));
  expect(writer.state.selection.$from.parent.textContent).toBe("after");
  // A line to write in is left of a text that was only a table.
  const alone = selectCells(new EditorDriver(doc(table(row("one", "two")))), "one", "two");
  alone.press(key);
  expectBlocks(alone, p());
});

test("Backspace before the first letter and ArrowUp in the first line leave the text at its beginning", () => {
  let leaveCount = 0;
  const { Backspace: backspace, ArrowUp: arrowUp } = leaveAtStartKeys(() => leaveCount++);
  const runKeys = (document: Parameters<typeof doc>[0], at: string) => {
    const writer = new EditorDriver(doc(document, p("last"))).placeCursor(at);
    leaveCount = 0;
    const results = [writer.run(backspace!), writer.run(arrowUp!)];
    expectBlocks(writer, document, p("last"));
    expect(leaveCount).toBe(results.filter(Boolean).length);
    return results;
  };
  expect(runKeys(p("one"), "|one")).toEqual([true, true]);
  expect(runKeys(p("one"), "on|e")).toEqual([false, true]);
  expect(runKeys(p("one"), "|last")).toEqual([false, false]);
  // Backspace first removes a heading or an indentation; in a list or a quote the keys are not taken.
  expect(runKeys(h(2, "one"), "|one")).toEqual([false, true]);
  expect(runKeys(nodes.paragraph.create({ indent: 1 }, schema.text("one")), "|one")).toEqual([false, true]);
  expect(runKeys(ul(li(p("one"))), "|one")).toEqual([false, false]);
  expect(runKeys(quote(p("one")), "|one")).toEqual([false, false]);
});
