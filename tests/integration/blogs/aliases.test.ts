import { expect, test } from "vitest";
import { storeAliases, plainPath } from "../../../src/server/blogs/aliases.ts";
import { searchEngineLimits } from "../../../src/shared/search-engine-fields.ts";
import { ApiClient } from "../../support/api-client.ts";
import { siteWith } from "../../support/site-with.ts";
import { aBlog, refusal, type SignedInBrowser, type TestSite } from "../../support/test-site.ts";

const page = async (testSite: TestSite, path: string, cookie = "") => {
  const { status, headers } = await fetch(testSite.url + path, { redirect: "manual", headers: { cookie } });
  return { status, to: headers.get("location") };
};
const notFound = { status: 404, to: null };
const addAliases = (testSite: TestSite, id: string, ...paths: string[]) =>
  testSite.write((tx) => storeAliases(tx, id, paths));
const publish = async (ana: SignedInBrowser, change = {}) => ana.api.blogs.create.mutate(aBlog(change));

test("normalizes a path of another site to one form", () => {
  const normalized: Record<string, string | null> = {
    "https://old.example.org/2019/03/my-post/?utm_source=x#top": "/2019/03/my-post",
    "/2019/03/my-post": "/2019/03/my-post",
    "/caf%C3%A9/": "/café",
    "/cafe%CC%81": "/café",
    "//old.example.org/p/abc": "/p/abc",
    "/?p=123": "/?p=123",
    "https://old.example.org?p=123&preview=true": "/?p=123",
    "/index.php?p=7": "/index.php?p=7",
    "/a.html": "/a.html",
    "a/b": "/a/b",
    "//": null,
    "/": null,
    "": null,
    "/?q=1": null,
    "mailto:a@example.org": null,
    "javascript:alert(1)": null,
    "/%ff": null,
    "/a%00b": null,
    "/a%0ab": null,
    [`/${"x".repeat(600)}`]: null,
  };
  for (const [input, path] of Object.entries(normalized)) expect(plainPath(input), input).toBe(path);
});

test("redirects the old paths of an imported blog to it where the site has no page of its own", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const { id, slug } = await publish(ana);
  const paths = [
    "/2019/03/my-post/",
    "/?p=123",
    "/p/abc",
    "/a-text.html",
    "/owls",
    "/blog/owls/",
    "/été/eulen",
    "/2019/x",
  ];
  expect(await page(testSite, "/owls")).toEqual(notFound);
  expect(await addAliases(testSite, id, ...paths)).toEqual([]);
  const requestedPaths = [
    ...paths.map(encodeURI),
    "/2019/03/my-post",
    "/2019/03/my-post/?utm_source=x",
    "/p/abc/",
    "//p/abc",
  ];
  for (const cookie of ["", ana.cookie])
    for (const path of requestedPaths)
      expect(await page(testSite, path, cookie), path).toEqual({ status: 301, to: `/blog/${slug}` });
  expect(await page(testSite, "/?p=124")).toMatchObject({ status: 200 });
  expect(await page(testSite, "/p/ABC")).toEqual(notFound);

  await ana.api.blogs.update.mutate({ id, slug: "barn-owls" });
  expect(await page(testSite, "/p/abc")).toEqual({ status: 301, to: "/blog/barn-owls" });
  await ana.api.blogs.remove.mutate({ id });
  expect(await page(testSite, "/p/abc")).toEqual(notFound);
});

