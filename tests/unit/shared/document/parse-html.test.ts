import { describe, expect, test, vi } from "vitest";
import { parseHtml, parseHtmlWithImages, type StoredImage } from "../../../../src/server/text/parse-html.ts";
import { DocumentError } from "../../../../src/shared/document/document-error.ts";
import { htmlLimits } from "../../../../src/shared/document/limits.ts";
import { documentToHtml } from "../../../../src/shared/document/to-html.ts";

const read = async (html: string) => documentToHtml(await parseHtml(html));

describe("HTML of other programs is read by its meaning", () => {
  test.each([
    [
      "old tags",
      '<b>a</b><i>b</i><strike>c</strike><ins>d</ins><kbd>e</kbd><font color="red">f</font><big>g</big><mark>h</mark>',
      '<p><strong>a</strong><em>b</em><s>c</s><u>d</u><code>e</code><span style="color: #ff0000;">f</span><span class="ql-size-large">g</span><span style="background-color: #ffff00;">h</span></p>',
    ],
    [
      "styles",
      '<span style="font-weight: 700; font-style: italic; text-decoration: underline line-through; vertical-align: super">a</span>',
      "<p><strong><em><u><s><sup>a</sup></s></u></em></strong></p>",
    ],
    [
      "colours of all kinds",
      '<p><span style="color:#f00">a</span><span style="color: RGBA(0, 0, 255, .5)">b</span><span style="color: rgb(0 128 0 / 100%)">c</span><span style="background: yellow !important">d</span><span style="color: inherit">e</span></p>',
      '<p><span style="color: #ff0000;">a</span><span style="color: #0000ff80;">b</span><span style="color: #008000;">c</span><span style="background-color: #ffff00;">d</span>e</p>',
    ],
    [
      "alignment",
      '<p align="right">a</p><div style="text-align: center">b<p>c</p><p style="text-align: left">d</p></div><center>e</center>',
      '<p class="ql-align-right">a</p><p class="ql-align-center">b</p><p class="ql-align-center">c</p><p>d</p><p class="ql-align-center">e</p>',
    ],
    [
      "Google's bold that is none",
      '<b style="font-weight:normal;" id="docs-internal-guid-1"><p><span style="font-weight:700">a</span>b</p></b>',
      "<p><strong>a</strong>b</p>",
    ],
    [
      "videos of sites with cards",
      '<p>a<iframe title="Owls" src="//www.youtube.com/embed/abcdefghijk?rel=0"></iframe>b</p><iframe class="ql-video" src="https://player.vimeo.com/video/77"></iframe>',
      '<p>a</p><figure class="embed" data-href="https://www.youtube.com/watch?v=abcdefghijk"><a href="https://www.youtube.com/watch?v=abcdefghijk" rel="nofollow noopener ugc">https://www.youtube.com/watch?v=abcdefghijk</a></figure><p>b</p><figure class="embed" data-href="https://vimeo.com/77"><a href="https://vimeo.com/77" rel="nofollow noopener ugc">https://vimeo.com/77</a></figure>',
    ],
    [
      "frames and players of other sites",
      '<iframe title="A map" data-src="https://maps.example/1" src="about:blank"></iframe><object data="data:x"><embed src="https://old.example/a.swf"></object><video><source src="blob:x"><source src="https://video.example/a.mp4"></video><audio src="https://sound.example/a.ogg">none</audio>',
      '<p><a href="https://maps.example/1" rel="nofollow noopener ugc">A map</a></p><p><a href="https://old.example/a.swf" rel="nofollow noopener ugc">https://old.example/a.swf</a></p><p><a href="https://video.example/a.mp4" rel="nofollow noopener ugc">https://video.example/a.mp4</a></p><p><a href="https://sound.example/a.ogg" rel="nofollow noopener ugc">https://sound.example/a.ogg</a></p>',
    ],
    [
      "frames without a page, or that are not visible",
      '<p>a</p><iframe src="javascript:alert(1)"></iframe><iframe srcdoc="b"></iframe><iframe src="https://count.example" width="1" height="1"></iframe><iframe src="https://count.example" style="color:red; display: none"></iframe><video src="blob:x"></video>',
      "<p>a</p>",
    ],
    [
      "pictures that their page loads late",
      '<p><img src="data:image/gif;base64,R0lGOD" data-src="//a.example/1.png"><img src="/blank.gif" srcset="https://a.example/2s.png 1x, https://a.example/2.png 2x"><img data-lazy-src="https://a.example/3.png"><img src="https://a.example/4.png" data-src="x"></p>',
      '<p><img src="https://a.example/1.png" alt="" loading="lazy" decoding="async"><img src="https://a.example/2.png" alt="" loading="lazy" decoding="async"><img src="https://a.example/3.png" alt="" loading="lazy" decoding="async"><img src="https://a.example/4.png" alt="" loading="lazy" decoding="async"></p>',
    ],
    [
      "formulas without their source",
      "<p>a <math><mi>x</mi> <mo>=</mo> <mn>1</mn></math> b</p>",
      "<p>a x = 1 b</p>",
    ],
    ["levels", "<h5>a</h5><h6>b</h6>", '<h5 id="h-a">a</h5><h6 id="h-b">b</h6>'],
    [
      "layout",
      "<article><header><h2>a</h2></header><main>b</main><nav>c</nav><div>d<div>e</div></div><dl><dt>f</dt><dd>g</dd></dl></article>",
      '<h2 id="h-a">a</h2><p>b</p><p>c</p><p>d</p><p>e</p><p><strong>f</strong></p><p>g</p>',
    ],
    [
      "quotation marks, headings by their role, and code with line numbers",
      '<p><q>a</q></p><div role="heading" aria-level="3">b</div><table><tr><td class="gutter"><pre>1\n2</pre></td><td class="code"><pre>c\nd</pre></td></tr></table>',
      '<p>“a”</p><h3 id="h-b">b</h3><pre class="ql-syntax" spellcheck="false">c\nd\n</pre>',
    ],
    [
      "a figure",
      '<figure><a href="https://example.org/"><img src="https://example.org/a.png"></a><figcaption>cap</figcaption></figure>',
      '<figure><a href="https://example.org/" rel="nofollow noopener ugc"><img src="https://example.org/a.png" alt="" loading="lazy" decoding="async"></a><figcaption>cap</figcaption></figure>',
    ],
    [
      "figures as programs nest them",
      '<figure class="wp-block-image alignwide" style="text-align:center"><div><picture><source srcset="x 1w"><img src="https://example.org/a.png"></picture><svg><text>no</text></svg></div><figcaption class="c" style="text-align:center"><p>one <b>two</b></p><p>three</p></figcaption></figure><a href="https://example.org/"><figure class="kg-width-full"><img src="https://example.org/b.png"></figure></a>',
      '<figure class="figure-wide"><img src="https://example.org/a.png" alt="" loading="lazy" decoding="async"><figcaption>one <strong>two</strong> three</figcaption></figure><figure class="figure-full"><a href="https://example.org/" rel="nofollow noopener ugc"><img src="https://example.org/b.png" alt="" loading="lazy" decoding="async"></a></figure>',
    ],
    [
      "what else is called a figure",
      '<figure><table><tr><td>a</td></tr></table><figcaption align="center">b</figcaption></figure><figure><figure><img src="https://example.org/a.png"></figure><figcaption>c</figcaption></figure><figure><img src="javascript:1"><figcaption>d</figcaption></figure><figcaption>e</figcaption><div class="figure-pair"><p>f</p></div>',
      '<table><tbody><tr><td><p>a</p></td></tr></tbody></table><p class="ql-align-center">b</p><figure><img src="https://example.org/a.png" alt="" loading="lazy" decoding="async"></figure><p>c</p><p>d</p><p>e</p><p>f</p>',
    ],
    [
      "an item that begins with a figure",
      '<ul><li><figure><img src="https://example.org/a.png"></figure>b</li></ul>',
      '<ul><li><p><br></p><figure><img src="https://example.org/a.png" alt="" loading="lazy" decoding="async"></figure><p>b</p></li></ul>',
    ],
    [
      "items that begin with a block",
      "<ul><li><h3>a</h3>b</li><li><pre>c</pre></li></ul>",
      '<ul><li><p><br></p><h3 id="h-a">a</h3><p>b</p></li><li><p><br></p><pre class="ql-syntax" spellcheck="false">c\n</pre></li></ul>',
    ],
    [
      "lists right in lists",
      "<ul><li>a</li><ul><li>b</li></ul></ul><ul><ul><li>c</li></ul></ul>",
      "<ul><li><p>a</p><ul><li><p>b</p></li></ul></li></ul><ul><li><p><br></p><ul><li><p>c</p></li></ul></li></ul>",
    ],
    [
      "tables",
      "<table><caption>cap</caption><colgroup><col></colgroup><thead><tr><th>a<th>b</thead><tr><td colspan=2 align=right>c</table>",
      '<p>cap</p><table><tbody><tr><th><p>a</p></th><th><p>b</p></th></tr><tr><td colspan="2"><p class="ql-align-right">c</p></td></tr></tbody></table>',
    ],
    [
      "code of other kinds",
      '<pre><code class="hljs language-rust,ignore"><span>let</span> a;\n</code></pre><pre class="lang-C++">a<br>b<div>c</div></pre>',
      '<pre class="ql-syntax" spellcheck="false" data-language="rust">let a;\n</pre><pre class="ql-syntax" spellcheck="false" data-language="c++">a\nb\nc\n</pre>',
    ],
    [
      "lines and spaces",
      "<p>\n  a\n  <b> b </b>\n</p>\n\n<p>c<br>\nd<br></p>",
      "<p>a <strong>b</strong></p><p>c<br>d</p>",
    ],
    [
      "breaks between blocks",
      "<br><p>a</p><br><br><b><br><p>b</p>\n<br></b><br><br><p>c<br><br>d</p>e<br><br>f<br><br><div>g</div><br><br>",
      "<p>a</p><p><strong>b</strong></p><p>c<br><br>d</p><p>e<br><br>f<br><br></p><p>g</p>",
    ],
    [
      "whole pages",
      "<!DOCTYPE html><html><head><title>t</title><style>p{}</style></head><body><p>a</p></body></html>",
      "<p>a</p>",
    ],
    [
      "capitals",
      '<P ALIGN=CENTER>a <A HREF="https://example.org/">b</A></P>',
      '<p class="ql-align-center">a <a href="https://example.org/" rel="nofollow noopener ugc">b</a></p>',
    ],
    [
      "tags and attributes no one knows",
      "<x-a>a</x-a><constructor>b</constructor><p __proto__=1 constructor=2>c</p>",
      "<p>ab</p><p>c</p>",
    ],
  ])("%s", async (_what, html, expected) => {
    expect(await read(html)).toBe(expected);
  });
});

