import { expect, test } from "vitest";

import { OwnHosts, openSubstack } from "../../../../src/server/imports/substack/source.ts";
import { readSource, filesOf, shownHtml } from "../../../support/exports/files.ts";
import { attrs, capturedImage, postsCsv, type Listed } from "../../../support/exports/substack.ts";

const read = async (contents: Record<string, string | Buffer>) => {
  const source = await openSubstack(filesOf(contents, 50));
  return { source, ...(await readSource(source)) };
};
const readOne = async (html: string, row: Listed = {}, otherFiles: Record<string, string> = {}) =>
  (
    await read({
      "posts.csv": postsCsv([{ post_id: "12.on-moss", ...row }]),
      "posts/12.on-moss.html": html,
      ...otherFiles,
    })
  ).posts["posts/12.on-moss.html"]!;

test("imports posts with their titles, subtitles, dates and addresses", async () => {
  const { posts, others, source } = await read({
    "export/posts.csv": postsCsv([
      { post_id: "12.on-moss", title: 'On "moss", slowly', subtitle: "Two\nlines" },
      {
        post_id: "13.a-talk",
        type: "podcast",
        podcast_url: "https://api.substack.example/feed/podcast/13.mp3",
      },
      { post_id: "14.what-do-you-think", type: "thread" },
      { post_id: "15.nothing-yet", is_published: "false", post_date: "" },
    ]),
    "export/posts/12.on-moss.html": "<p>Moss is slow.</p>",
    "export/posts/13.a-talk.html": "<p>We talk.</p>",
    "export/posts/14.what-do-you-think.html": "<p>Well?</p>",
    "export/posts/99.left-over.html": "<p>Whose?</p>",
    "export/posts/12.delivers.csv": "post_id,timestamp,email\n12,2021,a@example.org",
    "export/email_list.notes.csv": "email\na@example.org",
  });
  expect(posts["export/posts/12.on-moss.html"]).toEqual({
    source: "12.on-moss",
    file: "export/posts/12.on-moss.html",
    title: 'On "moss", slowly',
    description: "Two\nlines",
    tags: [],
    body: { kind: "html", text: "<p>Moss is slow.</p>" },
    publishedAt: new Date("2021-05-06T07:08:09Z"),
    hidden: null,
    slug: "on-moss",
    paths: ["/p/on-moss"],
    authors: [],
    problems: [],
  });
  expect(posts["export/posts/13.a-talk.html"]).toMatchObject({
    problems: ["Its audio was not imported: https://api.substack.example/feed/podcast/13.mp3"],
    body: { text: expect.stringContaining('href="https://api.substack.example/feed/podcast/13.mp3"') },
  });
  expect(others).toEqual({
    "export/posts/14.what-do-you-think.html": "a discussion thread, not a post",
    "15.nothing-yet": "a draft without a text",
    "export/posts/99.left-over.html": "not listed in posts.csv",
    "*.csv": "2 lists of readers, emails and opens: not imported",
  });
  expect(source.count).toBe(4);
});

test("hides each post that is not plainly public, with the reason", async () => {
  const hidden = async (row: Listed, html = "<p>Words.</p>") => (await readOne(html, row)).hidden;
  expect(await hidden({})).toBeNull();
  expect(await hidden({ audience: "only_paid" })).toBe("it is for paying readers only");
  expect(await hidden({ audience: "founding" })).toBe("it is for founding members only");
  expect(await hidden({ audience: "only_free" })).toBe("it is for subscribers only");
  expect(await hidden({ audience: "friends" })).toBe("audience: friends");
  expect(await hidden({ is_published: "false", audience: "only_paid" })).toBe(
    "it is a draft; it is for paying readers only",
  );
  expect(await hidden({ is_published: "" })).toBe("it is a draft");
  expect(await hidden({ post_date: "2999-01-02T00:00:00.000Z" })).toBe("it is scheduled for 2999-01-02");
  expect(
    await hidden(
      {},
      '<p>Open.</p><div class="paywall-jump" data-component-name="PaywallToDOM"></div><p>Closed.</p>',
    ),
  ).toBe("the part after its paywall is for paying readers only");
  expect((await readOne("<p>Words.</p>", { is_published: "false" })).publishedAt).toBeUndefined();
});

