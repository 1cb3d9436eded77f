import { describe, expect, test } from "vitest";
import { EditorDriver, doc, expectBlocks, li, ol, p, pre, ul } from "./typing.ts";

const indented = (text: string) => {
  const { type, content } = p(text);
  return type.create({ indent: 1 }, content);
};
const selecting = (document: Parameters<typeof doc>[0][], from: string, to: string) => {
  const writer = new EditorDriver(doc(...document));
  const start = writer.placeCursor(from).state.selection.from;
  return writer.select(start, writer.placeCursor(to).state.selection.from);
};
const keys = [
  ["Tab", { key: "Tab" }, { key: "Tab", shiftKey: true }],
  ["Ctrl-]", { key: "]", ctrlKey: true }, { key: "[", ctrlKey: true }],
] as const;

describe.each(keys)("%s on several list items", (_name, inwards, outwards) => {
  const press = (writer: EditorDriver, { key, ...modifiers }: typeof inwards | typeof outwards) =>
    writer.press(key, modifiers);

  test("nests and lifts all of them, which stay selected", () => {
    const flat = ul(li(p("a")), li(p("b")), li(p("c")), li(p("d")));
    const nested = ul(li(p("a"), ul(li(p("b")), li(p("c")))), li(p("d")));
    const writer = selecting([flat], "|b", "c|");
    expect(press(writer, inwards)).toBe(true);
    expectBlocks(writer, nested);
    const { from, to } = writer.state.selection;
    expect(writer.state.doc.textBetween(from, to, " ")).toBe("b c");
    expect(press(writer, outwards)).toBe(true);
    expectBlocks(writer, flat);
    expect(press(writer, outwards)).toBe(true);
    expectBlocks(writer, ul(li(p("a"))), p("b"), p("c"), ul(li(p("d"))));
  });

  test("moves nested items with the selected item that contains them", () => {
    const flat = ul(li(p("a")), li(p("b"), ul(li(p("b1")))), li(p("c")));
    const writer = selecting([flat], "|b", "c|");
    press(writer, inwards);
    expectBlocks(writer, ul(li(p("a"), ul(li(p("b"), ul(li(p("b1")))), li(p("c"))))));
    press(writer, outwards);
    expectBlocks(writer, flat);
  });

  test("leaves the item above alone if only an item nested in it is selected", () => {
    const writer = selecting([ol(li(p("a"), ol(li(p("a1")))), li(p("b")))], "|a1", "b|");
    press(writer, inwards);
    expectBlocks(writer, ol(li(p("a"), ol(li(p("a1")), li(p("b"))))));
  });

  test("moves the items of two lists, and text around them by its level", () => {
    const writer = selecting(
      [p("start"), ul(li(p("a")), li(p("b"))), p("between"), ol(li(p("c")), li(p("d"))), pre("code")],
      "|b",
      "d|",
    );
    press(writer, inwards);
    expect(
      writer.state.doc.eq(
        doc(
          p("start"),
          ul(li(p("a"), ul(li(p("b"))))),
          indented("between"),
          ol(li(p("c")), li(p("d"))),
          pre("code"),
        ),
      ),
    ).toBe(true);
  });
});

test("Tab stays in a list whose first item is selected too", () => {
  const flat = ul(li(p("a")), li(p("b")));
  const writer = selecting([flat, p("after")], "|a", "b|");
  expect(writer.press("Tab")).toBe(true);
  expectBlocks(writer, flat, p("after"));
});
