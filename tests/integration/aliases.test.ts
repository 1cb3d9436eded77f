import { expect, test } from "vitest";
import { noteAliases, plainPath } from "../../src/server/blogs/aliases.ts";
import { searchLimits } from "../../src/shared/for-search.ts";
import { ApiClient } from "../support/api-client.ts";
import { aBlog, refusal, startTown, type Resident, type Town } from "../support/town.ts";

const page = async (town: Town, path: string, cookie = "") => {
  const { status, headers } = await fetch(town.url + path, { redirect: "manual", headers: { cookie } });
  return { status, to: headers.get("location") };
};
const missing = { status: 404, to: null };
const note = (town: Town, id: string, ...paths: string[]) => town.write((tx) => noteAliases(tx, id, paths));
const publish = async (ana: Resident, change = {}) => ana.api.blogs.create.mutate(aBlog(change));

test("a path of another site is written down in one way", () => {
  const same: Record<string, string | null> = {
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
  for (const [given, path] of Object.entries(same)) expect(plainPath(given), given).toBe(path);
});

test("where a text stood elsewhere leads to it for ever, where nothing of ours answers", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
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
  expect(await page(town, "/owls")).toEqual(missing);
  expect(await note(town, id, ...paths)).toEqual([]);
  const asked = [
    ...paths.map(encodeURI),
    "/2019/03/my-post",
    "/2019/03/my-post/?utm_source=x",
    "/p/abc/",
    "//p/abc",
  ];
  for (const cookie of ["", ana.cookie])
    for (const path of asked)
      expect(await page(town, path, cookie), path).toEqual({ status: 301, to: `/blog/${slug}` });
  expect(await page(town, "/?p=124")).toMatchObject({ status: 200 });
  expect(await page(town, "/p/ABC")).toEqual(missing);

  // It follows the blog, and goes with it.
  await ana.api.blogs.update.mutate({ id, slug: "barn-owls" });
  expect(await page(town, "/p/abc")).toEqual({ status: 301, to: "/blog/barn-owls" });
  await ana.api.blogs.remove.mutate({ id });
  expect(await page(town, "/p/abc")).toEqual(missing);
});

