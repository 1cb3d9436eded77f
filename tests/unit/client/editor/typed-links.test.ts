import fc from "fast-check";
import { Slice } from "prosemirror-model";
import { describe, expect, test, vi } from "vitest";
import { addressesIn, withLinks } from "../../../../src/client/editor/typed-links.ts";
import { schema } from "../../../../src/shared/document/schema.ts";
import { EditorDriver, doc, expectBlocks, marked, p, pre } from "./typing.ts";

const linked = (text: string, href: string) => schema.text(text, [schema.marks.link.create({ href })]);
const linkedTexts = (text: string) => addressesIn(text).map(({ from, to }) => text.slice(from, to));

describe("a link's last word", () => {
  const guide = linked("the guide", "https://example.org");

  test.each([
    ["is lengthened", "the guide|", "s", "the guides", ""],
    ["ends with a space", "the guide|", " book", "the guide", " book"],
    ["ends with punctuation", "the guide|", ", and", "the guide", ", and"],
    ["is replaced", "the |guide|", "manual", "the manual", ""],
    ["stays before a script without spaces", "the guide|", "本", "the guide", "本"],
  ])("%s", (_title, place, typed, words, rest) => {
    const writer = new EditorDriver(doc(p("See ", guide))).placeCursor(place).type(typed);
    const expected = doc(p("See ", linked(words, "https://example.org"), ...(rest ? [rest] : [])));
    expect(writer.state.doc.eq(expected), writer.text).toBe(true);
  });

  test("of an address that is corrected leads to the corrected address after it", () => {
    const writer = new EditorDriver(doc(p(linked("https://exmple.org/a", "https://exmple.org/a"))));
    const [start, end] = ["https://ex".length + 1, "https://exmple.org/a".length + 1];
    writer.select(start, end).type("ample.org/b?c ");
    const fixed = linked("https://example.org/b?c", "https://example.org/b?c");
    expect(writer.state.doc.eq(doc(p(fixed, " "))), writer.text).toBe(true);
    const cut = linked("https://example.org/a", "https://example.org/a-long-one");
    const whole = new EditorDriver(doc(p(cut, "…"))).select("https://example.org/a…".length + 1).type(" ");
    expect(whole.state.doc.eq(doc(p(cut, "… ")))).toBe(true);
    const short = linked("https://example.org", "https://example.org/a-long-one");
    const kept = new EditorDriver(doc(p(short))).select("https://example.org".length + 1).type(" ");
    expect(kept.state.doc.eq(doc(p(short, " "))), kept.text).toBe(true);
  });
});

describe("a typed address", () => {
  const site = linked("https://example.org/a", "https://example.org/a");

  test("becomes a link with the space behind it, which is not linked", () => {
    const writer = new EditorDriver(doc(p()), "en").type("See https://example.org/a ");
    expectBlocks(writer, p("See ", site, " "));
    expectBlocks(writer.type("b"), p("See ", site, " b"));
  });

  test("becomes a link with the end of its line", () => {
    const writer = new EditorDriver(doc(p()), "en").type("https://example.org/a\nb");
    expectBlocks(writer, p(site), p("b"));
  });

  test("becomes a link with the path of a blog of this site", () => {
    vi.stubGlobal("location", { origin: "https://reprise.example" });
    const found = addressesIn("https://reprise.example/blog/owls and https://example.org/blog/owls");
    expect(found.map(({ href }) => href)).toEqual(["/blog/owls", "https://example.org/blog/owls"]);
    vi.unstubAllGlobals();
  });

  test("becomes text again by Backspace right after", () => {
    const writer = new EditorDriver(doc(p()), "en").type("See https://example.org/a ");
    expect(writer.press("Backspace")).toBe(true);
    expectBlocks(writer, p("See https://example.org/a "));
    const line = new EditorDriver(doc(p()), "en").type("https://example.org/a\n");
    expect(line.press("Backspace")).toBe(true);
    expectBlocks(line, p("https://example.org/a"));
    expect(line.type("\n").state.doc.childCount).toBe(2);
  });

  test("does not include the sentence around it", () => {
    expect(
      linkedTexts("(see https://example.org/a_(b).) or www.example.org, and http://localhost:3000/!"),
    ).toEqual(["https://example.org/a_(b)", "www.example.org", "http://localhost:3000/"]);
    for (const text of [
      "https://",
      "www.",
      "javascript:alert(1)",
      "xhttps://a.org",
      "http://...",
      "a@www.b.org",
    ])
      expect(linkedTexts(text), text).toEqual([]);
  });

  test("is not linked in code or within another link", () => {
    expectBlocks(
      new EditorDriver(doc(pre("x")), "en").placeCursor("x|").type(" https://example.org "),
      pre("x https://example.org "),
    );
    const inCode = new EditorDriver(doc(p(marked("a ", "code"))), "en")
      .placeCursor("a |")
      .type("https://example.org b");
    expect(inCode.text).not.toContain("link");
    const other = linked("https://example.org/a", "https://elsewhere.example/");
    const writer = new EditorDriver(doc(p(other)), "en").placeCursor("https://example.org/a|").type(" ");
    expect(writer.text.match(/elsewhere|link/g)).toHaveLength(writer.text.includes("link") ? 1 : 0);
  });
});

test("a pasted text keeps each letter, and links http and https addresses only", () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom(" ", "https://a.org/b", "www.c.net", "(", ").", "http://", "'", "\n"),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join("") || "x";
      const { content } = withLinks(new Slice(doc(p(text)).content, 1, 1));
      expect(content.textBetween(0, content.size)).toBe(text);
      content.descendants((node) => {
        const href = node.marks.find(({ type }) => type.name === "link")?.attrs.href as string | undefined;
        if (href !== undefined) expect(href).toMatch(/^https?:\/\/[^\s]+$/);
      });
      expect(() => content.forEach((node) => node.check())).not.toThrow();
    }),
  );
});
