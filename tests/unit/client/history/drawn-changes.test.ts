import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { renderChanges, renderText } from "../../../../src/client/history/render-changes.ts";
import type { NodeJson } from "../../../../src/shared/document/schema.ts";
import { paragraphs } from "../../../support/sample-content.ts";
import { arbitraryDocument } from "../../shared/document/arbitrary-document.ts";

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

/** The rendered parts: the number of unchanged blocks, or the HTML with both versions in one. */
const inline = (before: NodeJson, after: NodeJson) =>
  renderChanges(before, after).map((part) => ("same" in part ? part.count : part.both));
const bothSides = (before: NodeJson, after: NodeJson) =>
  renderChanges(before, after).flatMap((part) => ("same" in part ? [] : [[part.before, part.after]]));

describe("the changes between two texts", () => {
  test("mark deleted and inserted words, inline and side by side", () => {
    const [before, after] = [paragraphs("Owls hunt at night."), paragraphs("Owls sing at night, mostly.")];
    expect(inline(before, after)).toEqual([
      "<p>Owls <del>hunt</del><ins>sing</ins> at night<ins>, mostly</ins>.</p>",
    ]);
    expect(bothSides(before, after)).toEqual([
      ["<p>Owls <del>hunt</del> at night.</p>", "<p>Owls <ins>sing</ins> at night<ins>, mostly</ins>.</p>"],
    ]);
  });

  test("count unchanged blocks, and mark only the paragraph inserted between them", () => {
    expect(
      inline(paragraphs("One.", "Two.", "Three."), paragraphs("One.", "Two.", "A new one.", "Three.")),
    ).toEqual([2, '<ins class="change-block"><p>A new one.</p></ins>', 1]);
    expect(inline(paragraphs("One."), paragraphs("One."))).toEqual([1]);
  });

  test("match a moved paragraph by its words, not by its position", () => {
    const long = "The owls of the northern woods hunt along the river at night.";
    expect(
      inline(paragraphs("Quite another thing.", long), paragraphs(long.replace("northern", "old"), "12345")),
    ).toEqual([
      '<del class="change-block"><p>Quite another thing.</p></del>',
      "<p>The owls of the <del>northern</del><ins>old</ins> woods hunt along the river at night.</p>",
      '<ins class="change-block"><p>12345</p></ins>',
    ]);
  });

  test("mark paragraphs without common words as deleted and inserted as a whole", () => {
    expect(bothSides(paragraphs("Owls hunt at night."), paragraphs("Zyx 123."))).toEqual([
      [
        '<del class="change-block"><p>Owls hunt at night.</p></del>',
        '<ins class="change-block"><p>Zyx 123.</p></ins>',
      ],
    ]);
  });

  test("mark changed formatting and a changed kind of block", () => {
    const paragraph = (...content: NodeJson[]) => doc(block("paragraph", null, ...content));
    expect(
      inline(paragraph(text("Owls hunt.")), paragraph(text("Owls "), text("hunt", "strong"), text("."))),
    ).toEqual(["<p>Owls <del>hunt</del><ins><strong>hunt</strong></ins>.</p>"]);
    const heading = (level: number) => doc(block("heading", { level }, text("Owls")));
    expect(inline(heading(1), heading(2))).toEqual([
      '<del class="change-block"><h1>Owls</h1></del><ins class="change-block"><h2>Owls</h2></ins>',
    ]);
  });

  test("compare lists by item, tables by row and code by line", () => {
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

  test("mark an image as replaced when its address differs", () => {
    const picture = (id: string) =>
      doc(block("paragraph", null, { type: "image", attrs: { src: `/media/${id}.png`, alt: id } }));
    const [html] = inline(picture("a"), picture("b"));
    expect(html).toMatch(
      /^<p><del><img src="\/media\/a.png"[^>]*><\/del><ins><img src="\/media\/b.png"[^>]*><\/ins><\/p>$/,
    );
  });

  test("escape HTML in the text", () => {
    const [html] = inline(paragraphs("a"), paragraphs("<img src=x onerror=alert(1)><script>"));
    expect(html).not.toMatch(/<(img|script)/);
  });

  test("are computed within 20 seconds for two long, entirely different texts", () => {
    const long = (prefix: string) =>
      paragraphs(...Array.from({ length: 400 }, (_, at) => `${prefix}${at} `.repeat(60)));
    const start = performance.now();
    expect(renderChanges(long("a"), long("b")).length).toBeGreaterThan(0);
    expect(performance.now() - start).toBeLessThan(20_000);
  });
});

/** Returns the text of `html` outside its `omitted` elements. */
function wordsWithout(omitted: "ins" | "del", html: string): string {
  let depth = 0;
  let words = "";
  for (const [, end, name, content] of html.matchAll(/<(\/?)(\w+)[^>]*>|([^<]+)/g)) {
    if (name === omitted) depth += end ? -1 : 1;
    else if (content !== undefined && depth === 0) words += content;
  }
  return plain(words);
}
const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
const plain = (words: string): string =>
  words.replace(/&([#\w]+);/g, (_, name: string) => entities[name] ?? "").replace(/\s+/g, "");

test("renders changes from which both texts can be read back, inline and side by side", () => {
  fc.assert(
    fc.property(arbitraryDocument, arbitraryDocument, fc.boolean(), (one, other, isRelated) => {
      const after: NodeJson = isRelated
        ? { ...one, content: [...one.content!.slice(1), ...other.content!.slice(0, 1)] }
        : other;
      const parts = renderChanges(one, after);
      const words = (document: NodeJson) => wordsWithout("del", renderText(document));
      const htmlOf = (side: "before" | "after" | "both") =>
        parts.map((part) => ("same" in part ? part.same : part[side])).join("");
      expect(wordsWithout("ins", htmlOf("before"))).toBe(words(one));
      expect(wordsWithout("del", htmlOf("after"))).toBe(words(after));
      expect(wordsWithout("ins", htmlOf("both"))).toBe(words(one));
      expect(wordsWithout("del", htmlOf("both"))).toBe(words(after));
      expect(htmlOf("before")).not.toContain("<ins");
      expect(htmlOf("after")).not.toContain("<del");
    }),
    { numRuns: 300 },
  );
});

test("marks nothing when a text is compared with itself", () => {
  fc.assert(
    fc.property(arbitraryDocument, (document) => {
      expect(renderChanges(document, document)).toEqual([
        { same: renderText(document), count: document.content!.length },
      ]);
    }),
    { numRuns: 100 },
  );
});
