import { eq } from "drizzle-orm";
import fastify from "fastify";
import { SaxesParser } from "saxes";
import { crawlerRules } from "../../support/crawler-rules.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { blogs } from "../../../src/server/database/schema/blogs.ts";
import { siteMapRoutes } from "../../../src/server/feeds/site-map-routes.ts";
import { readPictureHeader } from "../../../src/server/media/picture-header.ts";
import { runStatements } from "../../support/bulk-rows.ts";
import { paint, upload } from "../../support/pictures.ts";
import { siteWith } from "../../support/site-with.ts";
import { aBlog, startTestSite, type SignedInBrowser, type TestSite } from "../../support/test-site.ts";

const get = (testSite: TestSite, path: string, headers: Record<string, string> = {}) =>
  fetch(testSite.url + path, { headers, redirect: "manual" });

interface SitemapEntry {
  loc: string;
  lastmod?: string;
}
/** Returns elements with text by their paths, in order. Throws where it is no XML. */
function textsOf(xml: string): [path: string, text: string][] {
  const parser = new SaxesParser({ xmlns: true });
  const open: { name: string; text: string }[] = [];
  const texts: [string, string][] = [];
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name }) => open.push({ name, text: "" }));
  parser.on("text", (text) => {
    const last = open.at(-1);
    if (last) last.text += text;
  });
  parser.on("closetag", () => {
    const path = open.map(({ name }) => `/${name}`).join("");
    const { text = "" } = open.pop() ?? {};
    if (text.trim() !== "") texts.push([path, text]);
  });
  parser.write(xml).close();
  return texts;
}

/** Returns the entries of the sitemap, of a part of it, or of its index; null where there is none. */
async function sitemapAt(testSite: TestSite, path = "/sitemap.xml"): Promise<SitemapEntry[] | null> {
  const answer = await get(testSite, path);
  if (answer.status !== 200) return null;
  expect(answer.headers.get("content-type")).toBe("application/xml; charset=utf-8");
  return entriesIn(await answer.text());
}
function entriesIn(xml: string): SitemapEntry[] {
  const texts = textsOf(xml);
  return texts.flatMap(([name, text], index): SitemapEntry[] => {
    if (!name.endsWith("/loc")) return [];
    const [next, lastmod = ""] = texts[index + 1] ?? [];
    return [{ loc: text, ...(next?.endsWith("/lastmod") && { lastmod }) }];
  });
}
const pathsOf = (testSite: TestSite, entries: SitemapEntry[] | null): string[] =>
  (entries ?? []).map(({ loc }) => loc.slice(testSite.config.publicUrl.length));
/** Returns every path in the sitemap of a site that fits one file. */
const sitemapPaths = async (testSite: TestSite) => pathsOf(testSite, await sitemapAt(testSite));
const ownPaths = ["/", "/home", "/search", "/docs"];

