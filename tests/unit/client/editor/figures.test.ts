import type { Node } from "prosemirror-model";
import { undo } from "prosemirror-history";
import { NodeSelection } from "prosemirror-state";
import { describe, expect, test } from "vitest";
import { factsOf } from "../../../../src/client/editor/selection-state.ts";
import {
  pairWithNext,
  removeFigure,
  setFigureLink,
  setFigureSize,
  splitPair,
  toCaption,
} from "../../../../src/client/editor/blocks/figure-commands.ts";
import { toggleHeading } from "../../../../src/client/editor/blocks/heading.ts";
import { toggleCodeBlock } from "../../../../src/client/editor/blocks/code.ts";
import { documentLimits } from "../../../../src/shared/document/limits.ts";
import { schema } from "../../../../src/shared/document/schema.ts";
import { EditorDriver, doc, fig, img, li, p, pair, quote, ul } from "./typing.ts";

/** Returns a writer who has selected the node at `pos`. */
function writerSelecting(document: Node, pos: number): EditorDriver {
  const writer = new EditorDriver(document);
  writer.state = writer.state.apply(
    writer.state.tr.setSelection(NodeSelection.create(writer.state.doc, pos)),
  );
  return writer;
}
const expectDocument = (writer: EditorDriver, document: Node) => {
  writer.state.doc.check();
  expect(writer.state.doc.toJSON()).toEqual(document.toJSON());
};
const selectedType = ({ state: { selection } }: EditorDriver) =>
  selection instanceof NodeSelection ? selection.node.type.name : selection.$from.parent.type.name;

describe("the tools of a figure", () => {
  test("choose how wide it is, and keep it selected", () => {
    const writer = writerSelecting(doc(p("one"), fig("seen"), p()), 5);
    expect(writer.run(setFigureSize("wide"))).toBe(true);
    expectDocument(writer, doc(p("one"), fig("seen", "wide"), p()));
    expect(selectedType(writer)).toBe("figure");
    expect(factsOf(writer.state)).toMatchObject({ figure: 5, picture: 6, figureSize: "wide" });
  });
  test("make a figure of a picture on a line of its own, with its link", () => {
    const link = schema.marks.link.create({ href: "https://example.org/" });
    const writer = writerSelecting(doc(p(img().mark([link])), p()), 1);
    expect(factsOf(writer.state)).toMatchObject({ figure: 0, picture: 1, figureSize: "text" });
    writer.run(toCaption);
    writer.type("seen");
    expect(writer.state.doc.firstChild!.firstChild!.marks).toEqual([link]);
    expect(writer.state.doc.firstChild!.textContent).toBe("seen");
  });
  test("make its picture a link, change the link and remove it", () => {
    const linked = (href: string) => {
      const picture = fig().firstChild!.mark([schema.marks.link.create({ href })]);
      return schema.nodes.figure.create(null, [picture, fig("seen").lastChild!]);
    };
    const writer = writerSelecting(doc(p("one"), fig("seen"), p()), 5);
    expect(factsOf(writer.state).figureLink).toBe(null);
    writer.run(setFigureLink("https://example.org/"));
    expectDocument(writer, doc(p("one"), linked("https://example.org/"), p()));
    expect(factsOf(writer.state).figureLink).toBe("https://example.org/");
    writer.placeCursor("se|en").run(setFigureLink("https://example.org/owls"));
    expectDocument(writer, doc(p("one"), linked("https://example.org/owls"), p()));
    expect(writer.state.selection.$from.parent.textContent).toBe("seen");
    writer.run(setFigureLink(null));
    expectDocument(writer, doc(p("one"), fig("seen"), p()));
  });
  test("remove it with its caption, and undo restores it; the other figure of a pair stays", () => {
    const before = doc(p("one"), fig("seen"), p("two"));
    const writer = new EditorDriver(before).placeCursor("se|en");
    expect(writer.run(removeFigure)).toBe(true);
    expectDocument(writer, doc(p("one"), p("two")));
    expect(writer.state.selection.from).toBe(6);
    writer.run(undo);
    expectDocument(writer, before);

    const alone = writerSelecting(doc(fig()), 0);
    alone.run(removeFigure);
    expectDocument(alone, doc(p()));
    const lone = writerSelecting(doc(p("one"), p(img())), 6);
    lone.run(removeFigure);
    expectDocument(lone, doc(p("one")));
    const paired = writerSelecting(doc(pair(fig("one"), fig("two"), "wide")), 1);
    paired.run(removeFigure);
    expectDocument(paired, doc(fig("two")));
    expect(paired.run(removeFigure)).toBe(true);
    expect(writer.placeCursor("|two").run(removeFigure)).toBe(false);
  });
  test("remove it above footnotes, and leave the caret in a line of the text", () => {
    const { footnotes, footnote } = schema.nodes;
    const notes = footnotes.create(null, footnote.create({ note: "one" }, p("note")));
    const alone = writerSelecting(doc(fig(), notes), 0);
    alone.run(removeFigure);
    expectDocument(alone.type("on"), doc(p("on"), notes));
    const last = writerSelecting(doc(p("on"), fig(), notes), 4);
    last.run(removeFigure);
    expectDocument(last.type("e"), doc(p("one"), notes));
  });
  test("do not change a picture within words", () => {
    const writer = writerSelecting(doc(p("a", img())), 2);
    expect(factsOf(writer.state).figure).toBe(null);
    expect(writer.run(setFigureSize("wide"))).toBe(false);
  });
  test("put the next one beside it, also over an empty line, and separate both again", () => {
    for (const between of [[], [p()]]) {
      const writer = writerSelecting(doc(fig("one", "wide"), ...between, p(img("/media/two/full.webp"))), 0);
      expect(factsOf(writer.state).canPair).toBe(true);
      writer.run(pairWithNext);
      const two = fig("", "text", "/media/two/full.webp");
      expectDocument(writer, doc(pair(fig("one", "wide"), two, "wide")));
      expect(factsOf(writer.state)).toMatchObject({ isPaired: true, canPair: false, figureSize: "wide" });
      writer.run(setFigureSize("full"));
      expectDocument(writer, doc(pair(fig("one", "wide"), two, "full")));
      writer.run(splitPair);
      expectDocument(writer, doc(fig("one", "wide"), two));
      expect(selectedType(writer)).toBe("figure");
    }
    expect(factsOf(writerSelecting(doc(fig(), p("no"), fig()), 0).state).canPair).toBe(false);
  });
});