test("an address of ours, or of another blog, is refused, and nobody else's page is ever taken", async () => {
  await using town = await startTown();
  const [ana, ben] = [await town.resident("Ana"), await town.resident("Ben")];
  const [one, two] = [await publish(ana), await publish(ben)];
  expect(await note(town, one.id, "/one", "/one/")).toEqual([]);
  const ours = [
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
  expect(await note(town, two.id, "/one", ...ours, "/two")).toEqual([
    "/one",
    ...ours.filter((path) => path !== `/blog/${two.slug}`),
  ]);
  expect(await note(town, one.id, `/blog/${two.slug}`)).toEqual([`/blog/${two.slug}`]);
  expect(await page(town, "/two")).toEqual({ status: 301, to: `/blog/${two.slug}` });
  expect(await page(town, "/home")).toMatchObject({ status: 200 });

  // Whoever takes the name later has it.
  expect(await note(town, one.id, "/cleo")).toEqual([]);
  expect((await page(town, "/cleo")).status).toBe(301);
  const cleo = await town.resident("Cleo");
  await cleo.api.users.updateProfile.mutate({ username: "cleo" }).catch(() => undefined);
  expect(await page(town, "/cleo")).toMatchObject({ status: 200 });

  // Also where they are not to be seen, and in what stands below them; so has whoever takes a blog's address.
  expect(await note(town, one.id, `/${ben.me.username}/nothing`, "/dora/liked-blogs", "/blog/bens")).toEqual([
    `/${ben.me.username}/nothing`,
  ]);
  expect((await page(town, "/blog/bens")).status).toBe(301);
  await ben.api.blogs.update.mutate({ id: two.id, slug: "bens", private: true });
  expect(await page(town, "/blog/bens")).toEqual(missing);
  await cleo.api.users.updateProfile.mutate({ username: "dora" });
  for (const shut of ["/cleo", "/dora"]) expect((await page(town, shut)).status).toBeLessThan(400);
  await ana.api.moderation.suspend.mutate({ userId: cleo.me.id, suspended: true, reason: "Spam." });
  for (const shut of ["/cleo", "/dora", "/dora/liked-blogs"]) expect(await page(town, shut)).toEqual(missing);

  const many = Array.from({ length: 60 }, (_, at) => `/many/${at}`);
  expect(await note(town, two.id, ...many)).toHaveLength(11);
});

test("what one may not read stands at no address that it ever had", async () => {
  await using town = await startTown();
  const [ana, ben] = [await town.resident("Ana"), await town.resident("Ben")];
  const { id, slug } = await publish(ana, { draft: true });
  await note(town, id, "/old");
  const body = async (path: string, cookie: string) =>
    (await (await fetch(town.url + path, { headers: { cookie } })).text()).replaceAll(path, "");
  for (const cookie of ["", ben.cookie]) {
    expect(await page(town, "/old", cookie)).toEqual(missing);
    expect((await body("/old", cookie)).length).toBe((await body("/oak", cookie)).length);
  }
  expect(await page(town, "/old", ana.cookie)).toEqual({ status: 301, to: `/blog/${slug}` });
  await ana.api.blogs.update.mutate({ id, draft: false });
  expect(await page(town, "/old")).toEqual({ status: 301, to: `/blog/${slug}` });
  await ana.api.blogs.update.mutate({ id, private: true });
  for (const cookie of ["", ben.cookie]) expect(await page(town, "/old", cookie)).toEqual(missing);
});

test("a text says where it appeared first, and what search engines show of it", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const said = {
    canonicalUrl: "https://elsewhere.example.org/owls?a=1&b=2",
    searchTitle: "Owls <of> the night",
    searchDescription: 'All of "them".',
  };
  const { id, slug } = await publish(ana, { title: "Owls", ...said });
  const edited = await ana.api.blogs.forEdit.query({ slug });
  expect(edited).toMatchObject(said);
  expect(await ana.api.blogs.bySlug.query({ slug })).toMatchObject(said);
  const head = async () => (await (await fetch(`${town.url}/blog/${slug}`)).text()).split("</head>")[0] ?? "";
  expect(await head()).toContain(
    '<link rel="canonical" href="https://elsewhere.example.org/owls?a=1&amp;b=2">',
  );
  expect(await head()).toContain("<title>Owls &lt;of&gt; the night · ");
  expect(await head()).toContain('name="description" content="All of &quot;them&quot;."');
  const markdown = await (await fetch(`${town.url}/blog/${slug}.md`)).text();
  expect(markdown).toMatch(/^canonical: ["']?https:\/\/elsewhere\.example\.org\/owls/m);

  // The same again changes nothing, less takes it away.
  expect((await ana.api.blogs.update.mutate({ id, version: 1, ...said })).version).toBe(1);
  expect((await ana.api.blogs.update.mutate({ id, title: "Owls!" })).version).toBe(2);
  expect(await ana.api.blogs.forEdit.query({ slug })).toMatchObject(said);
  await ana.api.blogs.update.mutate({ id, canonicalUrl: " ", searchTitle: "", searchDescription: "" });
  expect(await head()).toContain(`href="${town.config.publicUrl}/blog/${slug}"`);
  expect(await head()).toContain("<title>Owls! · ");

  const wrong = {
    canonicalUrl: [
      "owls",
      "ftp://example.org/",
      "javascript:alert(1)",
      "https://a:b@example.org/",
      `https://example.org/${"x".repeat(searchLimits.canonicalUrl)}`,
    ],
    searchTitle: ["x".repeat(searchLimits.title + 1)],
    searchDescription: ["x".repeat(searchLimits.description + 1)],
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

test("programs give and get the same by the API", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const api = await ApiClient.of(town, ana);
  const said = { canonicalUrl: "https://example.org/a", searchTitle: "T", searchDescription: "D" };
  const made = await api.call("POST", "/blogs", { title: "By a program", slug: "by-a-program", ...said });
  expect(made).toMatchObject({ status: 200, body: { blog: { blogId: "by-a-program" } } });
  const read = async () => (await api.call("GET", "/blogs/by-a-program")).body.blog;
  expect(await read()).toMatchObject(said);
  expect(await api.call("PATCH", "/blogs/by-a-program", { searchTitle: "U" })).toMatchObject({ status: 200 });
  expect(await read()).toMatchObject({ ...said, searchTitle: "U" });
  expect(await api.call("PATCH", "/blogs/by-a-program", { canonicalUrl: "nowhere" })).toMatchObject({
    status: 400,
  });
});

test("a title in any script makes an address that can be said aloud, and old addresses are still known as such", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const titles: Record<string, RegExp> = {
    "Привет, мир": /^privet-mir-[a-z2-9]{6}$/,
    你好世界: /^ni-hao-shi-jie-[a-z2-9]{6}$/,
    Ελληνικά: /^ellinika-/,
    "Über Łódź — naïve": /^uber-lodz-naive-/,
    "🦉": /^[a-z2-9]{10}$/,
  };
  for (const [title, slug] of Object.entries(titles))
    expect((await publish(ana, { title })).slug, title).toMatch(slug);

  // A draft of before, whose title made no words: its next title makes its address, as it did.
  const draft = await publish(ana, { title: "Привет", draft: true });
  await town.write(async (tx) => {
    tx.drizzle.run(`update blogs set slug = 'abcdefghjk' where id = '${draft.id}'`);
  });
  expect((await ana.api.blogs.update.mutate({ id: draft.id, title: "Пока" })).slug).toMatch(/^poka-/);
});
