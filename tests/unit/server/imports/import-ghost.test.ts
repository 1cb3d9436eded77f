import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { openGhost } from "../../../../src/server/imports/ghost/source.ts";
import { readSource, filesOf, shownHtml } from "../../../support/exports/files.ts";
import { ghostExport, postOf } from "../../../support/exports/ghost.ts";

const name = "field-notes.ghost.2024-01-02-03-04-05.json";
const read = async (json: string | Buffer, otherFiles: Record<string, string> = {}, options = {}) => {
  await using stack = new AsyncDisposableStack();
  const source = await openGhost(filesOf({ [name]: json, ...otherFiles }), options);
  stack.defer(() => source.close());
  return { source, ...(await readSource(source)) };
};
const htmlOf = (html: string) => shownHtml(html.replace(/src="\//g, 'src="https://old.example/'));

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
      postOf(9, {
        html: '<!--kg-gated-block:begin nonMember:false memberSegment:"status:free" --><p>x</p><!--kg-gated-block:end-->',
      }),
      postOf(10, { html: '<!--kg-gated-block:begin nonMember:true memberSegment:"" --><p>Join</p>' }),
      postOf(11, { html: "<p>Free.</p><!--members-only--><p>Not.</p>" }),
      postOf(12, { status: "archived" }),
      postOf(13),
      postOf(14, { lexical: '{"root":{}}', plaintext: "Free.\n\nNot." }),
      postOf(15, { markdown: "Hello **there**" }),
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
    "part of it is not public",
    null,
    "the part after its paywall is for members only",
    "status: archived",
    null,
    "its formatted text is missing from the export. Open and save it in Ghost, then export again",
    "its formatted text is missing from the export. Open and save it in Ghost, then export again",
  ]);
  expect(posts["posts/post-14"]!.body.text).toBe("<p>Free.</p><p>Not.</p>");
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

