import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { FeedFile } from "../../../src/shared/feeds.ts";
import { formats, readFeed } from "../../support/feeds.ts";
import { addCoAuthor, createLiveBlog, listEntries, postEntry } from "../../support/live-blogs.ts";
import { recordStatements } from "../../support/statements.ts";
import { upload } from "../../support/pictures.ts";
import { siteWith } from "../../support/site-with.ts";
import { aBlog, paragraphs, password, type SignedInBrowser, type TestSite } from "../../support/test-site.ts";

/* Live blogs in feeds. Boss runs the site, Ana and Ben write, Eve follows Ana. */

let testSite: TestSite;
let boss: SignedInBrowser;
let ana: SignedInBrowser;
let ben: SignedInBrowser;
let eve: SignedInBrowser;
let origin: string;

beforeEach(async () => {
  [testSite, boss, ana, ben, eve] = await siteWith("Boss", "Ana", "Ben", "Eve");
  origin = testSite.config.publicUrl;
});

const fetchPath = (path: string) => fetch(testSite.url + path, { redirect: "manual" });
const readPath = async (path: string) => {
  const answer = await fetchPath(path);
  expect(answer.status, path).toBe(200);
  return readFeed(path.split("?")[0]!.split("/").at(-1) as FeedFile, await answer.text());
};
const inEachFormat = (path: string, query = "") => formats.map(([file]) => `${path}/${file}${query}`);
/** The public feeds that have Ana's live blog as one item. */
const feedPaths = () => [
  ...["", `/${ana.me.username}`, "/tag/night"].flatMap((path) => inEachFormat(path)),
  ...inEachFormat("/search", "?q=owls"),
];
const ownPaths = ({ slug }: { slug: string }) => inEachFormat(`/blog/${slug}`);
const itemAt = async (path: string) => (await readPath(path)).entries[0]!;
const withdraw = (id: string, withdrawn = true) => ana.api.blogs.withdrawEntry.mutate({ id, withdrawn });