describe("HTML beyond a limit is refused at once, with a reason", () => {
  test.each([
    ["ten megabytes", () => "x".repeat(10_000_000), /too long: at most 2,000,000 characters of HTML/],
    [
      "a hundred thousand elements in each other",
      () => "<div>".repeat(100_000),
      /nested too deeply. Up to 256 elements/,
    ],
    [
      "a hundred thousand elements in each other, all closed",
      () => `${"<b>".repeat(49_000)}x${"</b>".repeat(49_000)}`,
      /nested too deeply/,
    ],
    [
      "a hundred quotations in each other",
      () => `${"<blockquote>".repeat(100)}x`,
      /nested too deeply. Lists, quotes and tables can be up to 32/,
    ],
    ["two hundred thousand tags", () => "<br>".repeat(200_000), /too many tags in it: at most 50,000/],
    [
      "a hundred thousand attributes",
      () => `<p ${Array.from({ length: 100_000 }, (_, at) => `A${at}`).join(" ")}>x`,
      /too many attributes/,
    ],
    ["twenty thousand paragraphs", () => "<p>x".repeat(20_000), /too many parts/],
    [
      "many pieces deep in others",
      () => `${"<div>".repeat(200)}${"<b>x</b>".repeat(10_000)}`,
      /nested too deeply/,
    ],
    ["a table of a thousand columns", () => `<table><tr>${"<td>x".repeat(1000)}`, /too wide/],
  ])("%s", { timeout: 10_000 }, async (_what, html, reason) => {
    const refusal = await parseHtml(html()).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(DocumentError);
    expect((refusal as Error).message).toMatch(reason);
    // The next text is parsed as usual.
    expect(await read('<p class="ql-align-center">x</p>')).toBe('<p class="ql-align-center">x</p>');
  });

  test("parses HTML that only looks deep", async () => {
    expect(await read("<p>a".repeat(1000))).toBe("<p>a</p>".repeat(1000));
    expect(await read(`${"<div>".repeat(200)}x`)).toBe("<p>x</p>");
  });

  test("parses HTML that only looks like too much", async () => {
    expect(await read(`<p class="${"a ".repeat(900_000)}">x`)).toBe("<p>x</p>");
    expect(await read("&lt;".repeat(100_000))).toBe(`<p>${"&lt;".repeat(100_000)}</p>`);
  });
});