test("keeps pictures, notes, quotes, code and embeds, and removes what asks to subscribe", async () => {
  const src = "https://bucketeer.s3.example/public/images/0a1b_2000x1000.png";
  const post = await readOne(
    [
      '<p>Text<a class="footnote-anchor" data-component-name="FootnoteAnchorToDOM" id="footnote-anchor-1" href="#footnote-1" target="_self">1</a>, see<a class="footnote-anchor" data-component-name="FootnoteAnchorToDOM" id="footnote-anchor-2" href="#footnote-2" target="_self">2</a> <a href="https://notes.substack.com/p/on-moss?utm_source=x#end">this</a>.</p>',
      capturedImage(src, "Green <em>stone</em>"),
      `<div class="subscription-widget-wrap" ${attrs({ url: "%%checkout_url%%", text: "Subscribe" })}><div class="subscription-widget show-subscribe"><div class="preamble"><p>Thanks for reading!</p></div><form class="subscription-widget-subscribe"><input type="email"></form></div></div>`,
      `<p class="button-wrapper" ${attrs({ url: "%%share_url%%", text: "Share" })}><a class="button primary" href="%%share_url%%"><span>Share</span></a></p>`,
      `<p class="button-wrapper" ${attrs({ url: "https://shop.example/", text: "Buy a stone" })}><a class="button primary" href="https://shop.example/"><span>Buy a stone</span></a></p>`,
      `<div id="youtube2-abcdefghijk" class="youtube-wrap" ${attrs({ videoId: "abcdefghijk", startTime: null, endTime: null })} data-component-name="Youtube2ToDOM"><div class="youtube-inner"><iframe src="https://www.youtube-nocookie.com/embed/abcdefghijk?rel=0"></iframe></div></div>`,
      `<div class="tweet" ${attrs({ url: "https://twitter.com/bo/status/1", full_text: "A thought", username: "bo", name: "Bo" })}></div>`,
      `<div class="embedded-post-wrap" ${attrs({ id: 7, url: "https://other.substack.com/p/ferns", title: "Ferns", publication_name: "Other" })}><a class="embedded-post" href="https://other.substack.com/p/ferns"><div>Ferns</div></a></div>`,
      `<div class="image-gallery-embed" ${attrs({
        gallery: {
          images: [
            { type: "image/png", src: "https://pictures.example/b.png" },
            { type: "image/png", src: "https://pictures.example/c.png" },
          ],
          caption: "Two",
          alt: "Ferns",
        },
      })}></div>`,
      `<div class="poll-embed" ${attrs({ id: 3 })}></div>`,
      `<div class="native-video-embed" ${attrs({ mediaUploadId: "x" })}></div>`,
      '<div class="pullquote"><p>Slow.</p></div><div><hr></div>',
      `<div class="highlighted_code_block" ${attrs({ language: "python", nodeId: "n" })}><pre class="shiki"><code class="language-python">if a &lt; b:\n  c()</code></pre></div>`,
      `<div class="latex-rendered" ${attrs({ persistentExpression: "a^2", id: "X" })}></div>`,
      '<div class="preformatted-block" data-component-name="PreformattedTextBlockToDOM"><label class="hide-text" contenteditable="false">Text within this block will maintain its original spacing when published</label><pre class="text">a poem\n  in lines</pre></div>',
      '<div class="footnote" data-component-name="FootnoteToDOM"><a id="footnote-1" href="#footnote-anchor-1" class="footnote-number" contenteditable="false" target="_self">1</a><div class="footnote-content"><p>A <strong>note</strong>.</p></div></div>',
      '<div class="footnote" data-component-name="FootnoteToDOM"><a id="footnote-2" href="#footnote-anchor-2" class="footnote-number" contenteditable="false" target="_self">2</a><div class="footnote-content"><p>Another.</p></div></div>',
    ].join(""),
  );
  expect(post.body.text).toContain('href="/p/on-moss#end"');
  expect(await shownHtml(post.body.text)).toBe(
    [
      '<p>Text<sup class="footnote-ref" data-note="1"><a href="#fn-1" id="fnref-1" role="doc-noteref">1</a></sup>, see<sup class="footnote-ref" data-note="2"><a href="#fn-2" id="fnref-2" role="doc-noteref">2</a></sup> this.</p>',
      `<figure><img src="${src}" alt="A stone" width="2000" height="1000"><figcaption>Green <em>stone</em></figcaption></figure>`,
      '<p><a href="https://shop.example/">Buy a stone</a></p>',
      '<p><a href="https://www.youtube.com/watch?v=abcdefghijk">https://www.youtube.com/watch?v=abcdefghijk</a></p>',
      '<blockquote><p>A thought</p><p><a href="https://twitter.com/bo/status/1">Bo</a></p></blockquote>',
      '<p><a href="https://other.substack.com/p/ferns">Ferns</a></p>',
      '<figure><img src="https://pictures.example/b.png" alt="Ferns"></figure><figure><img src="https://pictures.example/c.png" alt="Ferns"></figure><p>Two</p>',
      '<blockquote class="pull-quote"><p>Slow.</p></blockquote><hr>',
      '<pre class="ql-syntax" data-language="python">if a &lt; b:\n  c()\n</pre>',
      '<pre class="formula">a^2\n</pre>',
      '<pre class="ql-syntax">a poem\n  in lines\n</pre>',
      '<section class="footnotes"><ol><li data-note="1" id="fn-1"><p>A <strong>note</strong>.</p><a class="footnote-back" href="#fnref-1" role="doc-backlink" aria-label="Back to the text">↩</a></li><li data-note="2" id="fn-2"><p>Another.</p><a class="footnote-back" href="#fnref-2" role="doc-backlink" aria-label="Back to the text">↩</a></li></ol></section>',
    ].join(""),
  );
  expect(post.problems).toEqual([
    "Skipped buttons to subscribe, share or comment",
    "Skipped a part that works only on Substack: poll-embed",
    "Skipped a part that works only on Substack: native-video-embed",
  ]);
  const embedded = await readOne(capturedImage(src, ""), {}, { "images/0a1b_2000x1000.png": "picture" });
  expect(embedded.body.text).toContain('src="/images/0a1b_2000x1000.png"');
});

