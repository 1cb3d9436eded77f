import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { actingAs } from "../../src/server/commands/parts.ts";
import { openFiles } from "../../src/server/imports/files/open.ts";
import { sourceOf } from "../../src/server/imports/kinds.ts";
import { importFrom } from "../../src/server/imports/run.ts";
import { reprise } from "../support/command.ts";
import { ghostExport, lexical, paragraph, postOf, text } from "../support/exports/ghost.ts";
import { graf, mediumStory } from "../support/exports/medium.ts";
import { capturedImage, postsCsv } from "../support/exports/substack.ts";
import { attachment, wordPressExport } from "../support/exports/wordpress.ts";
import { folderOf } from "../support/import-folder.ts";
import { paint } from "../support/pictures.ts";
import { startTown, type Town } from "../support/town.ts";
import { zipOf } from "../support/zip.ts";

type Contents = Record<string, string | Buffer>;

/** An import of these files as a ZIP, by the engine, as Ana. */
async function bringIn(town: Town, kind: string, contents: Contents) {
  const ana = await town.resident("Ana");
  const ctx = actingAs(town.app.parts, { id: ana.me.id });
  await using folder = await folderOf({
    "export.zip": zipOf(Object.entries(contents).map(([name, bytes]) => ({ name, bytes }))),
  });
  const run = async () => {
    const source = await sourceOf(kind, await openFiles(path.join(folder.folder, "export.zip")));
    try {
      return await importFrom(ctx, source);
    } finally {
      await source.close();
    }
  };
  const report = await run();
  const { blogs } = await ana.api.blogs.mine.query({});
  const bySlug = Object.fromEntries(blogs.map((blog) => [blog.title, blog]));
  const html = async (title: string) =>
    (await ana.api.blogs.bySlug.query({ slug: bySlug[title]?.slug ?? "" })).html;
  const again = await run();
  return { ana, report, again, blogs: bySlug, html };
}

/** Where a guest is led from an address of the old site. */
async function oldAddress(town: Town, address: string): Promise<[number, string | null]> {
  const answer = await town.browser().fetch(address, { redirect: "manual" });
  return [answer.status, answer.headers.get("location")];
}

async function seesPictures(town: Town, html: string, number: number): Promise<void> {
  const pictures = [...html.matchAll(/<img src="(\/media\/[^"]+)"/g)].map(([, src = ""]) => src);
  expect(pictures).toHaveLength(number);
  for (const src of pictures) expect((await town.browser().fetch(src)).status).toBe(200);
}

const at = (town: Town, slug = "") => `href="${town.config.publicUrl}/blog/${slug}"`;

test("what Ghost exported is here, with its pictures, links, drafts and old addresses", async () => {
  await using town = await startTown();
  const { report, again, blogs, html } = await bringIn(town, "ghost", {
    "notes.ghost.2024-01-01.json": ghostExport(
      [
        postOf(1, {
          title: "On moss",
          slug: "on-moss",
          feature_image: "__GHOST_URL__/content/images/2020/cover.png",
          custom_excerpt: "A slow plant.",
          lexical: lexical(
            paragraph(
              { type: "link", url: "__GHOST_URL__/on-ferns/", children: [text("ferns")] },
              text(", and "),
              { type: "link", url: "__GHOST_URL__/on-ferns/", children: [text("again")] },
              { type: "link", url: "https://notes.example/on-ferns/", children: [text("elsewhere")] },
            ),
            {
              type: "image",
              src: "__GHOST_URL__/content/images/2020/a.png",
              alt: "A stone",
              caption: "Green",
            },
            { type: "toggle", heading: "More", content: "<p>Inside</p>" },
          ),
        }),
        postOf(2, {
          title: "On ferns",
          slug: "on-ferns",
          html: '<p>Words.</p><img src="https://notes.example/content/images/2020/a.png">',
        }),
        postOf(3, {
          title: "For members",
          visibility: "members",
          slug: "for-members",
          html: "<p>Secret.</p>",
        }),
        postOf(4, { title: "About", type: "page", slug: "about" }),
      ],
      {
        tags: [{ id: "t", name: "Plants", slug: "plants" }],
        posts_tags: [{ post_id: postOf(1).id, tag_id: "t", sort_order: 0 }],
      },
    ),
    "content/images/2020/a.png": await paint(40, 30, "png"),
    "content/images/2020/cover.png": await paint(80, 60, "png"),
  });
  expect(report).toMatchObject({ imported: 3, problems: [] });
  expect(report.drafts).toEqual([{ file: "posts/for-members", reason: "it is for members only" }]);
  expect(report.leftOut).toEqual([{ file: "pages/about", reason: "a page, not a post" }]);
  expect(again).toMatchObject({ imported: 0, changed: 0, before: 3 });
  expect(blogs["On moss"]).toMatchObject({
    slug: "on-moss",
    tags: ["plants"],
    draft: false,
    cover: { width: 80 },
  });
  expect(blogs["For members"]).toMatchObject({ draft: true });
  const moss = await html("On moss");
  expect(moss.split(at(town, "on-ferns"))).toHaveLength(3);
  expect(moss).toContain('href="https://notes.example/on-ferns/"');
  await seesPictures(town, moss, 1);
  await seesPictures(town, await html("On ferns"), 1);
  expect(await oldAddress(town, "/on-moss/")).toEqual([301, "/blog/on-moss"]);
  expect(await oldAddress(town, "/2020/03/01/on-ferns/")).toEqual([301, "/blog/on-ferns"]);
  expect(await oldAddress(town, "/for-members/")).toEqual([404, null]);
  expect((await town.browser().fetch("/blog/for-members")).status).toBe(404);
});