describe("pictures within the HTML", () => {
  const png = "iVBORw0KGgo=";
  const image = (data: string, attributes = "") => `<img src="${data}"${attributes}>`;

  test("are stored once each and shown from there", async () => {
    const storeImage = vi.fn<(bytes: Buffer, mime: string) => Promise<StoredImage>>(async () => ({
      src: "/media/new.png",
      width: 30,
      height: 20,
    }));
    const data = `data:image/png;base64,${png}`;
    const document = await parseHtmlWithImages(
      `<p>a${image(data, ' alt="x"')}</p><p>${image(data, ' width="15"')}</p>`,
      storeImage,
    );
    expect(documentToHtml(document)).toBe(
      '<p>a<img src="/media/new.png" alt="x" width="30" height="20" loading="lazy" decoding="async"></p><p><img src="/media/new.png" alt="" width="15" loading="lazy" decoding="async"></p>',
    );
    expect(storeImage.mock.calls).toEqual([[Buffer.from(png, "base64"), "image/png"]]);
  });

  test("are replaced by their description where they cannot be stored", async () => {
    const document = await parseHtmlWithImages(
      `<p>a ${image(`data:image/png;base64,${png}`, ' alt="a cat"')} ${image("data:text/html;base64,AAAA", ' alt="b"')} ${image("data:image/svg+xml,<svg>")}</p>`,
      async () => null,
    );
    expect(documentToHtml(document)).toBe("<p>a a cat b</p>");
  });

  test("are not stored when they have an address, and addresses of the site become paths", async () => {
    const storeImage = vi.fn<() => Promise<null>>(async () => null);
    const html = `<p>${image("https://blog.example/media/a.png")}${image("https://other.example/b.png")}</p>`;
    const document = await parseHtmlWithImages(html, storeImage, { origin: "https://blog.example" });
    expect(documentToHtml(document)).toMatch(/src="\/media\/a.png".*src="https:\/\/other.example\/b.png"/);
    expect(storeImage).not.toHaveBeenCalled();
  });

  test("are limited in number and size", async () => {
    const storeImage = async () => ({ src: "/media/a.png", width: 1, height: 1 });
    const many = Array.from({ length: htmlLimits.dataImages + 1 }, (_, at) =>
      image(`data:image/png;base64,${Buffer.from(String(at)).toString("base64")}`),
    );
    await expect(parseHtmlWithImages(many.slice(1).join(""), storeImage)).resolves.toMatchObject({
      type: "doc",
    });
    await expect(parseHtmlWithImages(many.join(""), storeImage)).rejects.toThrow(
      /too many pictures. You can send up to 50/,
    );
    const large = image(`data:image/png;base64,${"A".repeat(12 * 1024 * 1024)}`);
    await expect(parseHtmlWithImages(large, storeImage)).rejects.toThrow(
      /picture in it that is too large: at most 8 MB/,
    );
    await expect(
      parseHtmlWithImages("x".repeat(htmlLimits.lengthWithImages + 1), storeImage),
    ).rejects.toThrow(DocumentError);
  });

  test("are dropped where no pictures are stored", async () => {
    expect(await read(`<p>a${image(`data:image/png;base64,${png}`)}</p>`)).toBe("<p>a</p>");
  });
});

