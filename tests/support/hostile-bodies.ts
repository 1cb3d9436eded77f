/* The costliest request bodies we could think of, by kind and name. Each is created on demand. */

type Bodies<T> = Record<string, () => T>;

const megabytes = 1024 * 1024;
const times = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index)).join("");
const nested = (depth: number, open: string, inside: string, close: string) =>
  open.repeat(depth) + inside + close.repeat(depth);

/** HTML for a blog's content. */
export const costlyHtml: Bodies<string> = {
  "video frames": () => '<iframe class="ql-video" src="https://e.example/v"></iframe>'.repeat(30_000),
  "some video frames": () => '<iframe class="ql-video" src="https://e.example/v"></iframe>'.repeat(9_000),
  "lists in lists": () => nested(14, "<ul><li>a", "x", "</li></ul>").repeat(1_500),
  "items of Quill's": () =>
    `<ul>${times(15_000, (index) => `<li class="ql-indent-${index % 9}">x</li>`)}</ul>`,
  "items alone": () => "<li>x".repeat(24_000),
  "lists of one item": () => "<ul><li>x</li></ul>".repeat(16_000),
  definitions: () => `<dl>${"<dt>a<dd>b".repeat(12_000)}</dl>`,
  "definition lists": () => "<dl><dt>a</dt><dd>b</dd></dl>".repeat(9_000),
  tables: () => "<table><caption>c</caption><tr><td>x</td></tr></table>".repeat(8_000),
  "rows of a table": () => `<table>${"<tr><td>x</td></tr>".repeat(16_000)}</table>`,
  "lines of a paragraph": () => `<p>${"<br>".repeat(49_000)}`,
  "lines and comments": () => `<p>${"<br> <!-- -->".repeat(16_000)}`,
  quotations: () => "<blockquote>x</blockquote> ".repeat(16_000),
  "code in code": () => nested(250, "<pre>", "x".repeat(400_000), "</pre>"),
  "code containers": () =>
    '<div class="ql-code-block-container"><div class="ql-code-block">x</div></div>'.repeat(16_000),
  centred: () => nested(30, "<center>", "<div>x</div>".repeat(20_000), "</center>"),
  styles: () => '<span style="color:red;background:blue">x</span>'.repeat(24_000),
  "styles in styles": () =>
    nested(
      60,
      '<b style="color:red;background:blue;text-decoration:underline">',
      "x<u>y</u>".repeat(12_000),
      "</b>",
    ),
  "many marks": () =>
    '<b><i><u><s><sub><code><span class="ql-font-serif ql-size-large" style="color:red;background:blue">x</span></code></sub></s></u></i></b><br>'.repeat(
      5_000,
    ),
  attributes: () => `<p ${times(190, (index) => `a${index} `)}>x`.repeat(1_500),
  classes: () => `<p class="${"a ".repeat(900_000)}">x`,
  entities: () => "&lt;".repeat(490_000),
  comments: () => "<!-- x -->".repeat(49_000),
  pictures: () => '<img src="https://e.example/a.png">'.repeat(49_000),
  "headings of one name": () => "<h1>x</h1>".repeat(9_900),
  "a heading that grows": () => `<h1>${"\ufdfa".repeat(490_000)}</h1>`,
  deep: () => "<div>".repeat(100_000),
  text: () => "owl ".repeat(120_000),
};

const doc = (content: string) => `{"type":"doc","content":[${content}]}`;
const tiny = '{"type":"paragraph","content":[{"type":"text","text":"x"}]}';
const many = (count: number, item: string): string => Array.from({ length: count }, () => item).join(",");

