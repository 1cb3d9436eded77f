import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { drawChanges, drawText } from "../../../../src/client/blogs/form/history/drawn-changes.ts";
import type { NodeJson } from "../../../../src/shared/document/schema.ts";
import { paragraphs } from "../../../support/writing.ts";
import { arbitraryDocument } from "../../document/arbitrary-document.ts";

const doc = (...content: NodeJson[]): NodeJson => ({ type: "doc", content });
const text = (words: string, ...marks: string[]): NodeJson => ({
  type: "text",
  text: words,
  ...(marks.length > 0 ? { marks: marks.map((type) => ({ type })) } : {}),
});
const block = (type: string, attrs: object | null, ...content: NodeJson[]): NodeJson => ({
  type,
  ...(attrs ? { attrs: attrs as Record<string, unknown> } : {}),
  content,
});
const list = (...items: string[]) =>
  block("bullet_list", null, ...items.map((words) => block("list_item", null, ...paragraphs(words).content)));
const table = (...rows: string[][]) =>
  block(
    "table",
    null,
    ...rows.map((cells) =>
      block(
        "table_row",
        null,
        ...cells.map((words) => block("table_cell", null, ...paragraphs(words).content)),
      ),
    ),
  );

/** What is drawn, a line for each stretch: how much is the same, or both in one. */
const inline = (before: NodeJson, after: NodeJson) =>
  drawChanges(before, after).map((part) => ("same" in part ? part.count : part.both));
const sides = (before: NodeJson, after: NodeJson) =>
  drawChanges(before, after).flatMap((part) => ("same" in part ? [] : [[part.before, part.after]]));

describe("of two texts", () => {
  test("what is gone and what has come are marked by words, in both and beside each other", () => {
    const [before, after] = [paragraphs("Owls hunt at night."), paragraphs("Owls sing at night, mostly.")];
    expect(inline(before, after)).toEqual([
      "<p>Owls <del>hunt</del><ins>sing</ins> at night<ins>, mostly</ins>.</p>",
    ]);
    expect(sides(before, after)).toEqual([
      ["<p>Owls <del>hunt</del> at night.</p>", "<p>Owls <ins>sing</ins> at night<ins>, mostly</ins>.</p>"],
    ]);
  });

  test("what is the same is counted, and a paragraph in between is the only one that is new", () => {
    expect(
      inline(paragraphs("One.", "Two.", "Three."), paragraphs("One.", "Two.", "A new one.", "Three.")),
    ).toEqual([2, '<ins class="change-block"><p>A new one.</p></ins>', 1]);
    expect(inline(paragraphs("One."), paragraphs("One."))).toEqual([1]);
  });

  test("a paragraph that moved into another's place is known by its words, not by where it stands", () => {
    const long = "The owls of the northern woods hunt along the river at night.";
    expect(
      inline(paragraphs("Quite another thing.", long), paragraphs(long.replace("northern", "old"), "12345")),
    ).toEqual([
      '<del class="change-block"><p>Quite another thing.</p></del>',
      "<p>The owls of the <del>northern</del><ins>old</ins> woods hunt along the river at night.</p>",
      '<ins class="change-block"><p>12345</p></ins>',
    ]);
  });

  test("what has nothing in common is gone and has come as a whole, side by side", () => {
    expect(sides(paragraphs("Owls hunt at night."), paragraphs("Zyx 123."))).toEqual([
      [
        '<del class="change-block"><p>Owls hunt at night.</p></del>',
        '<ins class="change-block"><p>Zyx 123.</p></ins>',
      ],
    ]);
  });

  test("how words look counts, and so does what kind of block they stand in", () => {
    const paragraph = (...content: NodeJson[]) => doc(block("paragraph", null, ...content));
    expect(
      inline(paragraph(text("Owls hunt.")), paragraph(text("Owls "), text("hunt", "strong"), text("."))),
    ).toEqual(["<p>Owls <del>hunt</del><ins><strong>hunt</strong></ins>.</p>"]);
    const heading = (level: number) => doc(block("heading", { level }, text("Owls")));
    expect(inline(heading(1), heading(2))).toEqual([
      '<del class="change-block"><h1>Owls</h1></del><ins class="change-block"><h2>Owls</h2></ins>',
    ]);
  });

  test("in lists, tables and code it is the item, the row and the line", () => {
    expect(
      inline(
        doc(list("Owls at night", "Bats at night")),
        doc(list("Owls at noon", "Bats at night", "Moths")),
      ),
    ).toEqual([
      "<ul><li><p>Owls at <del>night</del><ins>noon</ins></p></li><li><p>Bats at night</p></li>" +
        '<li><ins class="change-block"><p>Moths</p></ins></li></ul>',
    ]);
    expect(inline(doc(table(["Owls", "12"], ["Bats", "3"])), doc(table(["Owls", "12"])))).toEqual([
      expect.stringContaining('<tr><td><del class="change-block"><p>Bats</p></del></td>'),
    ]);
    const code = (words: string) => doc(block("code_block", null, text(words)));
    expect(inline(code("let a = 1;\nlet b = 2;"), code("let a = 1;\nlet c = 2;"))).toEqual([
      expect.stringContaining("let a = 1;\nlet <del>b</del><ins>c</ins> = 2;\n</pre>"),
    ]);
  });

  test("a picture is another one where its address is", () => {
    const picture = (id: string) =>
      doc(block("paragraph", null, { type: "image", attrs: { src: `/media/${id}.png`, alt: id } }));
    const [only] = inline(picture("a"), picture("b"));
    expect(only).toMatch(
      /^<p><del><img src="\/media\/a.png"[^>]*><\/del><ins><img src="\/media\/b.png"[^>]*><\/ins><\/p>$/,
    );
  });

  test("no word of a text is a tag of the page", () => {
    const [only] = inline(paragraphs("a"), paragraphs("<img src=x onerror=alert(1)><script>"));
    expect(only).not.toMatch(/<(img|script)/);
  });

  test("two texts that are long and altogether different are there in good time", () => {
    const long = (letter: string) =>
      paragraphs(...Array.from({ length: 400 }, (_, at) => `${letter}${at} `.repeat(60)));
    const begun = performance.now();
    expect(drawChanges(long("a"), long("b")).length).toBeGreaterThan(0);
    expect(performance.now() - begun).toBeLessThan(20_000);
  });
});

