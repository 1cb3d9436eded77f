import { parseHTML } from "linkedom";
import { describe, expect, test } from "vitest";
import { parseHtml } from "../../../../src/server/text/parse-html.ts";
import { checkDocument } from "../../../../src/shared/document/check.ts";
import { documentToHtml } from "../../../../src/shared/document/to-html.ts";

const vectors = [
  "<script>alert(1)</script>",
  "<SCRIPT SRC=https://evil.example/x.js></SCRIPT>",
  "<scr<script>ipt>alert(1)</scr</script>ipt>",
  "<script\n>alert(1)</script\n>",
  "<script/x>alert(1)</script>",
  "<<script>alert(1);//<</script>",
  "<img src=x onerror=alert(1)>",
  '<img src="https://example.org/a.png" onerror="alert(1)" onload=alert(2)>',
  "<IMG SRC=javascript:alert(1)>",
  '<img src="jav&#x09;ascript:alert(1)">',
  '<img src="data:image/svg+xml,<svg onload=alert(1)>">',
  '<img src="data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==">',
  '<img src="/media/../admin">',
  '<img src="/media//evil.example/x">',
  '<img src="//evil.example/x.png">',
  '<img src="https://example.org/&quot; onerror=&quot;alert(1)">',
  '<img alt="&quot;><script>alert(1)</script>" src="https://example.org/a.png">',
  '<img title="&quot; onload=&quot;alert(1)" src="https://example.org/a.png">',
  '<img src="https://example.org/a.png" width="1&quot; onload=&quot;alert(1)" srcset="javascript:alert(1)">',
  '<img src="https://example.org/a.png" style="background:url(javascript:alert(1))">',
  '<a href="javascript:alert(1)">x</a>',
  '<a href=" &#1; javascript:alert(1)">x</a>',
  '<a href="java\nscript:alert(1)">x</a>',
  '<a href="java&#x0A;script:alert(1)">x</a>',
  '<a href="java&Tab;script:alert(1)">x</a>',
  '<a href="&#106;&#97;vascript:alert(1)">x</a>',
  '<a href="JaVaScRiPt:alert(1)">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<a href="blob:https://example.org/x">x</a>',
  '<a href="file:///etc/passwd">x</a>',
  '<a href="//evil.example">x</a>',
  '<a href="\\\\evil.example">x</a>',
  '<a href="https:javascript:alert(1)">x</a>',
  '<a href="https:///\\evil">x</a>',
  '<a href="https://example.org/&quot; onclick=&quot;alert(1)">x</a>',
  '<a href="https://example.org" onclick="alert(1)" onmouseover=alert(2) target=_self>x</a>',
  '<a href="https://example.org" title="&quot;><img src=x onerror=alert(1)>">x</a>',
  '<a href="mailto:a@b.c?subject=&quot; onclick=&quot;x">x</a>',
  '<a xlink:href="javascript:alert(1)">x</a>',
  "<svg onload=alert(1)><script>alert(1)</script></svg>",
  "<svg><a xlink:href='javascript:alert(1)'><text>x</text></a></svg>",
  "<svg><style><img src=x onerror=alert(1)></style></svg>",
  "<svg><foreignObject><p onclick=alert(1)>x</p></foreignObject></svg>",
  "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>",
  "<math href='javascript:alert(1)'>x</math>",
  "<iframe src=javascript:alert(1)></iframe>",
  '<iframe class="ql-video" src="javascript:alert(1)"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  "<object data=javascript:alert(1)></object><embed src=javascript:alert(1)>",
  "<form action=javascript:alert(1)><input type=submit formaction=javascript:alert(1)><button>x</button></form>",
  "<base href=https://evil.example/><link rel=stylesheet href=https://evil.example/x.css>",
  '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
  "<style>@import 'https://evil.example/x.css'; * { color: red }</style>",
  '<p style="background-image:url(https://evil.example/x);behavior:url(x);-moz-binding:url(x)">x</p>',
  '<p style="color: expression(alert(1)); background-color: red;} body { display:none">x</p>',
  '<p style="color:red\\"; onclick=alert(1) x=\\"">x</p>',
  '<span style="color: url(javascript:alert(1)); background: url(https://evil.example)">x</span>',
  '<span style="color: var(--x); background-color: #fff&quot; onclick=&quot;alert(1)">x</span>',
  '<p class="ql-align-center&quot; onclick=&quot;alert(1)">x</p>',
  '<p class="ql-indent-99 admin-menu modal" id="app" name="body">x</p>',
  '<pre class="ql-syntax" data-language="x&quot; onclick=&quot;alert(1)"><script>alert(1)</script></pre>',
  '<pre><code class="language-&quot;><script>alert(1)</script>">&lt;script&gt;alert(1)&lt;/script&gt;</code></pre>',
  '<h1 id="getElementById" onclick=alert(1)>"><script>alert(1)</script></h1>',
  "<h1>constructor</h1><h2>__proto__</h2><h3>body</h3>",
  '<ol start="1&quot; onclick=&quot;alert(1)"><li onclick=alert(1) value=x>x</li></ol>',
  '<table background="javascript:alert(1)"><tr><td colspan="2&quot; onclick=&quot;x" background=x onclick=alert(1)>x</td></tr></table>',
  '<td data-colwidth="1,&quot;><script>alert(1)</script>">x</td>',
  "<!--<img src='--><img src=x onerror=alert(1)//'>",
  "<![CDATA[<script>alert(1)</script>]]>",
  "<?xml version='1.0'?><script>alert(1)</script>",
  "<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>",
  "<title><script>alert(1)</script></title><textarea><script>alert(1)</script></textarea>",
  "<template><script>alert(1)</script></template>",
  "<xmp><script>alert(1)</script></xmp><plaintext><script>alert(1)</script>",
  "<x-element onclick=alert(1) is=x>x</x-element>",
  "<details open ontoggle=alert(1)><summary onclick=alert(1)>x</summary></details>",
  "<video src=x onerror=alert(1)><source onerror=alert(1)></video><audio autoplay onplay=alert(1)>",
  "<marquee onstart=alert(1)>x</marquee><body onload=alert(1)>x",
  "&lt;script&gt;alert(1)&lt;/script&gt;",
  "<p>\u0000<scr\u0000ipt>alert(1)</scr\u0000ipt></p>",
  "<p>\ud800<b>\udfff</b></p>",
];

