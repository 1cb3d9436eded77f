import fc from "fast-check";
import { expect, test } from "vitest";
import { markdownAsHtml, roundTripMarkdown } from "../../../../src/server/exports/markdown.ts";
import { markdownToDocument } from "../../../../src/server/imports/markdown/markdown.ts";
import { parseHtml } from "../../../../src/server/text/parse-html.ts";
import { checkDocument } from "../../../../src/shared/document/check.ts";
import { withNumberedNotes } from "../../../../src/shared/document/note-keys.ts";
import type { NodeJson } from "../../../../src/shared/document/schema.ts";
import { arbitraryDocument } from "./arbitrary-document.ts";

const reparse = async (markdown: string) =>
  (await markdownToDocument(markdown, { resolveImage: (src) => ({ src, width: 0, height: 0 }) })).document;

const toMarkdown = async (html: string) => (await roundTripMarkdown(await parseHtml(html))).trimEnd();

test("writes Markdown as people write it, and HTML for what Markdown cannot express", async () => {
  const same = {
    "<h2>Of owls</h2><p>They <strong>fly</strong> <em>softly</em>, <s>loudly</s> by <code>night()</code>.</p>":
      "## Of owls\n\nThey **fly** _softly_, ~~loudly~~ by `night()`.",
    '<p>See <a href="https://example.org/a">here</a>.<br>And there.</p>':
      "See [here](<https://example.org/a>).\\\nAnd there.",
    "<ul><li>one<ol><li>two</li></ol></li><li>three</li></ul>": "- one\n  1. two\n- three",
    "<ul><li>one</li></ul><ul><li>two</li></ul>": "- one\n\n* two",
    "<blockquote><p>A</p><p>B</p></blockquote><hr>": "> A\n>\n> B\n\n---",
    '<pre data-language="rust">let a;\n\n```\n</pre>': "````rust\nlet a;\n\n```\n````",
    "<table><tr><th>a</th><th>b</th></tr><tr><td>1 | 2</td><td></td></tr></table>":
      "| a | b |\n| --- | --- |\n| 1 \\| 2 |  |",
    "<p>1. is no list, nor # a heading, nor *this* https://example.org</p>":
      "1\\. is no list, nor # a heading, nor \\*this\\* https\\://example.org",
    '<p>E<sup>2</sup> <span style="color: #e60000">red</span> un<strong>believ</strong>able</p>':
      'E<sup>2</sup> <span style="color: #e60000;">red</span> un<strong>believ</strong>able',
    '<ul><li data-checked="true"><p>Bread</p></li><li data-checked="false"><p>Soup</p></li><li><p>Salt</p></li></ul>':
      "- [x] Bread\n- [ ] Soup\n- Salt",
    "<h5>Five</h5><h6>Six</h6>": "##### Five\n\n###### Six",
    '<aside class="callout callout-tip"><p>Look up.</p><ul><li>Now</li></ul></aside>':
      "> [!TIP]\n> Look up.\n>\n> - Now",
    "<details><summary>More <em>owls</em></summary><p>They <b>fly</b>.</p><ul><li>Far</li></ul></details>":
      "<details><summary>More <em>owls</em></summary>\n\nThey **fly**.\n\n- Far\n\n</details>",
    '<p>Owls<sup class="footnote-ref" data-note="k3f9"></sup> fly.</p><section class="footnotes"><ol><li data-note="k3f9"><p>Some.</p><p>Not all.</p></li></ol></section>':
      "Owls[^1] fly.\n\n[^1]: Some.\n\n    Not all.",
    '<p class="ql-align-center">In the middle</p>': '<p class="ql-align-center">In the middle</p>',
    '<p><img src="https://example.org/a.png" alt="An owl"></p>': "![An owl](<https://example.org/a.png>)",
  };
  for (const [html, markdown] of Object.entries(same)) expect(await toMarkdown(html), html).toBe(markdown);
});

test("any document is the same after it was written as Markdown and read again", async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryDocument, async (document) => {
      expect(await reparse(await roundTripMarkdown(document))).toEqual(withNumberedNotes(document));
    }),
    { numRuns: 400 },
  );
});

test("keeps words that a static site generator would take for its own syntax", async () => {
  const snippets = [
    "Use {% if x %} and {{ site.url }} here",
    "{% post_url 2020-01-01-a %}",
    '{% include figure src="a.png" %}',
    "{{< ref a >}} {{% note %}} {{ f(x) }} {%raw%}{%endraw%} {%- highlight c -%}x{%- endhighlight -%}",
    "![an owl](a.png =10x20) ![an owl](a.png){width=10}",
    "{: .lead}",
    "A part {#part .wide}",
    "Words {.wide key=v} ![an owl](a.png){ width=10 #it}",
    "{:toc}",
    "::: warning",
    "- [ ] nothing",
    "`a` \\` {{ b }} ` {{ c }}",
  ];
  const escaped = snippets.map((text) => text.replaceAll("<", "&lt;").replaceAll('"', "&quot;"));
  const contexts = [
    (text: string) => `<p>${text}</p>`,
    (text: string) => `<p class="ql-align-center">${text}</p>`,
    (text: string) => `<h2>${text}</h2><ul><li>${text}</li></ul>`,
    (text: string) => `<p>\\ <code>${text}</code> and <b>so</b><u>${text}</u></p>`,
    (text: string) =>
      `<pre>${text}</pre><blockquote><pre>${text}</pre></blockquote><ul><li>a<pre>${text}</pre></li></ul>`,
    (text: string) => `<table><tr><th>${text}</th></tr><tr><td>${text}</td></tr></table>`,
    (text: string) => `<p><img src="https://example.org/a.png" alt="${text}">${text}</p>`,
    (text: string) => `<p><a href="https://example.org/?${text}" title="${text}">here</a></p>`,
  ];
  for (const text of escaped)
    for (const context of contexts) {
      const document = await parseHtml(context(text));
      for (const write of [roundTripMarkdown, markdownAsHtml])
        expect(await reparse(await write(document)), context(text)).toEqual(document);
    }
});

test("keeps the words of static site generators in any document", async () => {
  const bit = fc.constantFrom(
    ..."{{ }} {% %} {: { } ![ ]( ) [x] ::: raw highlight endhighlight ruby ` ``` ~~~ \\ include site.url = 10x20 < > % - 1. a".split(
      " ",
    ),
    " ",
    '"',
    "{{< highlight c >}}",
    "{% highlight c %}",
    "{% x %}",
    "![a](b =1x2)",
    "- [ ] a",
  );
  const texts = fc.array(fc.array(bit, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(arbitraryDocument, texts, async (original, words) => {
      let at = 0;
      const withWords = (node: NodeJson): NodeJson => ({
        ...node,
        ...(node.text !== undefined && { text: words[at++ % words.length]?.join("") ?? "" }),
        ...(node.content && { content: node.content.map(withWords) }),
      });
      const checked = checkDocument(withWords(original));
      if (!checked.ok) throw new Error(checked.reason);
      const { document } = checked;
      expect(await reparse(await roundTripMarkdown(document))).toEqual(withNumberedNotes(document));
      expect(await reparse(await markdownAsHtml(document))).toEqual(document);
    }),
    { numRuns: 300 },
  );
});