describe("a live blog as an item", () => {
  test("has its introduction, its summary and its entries, newest first, each with its address", async () => {
    const blog = await createLiveBlog(ana);
    const first = await postEntry(ana, blog, {
      title: "Dusk & <b>",
      at: "2026-01-01T18:05:00Z",
      document: paragraphs("The first call."),
    });
    const second = await postEntry(ana, blog, { at: "2026-01-01T19:00:00Z" });
    const gone = await postEntry(ana, blog, { document: paragraphs("A mistake.") });
    await withdraw(gone.id);
    await ana.api.blogs.setSummary.mutate({ id: blog.id, summary: ["One & two", "Three"] });
    const linkTo = ({ id }: { id: string }) => `<a href="${origin}/blog/${blog.slug}/${id}">`;
    for (const path of feedPaths()) {
      const { entries } = await readPath(path);
      expect(entries, path).toHaveLength(1);
      expect(entries[0], path).toMatchObject({
        id: `urn:uuid:${blog.id}`,
        url: `${origin}/blog/${blog.slug}`,
        title: "A walk at night",
        authors: ["Ana"],
        html:
          "<p>Owls, mostly.</p><ul><li>One &amp; two</li><li>Three</li></ul>" +
          `<hr><p>${linkTo(second)}<time datetime="2026-01-01T19:00:00.000Z">January 1, 2026 at 19:00 UTC</time></a></p>` +
          "<p>An owl calls.</p>" +
          `<hr><h2>${linkTo(first)}Dusk &amp; &lt;b&gt;</a></h2>` +
          `<p>${linkTo(first)}<time datetime="2026-01-01T18:05:00.000Z">January 1, 2026 at 18:05 UTC</time></a></p>` +
          "<p>The first call.</p>",
      });
    }
  });

  test("is dated by its newest change, and shows it at once", async () => {
    const blog = await ana.api.blogs.create.mutate(aBlog());
    const paths = feedPaths();
    const updates = () => Promise.all(paths.map(async (path) => (await itemAt(path)).updated));
    const texts = () => Promise.all(paths.map(async (path) => (await itemAt(path)).html));
    /** RSS and the others have milliseconds. */
    const expectNewer = async (change: () => Promise<unknown>) => {
      const [before, start] = [await updates(), Date.now()];
      await change();
      for (const [index, updated] of (await updates()).entries()) {
        expect(updated, paths[index]).toBeGreaterThanOrEqual(Math.floor(start / 1_000) * 1_000);
        expect(updated, paths[index]).toBeGreaterThanOrEqual(before[index]!);
      }
    };
    expect((await texts()).join()).not.toContain("An owl calls.");
    await ana.api.blogs.setLive.mutate({ id: blog.id, live: true });
    let id = "";
    await expectNewer(async () => ({ id } = await postEntry(ana, blog, { at: "2026-01-01T18:00:00Z" })));
    for (const text of await texts()) expect(text).toContain("An owl calls.");
    await expectNewer(() =>
      ana.api.blogs.editEntry.mutate({ id, title: "", document: paragraphs("A bat.") }),
    );
    for (const text of await texts()) expect(text).toMatch(/^(?!.*An owl calls).*A bat\./);
    await ana.api.blogs.setSummary.mutate({ id: blog.id, summary: ["So far"] });
    for (const text of await texts()) expect(text).toContain("So far");
    await ana.api.blogs.setLive.mutate({ id: blog.id, live: false });
    for (const text of await texts()) expect(text).toContain("A bat.");
    await expectNewer(() => withdraw(id));
    for (const text of await texts()) expect(text).not.toContain("A bat.");
    await withdraw(id, false);
    for (const text of await texts()) expect(text).toContain("A bat.");
  });

  test("has the newest fifty entries, and says that there are earlier ones", async () => {
    const blog = await createLiveBlog(ana);
    const post = (number: number) =>
      postEntry(ana, blog, { title: `Number ${number}.`, at: new Date(number * 60_000).toISOString() });
    for (let number = 1; number <= 50; number++) await post(number);
    const more = `<a href="${origin}/blog/${blog.slug}">Earlier entries are on the blog’s page.</a>`;
    const whole = (await itemAt("/feed.xml")).html;
    expect(whole).toContain("Number 1.<");
    expect(whole).not.toContain("Earlier entries");
    await post(51);
    for (const path of feedPaths()) {
      const { html = "" } = await itemAt(path);
      expect(html.match(/Number \d+\.<\/a>/g), path).toHaveLength(50);
      expect(html.indexOf("Number 51.<")).toBeLessThan(html.indexOf("Number 2.<"));
      expect(html).toContain(more);
    }
    for (const path of ownPaths(blog)) {
      const { entries } = await readPath(path);
      expect([entries.length, entries[0]?.title, entries.at(-1)?.title]).toEqual([
        50,
        "Number 51.",
        "Number 2.",
      ]);
    }
  });

  test("has fewer entries where they are long, and each in full", async () => {
    const [blog, other] = [await createLiveBlog(ana), await createLiveBlog(ana)];
    const document = paragraphs("word ".repeat(3_900));
    for (let number = 1; number <= 7; number++)
      for (const one of [blog, other]) await postEntry(ana, one, { title: `Number ${number}.`, document });
    const { entries } = await readPath("/feed.json");
    expect(entries).toHaveLength(2);
    for (const { html = "" } of entries) {
      expect(html.match(/Number \d\.<\/a>/g)).toEqual(
        [7, 6, 5, 4, 3].map((number) => `Number ${number}.</a>`),
      );
      expect(html).toContain("Earlier entries");
      expect(html.length).toBeLessThan(102_000);
    }
    expect((await readPath(ownPaths(blog)[2]!)).entries).toHaveLength(7);
  });

  test("has pictures at absolute addresses, for a follower also those of a private one", async () => {
    await eve.api.social.follow.mutate({ userId: ana.me.id, follow: true });
    const { src, id } = await upload(ana);
    const document = {
      type: "doc",
      content: [{ type: "paragraph", content: [{ type: "image", attrs: { src } }] }],
    };
    const blog = await createLiveBlog(ana);
    await postEntry(ana, blog, { document });
    for (const path of [...feedPaths(), ...ownPaths(blog)]) {
      const item = await itemAt(path);
      expect(item.html, path).toContain(`src="${origin}/media/${id}/`);
      expect(item.picture?.url, path).toContain(id);
    }
    await ana.api.blogs.update.mutate({ id: blog.id, private: true });
    const { address } = await eve.api.users.ownFeed.mutate({ password });
    for (const path of inEachFormat(new URL(address).pathname)) {
      const [, shown = ""] = /<img src="([^"]+)"/.exec((await itemAt(path)).html ?? "") ?? [];
      const picture = await fetchPath(shown.replaceAll("&amp;", "&").slice(origin.length));
      expect(picture.status, path).toBe(200);
    }
  });
});

