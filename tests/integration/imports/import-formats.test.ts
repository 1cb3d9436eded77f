import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { actingAs } from "../../../src/server/accounts/acting-as.ts";
import { openFiles } from "../../../src/server/imports/files/open.ts";
import { openAsKind } from "../../../src/server/imports/kinds.ts";
import { importFrom } from "../../../src/server/imports/import-posts.ts";
import { reprise } from "../../support/command.ts";
import { ghostExport, postOf } from "../../support/exports/ghost.ts";
import { graf, mediumStory } from "../../support/exports/medium.ts";
import { capturedImage, postsCsv } from "../../support/exports/substack.ts";
import { attachment, wordPressExport } from "../../support/exports/wordpress.ts";
import { createFolder } from "../../support/import-folder.ts";
import { paint } from "../../support/pictures.ts";
import { startTestSite } from "../../support/test-site.ts";
import { buildZip } from "../../support/zip.ts";

type Contents = Record<string, string | Buffer>;

interface Format {
  kind: string;
  /** Three posts: the first shows a picture and links to the second; the third is not public. */
  contents: (picture: Buffer) => Contents;
  hasCover: boolean;
  draftReason: string;
  /** The old addresses of the first post, and of the third. */
  oldAddresses: string[];
  privateAddress: string;
}
const uploads = "https://notes.example/wp-content/uploads/2020/03";

/* One import of each format. Tests in tests/unit/server cover reading, `import.test.ts` covers storing. */
const formats: Format[] = [
  {
    kind: "ghost",
    contents: (picture) => ({
      "notes.ghost.2024-01-01.json": ghostExport([
        postOf(1, {
          title: "On moss",
          slug: "on-moss",
          feature_image: "__GHOST_URL__/content/images/2020/a.png",
          html: '<p>See <a href="__GHOST_URL__/on-ferns/">ferns</a>.</p><img src="__GHOST_URL__/content/images/2020/a.png">',
        }),
        postOf(2, { title: "On ferns", slug: "on-ferns", html: "<p>Words.</p>" }),
        postOf(3, { title: "For some", slug: "for-some", html: "<p>Secret.</p>", visibility: "members" }),
      ]),
      "content/images/2020/a.png": picture,
    }),
    hasCover: true,
    draftReason: "it is for members only",
    oldAddresses: ["/on-moss/", "/2020/03/01/on-moss/"],
    privateAddress: "/for-some/",
  },
  {
    kind: "wordpress",
    contents: (picture) => ({
      "notes.xml": wordPressExport([
        {
          id: 7,
          title: "On moss",
          slug: "on-moss",
          content: `See <a href="https://notes.example/?p=8">ferns</a>.\n\n<img src="${uploads}/moss-300x200.png" alt="Moss" />`,
          meta: { _thumbnail_id: "20" },
        },
        { id: 8, title: "On ferns", slug: "on-ferns", content: "Words." },
        { id: 9, title: "For some", slug: "for-some", content: "Secret.", password: "sesame" },
        attachment(20, `${uploads}/moss.png`),
      ]),
      "wp-content/uploads/2020/03/moss.png": picture,
    }),
    hasCover: true,
    draftReason: "it has a password",
    oldAddresses: ["/2020/03/on-moss/", "/?p=7"],
    privateAddress: "/2020/03/for-some/",
  },
  {
    kind: "medium",
    contents: (picture) => ({
      "posts/2019-03-04_On-moss-0a1b2c3d4e5f.html": mediumStory({
        body:
          graf("h3", "On moss", "graf--title") +
          graf("p", 'See <a href="https://medium.com/@ana/on-ferns-aaaaaaaaaaaa">ferns</a>.') +
          graf(
            "figure",
            '<img data-image-id="1*x.png" src="https://cdn-images-1.medium.com/max/800/1*x.png">',
          ),
      }),
      "posts/2019-03-05_On-ferns-aaaaaaaaaaaa.html": mediumStory({
        id: "aaaaaaaaaaaa",
        title: "On ferns",
        canonical: "https://medium.com/@ana/on-ferns-aaaaaaaaaaaa",
        body: graf("h3", "On ferns", "graf--title") + graf("p", "Words."),
      }),
      "posts/draft_For-some-bbbbbbbbbbbb.html": mediumStory({
        id: "bbbbbbbbbbbb",
        title: "For some",
        published: null,
        body: graf("h3", "For some") + graf("p", "Not yet."),
      }),
      "images/1*x.png": picture,
    }),
    hasCover: false,
    draftReason: "it is a draft",
    oldAddresses: ["/@ana/on-moss-0a1b2c3d4e5f", "/on-moss-0a1b2c3d4e5f", "/p/0a1b2c3d4e5f"],
    privateAddress: "/p/bbbbbbbbbbbb",
  },
  {
    kind: "substack",
    contents: (picture) => ({
      "posts.csv": postsCsv([
        { post_id: "12.on-moss", title: "On moss" },
        { post_id: "13.on-ferns", title: "On ferns" },
        { post_id: "14.for-some", title: "For some", audience: "only_paid" },
      ]),
      "posts/12.on-moss.html": `<p>See <a href="https://notes.substack.com/p/on-ferns">ferns</a>.</p>${capturedImage("https://bucketeer.s3.example/public/images/0a1b.png", "Green")}`,
      "posts/13.on-ferns.html": "<p>Words.</p>",
      "posts/14.for-some.html": "<p>Secret.</p>",
      "images/0a1b.png": picture,
    }),
    hasCover: false,
    draftReason: "it is for paying readers only",
    oldAddresses: ["/p/on-moss"],
    privateAddress: "/p/for-some",
  },
];