/** Presses the keys, which must all be handled, and returns the writer. */
function pressKeys(writer: EditorDriver, ...keys: string[]): EditorDriver {
  for (const key of keys) expect(writer.press(key), key).toBe(true);
  return writer;
}

describe("the keys of a figure", () => {
  test("Enter goes to the caption of a picture, and then behind the figure", () => {
    const writer = pressKeys(writerSelecting(doc(fig("one")), 0), "Enter").type(" more");
    expectDocument(pressKeys(writer, "Enter").type("on"), doc(fig("one more"), p("on")));
    const paired = new EditorDriver(doc(pair(fig("one"), fig("two")), p(), p("on"))).placeCursor("on|e");
    expectDocument(
      pressKeys(paired, "Enter").type("so"),
      doc(pair(fig("one"), fig("two")), p("so"), p("on")),
    );
  });
  test("arrows stop at a figure, then in its caption, and leave it at either end of the text", () => {
    const writer = pressKeys(
      new EditorDriver(doc(p("one"), fig("seen"), p("two"))).placeCursor("one|"),
      "ArrowDown",
    );
    expect(selectedType(writer)).toBe("figure");
    expect(selectedType(pressKeys(writer, "ArrowDown"))).toBe("figure_caption");
    expect(writer.state.selection.$from.parentOffset).toBe(0);
    expect(selectedType(pressKeys(writer.placeCursor("|two"), "ArrowLeft"))).toBe("figure_caption");
    expect(selectedType(pressKeys(writer.placeCursor("|seen"), "ArrowLeft"))).toBe("figure");
    expect(
      selectedType(pressKeys(new EditorDriver(doc(fig(), p("two"))).placeCursor("|two"), "ArrowUp")),
    ).toBe("figure");
    const first = pressKeys(writerSelecting(doc(pair(fig(), fig("b"))), 1), "ArrowUp").type("a");
    expectDocument(first, doc(p("a"), pair(fig(), fig("b"))));
    expectDocument(
      pressKeys(first.placeCursor("b|"), "ArrowDown").type("c"),
      doc(p("a"), pair(fig(), fig("b")), p("c")),
    );
    const deep = new EditorDriver(doc(p("one"), quote(pair(fig("a"), fig("b"))))).placeCursor("one|");
    expect(pressKeys(deep, "ArrowRight").state.selection.from).toBe(7);
    expect(selectedType(pressKeys(deep.placeCursor("a|"), "ArrowRight"))).toBe("figure");
  });
  test("Backspace and Delete never move words into a caption or out of it", () => {
    const original = doc(p("one"), fig("seen"), p("two"));
    const writer = new EditorDriver(original);
    expect(selectedType(pressKeys(writer.placeCursor("|seen"), "Backspace"))).toBe("figure");
    pressKeys(writer.placeCursor("seen|"), "Delete");
    expect(selectedType(pressKeys(writer.placeCursor("|two"), "Backspace"))).toBe("figure");
    expect(selectedType(pressKeys(writer.placeCursor("one|"), "Delete"))).toBe("figure");
    expectDocument(writer, original);
    expectDocument(pressKeys(writer, "Backspace"), doc(p("one"), p("two")));
    expectDocument(
      pressKeys(writerSelecting(doc(pair(fig("one"), fig("two"))), 1), "Backspace"),
      doc(fig("two")),
    );
  });
  test("captions become neither headings nor code, and typing stops where they are full", () => {
    const writer = new EditorDriver(doc(fig("seen"), p())).placeCursor("seen|");
    writer.run(toggleHeading(2));
    writer.run(toggleCodeBlock);
    expectDocument(writer.type("# "), doc(fig("seen# "), p()));
    const full = "x".repeat(documentLimits.caption);
    expectDocument(
      new EditorDriver(doc(fig(full), p())).placeCursor(`${full}|`).type("y"),
      doc(fig(full), p()),
    );
  });
});

