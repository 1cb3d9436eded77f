import { beforeEach, describe, expect, test } from "vitest";
import { addCoAuthor, createLiveBlog, postEntry } from "../../support/live-blogs.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { upload } from "../../support/pictures.ts";
import { siteWith } from "../../support/site-with.ts";
import { aBlog, paragraphs, type SignedInBrowser, type TestSite } from "../../support/test-site.ts";

/* Live blogs in frames of other sites. Boss runs the site, Ana and Ben write. */

let testSite: TestSite;
let boss: SignedInBrowser;
let ana: SignedInBrowser;
let ben: SignedInBrowser;

beforeEach(async () => {
  [testSite, boss, ana, ben] = await siteWith("Boss", "Ana", "Ben");
});

const fetchPath = (path: string, headers: Record<string, string> = {}) =>
  fetch(testSite.url + path, { headers, redirect: "manual" });
const fetchEmbed = ({ slug }: { slug: string }, query = "", headers: Record<string, string> = {}) =>
  fetchPath(`/blog/${slug}/embed${query}`, headers);
const part = "?part=entries";
const allow = ({ id }: { id: string }, embeddable = true) =>
  ana.api.blogs.setEmbeddable.mutate({ id, embeddable });

async function framed(change: Record<string, unknown> = {}) {
  const blog = await createLiveBlog(ana, change);
  await allow(blog);
  return blog;
}

describe("the page", () => {
  test("shows title, summary and the newest entries in their language, with links out of the frame and no form", async () => {
    const blog = await framed({ title: "Owls & <b>", language: "de" });
    const first = await postEntry(ana, blog, {
      title: "Dusk & <b>",
      isKey: true,
      at: "2026-01-01T18:05:00Z",
    });
    const gone = await postEntry(ana, blog, { document: paragraphs("A mistake.") });
    await ana.api.blogs.withdrawEntry.mutate({ id: gone.id, withdrawn: true });
    await ana.api.blogs.setSummary.mutate({ id: blog.id, summary: ["One & two"] });
    const html = await (await fetchEmbed(blog)).text();
    const address = `/blog/${blog.slug}`;
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(html).toContain('<span class="live-mark">Live</span>');
    expect(html).toContain('<h1 dir="auto" lang="de">Owls &amp; &lt;b&gt;</h1>');
    expect(html).toContain("<li>One &amp; two</li>");
    expect(html).toContain(
      `<a href="${address}/${first.id}" rel="noopener"><time datetime="2026-01-01T18:05:00.000Z">Jan 1, 18:05 UTC</time></a>`,
    );
    expect(html).toContain('<h2 dir="auto" lang="de">Dusk &amp; &lt;b&gt;</h2>');
    expect(html).toContain("Key moment");
    expect(html).toContain("An owl calls.");
    expect(html).not.toContain("A mistake.");
    expect(html).toContain('<base target="_blank">');
    expect(html).toContain(`<a href="${address}" target="_blank" rel="noopener">Read on Reprise</a>`);
    expect(html).not.toMatch(/<(?:form|iframe|style)\b|<script(?! type="module" src="\/assets\/)/);
    await ana.api.blogs.setLive.mutate({ id: blog.id, live: false });
    expect(await (await fetchEmbed(blog)).text()).toContain('<p class="state">Ended</p>');
  });

  test("has twenty entries, newest first, and a link to the earlier ones", async () => {
    const blog = await framed();
    const post = (number: number) =>
      postEntry(ana, blog, { title: `Number ${number}.`, at: new Date(number * 60_000).toISOString() });
    for (let number = 1; number <= 20; number++) await post(number);
    expect(await (await fetchEmbed(blog)).text()).not.toContain("Earlier entries");
    await post(21);
    const html = await (await fetchEmbed(blog)).text();
    expect(html.match(/Number \d+\./g)).toEqual(
      Array.from({ length: 20 }, (_, index) => `Number ${21 - index}.`),
    );
    expect(html).toContain("Earlier entries");
  });

  test("can be framed by every site and loads from this one only, unlike all other pages", async () => {
    const blog = await framed();
    for (const query of ["", part]) {
      const { headers } = await fetchEmbed(blog, query);
      expect(headers.get("content-security-policy")).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self'; " +
          "media-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *",
      );
      expect(Object.fromEntries(headers)).toMatchObject({
        "content-type": "text/html; charset=utf-8",
        "cache-control": "public, max-age=0, must-revalidate",
        vary: "accept-encoding",
        "referrer-policy": "strict-origin-when-cross-origin",
        "x-content-type-options": "nosniff",
        "x-robots-tag": "noindex",
      });
      expect(headers.has("x-frame-options")).toBe(false);
    }
    const plain = await ana.api.blogs.create.mutate(aBlog());
    for (const path of [`/blog/${blog.slug}`, `/blog/${plain.slug}/embed`, `/blog/${blog.slug}/feed.xml`]) {
      const { headers } = await fetchPath(path);
      expect(headers.get("content-security-policy"), path).toContain("frame-ancestors 'none'");
      expect(headers.has("x-frame-options"), path).toBe(true);
    }
  });

  test("is the same for members, and sets no cookie", async () => {
    const blog = await framed();
    await postEntry(ana, blog);
    const asGuest = await fetchEmbed(blog);
    const asOwner = await fetchEmbed(blog, "", { cookie: `${ana.cookie}; theme=dark` });
    expect(await asOwner.text()).toBe(await asGuest.text());
    for (const { headers } of [asGuest, asOwner]) expect(headers.has("set-cookie")).toBe(false);
  });

  test("has pictures of the site that guests can load", async () => {
    const { src } = await upload(ana);
    const blog = await framed();
    const content = [{ type: "paragraph", content: [{ type: "image", attrs: { src } }] }];
    await postEntry(ana, blog, { document: { type: "doc", content } });
    const [, shown = ""] =
      /<img [^>]*src="(\/media\/[^"]+)"/.exec(await (await fetchEmbed(blog)).text()) ?? [];
    expect((await fetchPath(shown.replaceAll("&amp;", "&"))).status).toBe(200);
  });
});

