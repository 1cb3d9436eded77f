import { Slice } from "prosemirror-model";
import { describe, expect, test } from "vitest";
import { schema } from "../../../../src/shared/document/schema.ts";
import { EditorDriver, doc, expectBlocks, fig, h, li, p, pre, quote, ul } from "./typing.ts";

const br = () => schema.nodes.hard_break.create();

describe("lines of code that are pasted", () => {
  /** Copies from one code block, and pastes as prosemirror-view does. */
  const paste = (writer: EditorDriver, text: string) => {
    const slice = new Slice(doc(pre(text)).content, 1, 1);
    writer.state = writer.state.apply(writer.state.tr.replaceSelection(slice).setMeta("uiEvent", "paste"));
    return writer;
  };

  test.each([
    ["a paragraph", p("a"), p("aone", br(), "two", br(), "  three")],
    ["a heading", h(2, "a"), h(2, "aone", br(), "two", br(), "  three")],
    ["a list item", ul(li(p("a"))), ul(li(p("aone", br(), "two", br(), "  three")))],
    ["a quote", quote(p("a")), quote(p("aone", br(), "two", br(), "  three"))],
    ["code", pre("a"), pre("aone\ntwo\n  three")],
    ["an empty paragraph", p(), pre("one\ntwo\n  three")],
  ])("stay lines in %s", (_place, block, expected) => {
    const writer = new EditorDriver(doc(block, p("b")));
    writer.placeCursor(block.textContent ? "a|" : "|");
    expectBlocks(paste(writer, "one\ntwo\n  three"), expected, p("b"));
  });

  test("stay lines in a caption", () => {
    const writer = paste(new EditorDriver(doc(fig("a"), p("b"))).placeCursor("a|"), "one\ntwo");
    expect(writer.state.doc.textContent).toBe("aonetwob");
    expect(writer.state.doc.firstChild!.lastChild!.childCount).toBe(3);
  });

  test("leave the caret behind them, and are undone at once", () => {
    const writer = paste(new EditorDriver(doc(p("ab"))).placeCursor("a|b"), "one\ntwo");
    expectBlocks(writer.type("!"), p("aone", br(), "two!b"));
    writer.press("z", { ctrlKey: true });
    expectBlocks(writer, p("ab"));
  });
});