describe("a character typed while something is selected", () => {
  test.each([
    ["a figure", fig("seen")],
    ["a rule", schema.nodes.horizontal_rule.create()],
    ["a card", schema.nodes.embed.create({ href: "https://www.youtube.com/watch?v=dQw4w9WgXcQ" })],
  ])("begins a line below %s, which stays", (_, block) => {
    const writer = writerSelecting(doc(p("a"), block, p("b")), 3).type('"No"');
    expectDocument(writer, doc(p("a"), block, p('"No"'), p("b")));
    writer.press("z", { ctrlKey: true });
    expectDocument(writer, doc(p("a"), block, p("b")));
  });
  test("begins a line below a pair of figures, and follows the rules of typing", () => {
    const both = pair(fig("one"), fig("two"));
    const writer = new EditorDriver(doc(both, p()), "en");
    writer.state = writer.state.apply(
      writer.state.tr.setSelection(NodeSelection.create(writer.state.doc, 1)),
    );
    expectDocument(writer.type('"No"'), doc(both, p("“No”")));
  });
  test("follows a picture in a line", () => {
    const writer = writerSelecting(doc(p("a", img(), "b")), 2).type(" c");
    expectDocument(writer, doc(p("a", img(), " cb")));
  });
  test("and is a space, changes nothing", () => {
    const writer = writerSelecting(doc(fig("seen"), p("b")), 0).type(" ");
    expectDocument(writer, doc(fig("seen"), p("b")));
    expect(selectedType(writer)).toBe("figure");
  });
  test.each(["Backspace", "Delete"])("does not keep %s from removing a figure", (key) => {
    expectDocument(pressKeys(writerSelecting(doc(fig("seen"), p("b")), 0), key), doc(p("b")));
  });
});

test("removes a figure without its picture, and unpairs one without its neighbour", () => {
  const writer = writerSelecting(doc(p("a"), pair(fig("one"), fig("two"))), 4);
  writer.state = writer.state.apply(writer.state.tr.deleteSelection());
  expectDocument(writer, doc(p("a"), fig("two")));
  // One is typed over, and more is typed after it.
  const typed = writerSelecting(doc(p("a"), pair(fig("one"), fig("two")), p("b")), 4);
  typed.state = typed.state.apply(typed.state.tr.insertText("z"));
  typed.state = typed.state.apply(typed.state.tr.insertText("oo"));
  expectDocument(typed, doc(p("a"), p("zoo"), fig("two"), p("b")));
  const crossing = new EditorDriver(doc(p("before"), fig("seen"), ul(li(p("on")))));
  crossing.state = crossing.state.apply(crossing.state.tr.delete(3, 13));
  expect(crossing.state.doc.textContent).toMatch(/^be.*on$/);
  crossing.state.doc.check();
  crossing.state.doc.descendants((node) => {
    if (node.type.name === "figure_image") expect(node.attrs.src).not.toBe(null);
  });
});
