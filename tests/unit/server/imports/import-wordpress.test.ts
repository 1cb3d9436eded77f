import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { fillBlocks } from "../../../../src/server/imports/wordpress/blocks.ts";
import { withParagraphs } from "../../../../src/server/imports/wordpress/paragraphs.ts";
import { convertShortcodes } from "../../../../src/server/imports/wordpress/shortcodes.ts";
import { openWordPress } from "../../../../src/server/imports/wordpress/source.ts";
import { readSource, filesOf, shownHtml } from "../../../support/exports/files.ts";
import {
  attachment,
  cdata,
  itemXml,
  wordPressExport,
  type Item,
} from "../../../support/exports/wordpress.ts";

const name = "notes.WordPress.2024-01-01.xml";
const read = async (xml: string | Buffer, otherFiles: Record<string, string> = {}, options = {}) => {
  const source = await openWordPress(filesOf({ [name]: xml, ...otherFiles }), options);
  return { source, ...(await readSource(source)) };
};
const readOne = async (item: Item, others: Item[] = [], otherFiles?: Record<string, string>) => {
  const { posts } = await read(wordPressExport([{ slug: "one", ...item }, ...others]), otherFiles);
  return posts.one!;
};
const htmlOf = (html: string) => shownHtml(html.replace(/src="\//g, 'src="https://beside.example/'));

test("imports posts with tags, authors, dates, covers, addresses and fields for search engines", async () => {
  const { posts, others, source } = await read(
    wordPressExport([
      {
        id: 12,
        title: "On moss &amp; stones",
        slug: "on-moss",
        content: "Moss is slow.",
        excerpt: "About a <em>slow</em> plant.",
        terms: [
          ["category", "uncategorized", "Uncategorized"],
          ["category", "plants", "Plants"],
          ["post_tag", "moss", "Moss"],
          ["post_format", "post-format-aside", "Aside"],
          ["series", "slow-things", "Slow things"],
          ["author", "cap-bo", "Bo"],
        ],
        sticky: 1,
        meta: {
          _thumbnail_id: "20",
          _edit_last: "1",
          _wp_old_slug: "about-moss",
          _yoast_wpseo_title: "Moss, slowly",
          _yoast_wpseo_metadesc: "What grows on stones.",
          _yoast_wpseo_canonical: "https://elsewhere.example/moss",
          mood: "calm",
        },
      },
      attachment(20, "https://notes.example/wp-content/uploads/2020/03/moss.jpg"),
      { id: 30, type: "page", slug: "about" },
      { id: 31, type: "nav_menu_item" },
      { id: 32, type: "revision" },
      { id: 33, type: "wp_global_styles" },
      { id: 34, type: "wp_global_styles" },
    ]),
  );
  expect(posts["on-moss"]).toEqual({
    source: "notes.example/?p=12",
    file: "on-moss",
    title: "On moss & stones",
    description: "About a slow plant.",
    tags: ["Plants", "Moss"],
    body: { kind: "html", text: "<p>Moss is slow.</p>" },
    cover: "https://notes.example/wp-content/uploads/2020/03/moss.jpg",
    publishedAt: new Date("2020-03-01T09:00:00Z"),
    hidden: null,
    slug: "on-moss",
    paths: ["/2020/03/on-moss", "/?p=12", "/2020/03/about-moss"],
    canonicalUrl: "https://elsewhere.example/moss",
    searchTitle: "Moss, slowly",
    searchDescription: "What grows on stones.",
    authors: [
      { key: "ana", name: "Ana Lima", email: "ana@example.org" },
      { key: "bo", name: "bo" },
    ],
    comments: [],
    problems: [
      "It was pinned (sticky), which was not kept",
      "Skipped its custom fields: mood",
      "Skipped a custom taxonomy: series Slow things",
    ],
  });
  expect(source.count).toBe(1);
  expect(others[name]).toBe(
    "1 file (imported with the posts that show it): not posts; 1 page: not posts; 1 menu item: not posts; 1 earlier version: not posts; 2 items of type wp_global_styles: not posts",
  );
  expect(
    Object.keys(
      (await read(wordPressExport([{ id: 3, type: "page", slug: "about" }]), {}, { pages: true })).posts,
    ),
  ).toEqual(["about"]);
});

test("unescapes names and fields that are stored escaped", async () => {
  const author = `<wp:author><wp:author_login>bo</wp:author_login><wp:author_display_name>${cdata("Bo &amp; Cleo")}</wp:author_display_name></wp:author>`;
  const item: Item = {
    id: 1,
    author: "bo",
    terms: [
      ["category", "arts-crafts", "Arts &amp; Crafts"],
      ["post_tag", "lt", "a &lt;b&gt; c"],
    ],
    meta: {
      _yoast_wpseo_metadesc: "It&#039;s &quot;slow&quot;",
      _yoast_wpseo_title: "%%title%% %%sitename%%",
    },
  };
  const { posts } = await read(wordPressExport([item], author));
  expect(posts["post-1"]).toMatchObject({
    tags: ["Arts & Crafts", "a <b> c"],
    authors: [{ key: "bo", name: "Bo & Cleo" }],
    searchDescription: `It's "slow"`,
    searchTitle: undefined,
  });
});

test("hides each post that is not plainly public, with the reason", async () => {
  const { posts, others } = await read(
    wordPressExport([
      { id: 1, status: "draft", gmt: "0000-00-00 00:00:00", slug: "", link: "https://notes.example/?p=1" },
      { id: 2, status: "private" },
      { id: 3, status: "pending" },
      { id: 4, status: "future", gmt: "2999-01-02 00:00:00" },
      { id: 5, password: "sesame" },
      { id: 6, status: "trash", slug: "post-6__trashed" },
      { id: 7, gmt: "2999-01-02 00:00:00" },
      { id: 8, status: "members-club" },
      { id: 9, meta: { _jetpack_newsletter_access: "paid_subscribers" } },
      { id: 10, content: "Open. [restrict level=2]Closed.[/restrict]" },
      {
        id: 11,
        content:
          "<!-- wp:paragraph --><p>Open.</p><!-- /wp:paragraph --><!-- wp:jetpack/paywall /--><p>Closed.</p>",
      },
      { id: 12, meta: { _jetpack_newsletter_access: "everybody" } },
      { id: 13, meta: { _jetpack_memberships_contains_paywalled_content: "1" } },
      { id: 14, meta: { _is_paid: "1" } },
      { id: 15, meta: { rcp_user_level: 'a:1:{i:0;s:10:"subscriber";}' } },
      { id: 16, meta: { rcp_user_level: 'a:1:{i:0;s:3:"all";}', _is_paid: "0" } },
      { id: 17, meta: { rcp_user_level: "All", _jetpack_memberships_contains_paywalled_content: "false" } },
    ]),
  );
  expect(Object.fromEntries(Object.entries(posts).map(([file, { hidden }]) => [file, hidden]))).toEqual({
    "?p=1": "it is a draft",
    "post-2": "it is private",
    "post-3": "it is waiting for review",
    "post-4": "it is scheduled for 2999-01-02",
    "post-5": "it has a password",
    "post-7": "its date is in the future (2999-01-02)",
    "post-8": "status: members-club",
    "post-9": "it is for some people only (_jetpack_newsletter_access: paid_subscribers)",
    "post-10": "part of it is not public ([restrict level=2]); part of it is not public ([/restrict])",
    "post-11": "part of it is for members only",
    "post-12": null,
    "post-13": "it is for some people only (_jetpack_memberships_contains_paywalled_content: 1)",
    "post-14": "it is for some people only (_is_paid: 1)",
    "post-15": 'it is for some people only (rcp_user_level: a:1:{i:0;s:10:"subscriber";})',
    "post-16": null,
    "post-17": null,
  });
  expect(others["post-6__trashed"]).toBe("it is in the trash");
  expect(posts["?p=1"]).toMatchObject({ publishedAt: undefined, paths: ["/?p=1"], slug: undefined });
});

test("keeps the paragraphs, breaks, captions, galleries, players and code of the classic editor", async () => {
  const post = await readOne(
    {
      id: 7,
      content: [
        "First line",
        "second line",
        "",
        "<strong>Second</strong> paragraph",
        "<ul>\n<li>one</li>\n<li>two</li>\n</ul>",
        "After the list.",
        "",
        '[caption id="attachment_20" align="aligncenter" width="300"]<a href="https://notes.example/x"><img class="wp-image-20" src="https://notes.example/wp-content/uploads/2020/03/moss-300x200.jpg" alt="Moss" width="300" height="200" /></a> Soft <em>moss</em>[/caption]',
        "",
        '[gallery ids="20,21,99" columns="2"]',
        "",
        "[gallery]",
        "",
        "[embed]https://video.example/1[/embed]",
        "",
        "https://video.example/2",
        "",
        '[audio mp3="https://cdn.example/a.mp3"][/audio]',
        "",
        '[video width="640" mp4="https://cdn.example/v.mp4"][/video]',
        "",
        "[youtube https://www.youtube.com/watch?v=abcdefghijk]",
        "",
        '[sourcecode language="php"]if (a < b) {',
        "",
        "  [c]();",
        "}[/sourcecode]",
        "",
        "<pre>kept\n\n  as it is</pre>",
        "<blockquote>Said.\n\nTwice.</blockquote>",
        '[contact-form-7 id="3" title="Write"] and [sic] and [[gallery]]',
        "<!--more-->",
        '<iframe src="https://player.vimeo.com/video/77"></iframe>',
      ].join("\n"),
    },
    [
      attachment(20, "https://notes.example/wp-content/uploads/2020/03/moss.jpg", {
        parent: 7,
        excerpt: "Green",
        meta: { _wp_attachment_image_alt: "A moss" },
      }),
      attachment(21, "https://notes.example/wp-content/uploads/2020/03/fern.jpg"),
    ],
  );
  const moss = "https://notes.example/wp-content/uploads/2020/03/moss.jpg";
  expect(await htmlOf(post.body.text)).toBe(
    [
      "<p>First line<br>second line</p>",
      "<p><strong>Second</strong> paragraph</p>",
      "<ul><li><p>one</p></li><li><p>two</p></li></ul>",
      "<p>After the list.</p>",
      `<figure><a href="https://notes.example/x"><img src="${moss}" alt="Moss" width="300" height="200"></a><figcaption>Soft <em>moss</em></figcaption></figure>`,
      `<figure><img src="${moss}" alt="A moss"><figcaption>Green</figcaption></figure>`,
      '<figure><img src="https://notes.example/wp-content/uploads/2020/03/fern.jpg" alt=""></figure>',
      `<figure><img src="${moss}" alt="A moss"><figcaption>Green</figcaption></figure>`,
      '<p><a href="https://video.example/1">https://video.example/1</a></p>',
      '<p><a href="https://video.example/2">https://video.example/2</a></p>',
      '<p><a href="https://cdn.example/a.mp3">https://cdn.example/a.mp3</a></p>',
      '<p><a href="https://cdn.example/v.mp4">https://cdn.example/v.mp4</a></p>',
      '<p><a href="https://www.youtube.com/watch?v=abcdefghijk">https://www.youtube.com/watch?v=abcdefghijk</a></p>',
      '<pre class="ql-syntax" data-language="php">if (a &lt; b) {\n\n  [c]();\n}\n</pre>',
      '<pre class="ql-syntax">kept\n\n  as it is\n</pre>',
      "<blockquote><p>Said.</p><p>Twice.</p></blockquote>",
      "<p>[contact-form-7 id=&quot;3&quot; title=&quot;Write&quot;] and [sic] and [gallery]</p>",
      '<figure class="embed" data-href="https://vimeo.com/77"><a href="https://vimeo.com/77">https://vimeo.com/77</a></figure>',
    ].join(""),
  );
  expect(post.problems).toEqual([
    "1 of 3 pictures in a gallery are missing from the export",
    'Kept an unknown shortcode as text: [contact-form-7 id="3" title="Write"]',
  ]);
});

test.each([
  ['[php]<?php\nif ($a < 1 && $b) { echo "<b>"; }\n[/php]', "php"],
  [
    '[sourcecode language="php"]&lt;?php\nif ($a &lt; 1 &amp;&amp; $b) { echo "&lt;b&gt;"; }[/sourcecode]',
    "php",
  ],
])("keeps the code and language of a highlighting plugin: %s", async (content, language) => {
  const { body, problems } = await readOne({
    id: 7,
    content: `Before.\n\n${content}\n\nAfter [php] and [c].`,
  });
  expect(await htmlOf(body.text)).toBe(
    `<p>Before.</p><pre class="ql-syntax" data-language="${language}">&lt;?php\nif ($a &lt; 1 &amp;&amp; $b) { echo &quot;&lt;b&gt;&quot;; }\n</pre><p>After [php] and [c].</p>`,
  );
  expect(problems).toEqual([]);
});

test("keeps line breaks within a paragraph, item, cell or heading of the classic editor", async () => {
  const content = [
    '<p style="text-align: center;">Moss is green',
    "Stone is <em>grey</em>",
    "</p>",
    "<ul>",
    " <li>one",
    "two",
    "<ul>",
    "<li>",
    "three</li>",
    "</ul>",
    "</li>",
    "</ul>",
    "<h2>A head,",
    "and more</h2>",
    "<table><tbody><tr>",
    "<td>a<br />",
    "b</td>",
    "<th>c</th>",
    "</tr></tbody></table>",
    "<dl><dt>Fern</dt><dd>Green",
    "<em>and old</em></dd></dl>",
  ];
  expect(await htmlOf((await readOne({ content: content.join("\n") })).body.text)).toBe(
    [
      '<p class="ql-align-center">Moss is green<br>Stone is <em>grey</em></p>',
      "<ul><li><p>one<br>two</p><ul><li><p>three</p></li></ul></li></ul>",
      '<h2 id="h-a-head-and-more">A head,<br>and more</h2>',
      "<table><tbody><tr><td><p>a<br>b</p></td><th><p>c</p></th></tr></tbody></table>",
      "<p><strong>Fern</strong></p><p>Green<br><em>and old</em></p>",
    ].join(""),
  );
});

test("keeps what the block editor's blocks show, with notes and shared parts", async () => {
  const post = await readOne(
    {
      id: 7,
      meta: { footnotes: JSON.stringify([{ id: "f-1", content: "A <em>note</em>." }]) },
      content: `<!-- wp:paragraph -->
<p>Text<sup data-fn="f-1" class="fn"><a href="#f-1" id="f-1-link">1</a></sup> with
a line.</p>
<!-- /wp:paragraph -->

<!-- wp:image {"id":20,"sizeSlug":"large"} -->
<figure class="wp-block-image size-large"><img src="https://notes.example/wp-content/uploads/2020/03/moss-1024x683.jpg" alt="Moss" class="wp-image-20"/><figcaption class="wp-element-caption">Soft</figcaption></figure>
<!-- /wp:image -->

<!-- wp:embed {"url":"https://video.example/1","type":"video"} -->
<figure class="wp-block-embed"><div class="wp-block-embed__wrapper">
https://video.example/1
</div></figure>
<!-- /wp:embed -->

<!-- wp:code -->
<pre class="wp-block-code"><code>a &lt; b
&#91;c]</code></pre>
<!-- /wp:code -->

<!-- wp:details --><details class="wp-block-details"><summary>More</summary><!-- wp:paragraph --><p>Inside</p><!-- /wp:paragraph --></details><!-- /wp:details -->

<!-- wp:block {"ref":50} /-->

<!-- wp:latest-posts {"postsToShow":3} /-->

<!-- wp:buttons --><div class="wp-block-buttons"><!-- wp:button --><div class="wp-block-button"><a class="wp-block-button__link" href="https://go.example/">Go</a></div><!-- /wp:button --></div><!-- /wp:buttons -->

<!-- wp:pullquote --><figure class="wp-block-pullquote"><blockquote><p>Said.</p></blockquote></figure><!-- /wp:pullquote -->

<!-- wp:footnotes /-->`,
    },
    [
      attachment(20, "https://notes.example/wp-content/uploads/2020/03/moss.jpg"),
      { id: 50, type: "wp_block", content: "<!-- wp:paragraph --><p>Shared.</p><!-- /wp:paragraph -->" },
    ],
    { "site/wp-content/uploads/2020/03/moss.jpg": "picture" },
  );
  expect(post.body.text).toContain('src="/site/wp-content/uploads/2020/03/moss.jpg"');
  expect(await htmlOf(post.body.text)).toBe(
    [
      '<p>Text<sup class="footnote-ref" data-note="f-1"><a href="#fn-f-1" id="fnref-f-1" role="doc-noteref">1</a></sup> with a line.</p>',
      '<figure><img src="https://beside.example/site/wp-content/uploads/2020/03/moss.jpg" alt="Moss"><figcaption>Soft</figcaption></figure>',
      '<p><a href="https://video.example/1">https://video.example/1</a></p>',
      '<pre class="ql-syntax">a &lt; b\n[c]\n</pre>',
      "<details><summary>More</summary><p>Inside</p></details>",
      "<p>Shared.</p>",
      '<p><a href="https://go.example/">Go</a></p>',
      '<blockquote class="pull-quote"><p>Said.</p></blockquote>',
      '<section class="footnotes"><ol><li data-note="f-1" id="fn-f-1"><p>A <em>note</em>.</p><a class="footnote-back" href="#fnref-f-1" role="doc-backlink" aria-label="Back to the text">↩</a></li></ol></section>',
    ].join(""),
  );
  expect(post.problems).toEqual(["Skipped a dynamic block: latest-posts"]);
});

test("hides a post with blocks that not everyone saw", async () => {
  const block = (attributes: object, inner = "<p>Words.</p>") =>
    `<!-- wp:group ${JSON.stringify(attributes)} -->${inner}<!-- /wp:group -->`;
  const reason = async (content: string) => (await readOne({ content })).hidden;
  const restricted = "part of it was not shown to everyone (group)";
  expect(await reason(block({}))).toBeNull();
  expect(await reason(block({ metadata: { blockVisibility: false } }))).toBe(restricted);
  expect(await reason(block({ blockVisibility: { hideBlock: true } }))).toBe(restricted);
  expect(await reason(block({ blockVisibility: { controlSets: [{ controls: { userRole: {} } }] } }))).toBe(
    restricted,
  );
  expect(await reason(block({}, "<!-- wp:jetpack/paywall /-->"))).toBe("part of it is for members only");
});

test("reads a shared part as the post's own text, with its restrictions", async () => {
  const share = (content: string) =>
    readOne(
      { content: '<!-- wp:block {"ref":50} /--><!-- wp:paragraph --><p>Own.</p><!-- /wp:paragraph -->' },
      [{ id: 50, type: "wp_block", content }],
    );
  expect(
    (await share("<!-- wp:premium-content/container --><p>Paid.</p><!-- /wp:premium-content/container -->"))
      .hidden,
  ).toBe("part of it is for members only");
  const post = await share(
    '<!-- wp:embed {"url":"https://video.example/1"} /--><!-- wp:block {"ref":50} /-->',
  );
  expect(await htmlOf(post.body.text)).toBe(
    '<p><a href="https://video.example/1">https://video.example/1</a></p><p>Own.</p>',
  );
  expect(post).toMatchObject({
    hidden: null,
    problems: ["Skipped a shared part: it is missing from the export or nested in another one"],
  });
});

test("shows a cover's picture that is in its style only, and a file's name without its button", async () => {
  const uploads = "https://notes.example/wp-content/uploads/2020/03";
  const { body } = await readOne(
    {
      content: [
        `<!-- wp:cover --><div class="wp-block-cover has-parallax" style="background-image:url(${uploads}/moss-300x200.jpg)"><p>Over it</p></div><!-- /wp:cover -->`,
        `<!-- wp:cover --><div class="wp-block-cover"><div role="img" aria-label="Fern" class="wp-block-cover__image-background has-parallax" style="background-position:50% 50%;background-image:url(&quot;${uploads}/fern.jpg&quot;)"></div><div class="wp-block-cover__inner-container"><p>And this</p></div></div><!-- /wp:cover -->`,
        `<!-- wp:file --><div class="wp-block-file"><a href="https://files.example/r.pdf">Report</a><a href="https://files.example/r.pdf" class="wp-block-file__button" download>Download</a></div><!-- /wp:file -->`,
        `<!-- wp:file --><div class="wp-block-file"><a href="https://files.example/s.pdf" class="wp-block-file__button" download>Download</a></div><!-- /wp:file -->`,
      ].join(""),
    },
    [attachment(20, `${uploads}/moss.jpg`)],
  );
  expect(await htmlOf(body.text)).toBe(
    [
      `<figure><img src="${uploads}/moss.jpg" alt=""></figure><p>Over it</p>`,
      `<figure><img src="${uploads}/fern.jpg" alt="Fern"></figure><p>And this</p>`,
      '<p><a href="https://files.example/r.pdf">Report</a></p>',
      '<p><a href="https://files.example/s.pdf">Download</a></p>',
    ].join(""),
  );
});

test("shows a post's own pictures in their order in a gallery without ids", async () => {
  const picture = (id: number, order: number) =>
    attachment(id, `https://notes.example/wp-content/uploads/${id}.jpg`, { parent: 7, order });
  const { body } = await readOne({ id: 7, content: "[gallery]" }, [
    picture(20, 3),
    picture(22, 1),
    picture(21, 1),
  ]);
  expect([...body.text.matchAll(/(\d+)\.jpg/g)].map(([, id]) => id)).toEqual(["21", "22", "20"]);
});

test("uses the original pictures, beside the text or on the web, and derives the old site's origins", async () => {
  const uploads = "https://notes.example/wp-content/uploads/2020/03";
  const { posts, source } = await read(
    wordPressExport([
      {
        id: 7,
        slug: "one",
        content: `<img src="${uploads}/moss-300x200.jpg"> <img src="https://i1.wp.com/notes.example/wp-content/uploads/2020/03/moss-768x512.jpg?resize=300"> <img src="${uploads}/big-1024x683.jpg"> <img src="${uploads}/not-in-it-100x100.jpg"> <img src="https://other.example/a-100x100.jpg?x=1"> <img src="/wp-content/uploads/2020/03/caf%C3%A9%20au.jpg">`,
      },
      { id: 8 },
      attachment(20, `${uploads}/big-scaled.jpg`),
    ]),
    { "uploads/2020/03/moss.jpg": "moss", "uploads/2020/03/café au.jpg": "café" },
  );
  const { text } = posts.one!.body;
  expect(source.origins).toEqual([
    "https://notes.example",
    "https://www.notes.example",
    "http://notes.example",
    "http://www.notes.example",
  ]);
  const pictures = [...text.matchAll(/src="([^"]+)"/g)].map(([, src = ""]) => src);
  expect(pictures).toEqual([
    "/uploads/2020/03/moss.jpg",
    "/uploads/2020/03/moss.jpg",
    `${uploads}/big-scaled.jpg`,
    `${uploads}/not-in-it-100x100.jpg`,
    "https://other.example/a-100x100.jpg?x=1",
    "/uploads/2020/03/caf%C3%A9%20au.jpg",
  ]);
  expect(String(await source.file(posts.one!, pictures[5]!, 100))).toBe("café");
  await expect(source.file(posts.one!, "/uploads/../../etc/passwd", 100)).rejects.toThrow("file not found");
});

test("imports comments with threads and names, keeps pending ones pending, and counts pings and spam", async () => {
  const { comments, problems } = await readOne({
    id: 7,
    comments: [
      {
        id: 1,
        author: "Cleo",
        text: 'Nice!\r\n\r\nSee <a href="https://c.example/">this</a> &amp; <b>that</b>.',
      },
      { id: 2, author: "", text: "And I", parent: 1, approved: "0", type: "" },
      { id: 3, text: "Buy", approved: "spam" },
      { id: 4, text: "Old", approved: "trash" },
      { id: 5, text: "[…] linked […]", type: "pingback" },
      { id: 6, text: " ", gmt: "0000-00-00 00:00:00" },
    ],
  });
  expect(comments).toEqual([
    {
      source: "1",
      name: "Cleo",
      text: "Nice!\n\nSee this (https://c.example/) & that.",
      createdAt: new Date("2020-03-02T11:00:00Z"),
      approved: true,
    },
    {
      source: "2",
      parent: "1",
      name: "Anonymous",
      text: "And I",
      createdAt: new Date("2020-03-02T11:00:00Z"),
      approved: false,
    },
  ]);
  expect(problems).toEqual([
    "1 mention by other sites (pingbacks) skipped",
    "2 comments skipped: spam or in the trash",
    "1 comment skipped: no text or date",
  ]);
});

test("reads text that ends CDATA, characters that XML forbids, and other encodings", async () => {
  const xml = wordPressExport([{ id: 1, slug: "one", title: "Café ]]> \u0008!", content: "a]]>b &nbsp; c" }]);
  const latinXml = xml.replace('encoding="UTF-8"', 'encoding="ISO-8859-1"');
  for (const file of [
    xml,
    `\n\n${xml}`,
    Buffer.from(`\ufeff${xml}`),
    Buffer.from(`\ufeff${xml}`, "utf16le"),
    Buffer.from(latinXml, "latin1"),
  ]) {
    const { posts } = await read(file);
    expect(posts.one).toMatchObject({
      title: "Café ]]> !",
      body: { text: "<p>a]]&gt;b &nbsp; c</p>" },
    });
  }
  await expect(read(Buffer.from(xml, "latin1"))).rejects.toThrow("not UTF-8");
  await expect(read(xml.replace('encoding="UTF-8"', 'encoding="klingon"'))).rejects.toThrow("klingon");
});

test("reports XML that is broken, endless or made to grow, and imports what comes before", async () => {
  const whole = wordPressExport([{ id: 1 }, { id: 2 }]);
  const refusal = (xml: string) => read(xml).then(String, (error: Error) => error.message);
  expect(await refusal("")).toContain("it is empty");
  expect(await refusal("<html><body>Not found</body></html>")).toContain("not an export from WordPress");
  expect(await refusal("{}")).toMatch(/not valid XML|not an export/);
  expect(
    await refusal(
      whole.replace(
        "<rss",
        '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>\n<rss',
      ),
    ),
  ).toContain("DOCTYPE");

  // What comes before the break is imported.
  const truncated = whole.slice(0, whole.indexOf("<title>", whole.indexOf("<wp:post_id>1<")) + 20);
  const { posts, others, source } = await read(truncated);
  expect(Object.keys(posts)).toEqual(["post-1"]);
  expect(source.count).toBe(1);
  expect(others[name]).toMatch(/^not valid XML near line \d+ .*Please export it again$/);
  const malformed = await read(whole.replace("</item>", "</itm>"));
  expect(Object.keys(malformed.posts)).toEqual(["post-1"]);
  expect(malformed.others[name]).toContain("not valid XML");

  const endless = async (piece: string) => {
    const [start = ""] = wordPressExport([{ id: 1 }]).split("</channel>");
    const files = {
      ...filesOf({ [name]: "" }),
      stream: async () =>
        Readable.from(
          (function* () {
            yield start;
            for (;;) yield piece;
          })(),
        ),
    };
    return readSource(await openWordPress(files));
  };
  for (const [piece, reason] of [
    ["x".repeat(1 << 20), /one of its values is larger than 32 MB \(line \d+\)/],
    ["<a>".repeat(1000), /too many parts/],
  ] as const) {
    const found = await endless(piece);
    expect(Object.keys(found.posts)).toEqual(["post-1"]);
    expect(found.others[name]).toMatch(reason);
  }
});

test("reports each post that cannot be read, and imports the others", async () => {
  const { posts, others } = await read(
    wordPressExport([
      { id: 1, content: "x".repeat(5_000_000) },
      { id: 2, content: `<!-- wp:html -->${"<div>".repeat(3000)}` },
      { id: 3, title: "", slug: "", link: "nowhere", date: "when", gmt: "soon" },
      { id: 4, slug: "post-5" },
      { id: 5 },
      { id: 6, content: Array.from({ length: 300 }, () => '<!-- wp:block {"ref":60} /-->').join("") },
      { id: 60, type: "wp_block", content: "x".repeat(90_000) },
    ]),
  );
  expect(others["post-1"]).toMatch(/^It can’t be imported: This text is too long/);
  expect(others["post-2"]).toMatch(/^It can’t be imported: This text is nested too deeply/);
  expect(others["post-6"]).toMatch(/^It can’t be imported: This text is too long with its shared parts/);
  expect(posts["?p=3"]).toMatchObject({ title: "(Untitled)", problems: ["It has no title."] });
  expect(posts["post-5"]).toBeDefined();
});

test("reads texts that are made to be slow within a minute", () => {
  const context = {
    attachments: new Map(),
    attachedIds: [],
    reportProblem: () => undefined,
    hide: () => undefined,
  };
  const start = performance.now();
  for (const piece of [
    "<pre",
    "<pre>",
    "[caption]",
    "[caption",
    '[a "',
    "<hr ",
    "<!--",
    "<blockquote ",
    "\n ",
    " ",
    "[embed]x[/embed]",
    "</p",
    "<br",
    "<li>\n",
    "<p ",
    "a\n<",
  ]) {
    const text = piece.repeat(1_000_000 / piece.length);
    withParagraphs(text);
    convertShortcodes(text, context);
  }
  const blocks = { footnotes: "", shared: new Map(), reportProblem: () => undefined, hide: () => undefined };
  for (const piece of ["<!-- wp:", "<!-- wp:a -->", "<!-- wp:a /-->"])
    fillBlocks(piece.repeat(1_000_000 / piece.length), blocks);
  // Some milliseconds each; scanning the rest of the text again for each piece takes minutes.
  expect(performance.now() - start).toBeLessThan(60_000);
});

test("reads a field without CDATA, and an export of version 1.1", async () => {
  const xml = wordPressExport([
    itemXml({ id: 1, slug: "one", content: "Words." }).replace(
      /<wp:post_name>.*<\/wp:post_name>/,
      "<wp:post_name>one</wp:post_name>",
    ),
  ]);
  expect((await read(xml.replaceAll("/export/1.2/", "/export/1.1/"))).posts.one?.title).toBe("Post 1");
});
