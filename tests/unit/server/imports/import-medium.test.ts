import { expect, test } from "vitest";
import { detectKind } from "../../../../src/server/imports/detect-kind.ts";
import { openMedium } from "../../../../src/server/imports/medium/source.ts";
import { readSource, filesOf, shownHtml } from "../../../support/exports/files.ts";
import { graf, mediumRest, mediumStory, type Story } from "../../../support/exports/medium.ts";

const read = async (contents: Record<string, string | Buffer>) => {
  const source = await openMedium(filesOf(contents));
  return { source, ...(await readSource(source)) };
};
const file = "posts/2019-03-04_On-moss-0a1b2c3d4e5f.html";
const readOne = async (story: Story, otherFiles: Record<string, string> = {}) =>
  (await read({ [file]: mediumStory(story), ...otherFiles })).posts[file]!;

test("imports stories with their titles, subtitles, dates, authors and addresses", async () => {
  const { posts, others, source } = await read({
    [file]: mediumStory({
      subtitle: "About a slow plant.",
      body:
        graf("h3", "On moss", "graf--leading graf--title") +
        graf("h4", "About a slow plant.", "graf--subtitle") +
        graf("p", "Moss is slow."),
    }),
    "posts/2020-01-02_Brought-aaaaaaaaaaaa.html": mediumStory({
      id: "aaaaaaaaaaaa",
      title: "Brought along",
      body: graf("h3", "Brought along", "graf--title") + graf("p", "Words."),
      canonical: "https://ana.example/2018/brought-along/",
    }),
    "posts/2020-01-03_In-a-publication-bbbbbbbbbbbb.html": mediumStory({
      id: "bbbbbbbbbbbb",
      body: graf("h3", "On moss", "graf--title"),
      canonical: "https://letters.example/on-moss-bbbbbbbbbbbb",
    }),
    ...mediumRest,
  });
  expect(posts[file]).toEqual({
    source: "0a1b2c3d4e5f",
    file,
    title: "On moss",
    description: "About a slow plant.",
    tags: [],
    body: { kind: "html", text: expect.stringContaining("Moss is slow.") },
    cover: undefined,
    publishedAt: new Date("2019-03-04T12:34:56Z"),
    hidden: null,
    slug: "on-moss",
    paths: ["/@ana/on-moss-0a1b2c3d4e5f", "/on-moss-0a1b2c3d4e5f", "/p/0a1b2c3d4e5f"],
    canonicalUrl: undefined,
    authors: [{ key: "ana", name: "Ana Lima" }],
    problems: [],
  });
  expect(await shownHtml(posts[file]!.body.text)).toBe("<p>Moss is slow.</p>");
  expect(posts["posts/2020-01-02_Brought-aaaaaaaaaaaa.html"]).toMatchObject({
    canonicalUrl: "https://ana.example/2018/brought-along/",
    paths: ["/2018/brought-along", "/p/aaaaaaaaaaaa"],
    slug: "Brought",
  });
  expect(posts["posts/2020-01-03_In-a-publication-bbbbbbbbbbbb.html"]).toMatchObject({
    canonicalUrl: undefined,
    paths: ["/on-moss-bbbbbbbbbbbb", "/p/bbbbbbbbbbbb"],
  });
  expect(source.count).toBe(3);
  expect(others).toEqual({
    "profile/": "other data from Medium: not imported",
    "claps/": "other data from Medium: not imported",
  });
});

test("hides drafts and future stories, and does not import responses", async () => {
  const draft = "posts/draft_Unfinished-cccccccccccc.html";
  const response = "posts/2019-05-05_I-agree-with-dddddddddddd.html";
  const { posts, others } = await read({
    [draft]: mediumStory({
      id: "cccccccccccc",
      title: "Unfinished",
      published: null,
      body: graf("h3", "Unfinished", "graf--title") + graf("p", "Not yet."),
    }),
    [response]: mediumStory({
      id: "dddddddddddd",
      title: "I agree with…",
      body: graf("p", "I agree with all of it, and more."),
    }),
    "posts/2999-01-01_Later-eeeeeeeeeeee.html": mediumStory({
      published: "2999-01-01T00:00:00.000Z",
      body: graf("h3", "On moss"),
    }),
  });
  expect(posts[draft]).toMatchObject({
    hidden: "it is a draft",
    publishedAt: undefined,
    paths: ["/p/cccccccccccc"],
    title: "Unfinished",
  });
  expect(posts["posts/2999-01-01_Later-eeeeeeeeeeee.html"]?.hidden).toBe(
    "its date is in the future (2999-01-01)",
  );
  expect(others[response]).toBe("a response, not a post");
});

