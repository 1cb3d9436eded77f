import { describe, expect, test } from "vitest";
import { serialize } from "../../../src/server/runtime/concurrency.ts";
import { siteWith } from "../../support/site-with.ts";
import { aBlog, paragraphs, startTestSite, until, type TestSite } from "../../support/test-site.ts";

const get = (testSite: TestSite, path: string, headers: Record<string, string> = {}) =>
  fetch(testSite.url + path, { headers, redirect: "manual" });
const titles = (html: string) =>
  [...html.matchAll(/<h3 class="card-title"><a[^>]*>([^<]*)</g)].map(([, title]) => title);

describe("a guest's page", () => {
  test("shows published blogs at once, and deleted ones no more", async () => {
    const [testSite, ana] = await siteWith("Ana");
    const blog = await ana.api.blogs.create.mutate(aBlog({ title: "Bread" }));
    expect(titles(await (await get(testSite, "/home")).text())).toEqual(["Bread"]);
    // Twice, so that the second is from the cache.
    expect(titles(await (await get(testSite, "/home")).text())).toEqual(["Bread"]);

    await ana.api.blogs.create.mutate(aBlog({ title: "Butter" }));
    expect(titles(await (await get(testSite, "/home")).text())).toEqual(["Butter", "Bread"]);

    await ana.api.blogs.remove.mutate({ id: blog.id });
    expect(titles(await (await get(testSite, "/home")).text())).toEqual(["Butter"]);
  });

  test("has the text of an article once, and not again in its state", async () => {
    const [testSite, ana] = await siteWith("Ana");
    const { slug } = await ana.api.blogs.create.mutate(aBlog({ document: paragraphs("Owls, or “owls”.") }));
    for (const cookie of ["", ana.cookie]) {
      const html = await (await get(testSite, `/blog/${slug}`, { cookie })).text();
      const [article = "", state = ""] = html.split('<script type="application/json"');
      expect(article).toContain('<div class="prose e-content"><p dir="auto">Owls, or “owls”.</p></div>');
      expect(state).toContain(slug);
      expect(state).not.toContain("\\u003cp>");
    }
  });

  test("shows a person's new name at once", async () => {
    const [testSite, ana] = await siteWith("Ana");
    await ana.api.blogs.create.mutate(aBlog());
    await get(testSite, "/home");
    await ana.api.users.updateProfile.mutate({ name: "Ana Maria" });
    expect(await (await get(testSite, "/home")).text()).toContain("Ana Maria");
  });

  test("does not show a blog that became private", async () => {
    const [testSite, ana] = await siteWith("Ana");
    const blog = await ana.api.blogs.create.mutate(aBlog({ title: "Secret bread" }));
    expect((await get(testSite, `/blog/${blog.slug}`)).status).toBe(200);
    await ana.api.blogs.update.mutate({ id: blog.id, private: true });
    expect((await get(testSite, `/blog/${blog.slug}`)).status).toBe(404);
    expect(await (await get(testSite, "/home")).text()).not.toContain("Secret bread");
  });

  test("can be cached by the browser and is not sent again while it is unchanged", async () => {
    await using testSite = await startTestSite();
    const first = await get(testSite, "/home");
    expect(first.headers.get("cache-control")).toBe("public, max-age=0, must-revalidate");
    const etag = first.headers.get("etag")!;
    await until(async () => (await get(testSite, "/home", { "if-none-match": etag })).status === 304);
    const ana = await testSite.createAccount("Ana");
    await ana.api.blogs.create.mutate(aBlog());
    expect((await get(testSite, "/home", { "if-none-match": etag })).status).toBe(200);
  });

  test("is rendered in the theme of its cookie", async () => {
    await using testSite = await startTestSite();
    expect(await (await get(testSite, "/home", { cookie: "theme=dark" })).text()).toContain(
      '<html lang="en" data-theme="dark">',
    );
    expect(await (await get(testSite, "/home")).text()).toContain('<html lang="en">');
  });
});

describe("a member's page", () => {
  test("is private and not cached", async () => {
    const [testSite, ana] = await siteWith("Ana");
    const page = await get(testSite, "/home", { cookie: ana.cookie });
    expect(page.headers.get("cache-control")).toBe("private, no-store");
    expect(page.headers.get("etag")).toBeNull();
    expect(await page.text()).toContain("Menu of Ana");
    expect(await (await get(testSite, "/home")).text()).not.toContain("Menu of Ana");
  });

  test("with an ended session is a guest's, and not cached", async () => {
    await using testSite = await startTestSite();
    const page = await get(testSite, "/home", { cookie: "session=nothing" });
    expect(page.headers.get("cache-control")).toBe("private, no-store");
    expect(await page.text()).toContain("Sign Up");
  });
});