test("what WordPress exported is here, with its pictures, links, drafts and old addresses", async () => {
  await using town = await startTown();
  const uploads = "https://notes.example/wp-content/uploads/2020/03";
  const { report, again, blogs, html } = await bringIn(town, "wordpress", {
    "notes.xml": wordPressExport([
      {
        id: 7,
        title: "On moss",
        slug: "on-moss",
        content: `See <a href="http://www.notes.example/2020/03/on-ferns/#what-grows">ferns</a>, <a href="https://notes.example/?p=8">again</a>.\n\n[caption width="300"]<img src="${uploads}/moss-300x200.png" alt="Moss" width="30" height="20" /> Soft[/caption]`,
        meta: { _thumbnail_id: "20" },
        terms: [["post_tag", "plants", "Plants"]],
      },
      {
        id: 8,
        title: "On ferns",
        slug: "on-ferns",
        content: "<!-- wp:heading --><h2>What grows</h2><!-- /wp:heading -->",
      },
      { id: 9, title: "Locked", slug: "locked", password: "sesame", content: "Secret." },
      {
        id: 10,
        title: "Not yet",
        slug: "",
        status: "draft",
        gmt: "0000-00-00 00:00:00",
        link: "https://notes.example/?p=10",
      },
      attachment(20, `${uploads}/moss.png`),
    ]),
    "wp-content/uploads/2020/03/moss.png": await paint(60, 40, "png"),
  });
  expect(report).toMatchObject({ imported: 4, problems: [] });
  expect(report.drafts.map(({ reason }) => reason)).toEqual(["it has a password", "it is a draft"]);
  expect(again).toMatchObject({ imported: 0, changed: 0, before: 4 });
  expect(blogs["On moss"]).toMatchObject({
    slug: "on-moss",
    tags: ["plants"],
    cover: { width: 60 },
    publishedAt: "2020-03-01T09:00:00.000Z",
  });
  const moss = await html("On moss");
  expect(moss).toContain(`href="${town.config.publicUrl}/blog/on-ferns#h-what-grows"`);
  expect(moss).toContain(at(town, "on-ferns"));
  await seesPictures(town, moss, 1);
  for (const old of ["/2020/03/on-moss/", "/?p=7"])
    expect(await oldAddress(town, old)).toEqual([301, "/blog/on-moss"]);
  expect((await oldAddress(town, "/2020/03/locked/"))[0]).toBe(404);
});

