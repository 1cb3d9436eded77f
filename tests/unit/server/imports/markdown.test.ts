import { describe, expect, test } from "vitest";
import { FrontMatterError, readPost } from "../../../../src/server/imports/markdown/front-matter.ts";
import { markdownToDocument } from "../../../../src/server/imports/markdown/markdown.ts";
import { DocumentError } from "../../../../src/shared/document/document-error.ts";
import { documentToHtml } from "../../../../src/shared/document/to-html.ts";

const render = async (markdown: string) => documentToHtml((await markdownToDocument(markdown)).document);

describe("the front matter of a post", () => {
  test("is read as TOML", () => {
    const { frontMatter, body } = readPost(
      '+++\npath = "2016/09/29/Rust-1.12"\ntitle = "Announcing Rust 1.12"\nauthors = ["The Rust Core Team", "B"]\ndescription = "What is new"\ndraft = true\n[taxonomies]\ntags = ["rust", "release"]\n+++\n\nHello\n',
    );
    expect(frontMatter).toEqual({
      path: "2016/09/29/Rust-1.12",
      title: "Announcing Rust 1.12",
      authors: ["The Rust Core Team", "B"],
      description: "What is new",
      date: new Date("2016-09-29T00:00:00Z"),
      tags: ["rust", "release"],
      categories: [],
      cover: null,
      hidden: "draft: true",
      forFollowers: false,
      problems: [],
    });
    expect(body).toBe("\nHello\n");
  });

  test("is read as YAML in all its variants", () => {
    const { frontMatter, body } = readPost(
      "\ufeff---\r\ntitle: 'A: b'\r\nauthor: Ana\r\ntags: one, two\r\ndate: 2019-02-03 10:00:00 +0200\r\ndraft: 'no'\r\n---\r\nHello\r\n---\r\n",
    );
    expect(frontMatter).toMatchObject({
      title: "A: b",
      authors: ["Ana"],
      tags: ["one", "two"],
      date: new Date("2019-02-03T08:00:00Z"),
      hidden: null,
      path: null,
    });
    expect(body).toBe("Hello\n---\n");
  });

  test.each([
    [
      "in braces, as Hugo has it",
      '{\n  "title": "A } b",\n\t"date": "2020-01-02", "tags": ["x"], "draft": true\n}\nHello\n',
    ],
    [
      "as Eleventy has it",
      '---json\n{"title": "A } b", "date": "2020-01-02", "tags": ["x"], "draft": true}\n---\nHello\n',
    ],
  ])("is read as JSON, %s", (_, text) => {
    const { frontMatter, body } = readPost(text);
    expect(frontMatter).toMatchObject({
      title: "A } b",
      date: new Date("2020-01-02"),
      tags: ["x"],
      hidden: "draft: true",
    });
    expect(body.trim()).toBe("Hello");
  });

  test("is read as YAML or TOML where it says so", () => {
    for (const text of ["---yaml\ntitle: A\n---\nHello", "---toml\ntitle = 'A'\n---\nHello"])
      expect(readPost(text)).toMatchObject({ frontMatter: { title: "A" }, body: "Hello" });
  });

  test("is read from lines without fences", () => {
    const { frontMatter, body } = readPost(
      "Title: A walk\nDate: 2020-01-02 10:00\nTags: x, y\nStatus: draft\nSummary: Long\n  and longer\n\nHello\n",
    );
    expect(frontMatter).toMatchObject({ title: "A walk", tags: ["x", "y"], hidden: "status: draft" });
    expect(frontMatter).toMatchObject({
      description: "Long and longer",
      date: new Date("2020-01-02T10:00Z"),
    });
    expect(body.trim()).toBe("Hello");
    for (const text of [
      "Words: some\nStatus: draft\n\nText",
      "# A\n\nDraft: true\nTags: x\n\nText",
      "# A\nSome words.\npublished: no\n\nText",
      "Title: A\nStatus: published\nstatus: draft\n\nText",
    ])
      expect(readPost(text).frontMatter.hidden).toMatch(
        /^its first lines contain (?:status|draft|published)/,
      );
    for (const text of ["Note: words.\n\nStatus: draft", "Title: A\nStatus: published\n\nText", "- draft: x"])
      expect(readPost(text).frontMatter.hidden).toBeNull();
  });

  test.each([
    ..."pubDate publishDate publishedDate publishedAt published created createdAt PublishDate".split(" "),
    ..."publish_date published-at Date".split(" "),
  ])("has its date in the field %s", (name) => {
    const date = (fields: string) => readPost(`---\ntitle: a\n${fields}\n---\n`).frontMatter.date;
    expect(date(`${name}: Jul 08 2022`)).toEqual(new Date("2022-07-08"));
    expect(date(`${name}: 2021-01-01\ndate: 2020-01-01`)).toEqual(new Date("2020-01-01"));
    expect(date("published: true\ncreated: 2020-01-03")).toEqual(new Date("2020-01-03"));
  });

  test("has tags and categories separated by spaces in Jekyll's folders only", () => {
    const text = "---\ntitle: a\ncategories: jekyll update\ntags: foo bar\n---\n";
    for (const file of ["_posts/2020-01-01-a.md", "site/_drafts/a.md"])
      expect(readPost(text, file).frontMatter).toMatchObject({
        categories: ["jekyll", "update"],
        tags: ["foo", "bar"],
      });
    expect(readPost(text, "posts/a.md").frontMatter).toMatchObject({
      categories: ["jekyll update"],
      tags: ["foo bar"],
    });
    const markdown = "---\ntitle: a\ncategory: slow food\ntags: slow food, soup\n---\n";
    expect(readPost(markdown, "_posts/2020-01-01-a.md").frontMatter).toMatchObject({
      categories: ["slow food"],
      tags: ["slow food", "soup"],
    });
    const tables = "---\ntitle: a\ntags: [{name: x}, y]\n---\n";
    expect(readPost(tables).frontMatter.tags).toEqual(["x", "y"]);
  });

  test.each([
    ["heroImage: ../a.png", "../a.png"],
    ["featured_image: a.png", "a.png"],
    ["featuredImage: a.png", "a.png"],
    ["thumbnail: a.png", "a.png"],
    ["images: [a.png, b.png]", "a.png"],
    ["image: { url: 'https://cdn.example/a.png', alt: x }", "https://cdn.example/a.png"],
    ["image: { src: a.png }", "a.png"],
    ["cover: { src: a.png }", "a.png"],
    ["header: { image: a.png }", "a.png"],
    ["header: { overlay_image: a.png }", "a.png"],
    ["header: { teaser: a.png }", "a.png"],
    ["cover: ''\nimage: a.png", "a.png"],
    ["image: true", null],
  ])("has its cover in %s", (fields, cover) => {
    expect(readPost(`---\ntitle: a\n${fields}\n---\n`).frontMatter.cover).toBe(cover);
  });

  test("can be missing: the title is then the heading at the start of the text", () => {
    expect(readPost("\n# Hello there #\n\nText")).toMatchObject({
      frontMatter: { title: "Hello there", authors: [], tags: [], hidden: null, date: null },
      body: "\nText",
    });
    expect(readPost("Text\n# Not a title")).toMatchObject({
      frontMatter: { title: null },
      body: "Text\n# Not a title",
    });
    expect(readPost("")).toMatchObject({ frontMatter: { title: null }, body: "" });
  });

  test("is not read from three dashes that are a rule", () => {
    for (const text of ["---\nText", "---\nText\n---\nmore"]) expect(readPost(text).body).toBe(text);
  });

  test.each([
    ["+++\ntitle = \n+++\n", "The front matter is not valid TOML: invalid value (line 2)", 2],
    ['+++\ntitle = "a"\ntitle = "b"\n+++\n', /not valid TOML/, 3],
    ["+++\ntitle = 'a'\n", "The front matter that begins with +++ has no end (line 1)", 1],
    ["---\ntitle: a\n b: [\n---\n", /not valid YAML/, 2],
    ["---\ntitle: a\ndraft: true\n\nText", "The front matter that begins with --- has no end (line 1)", 1],
    ["---\ndraft:true\n---\nText", "The front matter is not a list of fields with values (line 1)", 1],
    [';;;\n"a": 1\n;;;\n# A', /neither TOML between \+\+\+, YAML between --- nor JSON/, 1],
    ["---js\n{ draft: true }\n---\n# A", /neither TOML between \+\+\+, YAML between --- nor JSON/, 1],
    ['{\n"draft": true, "draft": false\n}\n# A', /has “draft” twice/, null],
    ['{ "draft": true }\n# A', /begins with \{ has no end/, 1],
    ['{ "title": "a\n# A', /begins with \{ has no end/, 1],
    ['---json\n{ "draft": true }\n# A', /begins with --- has no end/, 1],
    ["---json\n[]\n---\n# A", /is not a list of fields/, 1],
    [
      `---\n${Array.from({ length: 30 }, (_, at) => `a${at}: ${at ? `&b${at} [*b${at - 1}, *b${at - 1}, *b${at - 1}]` : "&b0 [x, x, x]"}`).join("\n")}\n---\n`,
      /uses too many aliases/,
      null,
    ],
  ])("is refused with its line when broken: %j", (text, message, line) => {
    const read = () => readPost(text);
    expect(read).toThrow(FrontMatterError);
    expect(read).toThrow(message);
    expect(read).toThrow(expect.objectContaining({ line }));
  });

  test.each([
    ["date: yesterday", "date is not a date that can be read: yesterday"],
    ["date: 2019-02-30", "date is not a date that can be read: 2019-02-30"],
    ["pubDate: soon", "pubDate is not a date that can be read: soon"],
  ])(
    "dates the post by the file's name, or hides it, where its date cannot be read: %s",
    (field, problem) => {
      const read = (file: string) => readPost(`---\ntitle: a\n${field}\n---\nText`, file).frontMatter;
      expect(read("posts/2021-05-03-x.md")).toMatchObject({
        date: new Date("2021-05-03"),
        hidden: null,
        problems: [`Its ${problem}`],
      });
      expect(read("x.md")).toMatchObject({ date: null, hidden: field, problems: [`Its ${problem}`] });
    },
  );

  test.each(["published: private", "publishDate: 20 Foo 2999"])(
    "hides a post with %s in a dated file",
    (field) => {
      const read = readPost(`---\ntitle: a\n${field}\n---\nText`, "_posts/2021-05-03-x.md");
      expect(read.frontMatter.hidden).toBe(field);
    },
  );

  test.each([
    ["title: [a]\ntags: b", { title: null, tags: ["b"] }, "Skipped its title, which is not text"],
    ["title: t\ntags: {a: b}", { title: "t", tags: [] }, "Skipped its tags, which is not text"],
    ["tags: [true, 20, {a: b}, ok]", { tags: ["20", "ok"] }, "Skipped a part of its tags that is not text"],
    ["title: a\u0007b", { title: "ab" }, "Removed control characters"],
  ])("skips a field that is not text, and reports it: %j", (fields, expected, problem) => {
    expect(readPost(`---\n${fields}\n---\n`).frontMatter).toMatchObject({ ...expected, problems: [problem] });
  });

  test.each([
    ["---\ndate: 2020-01-02T03:04:05+01:00\n---", "", "2020-01-02T02:04:05Z"],
    ["+++\ndate = 2020-01-02T03:04:05\n+++", "", "2020-01-02T03:04:05Z"],
    ["+++\ndate = 2020-01-02\n+++", "2011-01-01-x.md", "2020-01-02T00:00:00Z"],
    ["+++\npath = '2016/09/29/Name'\n+++", "2011-01-01-x.md", "2016-09-29T00:00:00Z"],
    ["", "posts/2011-12-31-last-day.md", "2011-12-31T00:00:00Z"],
    ["", "2015/05/15/Rust-1.0/index.md", "2015-05-15T00:00:00Z"],
    ["", "2011-13-31-no-month.md", null],
    ["", "notes.md", null],
  ])("is dated in UTC: %j of %j", (text, file, date) => {
    expect(readPost(text, file).frontMatter.date).toEqual(date && new Date(date));
  });
});

describe("a post is public when it says so, or says nothing", () => {
  const now = new Date("2026-05-05T12:00:00Z");
  const hidden = (fields: string) =>
    readPost(`---\ntitle: a\n${fields}\n---\nText`, "", { now }).frontMatter.hidden;
  test.each([
    "draft: false",
    "published: true",
    "published: 2020-01-01",
    "status: published",
    "status: Publish",
    "visibility: public",
    "private: no",
    "unlisted: 0",
    "password:",
    "publishDate: 2026-05-05T11:00:00Z",
    "expiryDate: 2027-01-01",
    "permalink: /a/",
    "build:\n  render: always\n  list: true",
    "layout: post\ncategories: [a]",
  ])("%s", (fields) => expect(hidden(fields)).toBeNull());

  test.each([
    ["draft: true", "draft: true"],
    ["Draft: yes", "Draft: yes"],
    ["draft: perhaps", "draft: perhaps"],
    ["published: false", "published: false"],
    ["published: 2026-05-06", "its date is in the future (2026-05-06)"],
    ["status: draft", "status: draft"],
    ["status: private", "status: private"],
    ["status: in-review", "status: in-review"],
    ["visibility: members", "visibility: members"],
    ["privacy: private", "privacy: private"],
    ["scheduled: 2999-01-01", "its date is in the future (2999-01-01)"],
    ["embargo: 2999-01-01", "its date is in the future (2999-01-01)"],
    ["private: true", "private: true"],
    ["unlisted: true", "unlisted: true"],
    ["headless: true", "headless: true"],
    ["password: secret", "it has a password"],
    ["date: 2030-01-01", "its date is in the future (2030-01-01)"],
    ["publishDate: 2026-05-05T13:00:00Z", "its date is in the future (2026-05-05)"],
    ["publish_date: soon", "publish_date: soon"],
    ["expiryDate: 2026-05-01", "it expired on 2026-05-01"],
    ["expiryDate: never", "expiryDate: never"],
    ["build:\n  render: never", "render: never"],
    ["_build:\n  list: never", "list: never"],
    ["permalink: false", "permalink: false"],
    ["eleventyExcludeFromCollections: true", "eleventyExcludeFromCollections: true"],
    ["extra:\n  private: true", "private: true"],
    ["cascade:\n  build:\n    render: never", "render: never"],
    ["cascade:\n  - title: x\n  - draft: true", "draft: true"],
    ["cascade: { params: { private: true } }", "private: true"],
  ])("not: %s", (fields, reason) => expect(hidden(fields)).toBe(reason));
});

describe("Markdown becomes a document", () => {
  test.each([
    [
      "code keeps its language",
      "```rust,ignore\nfn a() {}\n```\n\n~~~~\nx\n~~~~\n\n    y",
      '<pre class="ql-syntax" spellcheck="false" data-language="rust">fn a() {}\n</pre><pre class="ql-syntax" spellcheck="false">x\n</pre><pre class="ql-syntax" spellcheck="false">y\n</pre>',
    ],
    [
      "links by reference",
      '[a][b] and [c]\n\n[b]: https://example.org/b "t"',
      '<p><a href="https://example.org/b" title="t" rel="nofollow noopener ugc">a</a> and [c]</p>',
    ],
    [
      "bare addresses, but no file names",
      "https://example.org README.md main.rs a@b.org",
      '<p><a href="https://example.org" rel="nofollow noopener ugc">https://example.org</a> README.md main.rs a@b.org</p>',
    ],
    [
      "tables and strikethrough",
      "| a | b |\n|---|--:|\n| c | ~~d~~ |",
      '<table><tbody><tr><th><p>a</p></th><th><p class="ql-align-right">b</p></th></tr><tr><td><p>c</p></td><td><p class="ql-align-right"><s>d</s></p></td></tr></tbody></table>',
    ],
    [
      "HTML within",
      'a<br>b <kbd>K</kbd> <a href="https://example.org">c</a><script>x</script>\n\n<table><tr><td><b>d</b></table>',
      '<p>a<br>b <code>K</code> <a href="https://example.org" rel="nofollow noopener ugc">c</a></p><table><tbody><tr><td><p><strong>d</strong></p></td></tr></tbody></table>',
    ],
    [
      "headings of six levels",
      "# a\n\n##### b\n\nc\n===",
      '<h1 id="h-a">a</h1><h5 id="h-b">b</h5><h1 id="h-c">c</h1>',
    ],
    [
      "notes at the foot",
      "a[^1] b[^long] c[^1]\n\n[^1]: one\n[^long]: two\n\n    more",
      '<p>a<sup class="footnote-ref" data-note="1"><a href="#fn-1" id="fnref-1" role="doc-noteref">1</a></sup> b<sup class="footnote-ref" data-note="long"><a href="#fn-long" id="fnref-long" role="doc-noteref">2</a></sup> c<sup class="footnote-ref" data-note="1"><a href="#fn-1" role="doc-noteref">1</a></sup></p><section class="footnotes"><ol><li data-note="1" id="fn-1"><p>one</p><a class="footnote-back" href="#fnref-1" role="doc-backlink" aria-label="Back to the text">↩</a></li><li data-note="long" id="fn-long"><p>two</p><p>more</p><a class="footnote-back" href="#fnref-long" role="doc-backlink" aria-label="Back to the text">↩</a></li></ol></section>',
    ],
    [
      "lists in lists",
      "1. a\n   - b\n\n     c\n2. d",
      "<ol><li><p>a</p><ul><li><p>b</p><p>c</p></li></ul></li><li><p>d</p></li></ol>",
    ],
  ])("%s", async (_what, markdown, html) => {
    expect(await render(markdown)).toBe(html);
  });

  test("resolves pictures beside the text, and keeps others or replaces them by their description", async () => {
    const resolvedFiles: string[] = [];
    const resolveImage = async (file: string) => {
      resolvedFiles.push(file);
      return file === "a.png" ? { src: "/media/1.png", width: 2, height: 1 } : null;
    };
    const { document } = await markdownToDocument(
      '![one](a.png "t") ![two](b%20c.svg) ![three](https://example.org/c.png) <img src="a.png" width="9">\n\n![four][r] [![five](d.png)](https://example.org)\n\n[r]: sub/e.png',
      { resolveImage },
    );
    expect(documentToHtml(document)).toBe(
      '<p><img src="/media/1.png" alt="one" title="t" width="2" height="1" loading="lazy" decoding="async"> two <img src="https://example.org/c.png" alt="three" loading="lazy" decoding="async"> ' +
        '<img src="/media/1.png" alt="" width="9" loading="lazy" decoding="async"></p><p>four <a href="https://example.org" rel="nofollow noopener ugc">five</a></p>',
    );
    expect(resolvedFiles).toEqual(["a.png", "b%20c.svg", "a.png", "sub/e.png", "d.png"]);
  });

  test("resolves links that are no address, and reports those of which only the text stays", async () => {
    const resolveLink = (href: string) => (href === "/a/" ? "https://old.example/a/" : null);
    const { document, droppedLinks } = await markdownToDocument(
      "[a](/a/) [b](#b) [c](c.txt) [d](mailto:d@e.f)",
      { resolveLink },
    );
    expect(documentToHtml(document)).toBe(
      '<p><a href="https://old.example/a/" rel="nofollow noopener ugc">a</a> b c <a href="mailto:d@e.f" rel="nofollow noopener ugc">d</a></p>',
    );
    expect(droppedLinks).toEqual(["#b", "c.txt"]);
  });

  test("refuses endless nesting with a reason", async () => {
    await expect(markdownToDocument("> ".repeat(5000) + "x")).rejects.toThrow(DocumentError);
    await expect(markdownToDocument("<div>".repeat(5000))).rejects.toThrow(/nested too deeply/);
  });
});