/** ProseMirror documents as JSON. */
export const costlyDocuments: Bodies<string> = {
  "of as many nodes as are taken": () => doc(many(9_999, tiny)),
  "of two megabytes of tiny nodes": () => doc(many(33_000, tiny)),
  "of nodes in nodes": () => `${'{"type":"blockquote","content":['.repeat(50_000)}{}${"]}".repeat(50_000)}`,
  "of one text": () =>
    doc(`{"type":"paragraph","content":[{"type":"text","text":"${"owl ".repeat(120_000)}"}]}`),
  "of a text of no words": () =>
    doc(`{"type":"paragraph","content":[{"type":"text","text":"${"x".repeat(490_000)}"}]}`),
  "of marks": () =>
    doc(
      `{"type":"paragraph","content":[${many(
        6_000,
        '{"type":"text","text":"x","marks":[{"type":"strong"},{"type":"em"},{"type":"underline"},{"type":"strike"}]},{"type":"hard_break"}',
      )}]}`,
    ),
  "of pictures": () =>
    doc(
      `{"type":"paragraph","content":[${many(900, `{"type":"image","attrs":{"src":"/media/${"0".repeat(8)}-0000-0000-0000-${"0".repeat(12)}/full.webp"}}`)}]}`,
    ),
  "of a wide table": () =>
    doc(
      `{"type":"table","content":[${many(90, `{"type":"table_row","content":[${many(70, `{"type":"table_cell","content":[${tiny}]}`)}]}`)}]}`,
    ),
};

/** JSON bodies of two megabytes with fields that no call reads. */
export const costlyJson: Bodies<string> = {
  lists: () => `{"x":[${"[],".repeat((2 * megabytes) / 3 - 20)}0]}`,
  keys: () => `{${times(120_000, (index) => `"k${index}":{},`)}"x":0}`,
  numbers: () => `{"x":[${"1,".repeat(megabytes - 20)}1]}`,
  escapes: () => `{"title":"${String.raw`\u0041`.repeat(340_000)}"}`,
  quotes: () => `{"title":"${String.raw`\"`.repeat(megabytes - 20)}"}`,
  emoji: () => JSON.stringify({ title: "é👍".repeat(340_000) }),
  deep: () => `{"x":${"[".repeat(megabytes - 20)}`,
  broken: () => `{"title":"${"x".repeat(2 * megabytes - 40)}`,
  "broken at its end": () => `{"x":[${"{},".repeat(600_000)}`,
};

const line = "\r\n";
const part = (head: string, value: string) =>
  `--x${line}content-disposition: form-data; ${head}${line}${line}${value}${line}`;

/** Forms with the boundary `x`. */
export const costlyForms: Bodies<string> = {
  "of thousands of fields": () => times(20_000, (index) => part(`name="f${index}"`, "x")),
  "of thousands of files": () => times(20_000, (index) => part(`name="images"; filename="${index}"`, "x")),
  "of boundaries that are none": () => part('name="content"', `${line}--`.repeat(500_000)),
  "of lines": () => part('name="content"', line.repeat(megabytes)),
  "of a long head": () => `--x${line}x: ${"y".repeat(2 * megabytes)}${line}${line}x${line}--x--${line}`,
  "of ten megabytes of content": () =>
    `${part('name="title"', "x")}${part('name="content"', JSON.stringify(`<p>${"x".repeat(10 * megabytes)}`))}--x--${line}`,
};

/** Texts of searches and comments, each within the limits. */
export const costlyTexts = {
  searches: {
    words: () => times(90, (index) => `w${index} `),
    letters: () => "a b c d e f g h i j k l m n o p q r s t u v w x y z ".repeat(3),
    stars: () => '*"'.repeat(90),
    together: () => "a".repeat(200),
    spaceless: () => "猫".repeat(200),
  } satisfies Bodies<string>,
  comments: {
    mentions: () => times(550, (index) => `@user${index} `).slice(0, 5_000),
    links: () => "https://e.example/a ".repeat(250).slice(0, 5_000),
    brackets: () => "https://((((".repeat(410),
    lines: () => `x${"\n".repeat(4_990)}x`,
    "piled up": () => `o${"\u0301".repeat(4_990)}`,
  } satisfies Bodies<string>,
};
