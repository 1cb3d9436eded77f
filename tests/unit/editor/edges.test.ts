import { expect, test } from "vitest";
import { atBeginning } from "../../../src/client/editor/beginning.ts";
import { schema } from "../../../src/shared/document/schema.ts";
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
  "the arrows lead out of %s at either end of the text, and write nothing elsewhere",
  (_, block, first, last) => {
    const writer = new Writer(doc(block)).at(first);
    expect(writer.press("ArrowUp")).toBe(true);
    expect(writer.text).toBe(doc(p(), block).toString());
    expect(writer.state.selection.from).toBe(1);
    writer.at(last);
    expect(writer.press("ArrowDown")).toBe(true);
    expect(writer.text).toBe(doc(p(), block, p()).toString());
    expect(writer.state.selection.from).toBe(writer.state.doc.content.size - 1);
    // There is a line to go to.
    writer.at(first);
    writer.press("ArrowUp");
    writer.at(last);
    writer.press("ArrowDown");
    expect(writer.text).toBe(doc(p(), block, p()).toString());
  },
);

test("in a table the arrows go from row to row", () => {
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

test("Tab in the last cell of a table goes on in a new row", () => {
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
  // Back, it ends where the table does.
  writer.at("|one");
  expect(writer.press("Tab", { shiftKey: true })).toBe(false);
  expect(writer.state.doc.firstChild!.childCount).toBe(2);
});

test("Backspace before the first letter and ArrowUp in the first line go back over the beginning of the text", () => {
  let left = 0;
  const { Backspace: back, ArrowUp: up } = atBeginning(() => left++);
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
  // What else the line is Backspace takes away first, and within a list or a quote the arrows are its own.
  expect(goes(h(2, "one"), "|one")).toEqual([false, true]);
  expect(goes(nodes.paragraph.create({ indent: 1 }, schema.text("one")), "|one")).toEqual([false, true]);
  expect(goes(ul(li(p("one"))), "|one")).toEqual([false, false]);
  expect(goes(quote(p("one")), "|one")).toEqual([false, false]);
});