test("refuses aliases that the site or another blog uses, and never hides another person's page", async () => {
  const [testSite, ana, ben] = await siteWith("Ana", "Ben");
  const [one, two] = [await publish(ana), await publish(ben)];
  expect(await addAliases(testSite, one.id, "/one", "/one/")).toEqual([]);
  const reservedPaths = [
    "/home",
    "/docs",
    "/api/v1/blogs",
    "/feed.xml",
    "/tag/x",
    "/blog",
    `/blog/${two.slug}`,
    "/",
    `/${ben.me.username}`,
  ];
  expect(await addAliases(testSite, two.id, "/one", ...reservedPaths, "/two")).toEqual([
    "/one",
    ...reservedPaths.filter((path) => path !== `/blog/${two.slug}`),
  ]);
  expect(await addAliases(testSite, one.id, `/blog/${two.slug}`)).toEqual([`/blog/${two.slug}`]);
  expect(await page(testSite, "/two")).toEqual({ status: 301, to: `/blog/${two.slug}` });
  expect(await page(testSite, "/home")).toMatchObject({ status: 200 });

  // A later owner of the name has the path.
  expect(await addAliases(testSite, one.id, "/cleo")).toEqual([]);
  expect((await page(testSite, "/cleo")).status).toBe(301);
  const cleo = await testSite.createAccount("Cleo");
  await cleo.api.users.updateProfile.mutate({ username: "cleo" }).catch(() => undefined);
  expect(await page(testSite, "/cleo")).toMatchObject({ status: 200 });

  // Also where the page is hidden, and in paths below it; likewise for a later owner of a blog's address.
  expect(
    await addAliases(testSite, one.id, `/${ben.me.username}/nothing`, "/dora/liked-blogs", "/blog/bens"),
  ).toEqual([`/${ben.me.username}/nothing`]);
  expect((await page(testSite, "/blog/bens")).status).toBe(301);
  await ben.api.blogs.update.mutate({ id: two.id, slug: "bens", private: true });
  expect(await page(testSite, "/blog/bens")).toEqual(notFound);
  await cleo.api.users.updateProfile.mutate({ username: "dora" });
  for (const path of ["/cleo", "/dora"]) expect((await page(testSite, path)).status).toBeLessThan(400);
  await ana.api.moderation.suspend.mutate({ userId: cleo.me.id, suspended: true, reason: "Spam." });
  for (const path of ["/cleo", "/dora", "/dora/liked-blogs"])
    expect(await page(testSite, path)).toEqual(notFound);

  const aliases = Array.from({ length: 60 }, (_, index) => `/many/${index}`);
  expect(await addAliases(testSite, two.id, ...aliases)).toHaveLength(11);
});

test("answers 404 at an alias of a blog that the viewer may not read", async () => {
  const [testSite, ana, ben] = await siteWith("Ana", "Ben");
  const { id, slug } = await publish(ana, { draft: true });
  await addAliases(testSite, id, "/old");
  const body = async (path: string, cookie: string) =>
    (await (await fetch(testSite.url + path, { headers: { cookie } })).text()).replaceAll(path, "");
  for (const cookie of ["", ben.cookie]) {
    expect(await page(testSite, "/old", cookie)).toEqual(notFound);
    expect((await body("/old", cookie)).length).toBe((await body("/oak", cookie)).length);
  }
  expect(await page(testSite, "/old", ana.cookie)).toEqual({ status: 301, to: `/blog/${slug}` });
  await ana.api.blogs.update.mutate({ id, draft: false });
  expect(await page(testSite, "/old")).toEqual({ status: 301, to: `/blog/${slug}` });
  await ana.api.blogs.update.mutate({ id, private: true });
  for (const cookie of ["", ben.cookie]) expect(await page(testSite, "/old", cookie)).toEqual(notFound);
});