test("keeps the sections, code, quotes, pictures, embeds, cards and links of a story", async () => {
  const otherFile = "posts/2019-06-06_Other-ffffffffffff.html";
  const { posts, source } = await read({
    [file]: mediumStory({
      body:
        graf("h3", "On moss", "graf--title") +
        graf(
          "figure",
          '<img class="graf-image" data-image-id="1*aBc-d.png" data-width="1400" data-height="800" data-is-featured="true" src="https://cdn-images-1.medium.com/max/800/1*aBc-d.png"><figcaption class="imageCaption">Green <em>stone</em></figcaption>',
        ) +
        graf(
          "p",
          'See <a href="https://medium.com/@ana/other-ffffffffffff?source=abc#part" data-href="x">mine</a>, <a href="https://medium.com/@bo/his-999999999999">his</a>.',
        ) +
        graf("pre", "if (a &lt; b) {<br>  c();<br>}") +
        graf("blockquote", "Said.") +
        graf(
          "figure",
          '<iframe src="https://www.youtube.com/embed/abcdefghijk?feature=oembed" width="700" height="393"></iframe>',
          "graf--iframe",
        ) +
        graf(
          "figure",
          '<blockquote class="twitter-tweet"><a href="https://twitter.com/jane/status/1"></a></blockquote><script async src="//platform.twitter.com/widgets.js"></script>',
          "graf--iframe",
        ) +
        graf(
          "figure",
          '<blockquote class="twitter-tweet"><p>Words</p>— Jane <a href="https://twitter.com/jane/status/2">June 1</a></blockquote>',
        ) +
        graf("figure", '<script src="https://gist.github.com/ana/0123456789abcdef.js"></script>') +
        `<div class="graf graf--mixtapeEmbed"><a href="https://there.example/" class="markup--anchor"><strong class="markup--strong">There</strong><br><em class="markup--em">A place</em>there.example</a><a href="https://there.example/" class="js-mixtapeImage mixtapeImage" style="background-image: url(x);"></a></div>` +
        '</div></div></section><section name="b" class="section section--body"><div class="section-divider"><hr class="section-divider"></div><div class="section-content"><div class="section-inner">' +
        graf("h4", "A smaller heading") +
        graf("ul", "<li>one</li>"),
    }),
    [otherFile]: mediumStory({ id: "ffffffffffff", body: graf("h3", "On moss") }),
    "images/1*aBc-d.png": "picture",
  });
  const post = posts[file]!;
  expect(post.cover).toBe("/images/1*aBc-d.png");
  expect(String(await source.file(post, post.cover!, 100))).toBe("picture");
  expect(post.body.text).toContain('href="/p/ffffffffffff#part"');
  expect(await shownHtml(post.body.text.replace("/images/", "https://x.example/"))).toBe(
    [
      // The cover that stood above it is the post's own now.
      "<p>Green <em>stone</em></p>",
      '<p>See mine, <a href="https://medium.com/@bo/his-999999999999">his</a>.</p>',
      '<pre class="ql-syntax">if (a &lt; b) {\n  c();\n}\n</pre>',
      "<blockquote><p>Said.</p></blockquote>",
      '<figure class="embed" data-href="https://www.youtube.com/watch?v=abcdefghijk"><a href="https://www.youtube.com/watch?v=abcdefghijk">https://www.youtube.com/watch?v=abcdefghijk</a></figure>',
      '<p><a href="https://twitter.com/jane/status/1">https://twitter.com/jane/status/1</a></p>',
      '<blockquote><p>Words</p><p>— Jane <a href="https://twitter.com/jane/status/2">June 1</a></p></blockquote>',
      '<p><a href="https://gist.github.com/ana/0123456789abcdef">https://gist.github.com/ana/0123456789abcdef</a></p>',
      '<p><a href="https://there.example/">There</a><br>A place</p>',
      "<hr>",
      '<h4 id="h-a-smaller-heading">A smaller heading</h4><ul><li><p>one</p></li></ul>',
    ].join(""),
  );
  expect(post.problems).toEqual([]);
  // Without the file, the picture is linked at Medium, in its original size.
  expect(
    (
      await readOne({
        body: '<h3>On moss</h3><img data-image-id="1*x.png" src="https://cdn-images-1.medium.com/max/800/1*x.png">',
      })
    ).body.text,
  ).toContain('src="https://miro.medium.com/v2/1*x.png"');
});