describe("footnotes of other programs", () => {
  test.each([
    [
      "GitHub's",
      '<p>a<sup><a href="#user-content-fn-1" id="user-content-fnref-1" data-footnote-ref>1</a></sup></p><section data-footnotes class="footnotes"><h2 class="sr-only">Footnotes</h2><ol><li id="user-content-fn-1"><p>b <a href="#user-content-fnref-1" class="data-footnote-backref">↩</a></p></li></ol></section>',
    ],
    [
      "Pandoc's and kramdown's",
      '<p>a<sup id="fnref:1"><a href="#fn:1" class="footnote">1</a></sup></p><div class="footnotes"><hr><ol><li id="fn:1"><p>b&nbsp;<a href="#fnref:1" class="reversefootnote">↩</a></p></li></ol></div>',
    ],
    [
      "WordPress's",
      '<p>a<sup data-fn="1" class="fn"><a href="#1" id="1-link">1</a></sup></p><ol class="wp-block-footnotes"><li id="1">b <a href="#1-link">↩︎</a></li></ol>',
    ],
  ])("%s", async (_what, html) => {
    const [text, notes] = (await parseHtml(html)).content ?? [];
    expect(text?.content?.at(-1)).toEqual({ type: "footnote_ref", attrs: { note: "1" } });
    expect(notes).toMatchObject({
      type: "footnotes",
      content: [{ attrs: { note: "1" }, content: [{ content: [{ type: "text", text: "b" }] }] }],
    });
  });

  test("are not read from a list of contents", async () => {
    const html = '<ul><li><a href="#one">One</a></li></ul><ol><li id="one">Text</li></ol>';
    expect((await parseHtml(html)).content?.map(({ type }) => type)).toEqual(["bullet_list", "ordered_list"]);
  });

  test("are text in a section without notes, and text beside them is kept", async () => {
    expect((await parseHtml('<section class="footnotes"><p>a</p></section>')).content).toMatchObject([
      { type: "paragraph" },
    ]);
    expect(
      (await parseHtml('<section class="footnotes"><p>a</p><ol><li>b</li></ol></section>')).content,
    ).toMatchObject([{ type: "paragraph" }, { type: "ordered_list" }]);
    // Readers would not see it as a note, since no sign leads there. The site's own notes stay notes.
    expect(
      (await parseHtml('<section class="footnotes"><p>a</p><ol><li data-note="n1">b</li></ol></section>'))
        .content,
    ).toMatchObject([{ type: "paragraph" }, { type: "footnotes" }]);
  });
});

test("joins a summary to one line, and reads one outside of details as a paragraph", async () => {
  expect(
    await read("<details><p>b</p><summary><h3>a</h3><p>c</p></summary></details><summary>d</summary>"),
  ).toBe("<details><summary>a c</summary><p>b</p></details><p>d</p>");
});