test.each(formats)(
  "imports a $kind export with its pictures, links, drafts and old addresses",
  async ({ kind, contents, hasCover, draftReason, oldAddresses, privateAddress }) => {
    await using testSite = await startTestSite();
    const ana = await testSite.createAccount("Ana");
    const entries = Object.entries(contents(await paint(60, 40, "png")));
    await using folder = await createFolder({
      "export.zip": buildZip(entries.map(([name, bytes]) => ({ name, bytes }))),
    });
    const importAll = async () => {
      const source = await openAsKind(kind, await openFiles(path.join(folder.folder, "export.zip")));
      try {
        return await importFrom(actingAs(testSite.app.services, ana.me.id), source);
      } finally {
        await source.close();
      }
    };
    expect(await importAll()).toMatchObject({ imported: 3, problems: [], drafts: [{ reason: draftReason }] });
    const { blogs } = await ana.api.blogs.mine.query({});
    expect(
      Object.fromEntries(blogs.map(({ title, draft, cover }) => [title, [draft, cover?.width]])),
    ).toEqual({
      "On moss": [false, hasCover ? 60 : undefined],
      "On ferns": [false, undefined],
      "For some": [true, undefined],
    });
    const guest = testSite.browser();
    const { html } = await guest.api.blogs.bySlug.query({ slug: "on-moss" });
    expect(html).toContain(`href="/blog/on-ferns"`);
    const pictures = [...html.matchAll(/<img src="(\/media\/[^"]+)"/g)].map(([, src = ""]) => src);
    expect(pictures).toHaveLength(1);
    expect((await guest.fetch(pictures[0]!)).status).toBe(200);
    const redirectOf = async (address: string) => {
      const answer = await guest.fetch(address, { redirect: "manual" });
      return [address, answer.status, answer.headers.get("location")];
    };
    for (const address of oldAddresses)
      expect(await redirectOf(address)).toEqual([address, 301, "/blog/on-moss"]);
    expect(await redirectOf(privateAddress)).toEqual([privateAddress, 404, null]);
    expect((await guest.fetch("/blog/for-some")).status).toBe(404);
    expect(await importAll()).toMatchObject({ imported: 0, changed: 0, before: 3 });
  },
);