test("stores a blog's canonical URL and its title and description for search engines, and writes them into the page", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const fields = {
    canonicalUrl: "https://elsewhere.example.org/owls?a=1&b=2",
    searchTitle: "Owls <of> the night",
    searchDescription: 'All of "them".',
  };
  const { id, slug } = await publish(ana, { title: "Owls", ...fields });
  const blog = await ana.api.blogs.forEdit.query({ slug });
  expect(blog).toMatchObject(fields);
  expect(await ana.api.blogs.bySlug.query({ slug })).toMatchObject(fields);
  const head = async () =>
    (await (await fetch(`${testSite.url}/blog/${slug}`)).text()).split("</head>")[0] ?? "";
  expect(await head()).toContain(
    '<link rel="canonical" href="https://elsewhere.example.org/owls?a=1&amp;b=2">',
  );
  expect(await head()).toContain("<title>Owls &lt;of&gt; the night · ");
  expect(await head()).toContain('name="description" content="All of &quot;them&quot;."');
  const markdown = await (await fetch(`${testSite.url}/blog/${slug}.md`)).text();
  expect(markdown).toMatch(/^canonical: ["']?https:\/\/elsewhere\.example\.org\/owls/m);

  expect((await ana.api.blogs.update.mutate({ id, etag: 1, ...fields })).etag).toBe(1);
  expect((await ana.api.blogs.update.mutate({ id, title: "Owls!" })).etag).toBe(2);
  expect(await ana.api.blogs.forEdit.query({ slug })).toMatchObject(fields);
  await ana.api.blogs.update.mutate({ id, canonicalUrl: " ", searchTitle: "", searchDescription: "" });
  expect(await head()).toContain(`href="${testSite.config.publicUrl}/blog/${slug}"`);
  expect(await head()).toContain("<title>Owls! · ");

  const wrong = {
    canonicalUrl: [
      "owls",
      "ftp://example.org/",
      "javascript:alert(1)",
      "https://a:b@example.org/",
      `https://example.org/${"x".repeat(searchEngineLimits.canonicalUrl)}`,
    ],
    searchTitle: ["x".repeat(searchEngineLimits.title + 1)],
    searchDescription: ["x".repeat(searchEngineLimits.description + 1)],
  };
  for (const [field, values] of Object.entries(wrong))
    for (const value of values)
      expect(
        await refusal(ana.api.blogs.update.mutate({ id, [field]: value })),
        value.slice(0, 40),
      ).toMatchObject({
        code: "BAD_REQUEST",
        field,
      });
});

test("reads and writes the search engine fields over the REST API", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const api = await ApiClient.of(testSite, ana);
  const fields = { canonicalUrl: "https://example.org/a", searchTitle: "T", searchDescription: "D" };
  const created = await api.call("POST", "/blogs", {
    title: "By a program",
    slug: "by-a-program",
    ...fields,
  });
  expect(created).toMatchObject({ status: 200, body: { blog: { blogId: "by-a-program" } } });
  const read = async () => (await api.call("GET", "/blogs/by-a-program")).body.blog;
  expect(await read()).toMatchObject(fields);
  expect(await api.call("PATCH", "/blogs/by-a-program", { searchTitle: "U" })).toMatchObject({ status: 200 });
  expect(await read()).toMatchObject({ ...fields, searchTitle: "U" });
  expect(await api.call("PATCH", "/blogs/by-a-program", { canonicalUrl: "nowhere" })).toMatchObject({
    status: 400,
  });
});

test("derives addresses from titles in any script, and still recognizes generated addresses of drafts", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const titles: Record<string, RegExp> = {
    "Привет, мир": /^privet-mir-[a-z2-9]{6}$/,
    你好世界: /^ni-hao-shi-jie-[a-z2-9]{6}$/,
    Ελληνικά: /^ellinika-/,
    "Über Łódź — naïve": /^uber-lodz-naive-/,
    "🦉": /^[a-z2-9]{10}$/,
  };
  for (const [title, slug] of Object.entries(titles))
    expect((await publish(ana, { title })).slug, title).toMatch(slug);

  // A draft of an older version, whose title made no words.
  const draft = await publish(ana, { title: "Привет", draft: true });
  await testSite.run(`update blogs set slug = 'abcdefghjk' where id = '${draft.id}'`);
  expect((await ana.api.blogs.update.mutate({ id: draft.id, title: "Пока" })).slug).toMatch(/^poka-/);
});
