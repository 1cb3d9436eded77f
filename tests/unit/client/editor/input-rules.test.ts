import { describe, expect, test } from "vitest";
import { toggleList } from "../../../../src/client/editor/blocks/list.ts";
import { factsOf } from "../../../../src/client/editor/selection-state.ts";
import { schema } from "../../../../src/shared/document/schema.ts";
import { EditorDriver, doc, expectBlocks, h, li, marked, ol, p, pre, quote, ul } from "./typing.ts";

const rule = schema.nodes.horizontal_rule.create();
const typed = (text: string) => new EditorDriver(doc(p())).type(text);

describe("Markdown as it is typed", () => {
  test.each([
    ["# One", doc(h(1, "One"))],
    ["#### Four", doc(h(4, "Four"))],
    ["##### five", doc(p("##### five"))],
    ["- one\ntwo", doc(ul(li(p("one")), li(p("two"))))],
    ["* one", doc(ul(li(p("one"))))],
    ["1. one", doc(ol(li(p("one"))))],
    ["> quote", doc(quote(p("quote")))],
    ["---", doc(rule, p())],
    ["*** x", doc(rule, p("x"))],
    ["***\nx", doc(rule, p("x"))],
    ["***both*** x", doc(p(marked("both", "strong", "em"), " x"))],
    ["a ***both***", doc(p("a ", marked("both", "strong", "em")))],
    ["___both___ x", doc(p(marked("both", "strong", "em"), " x"))],
    ["- ***both***", doc(ul(li(p(marked("both", "strong", "em")))))],
    ["- ***\n", doc(ul(li(p("***")), li(p())))],
    ["```js x", doc(pre("x", "javascript"))],
    ["```\nx", doc(pre("x"))],
    ["```ts\nx", doc(pre("x", "typescript"))],
    ["a **b c** d", doc(p("a ", marked("b c", "strong"), " d"))],
    ["__b__", doc(p(marked("b", "strong")))],
    ["an *i* d", doc(p("an ", marked("i", "em"), " d"))],
    ["(_i_)", doc(p("(", marked("i", "em"), ")"))],
    ["`code` x", doc(p(marked("code", "code"), " x"))],
    ["~~gone~~", doc(p(marked("gone", "strike")))],
  ])("%s", (text, expected) => {
    expect(typed(text).text).toBe(expected.toString());
  });

  test.each([
    [
      "see [the guide](https://example.org/a_(b)) on",
      "see ",
      "the guide",
      "https://example.org/a_(b)",
      " on",
    ],
    ["[owls](example.org)", "", "owls", "https://example.org", ""],
    ["[me](mailto:ana@example.org).", "", "me", "mailto:ana@example.org", "."],
  ])("%s is a link", (text, start, words, href, end) => {
    const link = schema.text(words, [schema.marks.link.create({ href })]);
    expect(typed(text).state.doc.eq(doc(p(...[start, link, end].filter((part) => part !== ""))))).toBe(true);
  });

  test("the address of a typed link gets no smart quotes or dashes", () => {
    const writer = new EditorDriver(doc(p()), "en").type("[it's](https://example.org/a--b'c) on");
    const link = schema.marks.link.create({ href: "https://example.org/a--b'c" });
    expect(writer.state.doc.eq(doc(p(schema.text("it’s", [link]), " on")))).toBe(true);
  });

  test("the words of a typed link keep their marks", () => {
    const link = schema.marks.link.create({ href: "https://example.org" });
    const words = marked("all", "strong");
    expect(
      typed("[**all** of it](https://example.org)").state.doc.eq(
        doc(p(words.mark(link.addToSet(words.marks)), schema.text(" of it", [link]))),
      ),
    ).toBe(true);
  });

  test.each([
    "[a](no address)",
    "[a](javascript:alert(1))",
    "[a] (https://example.org)",
    "![a](https://example.org)",
  ])("%s is no link", (text) => {
    expectBlocks(typed(text), p(text));
  });

  test.each(["snake_case_name", "2*3*4", "* * *", "** a **", "a ` b ` c", "_ not_"])(
    "%s stays text",
    (text) => {
      const writer = new EditorDriver(doc(p("x "))).placeCursor("x |").type(text);
      expectBlocks(writer, p(`x ${text}`));
    },
  );

  test("does nothing inside code", () => {
    const text = "# **a** `b` ***c*** [d](https://example.org)";
    expectBlocks(new EditorDriver(doc(pre(""))).type(text), pre(text));
    const writer = new EditorDriver(doc(p(marked("a ", "code")))).placeCursor("a |").type("**b**");
    expect(writer.state.doc.textContent).toBe("a **b**");
  });

  test("a number begins a list only if it is 1 or the next of the list before", () => {
    for (const text of ["24. Dezember", "7. seven", "1990. a year"]) expectBlocks(typed(text), p(text));
    const joined = new EditorDriver(doc(ol(li(p("one"))), p("x"))).placeCursor("|x").type("2. ");
    expectBlocks(joined, ol(li(p("one")), li(p("x"))));
    const later = new EditorDriver(doc(ol(li(p("one"))), p("a picture"), p("x")))
      .placeCursor("|x")
      .type("2) ");
    expect(later.json.content![2]).toMatchObject({ type: "ordered_list", attrs: { order: 2 } });
    const other = new EditorDriver(doc(ol(li(p("one"))), p("x"))).placeCursor("|x").type("3. ");
    expectBlocks(other, ol(li(p("one"))), p("3. x"));
  });

  test("begins above the first paragraph of a text, which stays as it is", () => {
    const before = doc(p("Old first"), p("Old second"));
    const above = (text: string) => new EditorDriver(before).type(text);
    expectBlocks(above("### New\n"), h(3, "New"), p(), p("Old first"), p("Old second"));
    expectBlocks(above("- a"), ul(li(p("a"))), p("Old first"), p("Old second"));
    const undone = above("### ");
    undone.press("Backspace");
    expectBlocks(undone, p("### Old first"), p("Old second"));
    const second = new EditorDriver(before).placeCursor("|Old second").type("### ");
    expectBlocks(second, p("Old first"), h(3, "Old second"));
  });

  test("keeps the marks inside a new mark", () => {
    expectBlocks(
      typed("**a _b_ c**"),
      p(marked("a ", "strong"), marked("b", "strong", "em"), marked(" c", "strong")),
    );
  });
});

