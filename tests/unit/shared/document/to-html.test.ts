import { expect, test } from "vitest";
import { parseHtml } from "../../../../src/server/text/parse-html.ts";
import type { DocumentJson, NodeJson } from "../../../../src/shared/document/schema.ts";
import { documentToHtml, type HtmlOptions } from "../../../../src/shared/document/to-html.ts";

const render = async (html: string, options?: HtmlOptions) => documentToHtml(await parseHtml(html), options);
const doc = (...content: NodeJson[]): DocumentJson => ({ type: "doc", content });

test("gives headings readable, unique ids that cannot clash with the page's", async () => {
  expect(
    await render(
      "<h1>What's new?</h1><h2>What’s new</h2><h2>What’s new 2</h2><h2>What’s new</h2><h3>Größe 日本</h3><h4>…</h4><h4></h4><h1>location</h1>",
    ),
  ).toBe(
    [
      '<h1 id="h-what-s-new">What&#39;s new?</h1>',
      '<h2 id="h-what-s-new-2">What’s new</h2>',
      '<h2 id="h-what-s-new-2-2">What’s new 2</h2>',
      '<h2 id="h-what-s-new-3">What’s new</h2>',
      '<h3 id="h-größe-日本">Größe 日本</h3>',
      '<h4 id="h-heading">…</h4>',
      '<h4 id="h-heading-2"><br></h4>',
      '<h1 id="h-location">location</h1>',
    ].join(""),
  );
});

test("renders pictures that load lazily, with their size where it is known", async () => {
  const image = (src: string) =>
    src === "/media/a.png"
      ? {
          src: "/media/a-800.webp",
          srcset: "/media/a-400.webp 400w, /media/a-800.webp 800w",
          sizes: "100vw",
          width: 800,
          height: 600,
        }
      : null;
  expect(await render('<img src="/media/a.png" alt="A &quot;b&quot;">', { image })).toBe(
    '<p><img src="/media/a-800.webp" alt="A &quot;b&quot;" width="800" height="600" srcset="/media/a-400.webp 400w, /media/a-800.webp 800w" sizes="100vw" loading="lazy" decoding="async"></p>',
  );
  expect(await render('<img src="https://example.org/b.png">', { image })).toBe(
    '<p><img src="https://example.org/b.png" alt="" loading="lazy" decoding="async"></p>',
  );
});

test("keeps a width that the author chose, and derives the height from the picture's shape", async () => {
  const html = await render('<img src="/media/a.png" width="400">', {
    image: (src) => ({ src, width: 800, height: 601 }),
  });
  expect(html).toContain('width="400" height="301"');
});

test("renders links to other sites as nofollow, and the site's own as ordinary links", async () => {
  const html =
    '<p><a href="https://other.example/">o</a> <a href="https://blog.example/home">s</a> <a href="https://blog.example.evil/">e</a></p>';
  expect(await render(html, { origin: "https://blog.example" })).toBe(
    '<p><a href="https://other.example/" rel="nofollow noopener ugc">o</a> <a href="https://blog.example/home">s</a> <a href="https://blog.example.evil/" rel="nofollow noopener ugc">e</a></p>',
  );
});

test("renders one element around a run of text with a common mark", () => {
  const text = (value: string, ...marks: string[]) => ({
    type: "text",
    text: value,
    marks: marks.map((type) => ({ type })),
  });
  expect(
    documentToHtml(
      doc({
        type: "paragraph",
        content: [text("a", "strong"), text("b", "strong", "em"), text("c", "em"), text("d")],
      }),
    ),
  ).toBe("<p><strong>a<em>b</em></strong><em>c</em>d</p>");
});

test("keeps the line of a paragraph without text, and shows a break at the end", () => {
  expect(
    documentToHtml(
      doc(
        { type: "paragraph" },
        { type: "paragraph", content: [{ type: "text", text: "a" }, { type: "hard_break" }] },
      ),
    ),
  ).toBe("<p><br></p><p>a<br><br></p>");
});

test("preserves spaces that HTML would collapse", () => {
  const paragraph = (text: string) =>
    documentToHtml(doc({ type: "paragraph", content: [{ type: "text", text }] }));
  expect(paragraph("a b")).toBe("<p>a b</p>");
  expect(paragraph("a  b")).toBe('<p style="white-space: pre-wrap;">a  b</p>');
});

test("keeps the first and last empty lines of code visible in a browser", () => {
  const code = (text: string) =>
    documentToHtml(
      doc({ type: "code_block", attrs: { language: "rust" }, content: text ? [{ type: "text", text }] : [] }),
    );
  expect(code("a < b")).toBe(
    '<pre class="ql-syntax" spellcheck="false" data-language="rust">a &lt; b\n</pre>',
  );
  expect(code("\na\n")).toBe(
    '<pre class="ql-syntax" spellcheck="false" data-language="rust">\n\na\n\n</pre>',
  );
  expect(code("")).toBe('<pre class="ql-syntax" spellcheck="false" data-language="rust">\n\n</pre>');
});

test("renders the spans and widths of table cells", async () => {
  expect(
    await render(
      '<table><tr><th colspan="2" data-colwidth="100,50">h</th></tr><tr><td rowspan="2">a</td><td>b</td></tr></table>',
    ),
  ).toBe(
    '<table><tbody><tr><th colspan="2" data-colwidth="100,50"><p>h</p></th></tr><tr><td rowspan="2"><p>a</p></td><td><p>b</p></td></tr></tbody></table>',
  );
});

test("continues the numbers of footnotes in a further list", async () => {
  const note = (key: string) => `<li data-note="${key}"><p>${key}</p></li>`;
  const notes = (...keys: string[]) =>
    `<section class="footnotes"><ol>${keys.map(note).join("")}</ol></section>`;
  const sign = (key: string) => `<sup class="footnote-ref" data-note="${key}"></sup>`;
  const text = `<p>${["a", "b", "c", "d"].map(sign).join("")}</p>${notes("a", "b")}<p>More.</p>${notes("c", "d")}`;
  const html = await render(text);
  expect([...html.matchAll(/<li[^>]*>/g)].map(([tag]) => / value="(\d)"/.exec(tag)?.[1])).toEqual([
    undefined,
    undefined,
    "3",
    undefined,
  ]);
  expect([...html.matchAll(/doc-noteref">(\d)</g)].map(([, number]) => number)).toEqual(["1", "2", "3", "4"]);
  expect(await parseHtml(html)).toEqual(await parseHtml(text));
});

test("numbers footnotes in the order of their references after a text was moved, and lists them so", async () => {
  const note = (key: string, more = "") => `<li data-note="${key}"><p>${key}${more}</p></li>`;
  const sign = (key: string) => `<sup class="footnote-ref" data-note="${key}"></sup>`;
  const list = (...notes: string[]) => `<section class="footnotes"><ol>${notes.join("")}</ol></section>`;
  const html = await render(
    `<p>Two${sign("b")}</p><p>One${sign("a")}${sign("b")}</p>${list(note("lost"), note("a", sign("c")), note("c"), note("b"))}`,
  );
  expect([...html.matchAll(/doc-noteref">(\d)</g)].map(([, number]) => number)).toEqual(["1", "2", "1", "3"]);
  expect([...html.matchAll(/<li data-note="(\w+)"/g)].map(([, key]) => key)).toEqual(["b", "a", "c", "lost"]);
});