describe("the part that the frame fetches again", () => {
  test("has what the page has, without the page", async () => {
    const blog = await framed();
    await postEntry(ana, blog);
    const text = await (await fetchEmbed(blog, part)).text();
    expect(text).toMatch(/^<header>/);
    expect(text).not.toMatch(/<html|<script|<link/);
    expect(await (await fetchEmbed(blog)).text()).toContain(text);
    expect(await (await fetchEmbed(blog, "?part=other")).text()).toMatch(/^<!doctype/);
  });

  test("changes at once with each change, and is otherwise not sent again", async () => {
    const blog = await framed();
    const read = async () => {
      const answer = await fetchEmbed(blog, part);
      return { text: await answer.text(), etag: answer.headers.get("etag")! };
    };
    const { id } = await postEntry(ana, blog);
    const { text, etag } = await read();
    expect(text).toContain("An owl calls.");
    expect((await fetchEmbed(blog, part, { "if-none-match": etag })).status).toBe(304);
    await ana.api.blogs.editEntry.mutate({ id, title: "Bats", document: paragraphs("A bat.") });
    expect((await fetchEmbed(blog, part, { "if-none-match": etag })).status).toBe(200);
    expect((await read()).text).toMatch(/Bats[^]*A bat\./);
    await ana.api.blogs.setSummary.mutate({ id: blog.id, summary: ["So far"] });
    expect((await read()).text).toContain("So far");
    await ana.api.blogs.update.mutate({ id: blog.id, title: "Bats at night" });
    expect((await read()).text).toContain("Bats at night");
    await ana.api.blogs.withdrawEntry.mutate({ id, withdrawn: true });
    expect((await read()).text).not.toContain("A bat.");
    expect((await read()).text).toContain("The first entry will appear here by itself.");
  });

  test("redirects from former addresses, as the page does", async () => {
    const blog = await framed();
    await ana.api.blogs.update.mutate({ id: blog.id, slug: "another-address" });
    for (const query of ["", part]) {
      const { status, headers } = await fetchEmbed(blog, query);
      expect([status, headers.get("location")]).toEqual([301, `/blog/another-address/embed${query}`]);
    }
  });
});

describe("exists only", () => {
  const statuses = async (blog: { slug: string }) => [
    (await fetchEmbed(blog)).status,
    (await fetchEmbed(blog, part)).status,
  ];
  const [here, absent] = [
    [200, 200],
    [404, 404],
  ];

  test("where the owner allows it, who alone can", async () => {
    const blog = await createLiveBlog(ana);
    await addCoAuthor(ana, blog, ben);
    expect(await statuses(blog)).toEqual(absent);
    await expectRefusal(ben.api.blogs.setEmbeddable.mutate({ id: blog.id, embeddable: true }), "FORBIDDEN");
    expect(await allow(blog)).toMatchObject({ embeddable: true });
    expect((await ana.api.blogs.bySlug.query({ slug: blog.slug })).live?.embeddable).toBe(true);
    expect(await statuses(blog)).toEqual(here);
    await allow(blog, false);
    expect(await statuses(blog)).toEqual(absent);
  });

  test("for live blogs, also after their end", async () => {
    const plain = await ana.api.blogs.create.mutate(aBlog());
    await expectRefusal(allow(plain), "CONFLICT");
    expect(await statuses(plain)).toEqual(absent);
    expect(await statuses({ slug: "none" })).toEqual(absent);
    const blog = await framed();
    await postEntry(ana, blog);
    await ana.api.blogs.setLive.mutate({ id: blog.id, live: false });
    expect(await statuses(blog)).toEqual(here);
  });

  test.each([
    ["private", (id: string, on: boolean) => ana.api.blogs.update.mutate({ id, private: on })],
    ["a draft", (id: string, on: boolean) => ana.api.blogs.update.mutate({ id, draft: on })],
    [
      "of a private account",
      (_id: string, on: boolean) => ana.api.users.updateSettings.mutate({ private: on }),
    ],
    [
      "by a limited author",
      (_id: string, on: boolean) =>
        boss.api.moderation.limit.mutate({ userId: ana.me.id, limited: on, reason: "Rude." }),
    ],
    [
      "by a suspended author",
      (_id: string, on: boolean) =>
        boss.api.moderation.suspend.mutate({ userId: ana.me.id, suspended: on, reason: "Spam." }),
    ],
  ])("while it is not %s", async (_name, set) => {
    const blog = await framed();
    await postEntry(ana, blog);
    expect(await statuses(blog)).toEqual(here);
    await set(blog.id, true);
    expect(await statuses(blog)).toEqual(absent);
    const answer = await fetchEmbed(blog, "", { cookie: ana.cookie });
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([404, "no-cache"]);
    expect(await answer.text()).not.toContain("A walk at night");
    await set(blog.id, false);
    expect(await statuses(blog)).toEqual(here);
  });

  test("until moderators take the blog down, or it is deleted", async () => {
    const [blog, other] = [await framed(), await framed()];
    expect([await statuses(blog), await statuses(other)]).toEqual([here, here]);
    await boss.api.moderation.resolveReport.mutate({
      kind: "blog",
      id: blog.id,
      outcome: "take-down",
      reason: "Spam.",
    });
    await ana.api.blogs.remove.mutate({ id: other.id });
    expect([await statuses(blog), await statuses(other)]).toEqual([absent, absent]);
  });
});