describe("a live blog's own feed", () => {
  test("has each entry as an item, and is named by the page", async () => {
    const blog = await createLiveBlog(ana, { language: "de" });
    await addCoAuthor(ana, blog, ben);
    const untitled = await postEntry(ben, blog, { at: "2026-01-01T18:00:00Z" });
    const posted = await postEntry(ana, blog, { title: "Noon", at: "2026-01-01T12:00:00Z" });
    await ana.api.blogs.editEntry.mutate({
      id: posted.id,
      title: "Noon & <b>",
      document: paragraphs("A bat."),
    });
    const gone = await postEntry(ana, blog);
    await withdraw(gone.id);
    const page = `${origin}/blog/${blog.slug}`;
    const html = await (await fetchPath(`/blog/${blog.slug}`)).text();
    for (const [file, type] of formats) {
      expect(html).toContain(
        `<link rel="alternate" type="${type}" title="A walk at night · Reprise" href="${page}/${file}">`,
      );
      const feed = await readPath(`/blog/${blog.slug}/${file}`);
      expect(feed).toMatchObject({
        title: "A walk at night · Reprise",
        description: "What one hears.",
        page,
        self: `${page}/${file}`,
        language: "de",
      });
      expect(feed.entries).toMatchObject([
        {
          id: `urn:uuid:${untitled.id}`,
          url: `${page}/${untitled.id}`,
          title: "An owl calls.",
          html: "<p>An owl calls.</p>",
          authors: ["Ben"],
          tags: ["night"],
          published: Date.parse("2026-01-01T18:00:00Z"),
          updated: Date.parse("2026-01-01T18:00:00Z"),
        },
        { title: "Noon & <b>", html: "<p>A bat.</p>", authors: ["Ana"] },
      ]);
      expect(feed.entries[1]!.updated).toBeGreaterThan(feed.entries[1]!.published);
    }
  });

  test("redirects from former addresses", async () => {
    const blog = await createLiveBlog(ana);
    await ana.api.blogs.update.mutate({ id: blog.id, slug: "another-address" });
    for (const [index, path] of ownPaths(blog).entries()) {
      const { status, headers } = await fetchPath(path);
      expect([status, headers.get("location")]).toEqual([301, ownPaths({ slug: "another-address" })[index]]);
    }
  });

  test("exists while everyone can read the live blog, also after its end, and for no other blog", async () => {
    const blog = await createLiveBlog(ana);
    const statuses = () => Promise.all(ownPaths(blog).map(async (path) => (await fetchPath(path)).status));
    const all = (status: number) => formats.map(() => status);
    const namesFeed = async (who: SignedInBrowser) => {
      const answer = await fetch(`${testSite.url}/blog/${blog.slug}`, { headers: { cookie: who.cookie } });
      return (await answer.text()).includes(`/blog/${blog.slug}/feed.xml`);
    };
    expect(await statuses()).toEqual(all(200));
    await postEntry(ana, blog);
    for (const [change, status] of [
      [{ private: true }, 404],
      [{ private: false }, 200],
      [{ draft: true }, 404],
      [{ draft: false }, 200],
    ] as const) {
      await ana.api.blogs.update.mutate({ id: blog.id, ...change });
      expect([change, await statuses(), await namesFeed(ana)]).toEqual([change, all(status), status === 200]);
    }
    await ana.api.users.updateSettings.mutate({ private: true });
    expect(await statuses()).toEqual(all(404));
    await ana.api.users.updateSettings.mutate({ private: false });
    await ana.api.blogs.remove.mutate({ id: blog.id });
    expect(await statuses()).toEqual(all(404));
    const plain = await ana.api.blogs.create.mutate(aBlog());
    for (const path of [...ownPaths(plain), "/blog/none/feed.xml"])
      expect((await fetchPath(path)).status, path).toBe(404);
  });

  test("shows a change at once, names a hidden author's entries after the site, and ignores likes", async () => {
    const blog = await createLiveBlog(ana);
    await addCoAuthor(ana, blog, ben);
    const paths = ownPaths(blog);
    const titles = () =>
      Promise.all(paths.map(async (path) => (await readPath(path)).entries.map(({ title }) => title)));
    const same = (expected: string[]) => paths.map(() => expected);
    expect(await titles()).toEqual(same([]));
    const { id } = await postEntry(ben, blog, { title: "One" });
    expect(await titles()).toEqual(same(["One"]));
    await ana.api.blogs.editEntry.mutate({ id, title: "Two", document: paragraphs("Text.") });
    expect(await titles()).toEqual(same(["Two"]));
    await withdraw(id);
    expect(await titles()).toEqual(same([]));
    await withdraw(id, false);
    const reads = countReads();
    expect(await titles()).toEqual(same(["Two"]));
    expect(reads.entries()).toBe(paths.length);
    await eve.api.blogs.likeEntry.mutate({ id, liked: true });
    expect(await titles()).toEqual(same(["Two"]));
    expect(reads.entries()).toBe(0);
    await boss.api.moderation.suspend.mutate({ userId: ben.me.id, suspended: true, reason: "Spam." });
    expect((await listEntries(testSite.browser(), blog)).entries[0]?.author).toBeNull();
    for (const path of paths) expect((await itemAt(path)).authors).toEqual(["Reprise"]);
  });
});

/** Counts how often entries are read for feeds. */
function countReads() {
  const { texts, stop } = recordStatements();
  onTestFinished(stop);
  return { entries: () => texts.splice(0).filter((text) => text.includes("octet_length")).length };
}

test("reads the entries of all live blogs of a feed at once, and none for a feed without them", async () => {
  await ana.api.blogs.create.mutate(aBlog());
  const reads = countReads();
  await readPath("/feed.xml");
  expect(reads.entries()).toBe(0);
  for (let count = 0; count < 3; count++) await postEntry(ana, await createLiveBlog(ana));
  reads.entries();
  expect((await readPath("/feed.xml")).entries).toHaveLength(4);
  expect(reads.entries()).toBe(1);
});

test("dates a live blog in the site map by its newest entry", async () => {
  const blog = await createLiveBlog(ana);
  await testSite.run("update blogs set published_at = 1000, edited_at = null");
  const { at } = await postEntry(ana, blog);
  await ana.api.blogs.create.mutate(aBlog());
  expect(await (await fetchPath("/sitemap.xml")).text()).toContain(
    `<loc>${origin}/blog/${blog.slug}</loc><lastmod>${at}</lastmod>`,
  );
});