describe("Backspace undoes", () => {
  test.each([
    ["# ", doc(p("# "))],
    ["- ", doc(p("- "))],
    ["> ", doc(p("> "))],
    ["---", doc(p("---"))],
    ["a **b**", doc(p("a **b**"))],
    ["`b`", doc(p("`b`"))],
    ["*** ", doc(p("*** "))],
    ["***b***", doc(p("***b***"))],
    ["[b](https://example.org)", doc(p("[b](https://example.org)"))],
  ])("%s", (text, expected) => {
    const writer = typed(text);
    expect(writer.text).not.toBe(expected.toString());
    expect(writer.press("Backspace")).toBe(true);
    expect(writer.text).toBe(expected.toString());
  });

  test("nothing once something else was typed", () => {
    const writer = typed("# ab");
    expect(writer.press("Backspace")).toBe(false);
    expect(writer.state.doc.firstChild!.type.name).toBe("heading");
  });
});

test("an undo takes back one paragraph of several typed quickly", () => {
  const writer = typed("one\ntwo\nthree");
  writer.press("z", { ctrlKey: true });
  expectBlocks(writer, p("one"), p("two"));
  writer.press("z", { ctrlKey: true });
  expectBlocks(writer, p("one"));
});

describe("keys", () => {
  test("Backspace at the start of a heading makes it a paragraph", () => {
    const writer = new EditorDriver(doc(p("one"), h(2, "two"))).placeCursor("|two");
    writer.press("Backspace");
    expectBlocks(writer, p("one"), p("two"));
  });

  test("Tab and Shift-Tab nest list items without leaving the list, and are not handled elsewhere", () => {
    const writer = new EditorDriver(doc(ul(li(p("one")), li(p("two"))), p("after"))).placeCursor("two|");
    expect(writer.press("Tab")).toBe(true);
    expect(writer.press("Tab")).toBe(true);
    expectBlocks(writer, ul(li(p("one"), ul(li(p("two"))))), p("after"));
    expect(writer.press("Tab", { shiftKey: true })).toBe(true);
    expectBlocks(writer, ul(li(p("one")), li(p("two"))), p("after"));
    expect(writer.placeCursor("after|").press("Tab")).toBe(false);
  });

  test("Escape lets Tab leave a list", () => {
    const writer = new EditorDriver(doc(ul(li(p("one"))))).placeCursor("one|");
    writer.press("Escape");
    expect(writer.press("Tab")).toBe(false);
  });

  test("Enter continues a list, and leaves it from an empty item", () => {
    const writer = typed("- one\n\nafter");
    expectBlocks(writer, ul(li(p("one"))), p("after"));
  });

  test("Enter twice at the end of code leaves it", () => {
    const writer = typed("```\nlet a\n\n\nafter");
    expectBlocks(writer, pre("let a"), p("after"));
  });

  test("a new paragraph has the alignment and indentation of the one before", () => {
    const centered = schema.nodes.paragraph.create({ align: "center", indent: 2 }, schema.text("one"));
    const writer = new EditorDriver(doc(centered)).placeCursor("one|").type("\ntwo");
    expect(writer.state.doc.lastChild!.attrs).toEqual({ align: "center", indent: 2 });
  });

  test("Mod-A detects the list around all of the text, so that it can be removed", () => {
    const writer = new EditorDriver(doc(ul(li(p("one")), li(p("two")))));
    writer.press("a", { ctrlKey: true });
    expect(factsOf(writer.state)).toMatchObject({ bulletList: true, heading: 0 });
    writer.run(toggleList(schema.nodes.bullet_list));
    expectBlocks(writer, p("one"), p("two"));
    writer.run(toggleList(schema.nodes.bullet_list));
    writer.press("a", { ctrlKey: true });
    writer.run(toggleList(schema.nodes.ordered_list));
    expectBlocks(writer, ol(li(p("one")), li(p("two"))));
  });

  test.each(["Backspace", "Delete"])("Mod-A and %s leave an empty paragraph of any text", (key) => {
    for (const document of [
      doc(h(1, "one"), ul(li(p("two")))),
      doc(quote(p("one"), p("two"))),
      doc(rule, p("one")),
    ]) {
      const writer = new EditorDriver(document);
      writer.press("a", { ctrlKey: true });
      writer.press(key);
      expectBlocks(writer, p());
    }
  });

  test("Mod-Enter is left to the form", () => {
    expect(new EditorDriver(doc(pre("x"))).press("Enter", { ctrlKey: true })).toBe(false);
  });
});