const allowed: Record<string, string[]> = {
  p: ["class", "style"],
  h1: ["id", "class", "style"],
  h2: ["id", "class", "style"],
  h3: ["id", "class", "style"],
  h4: ["id", "class", "style"],
  h5: ["id", "class", "style"],
  h6: ["id", "class", "style"],
  blockquote: ["class"],
  aside: ["class"],
  details: [],
  summary: ["style"],
  section: ["class"],
  input: ["type", "aria-label", "checked", "disabled"],
  ul: [],
  ol: ["start"],
  li: ["class", "style", "data-checked", "data-note", "id"],
  pre: ["class", "spellcheck", "data-language"],
  hr: [],
  br: [],
  table: [],
  tbody: [],
  tr: [],
  td: ["colspan", "rowspan", "data-colwidth"],
  th: ["colspan", "rowspan", "data-colwidth"],
  img: ["src", "alt", "title", "width", "height", "loading", "decoding"],
  a: ["href", "title", "rel", "class", "id", "role", "aria-label"],
  span: ["class", "style"],
  ...Object.fromEntries(["strong", "em", "u", "s", "sub", "code"].map((tag) => [tag, []])),
  sup: ["class", "data-note"],
};

const harmless: Record<string, RegExp> = {
  class:
    /^ql-(align|indent|size|font)-\w+( ql-indent-\d)?$|^(ql-syntax|pull-quote|callout callout-\w+|callout-label|footnotes|footnote-ref|footnote-back)$/,
  style: /^((background-)?color: #[0-9a-f]{6,8}|white-space: pre-wrap);$/,
  href: /^(https?:\/\/|mailto:|tel:|#fn(ref)?-[a-z0-9-]+$)/,
  type: /^checkbox$/,
  "data-note": /^[a-z0-9-]+$/,
  src: /^(https?:\/\/|\/media\/[\w~-])/,
  id: /^(h-[\p{L}\p{M}\p{N}-]+|fn(ref)?-[a-z0-9-]+)$/u,
  "data-language": /^[a-z0-9][a-z0-9+#._-]*$/,
};

function expectHarmless(html: string) {
  const { document } = parseHTML(`<html><body>${html}</body></html>`);
  for (const element of document.body.querySelectorAll("*")) {
    const tag = element.localName;
    expect(Object.keys(allowed)).toContain(tag);
    for (const { name, value } of element.attributes) {
      expect(allowed[tag]).toContain(name);
      if (harmless[name]) expect(value).toMatch(harmless[name]);
    }
  }
}

describe("leaves nothing executable of", () => {
  test.each(vectors)("%s", async (vector) => {
    for (const html of [vector, `<p>before ${vector} after</p>`, `<ul><li>${vector}</li></ul>`]) {
      expectHarmless(documentToHtml(await parseHtml(html)));
      expectHarmless(documentToHtml(await parseHtml(html), { lists: "flat" }));
    }
  });
});

test("keeps the text of a link that is not allowed", async () => {
  expect(documentToHtml(await parseHtml('<p>a <a href="javascript:x">b <strong>c</strong></a></p>'))).toBe(
    "<p>a b <strong>c</strong></p>",
  );
});

const paragraph = (...content: unknown[]) => ({ type: "doc", content: [{ type: "paragraph", content }] });
const text = (...marks: unknown[]) => paragraph({ type: "text", text: "x", marks });

test.each([
  "https://bank.example@evil.example/",
  "https://a:b@c.example",
  "https://evil.example\\@bank.example",
])("removes a link that deceives about its host: %s", async (href) => {
  expect(documentToHtml(await parseHtml(`<a href="${href}">x</a>`))).toBe("<p>x</p>");
});

test.each([
  ["a link that runs", text({ type: "link", attrs: { href: "javascript:alert(1)" } })],
  ["a link with a hidden beginning", text({ type: "link", attrs: { href: "\u0001javascript:alert(1)" } })],
  ["a link with a tab in its scheme", text({ type: "link", attrs: { href: "java\tscript:alert(1)" } })],
  ["a link to data", text({ type: "link", attrs: { href: "data:text/html,<script>alert(1)</script>" } })],
  ["a link that is an array", text({ type: "link", attrs: { href: ["https://example.org"] } })],
  ["a link without an address", text({ type: "link" })],
  ["a colour that is more", text({ type: "color", attrs: { color: "#aabbcc;position:fixed" } })],
  ["a colour in another writing", text({ type: "background", attrs: { color: "RED" } })],
  ["a size of its own", text({ type: "size", attrs: { size: 'huge" onclick="x' } })],
  ["an unknown mark", text({ type: "script" })],
  ["a picture in the document", paragraph({ type: "image", attrs: { src: "data:image/png;base64,AAAA" } })],
  [
    "a drawing in the document",
    paragraph({ type: "image", attrs: { src: "data:image/svg+xml,<svg onload=alert(1)>" } }),
  ],
  ["a picture from a script", paragraph({ type: "image", attrs: { src: "javascript:alert(1)" } })],
  ["a picture outside the media folder", paragraph({ type: "image", attrs: { src: "/media/../x" } })],
  [
    "a picture as wide as a text",
    paragraph({ type: "image", attrs: { src: "/media/a.png", width: '1" onload="x' } }),
  ],
  [
    "a description that is an element",
    paragraph({ type: "image", attrs: { src: "/media/a.png", alt: ["script", { src: "x" }] } }),
  ],
  [
    "an unknown alignment",
    { type: "doc", content: [{ type: "paragraph", attrs: { align: 'center" onclick="x' } }] },
  ],
  [
    "a heading of level script",
    { type: "doc", content: [{ type: "heading", attrs: { level: "1><script>" } }] },
  ],
  ["a heading of level 99", { type: "doc", content: [{ type: "heading", attrs: { level: 99 } }] }],
  ["a thousand marks", text(...Array.from({ length: 1_000 }, () => ({ type: "bold" })))],
  ["a text that is a number", paragraph({ type: "text", text: 3 })],
  ["a document within", { type: "doc", content: [{ type: "doc", content: [{ type: "paragraph" }] }] }],
  ["content that only looks like a list", { type: "doc", content: { length: 1 } }],
  ["an unknown node", { type: "doc", content: [{ type: "script", content: [] }] }],
  [
    "a language that is markup",
    { type: "doc", content: [{ type: "code_block", attrs: { language: '"><script>' } }] },
  ],
])("refuses a document with %s, and never renders it", (_what, document) => {
  expect(checkDocument(document)).toMatchObject({ ok: false });
  expect(() => documentToHtml(document as never)).toThrow(RangeError);
});

test.each(["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"])(
  "refuses %s, which every object has, as a part of a document, and changes no object",
  (name) => {
    const inParagraph = (inner: string) =>
      `{"type":"doc","content":[{"type":"paragraph","content":[${inner}]}]}`;
    const textNode = `{"type":"text","text":"x"`;
    for (const json of [
      `{"type":"${name}"}`,
      `{"type":"doc","content":[{"type":"${name}"}]}`,
      inParagraph(`{"type":"${name}"}`),
      inParagraph(`${textNode},"marks":[{"type":"${name}"}]}`),
    ])
      expect([json, checkDocument(JSON.parse(json)).ok]).toEqual([json, false]);
    const evil = `"${name}":{"isAdmin":true}`;
    for (const json of [
      inParagraph(`${textNode},${evil}}`),
      inParagraph(`${textNode},"marks":[{"type":"strong","attrs":{${evil}}}]}`),
      `{"type":"doc","content":[{"type":"paragraph","attrs":{${evil}}}]}`,
    ]) {
      const checked = checkDocument(JSON.parse(json));
      if (checked.ok) expect(JSON.stringify(checked.document)).not.toContain("isAdmin");
    }
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  },
);