test("imports stories that are not in a folder, with an address from the file's name where there is no other", async () => {
  const root = {
    "2019-03-04_On-moss-0a1b2c3d4e5f.html": mediumStory({ body: graf("h3", "On moss") }),
    "draft_On-ferns-1a1b2c3d4e5f.html": mediumStory({ body: graf("h3", "On ferns"), published: null }),
    "index.html": "<p>Not a story</p>",
  };
  const { posts } = await read(root);
  expect(Object.keys(posts)).toEqual([
    "2019-03-04_On-moss-0a1b2c3d4e5f.html",
    "draft_On-ferns-1a1b2c3d4e5f.html",
  ]);
  expect(posts["draft_On-ferns-1a1b2c3d4e5f.html"]).toMatchObject({
    slug: "On-ferns",
    hidden: "it is a draft",
  });
  expect(await detectKind(filesOf(root))).toBe("medium");
});

test("shows a cover at the start of the text once, if the export has it", async () => {
  const picture =
    '<img data-image-id="1*x.png" data-is-featured="true" src="https://cdn-images-1.medium.com/max/800/1*x.png">';
  const title = graf("h3", "On moss", "graf--title");
  const paragraph = graf("p", "Words.");
  const otherFiles = { "images/1*x.png": "picture" };
  const text = async (body: string, files = {}) => (await readOne({ body }, files)).body.text;
  const html = await text(title + graf("figure", picture) + paragraph, otherFiles);
  expect(html).toContain("Words.");
  expect(html).not.toMatch(/<img|<figure/);
  expect(await text(title + graf("figure", picture) + paragraph)).toContain("<img");
  expect(await text(title + paragraph + graf("figure", picture), otherFiles)).toContain("<img");
});

test("reports each story that cannot be read, and imports the others", async () => {
  const { posts, others } = await read({
    "posts/a.html": "",
    "posts/b.html": "<p>No story</p>",
    "posts/c.html": Buffer.from(mediumStory({ title: "Caf\xe9" }), "latin1"),
    "posts/d.html": mediumStory({ body: "<div>".repeat(1000) }),
    "posts/e.html": mediumStory({ body: "x".repeat(5_000_000) }),
    "posts/f.html": mediumStory({
      title: "",
      published: "someday",
      canonical: "nowhere",
      body: "<p>Words.</p>",
    }),
    [file]: mediumStory({ body: graf("h3", "On moss") }),
  });
  expect(others).toEqual({
    "posts/a.html": "It can’t be imported: it is empty",
    "posts/b.html": "not a story from Medium",
    "posts/c.html": expect.stringContaining("not UTF-8"),
    "posts/d.html": expect.stringContaining("nested too deeply"),
    "posts/e.html": expect.stringContaining("too long"),
  });
  expect(posts["posts/f.html"]).toMatchObject({
    title: "(Untitled)",
    hidden: "it has no publication date",
    problems: ["Invalid date: someday", "It has no title."],
  });
  expect(posts[file]).toBeDefined();
  await expect(openMedium(filesOf({ "a.html": "" }))).rejects.toThrow("no stories");
});