/** Serves the sitemap of a site in files of `most` addresses. */
async function smallFiles(testSite: TestSite, most: number) {
  const server = fastify();
  await siteMapRoutes(server, testSite.app.services, { most });
  return {
    /** Returns the entries of a file or of the index; null where there is none. */
    at: async (path = "/sitemap.xml") => {
      const { statusCode, body } = await server.inject(path);
      return statusCode === 200 ? entriesIn(body) : null;
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
}
const fetchOembed = (testSite: TestSite, path: string, more = "") =>
  get(testSite, `/oembed?url=${encodeURIComponent(testSite.config.publicUrl + path)}${more}`);

const cardAt = async (testSite: TestSite, path: string): Promise<string> => {
  const html = await (await get(testSite, path)).text();
  return (
    new RegExp(`<meta property="og:image" content="${testSite.config.publicUrl}(/cards/[^"]+)">`).exec(
      html,
    )?.[1] ?? ""
  );
};

/** How a blog stops being public, and whether its author's profile does, too. */
const waysToUnpublish: Record<string, { person: boolean; close: (staff: SignedInBrowser, author: SignedInBrowser, id: string) => Promise<unknown> }> = {
  "a draft": { person: false, close: (_staff, { api }, id) => api.blogs.update.mutate({ id, draft: true }) },
  "a private blog": { person: false, close: (_staff, { api }, id) => api.blogs.update.mutate({ id, private: true }) },
  "a private account's": { person: true, close: (_staff, { api }) => api.users.updateSettings.mutate({ private: true }) },
  "a limited account's": { person: true, close: (staff, { me }) => staff.api.moderation.limit.mutate({ userId: me.id, limited: true }) },
  "a suspended account's": {
    person: true,
    close: (staff, { me }) => staff.api.moderation.suspend.mutate({ userId: me.id, suspended: true, reason: "Spam." }),
  },
  "one that was taken down": {
    person: false,
    close: (staff, _author, id) => staff.api.moderation.resolveReport.mutate({ kind: "blog", id, outcome: "take-down", reason: "Spam." }),
  },
  "a deleted one": { person: false, close: (_staff, { api }, id) => api.blogs.remove.mutate({ id }) },
}; // prettier-ignore

describe("removes from sitemap, oEmbed and card images at once what stops being public:", () => {
  let testSite: TestSite;
  let staff: SignedInBrowser;
  beforeAll(async () => {
    testSite = await startTestSite();
    staff = await testSite.createAccount("Staff");
  });
  afterAll(() => testSite[Symbol.asyncDispose]());

  test.each(Object.entries(waysToUnpublish))("%s", async (_what, { person, close }) => {
    const author = await testSite.createAccount("Ana");
    const otherBlog = await author.api.blogs.create.mutate(aBlog());
    const tag = `of-${author.me.username}`;
    const { id, slug } = await author.api.blogs.create.mutate(aBlog({ tags: [tag] }));
    const [blog, profile] = [`/blog/${slug}`, `/${author.me.username}`];
    // The second response comes from the cache.
    for (let time = 0; time < 2; time++)
      expect(await sitemapPaths(testSite)).toEqual(expect.arrayContaining([blog, profile, `/tag/${tag}`]));
    expect([
      (await fetchOembed(testSite, blog)).status,
      (await fetchOembed(testSite, profile)).status,
    ]).toEqual([200, 200]);

    const cards = [await cardAt(testSite, blog), await cardAt(testSite, profile)] as const;
    for (const card of cards) expect((await get(testSite, card)).status).toBe(200);

    await close(staff, author, id);
    expect([(await get(testSite, cards[0])).status, (await get(testSite, cards[1])).status]).toEqual([
      404,
      person ? 404 : 200,
    ]);
    expect((await get(testSite, cards[0], { cookie: author.cookie })).status).toBe(404);
    expect(await cardAt(testSite, blog)).toBe("");
    const paths = await sitemapPaths(testSite);
    expect(paths).not.toContain(blog);
    expect(paths).not.toContain(`/tag/${tag}`);
    expect(paths.includes(profile)).toBe(!person);
    expect(paths.includes(`/blog/${otherBlog.slug}`)).toBe(!person);
    expect((await fetchOembed(testSite, blog)).status).toBe(404);
    expect((await fetchOembed(testSite, profile)).status).toBe(person ? 404 : 200);
    // Also for those who may read it.
    const cookie = { cookie: author.cookie };
    expect(
      (await get(testSite, `/oembed?url=${encodeURIComponent(testSite.config.publicUrl + blog)}`, cookie))
        .status,
    ).toBe(404);
  });

  test("keeps a blog listed when its author blocks a person", async () => {
    const [author, other] = [await testSite.createAccount("Ana"), await testSite.createAccount("Ben")];
    const { slug } = await author.api.blogs.create.mutate(aBlog());
    await author.api.social.block.mutate({ userId: other.me.id, blocked: true });
    expect(await sitemapPaths(testSite)).toContain(`/blog/${slug}`);
    expect((await fetchOembed(testSite, `/blog/${slug}`)).status).toBe(200);
    expect(
      (await get(testSite, await cardAt(testSite, `/blog/${slug}`), { cookie: other.cookie })).status,
    ).toBe(200);
  });
});

describe("the sitemap", () => {
  test("names the last change of each blog, and the newest blog of each author and tag", async () => {
    await using testSite = await startTestSite();
    const { publicUrl } = testSite.config;
    const ana = await testSite.createAccount("Ana");
    const publish = async (...tags: string[]) => {
      const { slug } = await ana.api.blogs.create.mutate(aBlog({ tags }));
      return ana.api.blogs.bySlug.query({ slug });
    };
    const first = await publish("owls", "a&b", "c++");
    await ana.api.blogs.create.mutate(aBlog({ tags: ["of-drafts"], draft: true }));
    await ana.api.blogs.create.mutate(aBlog({ tags: ["of-followers", "owls"], private: true }));
    const second = await publish("owls", "eule/été");
    const lists = (change: Record<string, string>) =>
      [
        ...ownPaths.map((path) => ({ loc: publicUrl + path })),
        ...Object.entries(change).map(([path, lastmod]) => ({ loc: publicUrl + path, lastmod })),
      ].toSorted((one, other) => (one.loc < other.loc ? -1 : 1));
    const read = async () =>
      (await sitemapAt(testSite))?.toSorted((one, other) => (one.loc < other.loc ? -1 : 1));
    const changes = {
      [`/blog/${first.slug}`]: first.publishedAt,
      [`/blog/${second.slug}`]: second.publishedAt,
      [`/${ana.me.username}`]: second.publishedAt,
      "/tag/a%26b": first.publishedAt,
      "/tag/c%2B%2B": first.publishedAt,
      "/tag/eule%2F%C3%A9t%C3%A9": second.publishedAt,
      "/tag/owls": second.publishedAt,
    };
    // The second response comes from the cache.
    for (let time = 0; time < 2; time++) expect(await read()).toEqual(lists(changes));
    for (const path of Object.keys(changes)) expect((await get(testSite, path)).status, path).toBe(200);
    const { id } = second;
    await ana.api.blogs.update.mutate({ id, title: "Another one", private: true });
    await ana.api.blogs.update.mutate({ id, private: false });
    const edited = (await read())?.find(({ loc }) => loc.endsWith(second.slug));
    expect(Date.parse(edited!.lastmod!)).toBeGreaterThan(Date.parse(second.publishedAt));
  });

  test("names no change of a blog that guests cannot see yet", async () => {
    const [testSite, ana] = await siteWith("Ana");
    const publish = async () =>
      ana.api.blogs.bySlug.query({ slug: (await ana.api.blogs.create.mutate(aBlog())).slug });
    const shown = await publish();
    const early = await publish();
    await testSite.write(async (tx) =>
      tx.drizzle
        .update(blogs)
        .set({ publishedAt: Date.now() + 24 * 60 * 60_000 })
        .where(eq(blogs.id, early.id)),
    );
    const entries = await sitemapAt(testSite);
    expect(entries?.find(({ loc }) => loc.endsWith(`/${ana.me.username}`))?.lastmod).toBe(shown.publishedAt);
    expect(pathsOf(testSite, entries)).not.toContain(`/blog/${early.slug}`);
  });

  // The rows of many blogs are updated in steps; here no step has run yet.
  test.each([
    ["a suspended account", "suspended_at = 1"],
    ["a limited account", "limited_at = 1"],
    ["an account that became private", "private = 1, visibility_sync_pending = 1"],
  ])("lists no blog and tag of %s while its blogs are still marked as public", async (_, change) => {
    const [testSite, ana] = await siteWith("Ana");
    const { slug } = await ana.api.blogs.create.mutate(aBlog({ tags: ["owls"] }));
    await runStatements(testSite, `update users set ${change} where id = '${ana.me.id}'`);
    await runStatements(testSite, `update blogs set is_public = 1 where slug = '${slug}'`);
    expect(testSite.rows("select 1 from blog_tags where tag = 'owls' and is_public = 1")).toHaveLength(1);
    for (const path of ["/sitemap.xml", "/sitemap-1.xml"])
      expect([path, pathsOf(testSite, await sitemapAt(testSite, path))]).toEqual([path, ownPaths]);
  });

  test("is answered with 304 for a known ETag until something changes", async () => {
    const [testSite, ana] = await siteWith("Ana");
    await ana.api.blogs.create.mutate(aBlog());
    for (const path of ["/sitemap.xml", "/sitemap-1.xml"]) {
      const etag = (await get(testSite, path)).headers.get("etag")!;
      const cachedAnswer = await get(testSite, path, { "if-none-match": etag });
      expect([path, cachedAnswer.status, cachedAnswer.headers.get("cache-control")]).toEqual([
        path,
        304,
        "public, max-age=0, must-revalidate",
      ]);
    }
    const etag = (await get(testSite, "/sitemap.xml")).headers.get("etag")!;
    await ana.api.blogs.create.mutate(aBlog());
    expect((await get(testSite, "/sitemap.xml", { "if-none-match": etag })).status).toBe(200);
  });

  test("answers 404 to unknown names, and to a part without blogs", async () => {
    await using testSite = await startTestSite();
    for (const name of ["0", "2", "x", "99999999", "1x", "site", "tags", "people-1"])
      expect([name, (await get(testSite, `/sitemap-${name}.xml`)).status]).toEqual([name, 404]);
    expect(await sitemapPaths(testSite)).toEqual(ownPaths);
  });

  test("is an index of parts with entries beyond the most addresses of a file", async () => {
    const [testSite, ana] = await siteWith("Ana");
    let made = 0;
    const publish = async (more: Partial<Parameters<typeof aBlog>[0]> = {}) => {
      const tags = Array.from({ length: 9 }, () => `tag-${++made}`);
      const { id, slug } = await ana.api.blogs.create.mutate(aBlog({ tags, ...more }));
      return { id, paths: [`/blog/${slug}`, ...tags.map((tag) => `/tag/${tag}`)] };
    };
    // Two blogs a part: with ten tags each, they could have 24 addresses, besides those of the site.
    const most = 30;
    await using small = await smallFiles(testSite, most);
    const pathsAt = async (path?: string) => pathsOf(testSite, await small.at(path));
    const first = await publish();
    const second = await publish();
    const author = `/${ana.me.username}`;
    const expected = [...ownPaths, author, ...first.paths, ...second.paths];
    expect((await pathsAt()).toSorted()).toEqual(expected.toSorted());
    const third = await publish();
    expect(await pathsAt()).toEqual(["/sitemap-1.xml", "/sitemap-2.xml"]);
    for (let time = 0; time < 3; time++) await publish({ private: true });
    // The seventh blog is the first of the fourth part.
    const last = await publish();
    const parts = await pathsAt();
    expect(parts).toEqual(["/sitemap-1.xml", "/sitemap-2.xml", "/sitemap-4.xml"]);
    expect(await small.at("/sitemap-3.xml")).toBeNull();
    const entries = (await Promise.all(parts.map((path) => small.at(path)))).map((part) => part!);
    for (const part of entries) expect(part.length).toBeLessThanOrEqual(most);
    const all = [...expected, ...third.paths, ...last.paths];
    expect([...new Set(entries.flatMap((part) => pathsOf(testSite, part)))].toSorted()).toEqual(
      all.toSorted(),
    );
    // Tags and people can have newer blogs in another part.
    const dated = entries.flat().filter(({ lastmod }) => lastmod !== undefined);
    expect(dated.every(({ loc }) => loc.includes("/blog/"))).toBe(true);
    expect(dated).toHaveLength(4);
    for (const { id } of [third, last]) await ana.api.blogs.update.mutate({ id, private: true });
    expect((await pathsAt()).toSorted()).toEqual(expected.toSorted());
  });

  test("leaves out blogs that first appeared elsewhere", async () => {
    const [testSite, ana] = await siteWith("Ana");
    const { publicUrl } = testSite.config;
    const { id, slug } = await ana.api.blogs.create.mutate(
      aBlog({ canonicalUrl: "https://elsewhere.example/owls" }),
    );
    expect(await sitemapPaths(testSite)).not.toContain(`/blog/${slug}`);
    expect(await sitemapPaths(testSite)).toContain(`/${ana.me.username}`);
    for (const canonicalUrl of [`${publicUrl}/blog/${slug}`, ""]) {
      await ana.api.blogs.update.mutate({ id, canonicalUrl });
      expect(await sitemapPaths(testSite), canonicalUrl).toContain(`/blog/${slug}`);
    }
  });

  test("is named in robots.txt by its full address, and has full addresses", async () => {
    await using testSite = await startTestSite({ PUBLIC_URL: "https://owls.example" });
    const robots = await (await get(testSite, "/robots.txt")).text();
    expect(robots).toContain("Sitemap: https://owls.example/sitemap.xml\n");
    expect((await sitemapAt(testSite))?.[0]?.loc).toBe("https://owls.example/");
  });
});

test("keeps crawlers from pages of no use to them, and from no person's page", async () => {
  const [testSite, jane] = await siteWith("Jane");
  const robots = await (await get(testSite, "/robots.txt")).text();
  const isAllowed = crawlerRules(robots);
  const names = [...robots.matchAll(/^Disallow: \/([a-z-]+)/gm)].map(([, name = ""]) => name);
  expect(names).toEqual(expect.arrayContaining(["admin", "google", "settings", "edit", "api", "search"]));
  for (const name of new Set(names))
    for (const path of [`/${name}jane`, `/${name}.jane`, `/${name}jane/liked-blogs`, `/${name}jane?page=2`])
      expect([path, isAllowed(path)]).toEqual([path, true]);
  await jane.api.users.updateProfile.mutate({ username: "adminjane" });
  expect((await get(testSite, "/adminjane")).status).toBe(200);
  const closed = ["/admin", "/admin/people", "/admin?page=2", "/settings", "/settings/import", "/google?next=%2Fhome", "/signin",
    "/signin?next=%2Fhome", "/edit/owls", "/edit-profile", "/my-blogs?page=2", "/api/v1/blogs", "/trpc/blogs.list", "/oembed?url=x",
    "/search?q=owls", "/verify-email/x", "/reset-password/x", "/unsubscribe/x", "/notifications", "/requests"]; // prettier-ignore
  for (const path of closed) expect([path, isAllowed(path)]).toEqual([path, false]);
  const open = ["/", "/home", "/home?page=2", "/search", "/blog/owls", "/tag/owls", "/tag/owls?page=2", "/docs", "/jane",
    "/feed.xml", "/sitemap.xml", "/sitemap-1.xml", "/media/x", "/cards/x", "/assets/x.css"]; // prettier-ignore
  for (const path of open) expect([path, isAllowed(path)]).toEqual([path, true]);
});

test("publishes security.txt once administrators have set a valid contact", async () => {
  await using testSite = await startTestSite({ PUBLIC_URL: "https://owls.example" });
  const path = "/.well-known/security.txt";
  expect((await get(testSite, path)).status).toBe(404);
  const boss = await testSite.createAccount("Boss");
  const set = (securityContact: string) => boss.api.administration.setSite.mutate({ securityContact });
  for (const contact of [
    "nobody",
    "http://owls.example/security",
    "javascript:alert(1)",
    "a@b.example\nExpires: never",
  ])
    await expect(set(contact)).rejects.toThrow(/email address/);
  await set("security@owls.example");
  const answer = await get(testSite, path);
  expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  const text = await answer.text();
  expect(text).toMatch(/^Contact: mailto:security@owls\.example$/m);
  expect(text).toMatch(/^Canonical: https:\/\/owls\.example\/\.well-known\/security\.txt$/m);
  const expires = Date.parse(/^Expires: (.+)$/m.exec(text)?.[1] ?? "");
  expect(expires).toBeGreaterThan(Date.now());
  expect(expires).toBeLessThan(Date.now() + 365 * 24 * 60 * 60 * 1000);
  await set("https://owls.example/report");
  expect(await (await get(testSite, path)).text()).toMatch(/^Contact: https:\/\/owls\.example\/report$/m);
  expect((await get(testSite, "/security.txt")).headers.get("location")).toBe(path);
});

describe("oEmbed", () => {
  let testSite: TestSite;
  let ana: SignedInBrowser;
  let slug: string;
  beforeAll(async () => {
    testSite = await startTestSite();
    ana = await testSite.createAccount("Ana");
    await ana.api.users.updateProfile.mutate({ name: "Ana & “Bo” <3" });
    const cover = await upload(ana, await paint(1_200, 600));
    ({ slug } = await ana.api.blogs.create.mutate(aBlog({ title: "Owls <& larks>", coverId: cover.id })));
  });
  afterAll(() => testSite[Symbol.asyncDispose]());

  test("describes a blog with its title, author and cover", async () => {
    const answer = await fetchOembed(testSite, `/blog/${slug}`);
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    const embed = (await answer.json()) as { thumbnail_url: string };
    const { pathname } = new URL(embed.thumbnail_url);
    const jpeg = await fetch(testSite.url + pathname);
    expect(jpeg.headers.get("content-type")).toBe("image/jpeg");
    expect(readPictureHeader(Buffer.from(await jpeg.arrayBuffer()))).toEqual({
      type: "jpeg",
      width: 1_200,
      height: 600,
    });
    expect(embed).toMatchObject({
      version: "1.0",
      type: "link",
      title: "Owls <& larks>",
      author_name: "Ana & “Bo” <3",
      author_url: `${testSite.config.publicUrl}/${ana.me.username}`,
      provider_name: "Reprise",
      provider_url: `${testSite.config.publicUrl}/`,
      thumbnail_width: 1_200,
      thumbnail_height: 600,
    });
  });

  test("leaves out a cover that exceeds the requested size", async () => {
    const thumbnailWidth = async (more: string) =>
      ((await (await fetchOembed(testSite, `/blog/${slug}`, more)).json()) as { thumbnail_width?: number })
        .thumbnail_width;
    expect([
      await thumbnailWidth("&maxwidth=1200"),
      await thumbnailWidth("&maxheight=599"),
      await thumbnailWidth("&maxwidth=10"),
      await thumbnailWidth("&maxwidth=many"),
    ]).toEqual([1_200, undefined, undefined, 1_200]);
  });

  test("refuses other formats than JSON with 501", async () => {
    const statusOf = async (format: string) =>
      (await fetchOembed(testSite, `/blog/${slug}`, `&format=${format}`)).status;
    expect(await statusOf("json")).toBe(200);
    for (const format of ["xml", "yaml", "json&format=xml"]) expect(await statusOf(format)).toBe(501);
  });

  test("resolves an earlier address of a blog, and a person by username", async () => {
    const blog = await ana.api.blogs.create.mutate(aBlog());
    await ana.api.blogs.update.mutate({ id: blog.id, slug: "owls-at-night" });
    expect(await (await fetchOembed(testSite, `/blog/${blog.slug}`)).json()).toMatchObject({
      author_name: "Ana & “Bo” <3",
    });
    expect(await (await fetchOembed(testSite, `/${ana.me.username}`)).json()).toMatchObject({
      type: "link",
      title: "Ana & “Bo” <3",
    });
  });

  test("resolves a person's former username to the current one, and to nothing for a private account", async () => {
    const person = await testSite.createAccount("Cleo");
    const blog = await person.api.blogs.create.mutate(aBlog());
    const former = person.me.username;
    const username = `${former}-new`.slice(-30);
    await person.api.users.updateProfile.mutate({ username });
    const author_url = `${testSite.config.publicUrl}/${username}`;
    for (const page of [`/${former}`, `/${username}`, `/blog/${blog.slug}`])
      expect(await (await fetchOembed(testSite, page)).json()).toMatchObject({ author_url });
    await person.api.users.updateSettings.mutate({ private: true });
    expect((await fetchOembed(testSite, `/${former}`)).status).toBe(404);
  });

  test.each(
    [
      "/home",
      "/",
      "/settings",
      "/blog/none",
      "/nobody-here",
      "/api/v1/blogs",
      "/%",
      "/blog/a/b",
      `/${"x".repeat(3_000)}`,
    ].map((path) => [path.slice(0, 20), path] as const),
  )("answers 404 to %s", async (_beginning, path) => {
    expect((await fetchOembed(testSite, path)).status).toBe(404);
  });

  test("answers 404 to addresses of other sites, and 400 without a single address", async () => {
    for (const url of [
      "https://elsewhere.example/blog/x",
      "not an address",
      "javascript:alert(1)",
      `${testSite.config.publicUrl}.example/blog/${slug}`,
    ])
      expect((await get(testSite, `/oembed?url=${encodeURIComponent(url)}`)).status).toBe(404);
    expect([
      (await get(testSite, "/oembed")).status,
      (await get(testSite, "/oembed?url=a&url=b")).status,
    ]).toEqual([400, 400]);
  });

  test("is linked from a public blog's page, and not from a private one's", async () => {
    const html = await (await get(testSite, `/blog/${slug}`)).text();
    const [, href = ""] =
      /<link rel="alternate" type="application\/json\+oembed"[^>]* href="([^"]+)"/.exec(html) ?? [];
    const address = new URL(href.replaceAll("&amp;", "&"));
    expect((await get(testSite, address.pathname + address.search)).status).toBe(200);
    const { id, slug: ownSlug } = await ana.api.blogs.create.mutate(aBlog({ private: true }));
    expect(id).toBeTruthy();
    expect(
      await (await fetch(`${testSite.url}/blog/${ownSlug}`, { headers: { cookie: ana.cookie } })).text(),
    ).not.toContain("oembed");
  });

  test("is reserved as a username", async () => {
    await expect(ana.api.users.updateProfile.mutate({ username: "oembed" })).rejects.toThrow(/reserved/);
  });

  test("is rate-limited together with the sitemap", async () => {
    await using rateLimitedSite = await startTestSite({ RATE_LIMIT: "on" });
    await rateLimitedSite.app.services.limits.take("read", "127.0.0.1", 2_999);
    expect((await fetchOembed(rateLimitedSite, "/nobody")).status).toBe(404);
    expect((await fetchOembed(rateLimitedSite, "/nobody")).status).toBe(429);
    expect((await get(rateLimitedSite, "/sitemap.xml")).status).toBe(429);
  });
});
