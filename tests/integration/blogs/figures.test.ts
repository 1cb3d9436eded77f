import { expect, test } from "vitest";
import type { DocumentJson } from "../../../src/shared/document/schema.ts";
import { ApiClient, blogForm } from "../../support/api-client.ts";
import { paint, upload } from "../../support/pictures.ts";
import { siteWith } from "../../support/site-with.ts";
import { aBlog, startTestSite } from "../../support/test-site.ts";

/** Removes the attributes that the site adds. */
const withoutAttributes = (html: string) =>
  html.replace(/<img[^>]*>/g, "<img>").replace(/ style="[^"]*"/g, "");

test("keeps figures' captions, widths and pairs through REST edits, and shows them in pages, feeds, search and exports", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const client = await ApiClient.of(testSite, ana);
  const data = `data:image/png;base64,${(await paint(900, 600)).toString("base64")}`;
  const [one, two] = [await upload(ana, await paint(600, 900)), await upload(ana, await paint(900, 600))];
  const sentContent =
    `<p>Owls.</p><figure class="wp-block-image alignwide"><img src="${data}" alt="A barn"><figcaption>Where <em>zebrafinches</em> nest</figcaption></figure>` +
    `<div class="figure-pair figure-full"><figure><img src="${one.src}"></figure><figure><a href="https://example.org/"><img src="${two.src}"></a><figcaption>two</figcaption></figure></div>`;
  const created = (await client.call("POST", "/blogs", blogForm({ content: JSON.stringify(sentContent) })))
    .body.blog;
  const read = async () => (await client.call("GET", `/blogs/${created.blogId}`)).body.blog.content as string;
  const content = await read();
  expect(withoutAttributes(content)).toBe(
    '<p>Owls.</p><figure class="figure-wide"><img><figcaption>Where <em>zebrafinches</em> nest</figcaption></figure>' +
      '<div class="figure-pair figure-full"><figure><img></figure><figure><a href="https://example.org/" rel="nofollow noopener ugc"><img></a><figcaption>two</figcaption></figure></div>',
  );
  await client.call("PATCH", `/blogs/${created.blogId}`, blogForm({ content: JSON.stringify(content) }));
  expect(await read()).toBe(content);

  const guest = testSite.browser();
  const [{ slug } = { slug: "" }] = testSite.rows<{ slug: string }>("select slug from blogs");
  const { html } = await guest.api.blogs.bySlug.query({ slug });
  // The widths in a pair are proportional to the aspect ratios.
  expect(html.match(/--ratio: [\d.]+/g)?.slice(0, 2)).toEqual(["--ratio: 0.667", "--ratio: 1.5"]);
  expect(html.match(/sizes="[^"]+"/g)?.slice(0, 3)).toEqual([
    'sizes="(min-width: 56rem) 52rem, 100vw"',
    ...Array<string>(2).fill('sizes="(max-width: 480px) 100vw, 50vw"'),
  ]);
  // A linked image has no button.
  expect(html.match(/class="figure-open" aria-label="[^"]+"/g)?.slice(0, 2)).toEqual([
    'class="figure-open" aria-label="Enlarge the picture: A barn"',
    'class="figure-open" aria-label="Enlarge the picture"',
  ]);
  const feed = await (await guest.fetch("/feed.json")).text();
  expect(feed).toContain("<figcaption>Where <em>zebrafinches</em> nest</figcaption></figure>");
  expect(feed).not.toContain("figure-open");
  const markdown = await (await guest.fetch(`/blog/${slug}.md`)).text();
  expect(markdown).toMatch(/^<figure class="figure-wide"><img [^>]+><figcaption>Where <em>zebra/m);
  expect((await guest.api.blogs.search.query({ query: "zebrafinches" })).blogs).toHaveLength(1);
});

