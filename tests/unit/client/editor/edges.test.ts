import { expect, test } from "vitest";
import { leaveAtStartKeys } from "../../../../src/client/editor/leave-at-start.ts";
import { schema } from "../../../../src/shared/document/schema.ts";
import { Writer, doc, h, li, p, pre, quote, ul } from "./typing.ts";

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
    const writer = new Writer(doc(block)).at(first);
    expect(writer.press("ArrowUp")).toBe(true);
    expect(writer.text).toBe(doc(p(), block).toString());
    expect(writer.state.selection.from).toBe(1);
    writer.at(last);
    expect(writer.press("ArrowDown")).toBe(true);
    expect(writer.text).toBe(doc(p(), block, p()).toString());
    expect(writer.state.selection.from).toBe(writer.state.doc.content.size - 1);
    // The line is there already.
    writer.at(first);
    writer.press("ArrowUp");
    writer.at(last);
    writer.press("ArrowDown");
    expect(writer.text).toBe(doc(p(), block, p()).toString());
  },
);

test("arrow keys within a table insert no line outside of it", () => {
  const writer = new Writer(doc(table(row("one"), row("two"), row("three"))));
  for (const [text, key] of [
    ["|two", "ArrowUp"],
    ["two|", "ArrowDown"],
    ["one|", "ArrowDown"],
    ["|three", "ArrowUp"],
  ] as const) {
    writer.at(text).press(key);
    expect(writer.state.doc.childCount).toBe(1);
  }
});

test("Tab in the last cell of a table continues in a new row", () => {
  const writer = new Writer(doc(table(row("one", "two")), p("after"))).at("|one");
  writer.press("Tab");
  expect(writer.state.doc.firstChild!.childCount).toBe(1);
  expect(writer.press("Tab")).toBe(true);
  writer.type("three");
  expect(writer.text).toBe(
    doc(
      table(
        row("one", "two"),
        nodes.table_row.create(null, [cell("three"), nodes.table_cell.create(null, p())]),
      ),
      p("after"),
    ).toString(),
  );
  // Shift-Tab in the first cell inserts no row.
  writer.at("|one");
  expect(writer.press("Tab", { shiftKey: true })).toBe(false);
  expect(writer.state.doc.firstChild!.childCount).toBe(2);
});

test("Backspace before the first letter and ArrowUp in the first line leave the text at its beginning", () => {
  let left = 0;
  const { Backspace: back, ArrowUp: up } = leaveAtStartKeys(() => left++);
  const goes = (document: Parameters<typeof doc>[0], at: string) => {
    const writer = new Writer(doc(document, p("last"))).at(at);
    left = 0;
    const done = [writer.run(back!), writer.run(up!)];
    expect(writer.text).toBe(doc(document, p("last")).toString());
    expect(left).toBe(done.filter(Boolean).length);
    return done;
  };
  expect(goes(p("one"), "|one")).toEqual([true, true]);
  expect(goes(p("one"), "on|e")).toEqual([false, true]);
  expect(goes(p("one"), "|last")).toEqual([false, false]);
  // Backspace first removes a heading or an indentation; in a list or a quote the keys are not taken.
  expect(goes(h(2, "one"), "|one")).toEqual([false, true]);
  expect(goes(nodes.paragraph.create({ indent: 1 }, schema.text("one")), "|one")).toEqual([false, true]);
  expect(goes(ul(li(p("one"))), "|one")).toEqual([false, false]);
  expect(goes(quote(p("one")), "|one")).toEqual([false, false]);
});
