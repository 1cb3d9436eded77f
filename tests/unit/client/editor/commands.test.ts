import { undo } from "prosemirror-history";
import { NodeSelection } from "prosemirror-state";
import { describe, expect, test } from "vitest";
import { cleanFormatting, indent, setAlign, setMark } from "../../../../src/client/editor/commands.ts";
import { insertRule } from "../../../../src/client/editor/blocks/divider.ts";
import { setCodeLanguage, toggleCodeBlock } from "../../../../src/client/editor/blocks/code.ts";
import { setHeading } from "../../../../src/client/editor/blocks/heading.ts";
import { toggleBlockquote } from "../../../../src/client/editor/blocks/quote.ts";
import { factsOf } from "../../../../src/client/editor/selection-state.ts";
import { toggle } from "../../../../src/client/editor/commands.ts";
import { toggleList } from "../../../../src/client/editor/blocks/list.ts";
import { schema } from "../../../../src/shared/document/schema.ts";
import { EditorDriver, doc, expectBlocks, fig, h, img, li, marked, ol, p, pre, quote, ul } from "./typing.ts";

const { nodes, marks } = schema;

describe("indentation", () => {
  test("goes from 0 to 8 and no further", () => {
    const writer = new EditorDriver(doc(p("text")));
    expect(writer.run(indent(-1))).toBe(false);
    for (let level = 1; level <= 8; level++) {
      expect(writer.run(indent(1))).toBe(true);
      expect(writer.state.doc.firstChild!.attrs.indent).toBe(level);
    }
    expect(writer.run(indent(1))).toBe(false);
    expect(factsOf(writer.state)).toMatchObject({ canIndent: false, canOutdent: true });
  });

  test("changes every block of the selection from its own level", () => {
    const writer = new EditorDriver(
      doc(p("one"), nodes.heading.create({ level: 2, indent: 8 }, schema.text("two")), pre("three")),
    ).selectAll();
    writer.run(indent(1));
    expect(writer.state.doc.children.map((block) => block.attrs.indent as unknown)).toEqual([
      1,
      8,
      undefined,
    ]);
  });

  test("nests list items", () => {
    const writer = new EditorDriver(doc(ul(li(p("one")), li(p("two"))))).placeCursor("tw|o");
    writer.run(indent(1));
    expectBlocks(writer, ul(li(p("one"), ul(li(p("two"))))));
    writer.run(indent(-1));
    expectBlocks(writer, ul(li(p("one")), li(p("two"))));
  });
});

describe("marks", () => {
  test("are added by a toggle where only some of the selection has them, and removed where all has", () => {
    const writer = new EditorDriver(doc(p(marked("one", "strong"), " two"))).selectAll();
    expect(factsOf(writer.state).strong).toBe(false);
    writer.run(toggle("strong"));
    expectBlocks(writer, p(marked("one two", "strong")));
    expect(factsOf(writer.state).strong).toBe(true);
    writer.run(toggle("strong"));
    expectBlocks(writer, p("one two"));
  });

  test("subscript and superscript exclude each other", () => {
    const writer = new EditorDriver(doc(p("2"))).selectAll();
    writer.run(toggle("sub"));
    writer.run(toggle("sup"));
    expect(factsOf(writer.state)).toMatchObject({ sub: false, sup: true });
  });

  test("a size is replaced by another and removed", () => {
    const writer = new EditorDriver(doc(p("text"))).selectAll();
    writer.run(setMark(marks.size, { size: "large" }));
    writer.run(setMark(marks.size, { size: "huge" }));
    expect(factsOf(writer.state).size).toBe("huge");
    writer.run(setMark(marks.size, null));
    expect(factsOf(writer.state).size).toBe(null);
    expectBlocks(writer, p("text"));
  });

  test("apply to what is typed next when nothing is selected", () => {
    const writer = new EditorDriver(doc(p("a"))).placeCursor("a|");
    writer.run(setMark(marks.color, { color: "#b3261e" }));
    writer.run(toggle("em"));
    expect(factsOf(writer.state)).toMatchObject({ color: "#b3261e", em: true });
    writer.type("b");
    expect(writer.state.doc.firstChild!.lastChild!.marks.map((mark) => mark.type.name)).toEqual([
      "color",
      "em",
    ]);
  });

  test("are not possible in code", () => {
    const writer = new EditorDriver(doc(pre("let"))).selectAll();
    expect(writer.run(setMark(marks.color, { color: "#b3261e" }))).toBe(false);
    expect(factsOf(writer.state).canMark).toBe(false);
  });
});

