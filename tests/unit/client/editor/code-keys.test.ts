import { TextSelection } from "prosemirror-state";
import { describe, expect, test } from "vitest";
import { EditorDriver, doc, expectBlocks, img, li, marked, ol, p, pre, ul } from "./typing.ts";

describe("a fence in a list item", () => {
  test.each([
    ["Enter", "```js\nx"],
    ["Space", "```js x"],
  ])("becomes code below an empty paragraph by %s", (_key, text) => {
    const writer = new EditorDriver(doc(ul(li(p("a")), li(p()))));
    writer.select(8).type(text);
    expectBlocks(writer, ul(li(p("a")), li(p(), pre("x", "javascript"))));
    expect(writer.state.doc.firstChild!.lastChild!.lastChild!.attrs.language).toBe("javascript");
  });

  test("becomes code in the item's second paragraph", () => {
    const writer = new EditorDriver(doc(ol(li(p("a"), p("```"))))).placeCursor("```|").type("\nx");
    expectBlocks(writer, ol(li(p("a"), pre("x"))));
  });

  test("keeps the picture of its line", () => {
    const writer = new EditorDriver(doc(ul(li(p(img(), "```"))))).select(7);
    writer.type("\nx");
    expectBlocks(writer, ul(li(p(), pre("x"), p(img()))));
  });
});

describe("Shift-Tab in code", () => {
  const press = (writer: EditorDriver) => writer.press("Tab", { shiftKey: true });

  test("stays there when no line is indented", () => {
    const writer = new EditorDriver(doc(p("a"), pre("one"))).placeCursor("one|");
    expect(press(writer)).toBe(true);
    expectBlocks(writer, p("a"), pre("one"));
  });

  test("lifts the selected lines of code whose selection ends below it", () => {
    const writer = new EditorDriver(doc(pre("  one\n  two\n  three"), p("a")));
    writer.select(9, writer.placeCursor("a|").state.selection.from);
    press(writer);
    expectBlocks(writer, pre("  one\ntwo\nthree"), p("a"));
  });
});

test("Tab indents code in a list item, and leaves the item where it is", () => {
  const writer = new EditorDriver(doc(ul(li(p("a")), li(p("b"), pre("one"))))).placeCursor("|one");
  expect(writer.press("Tab")).toBe(true);
  expectBlocks(writer, ul(li(p("a")), li(p("b"), pre("  one"))));
  writer.press("Tab", { shiftKey: true });
  expectBlocks(writer, ul(li(p("a")), li(p("b"), pre("one"))));
});

describe("ArrowRight at the end of inline code", () => {
  test("leaves the code: what is typed next is plain", () => {
    const writer = new EditorDriver(doc(p("a ", marked("code", "code", "strong")), p("b"))).placeCursor(
      "code|",
    );
    expect(writer.press("ArrowRight")).toBe(true);
    writer.type("x");
    expectBlocks(writer, p("a ", marked("code", "code", "strong"), marked("x", "strong")), p("b"));
  });

  test("moves on once the code is left, and within the line", () => {
    const writer = new EditorDriver(doc(p(marked("code", "code")), p("b"))).placeCursor("code|");
    writer.press("ArrowRight");
    expect(writer.press("ArrowRight")).toBe(false);
    expect(writer.placeCursor("cod|e").press("ArrowRight")).toBe(false);
  });
});

describe("Backspace below code", () => {
  test("enters the code, and adds no text to it", () => {
    const document = doc(pre("one"), p("two"));
    const writer = new EditorDriver(document).placeCursor("|two");
    expect(writer.press("Backspace")).toBe(true);
    expect(writer.text).toBe(document.toString());
    expect(writer.state.selection).toEqual(TextSelection.create(writer.state.doc, 4));
  });

  test("removes an empty paragraph", () => {
    const writer = new EditorDriver(doc(pre("one"), p())).select(6);
    writer.press("Backspace");
    expectBlocks(writer.type("!"), pre("one!"));
  });
});