test("turns a widget without content of its own into a link to what it names, or reports it", async () => {
  const post = await readOne(
    [
      `<p>Of <span class="cashtag-wrap" ${attrs({ symbol: "$MOSS" })}></span> much.</p>`,
      `<div class="new-thing" ${attrs({ url: "https://there.example/", title: "There" })}><div ${attrs({ url: "https://within.example/" })}></div></div>`,
      `<div class="other-thing wide" ${attrs({ id: 3 })}> </div>`,
      `<div class="full-thing" ${attrs({ url: "https://x.example/" })}><p>Words.</p></div>`,
      `<div class="full-thing" ${attrs({ url: "https://x.example/" })}><img src="https://pictures.example/a.png"></div>`,
    ].join(""),
  );
  expect(await shownHtml(post.body.text)).toBe(
    '<p>Of $MOSS much.</p><p><a href="https://there.example/">There</a></p><p>Words.</p><p><img src="https://pictures.example/a.png" alt=""></p>',
  );
  expect(post.problems).toEqual(["Skipped a part that works only on Substack: other-thing wide"]);
});

test("keeps a link to another site's post of the same name, where buttons name the own site", async () => {
  const button = (url: string) =>
    `<p class="button-wrapper" ${attrs({ url, text: "Share" })}><a class="button primary" href="${url.replaceAll("&", "&amp;")}"><span>Share</span></a></p>`;
  const links = [
    "https://notes.example/p/on-moss#end",
    "https://friend.substack.com/p/on-moss",
    "https://notes.example/p/coming-soon",
    "https://friend.substack.com/p/coming-soon",
  ];
  const read4 = async (first: string) => {
    const { posts } = await read({
      "posts.csv": postsCsv([{ post_id: "1.coming-soon" }, { post_id: "12.on-moss" }]),
      "posts/1.coming-soon.html": first,
      "posts/12.on-moss.html": links.map((href) => `<p><a href="${href}">x</a></p>`).join(""),
    });
    const { text } = posts["posts/12.on-moss.html"]!.body;
    return [...text.matchAll(/href="([^"]+)"/g)].map(([, href]) => href);
  };
  const expectedLinks = ["/p/on-moss#end", links[1], "/p/coming-soon", links[3]];
  expect(await read4(button("https://notes.example/subscribe?"))).toEqual(expectedLinks);
  const shared = "https://notes.example/p/on-moss?utm_source=substack&utm_content=share&action=share";
  const { posts } = await read({
    "posts.csv": postsCsv([{ post_id: "12.on-moss" }]),
    "posts/12.on-moss.html": `${button("https://friend.substack.com/subscribe")}<a href="${links[0]}">x</a><a href="${links[1]}">x</a>${button(shared)}`,
  });
  expect(posts["posts/12.on-moss.html"]!.body.text).toContain(
    `href="/p/on-moss#end">x</a><a href="${links[1]}">`,
  );
  // Where nothing names the site, the post that every newsletter has is no one's.
  expect(await read4("<p>Soon.</p>")).toEqual(["/p/on-moss#end", "/p/on-moss", links[2], links[3]]);
});