describe("blocks", () => {
  test("a heading keeps its alignment and becomes a paragraph again", () => {
    const writer = new EditorDriver(doc(p("text")));
    writer.run(setAlign("center"));
    writer.run(setHeading(3));
    expect(writer.json.content![0]).toMatchObject({ type: "heading", attrs: { level: 3, align: "center" } });
    writer.run(setHeading(0));
    expect(writer.json.content![0]).toMatchObject({ type: "paragraph", attrs: { align: "center" } });
  });

  test("a list item that becomes a heading leaves its list, in one undo step", () => {
    const writer = new EditorDriver(doc(ul(li(p("one"))))).placeCursor("on|e");
    expect(writer.run(setHeading(2))).toBe(true);
    expectBlocks(writer, h(2, "one"));
    writer.press("z", { ctrlKey: true });
    expectBlocks(writer, ul(li(p("one"))));
  });

  test("lists wrap, change their kind and unwrap; headings become text in them", () => {
    const writer = new EditorDriver(doc(h(1, "one"), p("two"))).selectAll();
    writer.run(toggleList(nodes.bullet_list));
    expectBlocks(writer, ul(li(p("one")), li(p("two"))));
    writer.run(toggleList(nodes.ordered_list));
    expectBlocks(writer, ol(li(p("one")), li(p("two"))));
    expect(factsOf(writer.state)).toMatchObject({ orderedList: true, bulletList: false });
    writer.run(toggleList(nodes.ordered_list));
    expectBlocks(writer, p("one"), p("two"));
  });

  test("a quote is put around blocks and removed again, as a whole", () => {
    const writer = new EditorDriver(doc(p("one"), p("two"))).selectAll();
    writer.run(toggleBlockquote);
    expectBlocks(writer, quote(p("one"), p("two")));
    writer.placeCursor("on|e").run(toggleBlockquote);
    expectBlocks(writer, p("one"), p("two"));
  });

  test("several paragraphs become one block of code, and code has a language", () => {
    const writer = new EditorDriver(doc(p("let a"), p("let b"))).selectAll();
    writer.run(toggleCodeBlock);
    expectBlocks(writer, pre("let a\nlet b"));
    writer.run(setCodeLanguage("rust"));
    expect(factsOf(writer.state)).toMatchObject({ codeBlock: true, language: "rust" });
    writer.run(toggleCodeBlock);
    expect(writer.state.doc.firstChild!.type).toBe(nodes.paragraph);
  });

  test("a formula becomes code as its source, while pictures and cards do not become code", () => {
    const writer = new EditorDriver(doc(p("let ", nodes.formula.create({ tex: "x^2" }), " be"))).placeCursor(
      "|let",
    );
    writer.run(toggleCodeBlock);
    expectBlocks(writer, pre("let $x^2$ be"));
    const card = nodes.embed.create({ href: "https://vimeo.com/12345", title: "Owls" });
    const mixedWriter = new EditorDriver(doc(p("one"), fig("seen"), card, p("two"))).selectAll();
    mixedWriter.run(toggleCodeBlock);
    expectBlocks(mixedWriter, pre("one"), fig("seen"), card, pre("two"));
    const { doc: text, tr } = mixedWriter.state;
    mixedWriter.state = mixedWriter.state.apply(tr.setSelection(NodeSelection.create(text, 5)));
    expect(mixedWriter.run(toggleCodeBlock)).toBe(false);
  });

  test("a picture in a line goes below the code that its line becomes, and undo restores the line", () => {
    const before = doc(p("let ", img(), " a"), p("let b"));
    const writer = new EditorDriver(before).placeCursor("|let");
    writer.run(toggleCodeBlock);
    expectBlocks(writer, pre("let  a"), p(img()), p("let b"));
    writer.run(undo);
    expect(writer.json).toEqual(before.toJSON());

    writer.selectAll().run(toggleCodeBlock);
    expectBlocks(writer, pre("let  a\nlet b"), p(img()));
    writer.run(undo);
    expect(writer.json).toEqual(before.toJSON());

    const mixed = doc(p("one", img()), fig("seen"), p(img("/media/two/full.webp"), "two"));
    const mixedWriter = new EditorDriver(mixed).selectAll();
    mixedWriter.run(toggleCodeBlock);
    expect(mixedWriter.json).toEqual(
      doc(pre("one"), p(img()), fig("seen"), pre("two"), p(img("/media/two/full.webp"))).toJSON(),
    );
  });

  test.each([
    ["a space after backticks", "```js ", doc(p(img(), "a")), doc(pre("a", "javascript"), p(img()))],
    ["Enter after backticks", "```js\n", doc(p(img())), doc(pre("", "javascript"), p(img()))],
  ])("%s keeps the picture of the line below the code", (_case, keys, before, after) => {
    const writer = new EditorDriver(before).select(1);
    if (keys.endsWith("\n")) {
      writer
        .type(keys.trim())
        .select(writer.state.doc.content.size - 1)
        .type("\n");
    } else writer.type(keys);
    expect(writer.json).toEqual(after.toJSON());
    writer.run(undo);
    expect(writer.text).toContain("image");
    expect(writer.state.doc.firstChild!.type).toBe(nodes.paragraph);
  });

  test("redo by Shift changes nothing when there is nothing to redo", () => {
    const writer = new EditorDriver(doc(p())).type("one");
    // Lower case, as on a Mac.
    const redoKeys = () => writer.press("z", { ctrlKey: true, shiftKey: true });
    redoKeys();
    expectBlocks(writer, p("one"));
    writer.run(undo);
    expectBlocks(writer, p());
    redoKeys();
    redoKeys();
    expectBlocks(writer, p("one"));
  });

  test("a rule at the end leaves a line to type in", () => {
    const writer = new EditorDriver(doc(p("text"))).placeCursor("text|");
    writer.run(insertRule);
    writer.type("on");
    expectBlocks(writer, p("text"), nodes.horizontal_rule.create(), p("on"));
  });
});