test("lets readers enlarge a picture in a line that is wider than the column, unless it is in a link or heading", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const client = await ApiClient.of(testSite, ana);
  const [{ src }, { src: icon }] = [
    await upload(ana, await paint(900, 600)),
    await upload(ana, await paint(40, 40)),
  ];
  const content =
    `<p><img src="${src}" alt="A > barn"></p><p>An <strong>owl <img src="${src}"> and</strong> <img src="${icon}" alt="icon"></p>` +
    `<p><a href="https://example.org/">see <img src="${src}"></a></p><h2>Barns <img src="${src}"></h2>`;
  const { blogId } = (await client.call("POST", "/blogs", blogForm({ content: JSON.stringify(content) })))
    .body.blog;
  const sent = (await client.call("GET", `/blogs/${blogId}`)).body.blog.content as string;
  expect(sent).not.toMatch(/button|span/);
  await client.call("PATCH", `/blogs/${blogId}`, blogForm({ content: JSON.stringify(sent) }));
  expect((await client.call("GET", `/blogs/${blogId}`)).body.blog.content).toBe(sent);

  const [{ slug } = { slug: "" }] = testSite.rows<{ slug: string }>("select slug from blogs");
  const { html } = await testSite.browser().api.blogs.bySlug.query({ slug });
  const button = (label: string) =>
    `<button type="button" class="figure-open" aria-label="${label}"></button>`;
  expect(html.replace(/<img(?:"[^"]*"|[^>"])*>/g, "<img>").replace(/ (?:rel|dir|id)="[^"]*"/g, "")).toBe(
    `<p><span class="enlargeable"><img>${button("Enlarge the picture: A &gt; barn")}</span></p>` +
      `<p>An <strong>owl <span class="enlargeable"><img>${button("Enlarge the picture")}</span> and</strong> <img></p>` +
      '<p><a href="https://example.org/">see <img></a></p><h2>Barns <img><a class="heading-link" href="#h-barns" aria-hidden="true" tabindex="-1"></a></h2>',
  );
});

test("replaces a figure whose image cannot be fetched by its text, and keeps the other of a pair", async () => {
  await using testSite = await startTestSite({}, {}, { mayReach: () => false });
  const ana = await testSite.createAccount("Ana");
  const { src } = await upload(ana);
  const figure = (address: string, caption: string) => ({
    type: "figure",
    content: [
      { type: "figure_image", attrs: { src: address, alt: "owl" } },
      { type: "figure_caption", content: [{ type: "text", text: caption }] },
    ],
  });
  const missingUrl = "https://gone.example/a.png";
  const document = {
    type: "doc",
    content: [
      figure(missingUrl, "one"),
      { type: "figure_pair", content: [figure(missingUrl, "two"), figure(src, "three")] },
    ],
  } as DocumentJson;
  const { slug, message } = await ana.api.blogs.create.mutate(aBlog({ document }));
  expect(message).toContain("We couldn’t copy 2 pictures from other sites");
  const { html } = await ana.api.blogs.bySlug.query({ slug });
  const link = `<p dir="auto"><a href="${missingUrl}" rel="nofollow noopener ugc">owl</a></p>`;
  expect(withoutAttributes(html).replace(/<button[^>]*><\/button>/g, "")).toBe(
    `${link}<p dir="auto">one</p>${link}<p dir="auto">two</p><figure dir="auto"><img><figcaption>three</figcaption></figure>`,
  );
});

test("refuses a figure of an invalid structure with a reason", async () => {
  const [, ana] = await siteWith("Ana");
  const { src } = await upload(ana);
  const image = { type: "figure_image", attrs: { src } };
  const caption = (text: string) => ({ type: "figure_caption", content: [{ type: "text", text }] });
  const wrong: [object, RegExp][] = [
    [{ type: "figure", content: [image] }, /unsupported structure/],
    [{ type: "figure", content: [{ type: "figure_image" }, caption("a")] }, /picture from a place/],
    [{ type: "figure", attrs: { size: "huge" }, content: [image, caption("a")] }, /style this site does not/],
    [{ type: "figure", content: [image, caption("a".repeat(2_001))] }, /words below a picture/],
    [
      { type: "figure_pair", content: [{ type: "figure", content: [image, caption("a")] }] },
      /unsupported structure/,
    ],
  ];
  for (const [block, reason] of wrong)
    await expect(
      ana.api.blogs.create.mutate(aBlog({ document: { type: "doc", content: [block] } })),
    ).rejects.toThrow(reason);
});