test("keeps cards, and finds pictures of the old site by their paths", async () => {
  const { posts, source } = await read(
    ghostExport(
      [
        postOf(1, {
          feature_image: "https://notes.example/content/images/2020/cover.png",
          html: `<!--kg-card-begin: html--><p><a href="https://notes.example/post-2/?ref=x#end">ours</a></p><!--kg-card-end: html-->
<figure class="kg-card kg-image-card kg-card-hascaption"><img src="https://notes.example/content/images/size/w600/2020/a.png" class="kg-image" alt="A" srcset="x 600w"><figcaption>Cap</figcaption></figure>
<figure class="kg-card kg-gallery-card kg-width-wide"><div class="kg-gallery-container"><div class="kg-gallery-row"><div class="kg-gallery-image"><img src="https://pictures.example/b.png" width="10" height="10"></div><div class="kg-gallery-image"><img src="https://pictures.example/c.png"></div></div></div><figcaption>Two</figcaption></figure>
<figure class="kg-card kg-bookmark-card"><a class="kg-bookmark-container" href="https://there.example/"><div class="kg-bookmark-content"><div class="kg-bookmark-title">There</div><div class="kg-bookmark-description">A place</div></div></a></figure>
<figure class="kg-card kg-embed-card"><iframe src="https://www.youtube.com/embed/abcdefghijk?feature=oembed"></iframe></figure>
<figure class="kg-card kg-embed-card"><blockquote class="twitter-tweet"><p>Words</p>&mdash; Jane <a href="https://twitter.com/jane/status/1">July 1</a></blockquote><script async src="https://platform.twitter.com/widgets.js"></script></figure>
<pre><code class="language-js">if (a &lt; b) c();</code></pre>
<div class="kg-card kg-toggle-card" data-kg-toggle-state="close"><div class="kg-toggle-heading"><h4 class="kg-toggle-heading-text">More</h4><button class="kg-toggle-card-icon"><svg><path/></svg></button></div><div class="kg-toggle-content"><p>Inside</p></div></div>
<div class="kg-card kg-callout-card kg-callout-card-red"><div class="kg-callout-emoji">💡</div><div class="kg-callout-text">Mind <b>it</b></div></div>
<div class="kg-card kg-button-card kg-align-center"><a href="https://go.example/" class="kg-btn kg-btn-accent">Go</a></div>
<div class="kg-card kg-product-card"><div class="kg-product-card-container"><img src="https://pictures.example/pot.png" class="kg-product-card-image"><div class="kg-product-card-title-container"><h4 class="kg-product-card-title">A pot</h4></div><div class="kg-product-card-rating"><span class="kg-product-card-rating-star"><svg></svg></span></div><div class="kg-product-card-description"><p>Of clay</p></div><a href="https://shop.example/pot" class="kg-product-card-button">Buy</a></div></div>
<figure class="kg-card kg-video-card"><div class="kg-video-container"><video src="/content/media/2020/v.mp4"></video><div class="kg-video-player"><span>0:00</span><button><svg></svg></button></div></div><figcaption>Moving</figcaption></figure>
<div class="kg-card kg-audio-card"><div class="kg-audio-player-container"><audio src="https://cdn.example/a.mp3"></audio><div class="kg-audio-title">A song</div><span>0:00</span></div></div>
<div class="kg-card kg-file-card"><a class="kg-file-card-container" href="/content/files/f.pdf" title="Download"><div class="kg-file-card-contents"><div class="kg-file-card-title">Paper</div><div class="kg-file-card-filesize">9 KB</div></div></a></div>
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
  expect(post.hidden).toBeNull();
  expect(source.origins).toEqual(["https://notes.example", "http://notes.example"]);
  expect(post.cover).toBe("https://notes.example/content/images/2020/cover.png");
  expect(post.body.text).toContain('src="/content/images/2020/a.png"');
  expect(post.body.text).toContain('href="https://notes.example/post-2/?ref=x#end"');
  expect(await htmlOf(post.body.text.replace(/>\n</g, "><"))).toBe(
    [
      '<p><a href="https://notes.example/post-2/?ref=x#end">ours</a></p>',
      '<figure><img src="https://old.example/content/images/2020/a.png" alt="A"><figcaption>Cap</figcaption></figure>',
      '<figure><img src="https://pictures.example/b.png" alt="" width="10" height="10"></figure>',
      '<figure><img src="https://pictures.example/c.png" alt=""></figure>',
      "<p>Two</p>",
      '<p><a href="https://there.example/">There</a><br>A place</p>',
      '<figure class="embed" data-href="https://www.youtube.com/watch?v=abcdefghijk"><a href="https://www.youtube.com/watch?v=abcdefghijk">https://www.youtube.com/watch?v=abcdefghijk</a></figure>',
      '<blockquote><p>Words</p><p>— Jane <a href="https://twitter.com/jane/status/1">July 1</a></p></blockquote>',
      '<pre class="ql-syntax" data-language="js">if (a &lt; b) c();\n</pre>',
      "<details><summary>More</summary><p>Inside</p></details>",
      '<aside class="callout callout-warning"><p class="callout-label">Warning</p><p>💡 Mind <strong>it</strong></p></aside>',
      '<p><a href="https://go.example/">Go</a></p>',
      '<p><img src="https://pictures.example/pot.png" alt=""></p><h4 id="h-a-pot">A pot</h4><p>Of clay</p>',
      '<p><a href="https://shop.example/pot">Buy</a></p>',
      "<p>v.mp4</p><p>Moving</p>",
      '<p><a href="https://cdn.example/a.mp3">A song</a></p>',
      "<p>Paper</p>",
    ].join(""),
  );
  expect(post.problems).toEqual([
    "Skipped a video (only pictures can be imported): /content/media/2020/v.mp4",
    "Skipped a file (only pictures can be imported): /content/files/f.pdf",
    "Skipped a sign-up form",
  ]);
});

test("takes no host for the site's own when the export marks its own addresses by a placeholder", async () => {
  const html = '<img src="https://foreign.example/content/images/a.png">';
  const { source } = await read(ghostExport([postOf(1, { html }), postOf(2, { html })]));
  expect(source.origins).toEqual(["https://foreign.example", "http://foreign.example"]);
  const link = '<a href="__GHOST_URL__/post-1/">own</a>';
  const marked = await read(ghostExport([postOf(1, { html }), postOf(2, { html: html + link })]));
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
  await expect(openGhost(filesOf(otherFiles))).rejects.toThrow("is not an export from Ghost");
});

test("reads the first versions, with one author and dates in milliseconds", async () => {
  const { posts } = await read(
    ghostExport(
      [
        postOf(1, {
          id: 1,
          uuid: undefined,
          markdown: "Hello **there**",
          html: "<p>Hello <strong>there</strong></p>",
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
    body: { text: "<p>Hello <strong>there</strong></p>" },
    cover: "/content/images/2014/Jan/a.png",
    publishedAt: new Date(1_388_318_400_000),
    authors: [{ key: "ana" }],
    hidden: null,
  });
});

test("reports each post that cannot be read, and imports the others", async () => {
  const { posts, others } = await read(
    ghostExport([
      postOf(1, { html: `<p>${"x".repeat(5_000_000)}</p>` }),
      postOf(2, { html: "<div>".repeat(5000) }),
      postOf(3, { published_at: "soon", title: null, slug: null }),
      postOf(4, { title: 12, html: ["no"], lexical: { root: 1 }, feature_image: {} }),
      postOf(5),
    ]),
  );
  expect(others).toEqual({
    "posts/post-1": expect.stringMatching(/^It can’t be imported: This text is too long/),
    "posts/post-2": expect.stringMatching(/^It can’t be imported: This text is nested too deeply/),
  });
  expect(posts[`posts/${String(postOf(3).id)}`]).toMatchObject({
    title: "(Untitled)",
    paths: [],
    publishedAt: undefined,
    problems: ["Invalid date: soon", "It has no title."],
  });
  expect(Object.keys(posts)).toContain("posts/post-5");
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
  await expect(openGhost(filesOf({ "a.txt": "" }))).rejects.toThrow("no JSON file found");
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
  await expect(openGhost(endless)).rejects.toThrow("one of its values is larger than 32 MB");
  expect(partCount).toBeLessThan(80);

  const row = JSON.stringify(postOf(1, { html: "<p>word</p>", plaintext: "word ".repeat(10_000) }));
  const many = filesStreaming(function* () {
    yield '{"data":{"posts":[';
    for (let at = 0; at < 200; at++) yield `${at === 0 ? "" : ","}${row}`;
    yield "]}}";
  });
  const source = await openGhost(many);
  expect(source.count).toBe(200);
  partCount = 0;
  let posts = 0;
  for await (const found of source.posts()) {
    if (posts === 0) expect(partCount).toBeLessThan(50);
    if ("post" in found) posts++;
  }
  expect(posts).toBe(200);
});