describe("clean formatting", () => {
  test("removes everything but the text and its links", () => {
    const link = schema.text("link", [
      marks.link.create({ href: "https://example.org" }),
      marks.strong.create(),
    ]);
    const writer = new EditorDriver(
      doc(h(2, marked("one", "em")), quote(ul(li(p("two"), ul(li(p(link))))), pre("three"))),
    ).selectAll();
    writer.run(setAlign("right"));
    writer.run(cleanFormatting);
    const plain = schema.text("link", [marks.link.create({ href: "https://example.org" })]);
    expectBlocks(writer, p("one"), p("two"), p(plain), p("three"));
    expect(writer.state.doc.firstChild!.attrs).toEqual({ align: null, indent: 0 });
  });

  test("changes the selection only", () => {
    const writer = new EditorDriver(doc(p(marked("one two", "strong")), h(1, "three"))).placeCursor(
      "|one| two",
    );
    writer.run(cleanFormatting);
    expectBlocks(writer, p("one", marked(" two", "strong")), h(1, "three"));
  });

  test("is undone in one step", () => {
    const original = doc(ul(li(p(marked("one", "strong")))));
    const writer = new EditorDriver(original).selectAll();
    writer.run(cleanFormatting);
    writer.press("z", { ctrlKey: true });
    expect(writer.text).toBe(original.toString());
  });
});

describe("Tab in code", () => {
  test("indents and outdents the selected lines without overwriting them", () => {
    const writer = new EditorDriver(doc(pre("one\ntwo\n  three\nfour"))).placeCursor("o|ne\ntwo\n  th|ree");
    writer.press("Tab");
    expectBlocks(writer, pre("  one\n  two\n    three\nfour"));
    writer.press("Tab", { shiftKey: true });
    writer.press("Tab", { shiftKey: true });
    expectBlocks(writer, pre("one\ntwo\nthree\nfour"));
  });

  test("inserts two spaces where nothing is selected", () => {
    const writer = new EditorDriver(doc(pre("one"))).placeCursor("on|e");
    writer.press("Tab");
    expectBlocks(writer, pre("on  e"));
  });
});