test("finds the own site in a post that is made to be slow within ten seconds", () => {
  const start = process.cpuUsage();
  for (const piece of ["https://a", "https://a.b/p/c", "https://a.b/p/c?", "https://a/subscrib", "a"])
    new OwnHosts().learn(`https://a.b/p/c?${piece.repeat(1_000_000 / piece.length)}`, "c");
  // Some milliseconds each; scanning the rest of the text again for each piece takes minutes.
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(10_000);
});

test("reports each post that cannot be read, and imports the others", async () => {
  const rows = ["1.a", "2.b", "3.c", "4.d", "5.e", "6.a"].map((post_id) => ({ post_id }));
  const { posts, others } = await read({
    "posts.csv": postsCsv([...rows, { post_id: "" }, { post_id: "7", title: "", post_date: "soon" }]),
    "posts/1.a.html": "<div>".repeat(1000),
    "posts/2.b.html": "x".repeat(5_000_000),
    "posts/3.c.html": Buffer.from("<p>Caf\xe9</p>", "latin1"),
    "posts/5.e.html": "",
    "posts/6.a.html": `<div class="tweet" data-attrs="{broken">x</div><p>Words.</p>`,
    "posts/7.html": "<p>Words.</p>",
  });
  expect(others).toEqual({
    "posts/1.a.html": expect.stringContaining("nested too deeply"),
    "posts/2.b.html": expect.stringContaining("too long"),
    "posts/3.c.html": expect.stringContaining("not UTF-8"),
    "4.d": "It can’t be imported: its text is missing from the export",
    "posts.csv": "a line in posts.csv without post_id",
  });
  expect(posts["posts/5.e.html"]?.body.text).toBe("");
  expect(posts["posts/6.a.html"]?.problems).toEqual(["Skipped a part that works only on Substack: tweet"]);
  expect(posts["posts/7.html"]).toMatchObject({
    title: "(Untitled)",
    slug: undefined,
    paths: [],
    problems: ["Invalid date: soon", "It has no title."],
  });
});

test("refuses a posts.csv that is no list, with the reason", async () => {
  const refusal = (csv: string | Buffer) =>
    read({ "posts.csv": csv }).then(String, (error: Error) => error.message);
  expect(await refusal("")).toContain("it is empty");
  expect(await refusal("name,email\na,b\n")).toContain("no column post_id");
  expect(await refusal('post_id,title\n1.a,"never closed\n')).toMatch(/not valid CSV/);
  expect(await refusal(`post_id,title\n1.a,${"x".repeat(3_000_000)}\n`)).toMatch(/not valid CSV/);
  expect(await refusal(Buffer.from("post_id,title\n1.a,Caf\xe9\n", "latin1"))).toContain("not UTF-8");
  expect(
    (
      await read({
        "posts.csv": Buffer.from(`\ufeff${postsCsv([{ post_id: "1.a" }])}`, "utf16le"),
        "posts/1.a.html": "<p>x</p>",
      })
    ).source.count,
  ).toBe(1);
  await expect(openSubstack(filesOf({ "a.csv": "" }))).rejects.toThrow("no posts.csv found");
});