/** The words of HTML without those that `gone` is around. */
function wordsWithout(gone: "ins" | "del", html: string): string {
  let depth = 0;
  let words = "";
  for (const [, end, name, said] of html.matchAll(/<(\/?)(\w+)[^>]*>|([^<]+)/g)) {
    if (name === gone) depth += end ? -1 : 1;
    else if (said !== undefined && depth === 0) words += said;
  }
  return plain(words);
}
const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
const plain = (words: string): string =>
  words.replace(/&([#\w]+);/g, (_, name: string) => entities[name] ?? "").replace(/\s+/g, "");

test("of any two texts each can be read out of what is drawn, beside the other and in one with it", () => {
  fc.assert(
    fc.property(arbitraryDocument, arbitraryDocument, fc.boolean(), (one, other, isRelated) => {
      const after: NodeJson = isRelated
        ? { ...one, content: [...one.content!.slice(1), ...other.content!.slice(0, 1)] }
        : other;
      const parts = drawChanges(one, after);
      const words = (document: NodeJson) => wordsWithout("del", drawText(document));
      const whole = (side: "before" | "after" | "both") =>
        parts.map((part) => ("same" in part ? part.same : part[side])).join("");
      expect(wordsWithout("ins", whole("before"))).toBe(words(one));
      expect(wordsWithout("del", whole("after"))).toBe(words(after));
      expect(wordsWithout("ins", whole("both"))).toBe(words(one));
      expect(wordsWithout("del", whole("both"))).toBe(words(after));
      expect(whole("before")).not.toContain("<ins");
      expect(whole("after")).not.toContain("<del");
    }),
    { numRuns: 300 },
  );
});

test("of any text with itself nothing is marked, and it is drawn as it is", () => {
  fc.assert(
    fc.property(arbitraryDocument, (document) => {
      expect(drawChanges(document, document)).toEqual([
        { same: drawText(document), count: document.content!.length },
      ]);
    }),
    { numRuns: 100 },
  );
});