test("what Medium exported is here, with its pictures, links, drafts and old addresses", async () => {
  await using town = await startTown();
  const { report, again, html, blogs } = await bringIn(town, "medium", {
    "posts/2019-03-04_On-moss-0a1b2c3d4e5f.html": mediumStory({
      body:
        graf("h3", "On moss", "graf--title") +
        graf("p", 'See <a href="https://medium.com/@ana/on-ferns-aaaaaaaaaaaa">ferns</a>.') +
        graf("figure", '<img data-image-id="1*x.png" src="https://cdn-images-1.medium.com/max/800/1*x.png">'),
    }),
    "posts/2019-03-05_On-ferns-aaaaaaaaaaaa.html": mediumStory({
      id: "aaaaaaaaaaaa",
      title: "On ferns",
      canonical: "https://medium.com/@ana/on-ferns-aaaaaaaaaaaa",
      body: graf("h3", "On ferns", "graf--title") + graf("p", "Words."),
    }),
    "posts/draft_Later-bbbbbbbbbbbb.html": mediumStory({
      id: "bbbbbbbbbbbb",
      title: "Later",
      published: null,
      body: graf("h3", "Later") + graf("p", "Not yet."),
    }),
    "images/1*x.png": await paint(40, 30, "png"),
  });
  expect(report).toMatchObject({ imported: 3, problems: [] });
  expect(again).toMatchObject({ imported: 0, changed: 0, before: 3 });
  expect(blogs.Later).toMatchObject({ draft: true });
  const moss = await html("On moss");
  expect(moss).toContain(at(town, "on-ferns"));
  expect(moss).not.toContain("<h");
  await seesPictures(town, moss, 1);
  for (const old of ["/@ana/on-moss-0a1b2c3d4e5f", "/on-moss-0a1b2c3d4e5f", "/p/0a1b2c3d4e5f"])
    expect(await oldAddress(town, old)).toEqual([301, "/blog/on-moss"]);
});

test("what Substack exported is here, with its pictures, links, drafts and old addresses", async () => {
  await using town = await startTown();
  const src = "https://bucketeer.s3.example/public/images/0a1b_2000x1000.png";
  const { report, again, html, blogs } = await bringIn(town, "substack", {
    "posts.csv": postsCsv([
      { post_id: "12.on-moss", title: "On moss" },
      { post_id: "13.on-ferns", title: "On ferns" },
      { post_id: "14.for-some", title: "For some", audience: "only_paid" },
    ]),
    "posts/12.on-moss.html": `<p>See <a href="https://notes.substack.com/p/on-ferns">ferns</a>.</p>${capturedImage(src, "Green")}`,
    "posts/13.on-ferns.html": "<p>Words.</p>",
    "posts/14.for-some.html": "<p>Secret.</p>",
    "images/0a1b_2000x1000.png": await paint(40, 30, "png"),
  });
  expect(report).toMatchObject({ imported: 3, problems: [] });
  expect(again).toMatchObject({ imported: 0, changed: 0, before: 3 });
  expect(blogs["For some"]).toMatchObject({ draft: true });
  const moss = await html("On moss");
  expect(moss).toContain(at(town, "on-ferns"));
  await seesPictures(town, moss, 1);
  expect(await oldAddress(town, "/p/on-moss")).toEqual([301, "/blog/on-moss"]);
  expect((await oldAddress(town, "/p/for-some"))[0]).toBe(404);
});

test(
  "the command takes each of them, pages where that is asked for, and refuses what is none in a line",
  { tags: ["more"] },
  async () => {
    await using town = await startTown();
    await town.resident("Ana");
    await using folder = await folderOf({});
    const file = async (name: string, content: string) => {
      const whole = path.join(folder.folder, name);
      await writeFile(whole, content);
      return whole;
    };
    const ghost = await file(
      "a.json",
      ghostExport([postOf(1, { html: "<p>x</p>" }), postOf(2, { type: "page", html: "<p>y</p>" })]),
    );
    const run = (...words: string[]) =>
      reprise(town.config.dataDir, ["import", ...words, "--author", "ana", "--json"]);
    expect((await run("ghost", ghost, "--pages")).json).toMatchObject({ imported: 2 });
    const broken = await reprise(town.config.dataDir, [
      "import",
      "wordpress",
      await file("a.xml", "<rss"),
      "--author",
      "ana",
    ]);
    expect(broken.code).not.toBe(0);
    expect(broken.error).toMatch(/a\.xml can't be imported: .*cannot be read/);
    expect(broken.error).not.toMatch(/\n|    at /);
  },
);