test("sets quotation marks and dashes where the old site's renderer did, but not in code and formulas", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const words = `On the way home she said "it's dusk" -- and the owls, which "never" wait for anybody, had already begun to call...`;
  const german = `Auf dem Heimweg sagte sie "geht's so" -- und die Eulen, die "nie" warten, begannen zu rufen.`;
  const texts: Record<string, Contents> = {
    markdown: {
      "a.md": `---\ntitle: Die "Eulen"\nlang: de\n---\nKurz "so" und \`"roh"\`.\n\n    "code" -- so\n\n$$\nf'(x), ..., f''(x)\n$$\n`,
      "b.md": `---\ntitle: Guessed\n---\n${german} **"Immer"** *wieder*, Abend für Abend, und niemand weiß warum.\n`,
    },
    wordpress: {
      "notes.xml": wordPressExport([{ id: 7, title: `"Owls"`, slug: "owls", content: words }]),
    },
    ghost: {
      "notes.ghost.2024-01-01.json": ghostExport([
        postOf(1, { title: "As it was", html: `<p>${words}</p>` }),
      ]),
    },
  };
  for (const [kind, contents] of Object.entries(texts)) {
    await using folder = await createFolder(contents);
    const source = await openAsKind(kind, await openFiles(folder.folder));
    const summary = await importFrom(actingAs(testSite.app.services, ana.me.id), source);
    expect(summary).toMatchObject({ problems: [] });
    await source.close();
  }
  const { blogs } = await ana.api.blogs.mine.query({});
  const htmlOf = async ({ slug }: { slug: string }) =>
    (await ana.api.blogs.bySlug.query({ slug })).html.replaceAll("&quot;", '"').replaceAll("&#39;", "'");
  const html = Object.fromEntries(
    await Promise.all(blogs.map(async (blog) => [blog.title, await htmlOf(blog)] as const)),
  );
  expect(html["Die „Eulen“"]).toContain(`Kurz „so“ und <code>"roh"</code>.`);
  expect(html["Die „Eulen“"]).toContain(`"code" -- so`);
  expect(html["Die „Eulen“"]).toContain("f&#x27;(x), ..., f&#x27;&#x27;(x)</annotation>");
  expect(html["Guessed"]).toContain("sagte sie „geht’s so“ – und die Eulen, die „nie“ warten");
  expect(html["Guessed"]).toContain("<strong>„Immer“</strong>");
  expect(html["“Owls”"]).toContain(
    "she said “it’s dusk” – and the owls, which “never” wait for anybody, had already begun to call…",
  );
  expect(html["As it was"]).toContain(`she said "it's dusk" -- and the owls`);
});

test(
  "the command imports pages on request, and refuses a broken file in one line",
  { tags: ["more"] },
  async () => {
    await using testSite = await startTestSite();
    await testSite.createAccount("Ana");
    await using folder = await createFolder({});
    const file = async (name: string, content: string) => {
      const target = path.join(folder.folder, name);
      await writeFile(target, content);
      return target;
    };
    const ghostFile = await file(
      "a.json",
      ghostExport([postOf(1, { html: "<p>x</p>" }), postOf(2, { type: "page", html: "<p>y</p>" })]),
    );
    const run = (...args: string[]) =>
      reprise(testSite.config.dataDir, ["import", ...args, "--author", "ana", "--json"]);
    expect((await run("ghost", ghostFile, "--pages")).json).toMatchObject({ imported: 2 });
    const result = await reprise(testSite.config.dataDir, [
      "import",
      "wordpress",
      await file("a.xml", "<rss"),
      "--author",
      "ana",
    ]);
    expect(result.code).not.toBe(0);
    expect(result.error).toMatch(/a\.xml can’t be imported: .*can’t be read/);
    expect(result.error).not.toMatch(/\n|    at /);
  },
);
