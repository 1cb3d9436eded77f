import { describe, expect, test } from "vitest";
import { parseHtml } from "../../../../src/server/text/parse-html.ts";
import { documentToHtml } from "../../../../src/shared/document/to-html.ts";

const toReaderHtml = async (html: string) => documentToHtml(await parseHtml(html));
const toQuillHtml = async (html: string) => documentToHtml(await parseHtml(html), { lists: "flat" });

describe("returns to a Quill client what it sent", () => {
  // As Quill 1.3.7 writes it; `expected` is the site's form where that differs.
  const fixtures: [string, string, string?][] = [
    [
      "blocks",
      '<h1 class="ql-align-center">T</h1><h4>x</h4><p class="ql-align-right ql-indent-3">y</p><p class="ql-align-justify">z</p>',
      '<h1 class="ql-align-center" id="h-t">T</h1><h4 id="h-x">x</h4><p class="ql-align-right ql-indent-3">y</p><p class="ql-align-justify">z</p>',
    ],
    ["empty lines", "<p>a</p><p><br></p><p><br></p><p>b</p>"],
    ["marks", "<p><strong>b</strong><em>i</em><u>u</u><s>s</s>H<sub>2</sub>O<sup>3</sup><code>c</code></p>"],
    [
      "classes and colours on whatever element is there",
      '<p><strong class="ql-size-large ql-font-serif" style="color: rgb(230, 0, 0); background-color: rgb(255, 255, 0);">x</strong><span class="ql-size-huge">y</span></p>',
      '<p><span class="ql-font-serif"><span class="ql-size-large"><span style="color: #e60000;"><span style="background-color: #ffff00;"><strong>x</strong></span></span></span></span><span class="ql-size-huge">y</span></p>',
    ],
    [
      "links",
      '<p><a href="https://example.org/" target="_blank" rel="noopener noreferrer">x</a></p>',
      '<p><a href="https://example.org/" rel="nofollow noopener ugc">x</a></p>',
    ],
    [
      "pictures",
      '<p>a<img src="/media/a.png" alt="x" width="300">b</p>',
      '<p>a<img src="/media/a.png" alt="x" width="300" loading="lazy" decoding="async">b</p>',
    ],
    ["a list", "<ul><li>a</li><li><strong>b</strong></li><li><br></li></ul>"],
    [
      "an empty line of a list that has a format",
      '<ul><li class="ql-align-center"><br></li><li><br></li></ul>',
    ],
    [
      "an indented list",
      '<ol><li>a</li><li class="ql-indent-1">b</li><li class="ql-indent-2">c</li><li class="ql-indent-2">d</li><li class="ql-indent-1">e</li><li>f</li></ol>',
    ],
    [
      "lists of two kinds in each other",
      '<ol><li>a</li></ol><ul><li class="ql-indent-1">b</li></ul><ol><li class="ql-indent-2">c</li><li>d</li></ol><ul><li>e</li></ul>',
    ],
    [
      "levels that are skipped",
      '<ul><li class="ql-indent-3">a</li><li>b</li><li class="ql-align-center ql-indent-2">c</li><li class="ql-indent-8">d</li></ul>',
    ],
    [
      "a quotation of several lines",
      '<blockquote>a</blockquote><blockquote class="ql-align-right">b</blockquote><p>c</p>',
      '<blockquote><p>a</p><p class="ql-align-right">b</p></blockquote><p>c</p>',
    ],
    ["code", '<pre class="ql-syntax" spellcheck="false">if (a &lt; b) {\n\n  c();\n}\n</pre>'],
    [
      "coloured code",
      '<pre class="ql-syntax" spellcheck="false"><span class="hljs-keyword">let</span> a;\n</pre>',
      '<pre class="ql-syntax" spellcheck="false">let a;\n</pre>',
    ],
  ];

  test.each(fixtures)("%s", async (_what, html, expected) => {
    expect(await toQuillHtml(html)).toBe(expected ?? html);
    expect(await toQuillHtml(expected ?? html)).toBe(expected ?? html);
    // Readers get nested lists of the same document.
    expect(await parseHtml(await toReaderHtml(html))).toEqual(await parseHtml(html));
  });
});

