import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { GhostSource } from "../../../../src/server/imports/ghost/source.ts";
import { parseHtml } from "../../../../src/server/blogs/parse-html.ts";
import { documentToHtml } from "../../../../src/shared/document/to-html.ts";
import { readSource, filesOf } from "../../../support/exports/files.ts";
import { ghostExport, lexical, paragraph, postOf, text } from "../../../support/exports/ghost.ts";

const name = "field-notes.ghost.2024-01-02-03-04-05.json";
const read = async (json: string | Buffer, otherFiles: Record<string, string> = {}, options = {}) => {
  await using stack = new AsyncDisposableStack();
  const source = await GhostSource.open(filesOf({ [name]: json, ...otherFiles }), options);
  stack.defer(() => source.close());
  return { source, ...(await readSource(source)) };
};
const readOne = async (row: object, otherFiles?: Record<string, string>) => {
  const { posts } = await read(ghostExport([postOf(1, { ...row })]), otherFiles);
  return posts["posts/post-1"]!;
};
/** Returns the HTML that readers see, without attributes such as `rel` and `loading`. */
const htmlOf = async (html: string) =>
  documentToHtml(await parseHtml(html.replace(/src="\//g, 'src="https://old.example/'))).replace(
    / (?:rel|loading|decoding|spellcheck)="[^"]*"/g,
    "",
  );

test("imports posts with their tags in order, authors, dates, excerpts, covers and addresses", async () => {
  const { posts, source } = await read(
    ghostExport(
      [
        postOf(1, {
          title: "On moss",
          slug: "on-moss",
          html: "<p>Moss is slow.</p>",
          custom_excerpt: "About a slow plant.",
          feature_image: "__GHOST_URL__/content/images/size/w1200/2020/02/moss.jpg",
          canonical_url: "https://elsewhere.example/moss",
        }),
      ],
      {
        posts_meta: [
          {
            id: "m1",
            post_id: postOf(1).id,
            og_title: "Moss!",
            meta_title: "Moss, slowly",
            meta_description: "What grows on stones.",
            feature_image_alt: "A green stone",
            feature_image_caption: "By the <i>brook</i>",
          },
        ],
        tags: [
          { id: "t1", name: "Plants", slug: "plants", visibility: "public" },
          { id: "t2", name: "#letter", slug: "hash-letter", visibility: "internal" },
          { id: "t3", name: "Slow things", slug: "slow", visibility: "public" },
        ],
        posts_tags: [
          { id: "a", post_id: postOf(1).id, tag_id: "t1", sort_order: 2 },
          { id: "b", post_id: postOf(1).id, tag_id: "t2", sort_order: 1 },
          { id: "c", post_id: postOf(1).id, tag_id: "t3", sort_order: 0 },
        ],
        users: [
          { id: "u1", name: "Ana Lima", slug: "ana", email: "ana@example.org" },
          { id: "u2", name: "Bo", slug: "bo", email: "bo@example.org" },
        ],
        posts_authors: [
          { id: "x", post_id: postOf(1).id, author_id: "u1", sort_order: 1 },
          { id: "y", post_id: postOf(1).id, author_id: "u2", sort_order: 0 },
        ],
      },
    ),
    { "content/images/2020/02/moss.jpg": "a picture" },
  );
  const { problems, ...post } = posts["posts/on-moss"]!;
  expect(post).toEqual({
    source: "00000000-0000-4000-8000-000000000001",
    file: "posts/on-moss",
    title: "On moss",
    description: "About a slow plant.",
    tags: ["Slow things", "Plants"],
    body: { kind: "html", text: "<p>Moss is slow.</p>" },
    cover: "/content/images/2020/02/moss.jpg",
    publishedAt: new Date("2020-02-29T23:30:00Z"),
    hidden: null,
    slug: "on-moss",
    // In Tokyo it was the next day.
    paths: ["/on-moss", "/2020/03/01/on-moss", "/2020/03/on-moss", "/2020/02/29/on-moss", "/2020/02/on-moss"],
    canonicalUrl: "https://elsewhere.example/moss",
    searchTitle: "Moss, slowly",
    searchDescription: "What grows on stones.",
    authors: [
      { key: "bo", name: "Bo", email: "bo@example.org" },
      { key: "ana", name: "Ana Lima", email: "ana@example.org" },
    ],
  });
  expect(problems).toEqual([
    "Skipped internal tags: #letter",
    "Skipped the cover’s caption: By the <i>brook</i>",
    "Skipped the cover’s description: A green stone",
    "Skipped its title, description or picture for link previews",
  ]);
  expect(source.count).toBe(1);
  expect(String(await source.file(posts["posts/on-moss"]!, post.cover!, 100))).toBe("a picture");
  await expect(source.file(posts["posts/on-moss"]!, "/content/images/none.jpg", 100)).rejects.toThrow(
    "file not found",
  );
});

test("hides each post that is not plainly public, with the reason", async () => {
  const { posts } = await read(
    ghostExport([
      postOf(1, { status: "draft", published_at: null }),
      postOf(2, { status: "scheduled", published_at: "2999-01-02T00:00:00.000Z" }),
      postOf(3, { visibility: "members" }),
      postOf(4, { visibility: "paid" }),
      postOf(5, { visibility: "tiers" }),
      postOf(6, { visibility: "label:vip" }),
      postOf(7, { status: "sent" }),
      postOf(8, { published_at: "2999-01-02T00:00:00.000Z" }),
      postOf(9, { lexical: lexical(paragraph(text("Free.")), { type: "paywall", version: 1 }) }),
      postOf(10, {
        lexical: lexical({
          type: "html",
          html: "<p>For some.</p>",
          visibility: { web: { nonMember: false, memberSegment: "status:free" } },
        }),
      }),
      postOf(11, { html: "<p>Free.</p><!--members-only--><p>Not.</p>" }),
      postOf(12, { status: "archived" }),
      postOf(13),
    ]),
  );
  expect(Object.values(posts).map(({ hidden }) => hidden)).toEqual([
    "it is a draft",
    "it is scheduled for 2999-01-02",
    "it is for members only",
    "it is for paying members only",
    "it is for some members only",
    "visibility: label:vip",
    "it was sent by email only",
    "its date is in the future (2999-01-02)",
    "the part after its paywall is for members only",
    "part of it is not public",
    "the part after its paywall is for members only",
    "status: archived",
    null,
  ]);
  expect(posts["posts/post-1"]!.publishedAt).toBeUndefined();
});

test("hides all posts of a site in private mode", async () => {
  const hidden = async (value: unknown) =>
    (await read(ghostExport([postOf(1)], { settings: [{ id: "s1", key: "is_private", value }] }))).posts[
      "posts/post-1"
    ]!.hidden;
  expect(await hidden("true")).toBe("the old site was private, with a password");
  expect(await hidden("false")).toBeNull();
});

test("lists pages, or imports them on request, and counts members and comments", async () => {
  const json = ghostExport(
    [
      postOf(1),
      postOf(2, { type: "page", slug: "about" }),
      postOf(3, { type: undefined, page: 1, slug: "old" }),
    ],
    { members: [{ id: "m" }, { id: "n" }], comments: [{ id: "c" }] },
  );
  expect(await read(json)).toMatchObject({
    source: { count: 1 },
    others: {
      "pages/about": "a page, not a post",
      "pages/old": "a page, not a post",
      [name]: "2 members not imported; 1 comment not imported",
    },
  });
  expect(Object.keys((await read(json, {}, { pages: true })).posts)).toEqual([
    "posts/post-1",
    "pages/about",
    "pages/old",
  ]);
});

test("keeps the marks, lists, headings and cards of the present editor", async () => {
  const list = (listType: string, ...children: unknown[]) => ({ type: "list", listType, start: 1, children });
  const item = (...children: unknown[]) => ({ type: "listitem", value: 1, children });
  const post = await readOne({
    lexical: lexical(
      paragraph(text("Bold", 1), text(" and "), text("both", 3), { type: "linebreak" }, text("code", 16)),
      { type: "extended-heading", tag: "h2", children: [text("A heading")] },
      paragraph({ type: "link", url: "__GHOST_URL__/post-2/", children: [text("a link")] }),
      list("bullet", item(text("one")), item(list("number", item(text("nested")))), item(text("two"))),
      list("check", { ...item(text("done")), checked: true }, item(text("open"))),
      { type: "extended-quote", children: [text("Said.")] },
      { type: "horizontalrule" },
      {
        type: "image",
        src: "__GHOST_URL__/content/images/2020/a.png",
        width: 300,
        height: 200,
        title: "",
        alt: "A <hill>",
        caption: '<span style="white-space: pre-wrap;">Seen <b>far</b></span>',
        cardWidth: "wide",
        href: "",
      },
      {
        type: "gallery",
        images: [
          { row: 0, fileName: "b.png", src: "https://pictures.example/b.png", width: 10, height: 10 },
          { row: 0, fileName: "c.png", src: "https://pictures.example/c.png", width: 10, height: 10 },
        ],
        caption: "Two",
      },
      {
        type: "bookmark",
        url: "https://there.example/",
        metadata: {
          title: "There",
          description: "A place",
          icon: "",
          author: "",
          publisher: "",
          thumbnail: "",
        },
        caption: "",
      },
      {
        type: "embed",
        url: "https://video.example/1",
        embedType: "video",
        html: "<iframe src='x'></iframe>",
        metadata: {},
      },
      { type: "codeblock", code: "if (a < b) {\n  c();\n}", language: "js", caption: "" },
      { type: "html", html: "<p>By hand<script>alert(1)</script></p>" },
      { type: "markdown", markdown: "Some *Markdown*[^1]\n\n[^1]: A note." },
      { type: "callout", calloutText: "<p>Mind the gap</p>", calloutEmoji: "💡", backgroundColor: "blue" },
      { type: "toggle", heading: "More", content: "<p>Inside</p>" },
      { type: "button", buttonText: "Go", alignment: "center", buttonUrl: "https://go.example/" },
      { type: "header", header: "Big", subheader: "Small", buttonEnabled: false, size: "small" },
      {
        type: "product",
        productTitle: "A pot",
        productDescription: "<p>Of clay</p>",
        productStarRating: 4,
        productRatingEnabled: true,
        productButton: "Buy",
        productButtonEnabled: true,
        productUrl: "https://shop.example/pot",
        productImageSrc: "https://pictures.example/pot.png",
      },
      { type: "video", src: "__GHOST_URL__/content/media/2020/v.mp4", fileName: "v.mp4", caption: "Moving" },
      { type: "audio", src: "https://cdn.example/a.mp3", title: "A song", duration: 3 },
      {
        type: "file",
        src: "__GHOST_URL__/content/files/f.pdf",
        fileTitle: "Paper",
        fileCaption: "",
        fileName: "f.pdf",
      },
      { type: "signup", header: "Join" },
      { type: "email", html: "<p>Hello {first_name}</p>" },
      { type: "unheard-of", children: [text("kept")] },
    ),
    html: "<p>What was drawn of it.</p>",
  });
  expect(post.hidden).toBeNull();
  expect(await htmlOf(post.body.text)).toBe(
    [
      "<p><strong>Bold</strong> and <strong><em>both</em></strong><br><code>code</code></p>",
      '<h2 id="h-a-heading">A heading</h2>',
      "<p>a link</p>",
      "<ul><li><p>one</p><ol><li><p>nested</p></li></ol></li><li><p>two</p></li></ul>",
      '<ul><li data-checked="true"><input type="checkbox" aria-label="Done" checked="" disabled=""><p>done</p></li><li data-checked="false"><input type="checkbox" aria-label="Done" disabled=""><p>open</p></li></ul>',
      "<blockquote><p>Said.</p></blockquote>",
      "<hr>",
      '<figure><img src="https://old.example/content/images/2020/a.png" alt="A &lt;hill&gt;" width="300" height="200"><figcaption>Seen <strong>far</strong></figcaption></figure>',
      '<figure><img src="https://pictures.example/b.png" alt="" width="10" height="10"></figure>',
      '<figure><img src="https://pictures.example/c.png" alt="" width="10" height="10"></figure>',
      "<p>Two</p>",
      '<p><a href="https://there.example/">There</a><br>A place</p>',
      '<p><a href="https://video.example/1">https://video.example/1</a></p>',
      '<pre class="ql-syntax" data-language="js">if (a &lt; b) {\n  c();\n}\n</pre>',
      "<p>By hand</p>",
      '<p>Some <em>Markdown</em><sup class="footnote-ref" data-note="1"><a href="#fn-1" id="fnref-1" role="doc-noteref">1</a></sup></p>',
      '<section class="footnotes"><ol><li data-note="1" id="fn-1"><p>A note.</p><a class="footnote-back" href="#fnref-1" role="doc-backlink" aria-label="Back to the text">↩</a></li></ol></section>',
      '<aside class="callout callout-note"><p class="callout-label">Note</p><p>💡 Mind the gap</p></aside>',
      "<details><summary>More</summary><p>Inside</p></details>",
      '<p><a href="https://go.example/">Go</a></p>',
      '<h2 id="h-big">Big</h2><p>Small</p>',
      '<figure><img src="https://pictures.example/pot.png" alt=""></figure><h4 id="h-a-pot">A pot</h4><p>★★★★</p><p>Of clay</p>',
      '<p><a href="https://shop.example/pot">Buy</a></p>',
      "<p>v.mp4</p><p>Moving</p>",
      '<p><a href="https://cdn.example/a.mp3">A song</a></p>',
      "<p>Paper</p>",
      "<p>kept</p>",
    ].join(""),
  );
  expect(post.body.text).toContain('href="/post-2/"');
  expect(post.problems).toEqual([
    "Skipped a video (only pictures can be imported): /content/media/2020/v.mp4",
    "Skipped a file (only pictures can be imported): /content/files/f.pdf",
    "Skipped a sign-up form",
    "Skipped an email-only part",
    "Kept as text: a part of unknown type unheard-of",
    "Skipped a script",
  ]);
});

test("keeps the words of a tweet, and the line breaks of a Markdown card", async () => {
  const root = {
    children: [
      {
        type: "embed",
        url: "https://twitter.com/jane/status/1",
        embedType: "twitter",
        html: '<blockquote class="twitter-tweet"><p lang="en">Some words</p>&mdash; Jane (@jane) <a href="https://twitter.com/jane/status/1">July 1</a></blockquote>\n<script async src="https://platform.twitter.com/widgets.js"></script>',
      },
      { type: "markdown", markdown: "One\nTwo\n\n- three\n  four" },
    ],
  };
  const post = await readOne({ html: null, lexical: JSON.stringify({ root }) });
  expect(await htmlOf(post.body.text)).toBe(
    '<blockquote><p>Some words</p><p>— Jane (@jane) <a href="https://twitter.com/jane/status/1">July 1</a></p></blockquote><p>One<br>Two</p><ul><li><p>three<br>four</p></li></ul>',
  );
  expect(post.problems).toEqual([]);
});

test("keeps the marks, lists, breaks and cards of the earlier editor", async () => {
  const post = await readOne({
    mobiledoc: JSON.stringify({
      version: "0.3.1",
      ghostVersion: "4.0",
      atoms: [["soft-return", "", {}]],
      cards: [
        ["image", { src: "https://pictures.example/a.png", alt: "A hill", caption: "Far <em>away</em>" }],
        ["code", { code: "x < y", language: "c" }],
        ["card-markdown", { markdown: "# From *below*" }],
        ["hr", {}],
        ["nothing-known", {}],
      ],
      markups: [["strong"], ["a", ["href", "https://there.example/", "rel", "noopener"]], ["script"]],
      sections: [
        [
          1,
          "p",
          [
            [0, [0], 1, "Bold"],
            [0, [], 0, " then "],
            [0, [1, 0], 1, "bold link"],
            [0, [], 1, " link"],
            [1, [], 0, 0],
            [0, [2], 1, "end"],
          ],
        ],
        [1, "h3", [[0, [], 0, "Three"]]],
        [3, "ol", [[[0, [], 0, "first"]], [[0, [], 0, "second"]]]],
        [10, 0],
        [10, 1],
        [10, 2],
        [10, 3],
        [10, 4],
        [10, 99],
      ],
    }),
    html: "<p>Drawn.</p>",
  });
  expect(await htmlOf(post.body.text)).toBe(
    '<p><strong>Bold</strong> then <a href="https://there.example/"><strong>bold link</strong> link</a><br>end</p>' +
      '<h3 id="h-three">Three</h3><ol><li><p>first</p></li><li><p>second</p></li></ol>' +
      '<figure><img src="https://pictures.example/a.png" alt="A hill"><figcaption>Far <em>away</em></figcaption></figure>' +
      '<pre class="ql-syntax" data-language="c">x &lt; y\n</pre><h1 id="h-from-below">From <em>below</em></h1><hr>',
  );
  expect(post.problems).toEqual([
    "Skipped a card of unknown type: nothing-known",
    "Skipped a card of unknown type: undefined",
  ]);
});

test("reads cards that were rendered as HTML as cards, and pictures of the old site by their paths", async () => {
  const { posts, source } = await read(
    ghostExport(
      [
        postOf(1, {
          feature_image: "https://notes.example/content/images/2020/cover.png",
          html: `<!--kg-card-begin: html--><p><a href="https://notes.example/post-2/?ref=x#end">ours</a> <a href="https://notes.example/about/">a page</a>
<a href="https://other.example/post-2/">theirs</a></p>
<figure class="kg-card kg-image-card kg-card-hascaption"><img src="https://notes.example/content/images/2020/a.png" class="kg-image" alt="A"><figcaption>Cap</figcaption></figure>
<figure class="kg-card kg-bookmark-card"><a class="kg-bookmark-container" href="https://there.example/"><div class="kg-bookmark-content"><div class="kg-bookmark-title">There</div><div class="kg-bookmark-description">A place</div></div></a></figure>
<figure class="kg-card kg-embed-card"><iframe src="https://www.youtube.com/embed/abcdefghijk?feature=oembed"></iframe></figure>
<div class="kg-card kg-toggle-card" data-kg-toggle-state="close"><div class="kg-toggle-heading"><h4 class="kg-toggle-heading-text">More</h4><button>+</button></div><div class="kg-toggle-content"><p>Inside</p></div></div>
<div class="kg-card kg-callout-card"><div class="kg-callout-emoji">💡</div><div class="kg-callout-text">Mind</div></div>
<div class="kg-card kg-signup-card"><form><input></form></div>`,
        }),
        postOf(2),
      ],
      {},
      { version: "3.42.0", wrapped: false },
    ),
    { "site/content/images/2020/a.png": "bytes" },
  );
  const post = posts["posts/post-1"]!;
  expect(post.cover).toBe("https://notes.example/content/images/2020/cover.png");
  expect(source.origins).toEqual(["https://notes.example", "http://notes.example"]);
  expect(post.body.text).toContain('src="/content/images/2020/a.png"');
  const html = await htmlOf(post.body.text);
  expect(html).toContain("<figcaption>Cap</figcaption></figure>");
  expect(html).toContain('<p><a href="https://there.example/">There</a><br>A place</p>');
  expect(html).toContain('<a href="https://www.youtube.com/watch?v=abcdefghijk">');
  expect(html).toContain(
    '<details><summary>More</summary><p>Inside</p></details><aside class="callout callout-note"><p class="callout-label">Note</p><p>💡 Mind</p></aside>',
  );
  expect(post.problems).toEqual(["Skipped a sign-up form"]);
});

test("takes no host for the site's own when the export marks its own addresses by a placeholder", async () => {
  const html = '<img src="https://foreign.example/content/images/a.png">';
  const { source } = await read(ghostExport([postOf(1, { html }), postOf(2, { html })]));
  expect(source.origins).toEqual(["https://foreign.example", "http://foreign.example"]);
  const link = paragraph({ type: "link", url: "__GHOST_URL__/post-1/", children: [text("own")] });
  const marked = await read(ghostExport([postOf(1, { html }), postOf(2, { html, lexical: lexical(link) })]));
  expect(marked.source.origins).toEqual([]);
});

test("finds the export among several JSON files, whatever the others are called", async () => {
  const otherFiles = {
    "redirects.json": '[{"from":"/a","to":"/b"}]',
    "zz/routes.json": "{}",
    "package.json": "{}",
  };
  const { posts, others: reported } = await read(ghostExport([postOf(1)]), {
    ...otherFiles,
    "zzz.json": "no JSON",
  });
  expect(Object.keys(posts)).toEqual(["posts/post-1"]);
  expect(Object.keys(reported)).toEqual(["package.json", "redirects.json", "zz/routes.json", "zzz.json"]);
  const older = await read(ghostExport([postOf(1)]), {
    "a.ghost.2020.json": ghostExport([postOf(2)]),
    ...otherFiles,
  });
  expect(Object.keys(older.posts)).toEqual(["posts/post-1"]);
  expect(older.others["a.ghost.2020.json"]).toContain("Only the last by name was read");
  await expect(GhostSource.open(filesOf(otherFiles))).rejects.toThrow("is not an export from Ghost");
});

test("reads the first versions, with Markdown, one author and dates in milliseconds", async () => {
  const { posts } = await read(
    ghostExport(
      [
        postOf(1, {
          id: 1,
          uuid: undefined,
          markdown: "Hello **there**",
          image: "/content/images/2014/Jan/a.png",
          author_id: 7,
          published_at: 1_388_318_400_000,
          visibility: undefined,
        }),
      ],
      {
        users: [{ id: 7, name: "Ana", slug: "ana", email: "a@example.org" }],
        tags: [{ id: 3, name: "Old" }],
        posts_tags: [{ post_id: 1, tag_id: 3 }],
      },
      { version: "003", wrapped: false },
    ),
  );
  expect(posts["posts/post-1"]).toMatchObject({
    source: "1",
    tags: ["Old"],
    body: { text: "<p>Hello <strong>there</strong></p>\n" },
    cover: "/content/images/2014/Jan/a.png",
    publishedAt: new Date(1_388_318_400_000),
    authors: [{ key: "ana" }],
    hidden: null,
  });
});

test("reports each post that cannot be read, and imports the others", async () => {
  const levels = 10_000;
  const deep = `{"root":{"type":"root","children":[${'{"type":"quote","children":['.repeat(levels)}${"]}".repeat(levels)}]}}`;
  const { posts, others } = await read(
    ghostExport([
      postOf(1, { lexical: deep }),
      postOf(2, { lexical: deep, html: "<p>Drawn.</p>" }),
      postOf(3, { lexical: "{broken", html: "<p>Drawn.</p>" }),
      postOf(4, { mobiledoc: "null" }),
      postOf(5, { html: `<p>${"x".repeat(5_000_000)}</p>` }),
      postOf(6, { html: "<div>".repeat(5000) }),
      postOf(7, { published_at: "soon", title: null, slug: null }),
      postOf(8, { title: 12, html: ["no"], lexical: { root: 1 }, feature_image: {} }),
      postOf(9, { slug: "post-8" }),
      postOf(10),
    ]),
  );
  expect(others).toEqual({
    "posts/post-1": expect.stringMatching(/^It can’t be imported: This text is nested too deeply/),
    "posts/post-4": "It can’t be imported: Its text is not valid Mobiledoc",
    "posts/post-5": expect.stringMatching(/^It can’t be imported: This text is too long/),
    "posts/post-6": expect.stringMatching(/^It can’t be imported: This text is nested too deeply/),
  });
  expect(posts["posts/post-2"]).toMatchObject({
    body: { text: "<p>Drawn.</p>" },
    problems: [
      expect.stringMatching(/^Its HTML version was imported instead: This text is nested too deeply/),
    ],
  });
  expect(posts["posts/post-3"]?.problems).toEqual([
    "Its HTML version was imported instead: Its text is not valid Lexical",
  ]);
  expect(posts[`posts/${String(postOf(7).id)}`]).toMatchObject({
    title: "(Untitled)",
    paths: [],
    publishedAt: undefined,
    problems: ["Invalid date: soon", "It has no title."],
  });
  expect(Object.keys(posts)).toContain("posts/post-10");
});

test("refuses a file that is no export, with the reason", async () => {
  const refusal = (json: string | Buffer) => read(json).then(String, (error: Error) => error.message);
  expect(await refusal("")).toContain("it is empty");
  expect(await refusal('{"db":[{"data":{"posts":[{"id":')).toContain("it is incomplete");
  expect(await refusal('{"db" [}')).toContain("not valid JSON");
  expect(await refusal('{"name":"a package"}')).toContain("it has no posts");
  expect(await refusal("[".repeat(100_000))).toContain("nested too deeply");
  expect(await refusal(Buffer.from(ghostExport([postOf(1, { title: "Caf\xe9" })]), "latin1"))).toContain(
    "not UTF-8",
  );
  await expect(GhostSource.open(filesOf({ "a.txt": "" }))).rejects.toThrow("no JSON file found");
  // UTF-16, as another program may save it.
  const utf16 = Buffer.from(`\ufeff${ghostExport([postOf(1, { title: "Café" })])}`, "utf16le");
  expect((await read(utf16)).posts["posts/post-1"]?.title).toBe("Café");
});

test("reads a file of any size in pieces, and limits the size of one value", async () => {
  let partCount = 0;
  const filesStreaming = (parts: () => Iterable<string>) => ({
    ...filesOf({ [name]: "" }),
    stream: async () =>
      Readable.from(
        (function* () {
          for (const part of parts()) {
            partCount++;
            yield part;
          }
        })(),
      ),
  });
  const endless = filesStreaming(function* () {
    yield '{"data":{"posts":[{"html":"';
    for (;;) yield "x".repeat(1024 * 1024);
  });
  await expect(GhostSource.open(endless)).rejects.toThrow("one of its values is larger than 32 MB");
  expect(partCount).toBeLessThan(80);

  const row = JSON.stringify(postOf(1, { html: "<p>word</p>", plaintext: "word ".repeat(10_000) }));
  const many = filesStreaming(function* () {
    yield '{"data":{"posts":[';
    for (let at = 0; at < 200; at++) yield `${at === 0 ? "" : ","}${row}`;
    yield "]}}";
  });
  const source = await GhostSource.open(many);
  expect(source.count).toBe(200);
  partCount = 0;
  let posts = 0;
  for await (const found of source.posts()) {
    if (posts === 0) expect(partCount).toBeLessThan(50);
    if ("post" in found) posts++;
  }
  expect(posts).toBe(200);
});