describe("an address", () => {
  test("that needs an account redirects to /signin, and back", async () => {
    await using testSite = await startTestSite();
    const page = await get(testSite, "/add-blog");
    expect([page.status, page.headers.get("location")]).toEqual([302, "/signin?next=%2Fadd-blog"]);
  });

  test.each([
    "/no-such-person",
    "/blog/no-such-blog",
    "/settings/of/nobody",
    `/blog/${"x".repeat(500)}`,
    "//evil.example/x",
  ])("%s is not found", async (path) => {
    await using testSite = await startTestSite();
    const page = await get(testSite, path);
    expect(page.status).toBe(404);
    expect(await page.text()).toContain("Page not found");
  });

  test("that is not found shows a search and recent public blogs", async () => {
    const [testSite, ana] = await siteWith("Ana");
    await ana.api.blogs.create.mutate(aBlog({ title: "Owls for all" }));
    await ana.api.blogs.create.mutate(aBlog({ title: "Owls for some", private: true }));
    const html = await (await get(testSite, "/blog/no-such-blog")).text();
    expect(html).toMatch(/<form[^>]* action="\/search"[^]*name="q"/);
    expect(html).toContain("Owls for all");
    expect(html).not.toContain("Owls for some");
  });

  test("shows a title without running its markup", async () => {
    const [testSite, ana] = await siteWith("Ana");
    const title = `</script><script>alert("1")</script>`;
    const blog = await ana.api.blogs.create.mutate(aBlog({ title }));
    for (const path of ["/", "/home", `/blog/${blog.slug}`])
      expect(await (await get(testSite, path)).text()).not.toContain("<script>alert");
  });
});

test("the landing page links to the documentation of DOCS_URL, or to its own", async () => {
  for (const [settings, address] of [
    [{}, "/docs"],
    [{ DOCS_URL: "https://example.org/handbook" }, "https://example.org/handbook"],
  ] as const) {
    await using testSite = await startTestSite(settings);
    expect(await (await get(testSite, "/")).text()).toContain(`<a href="${address}">How it works</a>`);
  }
});

test("a guest's profile page shows a follow, a like and a new blog at once, though it is cached", async () => {
  const [testSite, ana, eve] = await siteWith("Ana", "Eve");
  const { id } = await ana.api.blogs.create.mutate(aBlog({ title: "The first" }));
  const profile = async () => (await get(testSite, `/${ana.me.username}`)).text();
  const state = async () =>
    JSON.parse(/id="state">([^]*?)<\/script>/.exec(await profile())?.[1] ?? "{}") as object;
  expect(JSON.stringify(await state())).toContain('"followersCount":0');
  await eve.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  expect(JSON.stringify(await state())).toContain('"followersCount":1');
  await eve.api.social.likeBlog.mutate({ blogId: id, liked: true });
  expect(JSON.stringify(await state())).toContain('"likesCount":1');
  await ana.api.blogs.create.mutate(aBlog({ title: "The second" }));
  expect(await profile()).toContain("The second");
});

test("limits how often pages are rendered, and still serves cached ones", async () => {
  await using testSite = await startTestSite({ RATE_LIMIT: "on" });
  const guest = testSite.browser();
  expect((await guest.fetch("/home")).status).toBe(200);
  for (let count = 0; count < 3_000; count++)
    await testSite.app.services.limits.take("read", "127.0.0.1").catch(() => undefined);
  expect((await guest.fetch("/home")).status).toBe(200);
  const limited = await guest.fetch("/search?q=owls");
  expect([limited.status, Number(limited.headers.get("retry-after"))]).toEqual([429, expect.any(Number)]);
  expect((await testSite.browser("session=made-up").fetch("/home")).status).toBe(429);
});

test("a busy server answers with 503 and a page that loads again after a few seconds", async () => {
  const [testSite, ana] = await siteWith("Ana");
  let isFull = true;
  const requeue = (): unknown => isFull && serialize(requeue);
  const waiting = Array.from({ length: 1_000 }, () => serialize(requeue));
  const answers = await Promise.all(["", ana.cookie].map((cookie) => get(testSite, "/home", { cookie })));
  isFull = false;
  await Promise.all(waiting);
  for (const page of answers) {
    expect([page.status, page.headers.get("retry-after"), page.headers.get("cache-control")]).toEqual([
      503,
      "5",
      "private, no-store",
    ]);
    expect(page.headers.get("content-type")).toContain("text/html");
    const text = await page.text();
    expect(text).toContain("The site is very busy. Please try again in a moment.");
    expect(text).toMatch(/<meta http-equiv="refresh" content="[678]">/);
  }
  expect((await get(testSite, "/home")).status).toBe(200);
});

test("a page whose data exceeds the rate limit says when to retry", async () => {
  await using testSite = await startTestSite({ RATE_LIMIT: "on" });
  const guest = testSite.browser();
  await testSite.app.services.limits.take("read", "127.0.0.1", 2_998);
  // The page counts as one, its search as more.
  const limited = await guest.fetch("/search?q=owls");
  expect([limited.status, Number(limited.headers.get("retry-after"))]).toEqual([429, expect.any(Number)]);
  expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(0);
  const text = await limited.text();
  expect(text).toContain("Retry");
  expect(text).toMatch(/"data":{"failure":"[^"]+","again":[1-9]\d*}/);
});