test("renders nested lists for readers and screen readers", async () => {
  expect(
    await toReaderHtml(
      '<ol><li>a</li></ol><ul><li class="ql-indent-1">b</li></ul><ol><li class="ql-indent-2">c</li><li>d</li></ol>',
    ),
  ).toBe("<ol><li><p>a</p><ul><li><p>b</p><ol><li><p>c</p></li></ol></li></ul></li><li><p>d</p></li></ol>");
});

test("returns a list that Quill has no form for as it is", async () => {
  const html = '<ol start="3"><li><p>a</p></li></ol><p>x</p><ul><li><p>a</p><p>b</p></li></ul>';
  expect(await toQuillHtml(html)).toBe(html);
});

test("reads the lists of Quill 2, all in one <ol>, by the kind of each item", async () => {
  const ui = '<span class="ql-ui" contenteditable="false"></span>';
  const html = `<ol><li data-list="bullet">${ui}a</li><li data-list="ordered" class="ql-indent-1">${ui}b</li><li data-list="unchecked">${ui}c</li></ol>`;
  expect(await toReaderHtml(html)).toBe(
    '<ul><li><p>a</p><ol><li><p>b</p></li></ol></li><li data-checked="false"><input type="checkbox" aria-label="Done" disabled=""><p>c</p></li></ul>',
  );
});

test("returns the task lists of Quill 2 unchanged, also among other lists and nested", async () => {
  for (const html of [
    '<ol><li data-list="checked">a</li><li data-list="unchecked">b</li></ol>',
    '<ul><li>a</li></ul><ol><li data-list="checked">b</li></ol><ul><li class="ql-indent-1">c</li></ul>',
    '<ol><li>a</li><li data-list="unchecked" class="ql-indent-1">b</li><li data-list="checked" class="ql-align-center ql-indent-2">c</li></ol>',
  ]) {
    expect(await toQuillHtml(html)).toBe(html);
    expect(await parseHtml(await toReaderHtml(html))).toEqual(await parseHtml(html));
  }
});

test("reads the task lists of Quill 1, which mark the whole list", async () => {
  expect(await toReaderHtml('<ul data-checked="true"><li>a</li></ul>')).toBe(
    '<ul><li data-checked="true"><input type="checkbox" aria-label="Done" checked="" disabled=""><p>a</p></li></ul>',
  );
});

test("reads the code blocks of Quill 2, an element for each line, with their language", async () => {
  const html =
    '<div class="ql-code-block-container" spellcheck="false"><select class="ql-ui"><option>Rust</option></select>' +
    '<div class="ql-code-block" data-language="rust">fn main() {</div><div class="ql-code-block" data-language="rust"><br></div><div class="ql-code-block" data-language="rust">}</div></div>';
  expect(await parseHtml(html.replace(/<select.*select>/, ""))).toEqual({
    type: "doc",
    content: [
      {
        type: "code_block",
        attrs: { language: "rust" },
        content: [{ type: "text", text: "fn main() {\n\n}" }],
      },
    ],
  });
  expect(await parseHtml(html)).toEqual(await parseHtml(html.replace(/<select.*select>/, "")));
});

test("reads what getSemanticHTML of Quill 2 returns", async () => {
  expect(
    await toReaderHtml('<pre data-language="plain">\na\nb\n</pre><ul><li>x<ol><li>y</li></ol></li></ul>'),
  ).toBe(
    '<pre class="ql-syntax" spellcheck="false">a\nb\n</pre><ul><li><p>x</p><ol><li><p>y</p></li></ol></li></ul>',
  );
});

test("replaces an embedded video by a link", async () => {
  expect(await toReaderHtml('<p>a</p><iframe class="ql-video" src="https://video.example/1"></iframe>')).toBe(
    '<p>a</p><p><a href="https://video.example/1" rel="nofollow noopener ugc">https://video.example/1</a></p>',
  );
});

test("drops the cursor that Quill sometimes leaves behind", async () => {
  expect(await toReaderHtml('<p>a<strong><span class="ql-cursor">\ufeff</span></strong></p>')).toBe(
    "<p>a</p>",
  );
});
