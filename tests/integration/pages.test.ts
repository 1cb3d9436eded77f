import { describe, expect, test } from "vitest";
import { inTurn } from "../../src/server/turns.ts";
import { aBlog, paragraphs, startTown, until, type Town } from "../support/town.ts";

const get = (town: Town, path: string, headers: Record<string, string> = {}) =>
  fetch(town.url + path, { headers, redirect: "manual" });
const titles = (html: string) =>
  [...html.matchAll(/<h3 class="card-title"><a[^>]*>([^<]*)</g)].map(([, title]) => title);

describe("a guest's page", () => {
  test("shows what was published, and never what is gone", async () => {
    await using town = await startTown();
    const ana = await town.resident("Ana");
    const blog = await ana.api.blogs.create.mutate(aBlog({ title: "Bread" }));
    expect(titles(await (await get(town, "/home")).text())).toEqual(["Bread"]);
    // Twice, so that the second comes from memory.
    expect(titles(await (await get(town, "/home")).text())).toEqual(["Bread"]);

    await ana.api.blogs.create.mutate(aBlog({ title: "Butter" }));
    expect(titles(await (await get(town, "/home")).text())).toEqual(["Butter", "Bread"]);

    await ana.api.blogs.remove.mutate({ id: blog.id });
    expect(titles(await (await get(town, "/home")).text())).toEqual(["Butter"]);
  });

  test("has the text of an article once, and what follows it in its state", async () => {
    await using town = await startTown();
    const ana = await town.resident("Ana");
    const { slug } = await ana.api.blogs.create.mutate(aBlog({ document: paragraphs("Owls, or “owls”.") }));
    for (const cookie of ["", ana.cookie]) {
      const html = await (await get(town, `/blog/${slug}`, { cookie })).text();
      const [article = "", state = ""] = html.split('<script type="application/json"');
      expect(article).toContain('<div class="prose e-content"><p dir="auto">Owls, or “owls”.</p></div>');
      expect(state).toContain(slug);
      expect(state).not.toContain("\\u003cp>");
    }
  });

  test("forgets a person's old name at once", async () => {
    await using town = await startTown();
    const ana = await town.resident("Ana");
    await ana.api.blogs.create.mutate(aBlog());
    await get(town, "/home");
    await ana.api.users.updateProfile.mutate({ name: "Ana Maria" });
    expect(await (await get(town, "/home")).text()).toContain("Ana Maria");
  });

  test("is not told of a blog that became private", async () => {
    await using town = await startTown();
    const ana = await town.resident("Ana");
    const blog = await ana.api.blogs.create.mutate(aBlog({ title: "Secret bread" }));
    expect((await get(town, `/blog/${blog.slug}`)).status).toBe(200);
    await ana.api.blogs.update.mutate({ id: blog.id, private: true });
    expect((await get(town, `/blog/${blog.slug}`)).status).toBe(404);
    expect(await (await get(town, "/home")).text()).not.toContain("Secret bread");
  });

  test("may be kept by the browser as long as it holds", async () => {
    await using town = await startTown();
    const first = await get(town, "/home");
    expect(first.headers.get("cache-control")).toBe("public, max-age=0, must-revalidate");
    const etag = first.headers.get("etag")!;
    await until(async () => (await get(town, "/home", { "if-none-match": etag })).status === 304);
    const ana = await town.resident("Ana");
    await ana.api.blogs.create.mutate(aBlog());
    expect((await get(town, "/home", { "if-none-match": etag })).status).toBe(200);
  });

  test("comes in the theme of its cookie", async () => {
    await using town = await startTown();
    expect(await (await get(town, "/home", { cookie: "theme=dark" })).text()).toContain(
      '<html lang="en" data-theme="dark">',
    );
    expect(await (await get(town, "/home")).text()).toContain('<html lang="en">');
  });
});

describe("a member's page", () => {
  test("is theirs alone", async () => {
    await using town = await startTown();
    const ana = await town.resident("Ana");
    const page = await get(town, "/home", { cookie: ana.cookie });
    expect(page.headers.get("cache-control")).toBe("private, no-store");
    expect(page.headers.get("etag")).toBeNull();
    expect(await page.text()).toContain("Menu of Ana");
    expect(await (await get(town, "/home")).text()).not.toContain("Menu of Ana");
  });

  test("of a session that ended is a guest's, and is not kept", async () => {
    await using town = await startTown();
    const page = await get(town, "/home", { cookie: "session=nothing" });
    expect(page.headers.get("cache-control")).toBe("private, no-store");
    expect(await page.text()).toContain("Sign Up");
  });
});

describe("an address", () => {
  test("that needs an account leads to /signin, and back", async () => {
    await using town = await startTown();
    const page = await get(town, "/add-blog");
    expect([page.status, page.headers.get("location")]).toEqual([302, "/signin?next=%2Fadd-blog"]);
  });

  test.each([
    "/no-such-person",
    "/blog/no-such-blog",
    "/settings/of/nobody",
    `/blog/${"x".repeat(500)}`,
    "//evil.example/x",
  ])("%s is not found", async (path) => {
    await using town = await startTown();
    const page = await get(town, path);
    expect(page.status).toBe(404);
    expect(await page.text()).toContain("Page not found");
  });

  test("cannot smuggle markup into the page", async () => {
    await using town = await startTown();
    const ana = await town.resident("Ana");
    const title = `</script><script>alert("1")</script>`;
    const blog = await ana.api.blogs.create.mutate(aBlog({ title }));
    for (const path of ["/", "/home", `/blog/${blog.slug}`])
      expect(await (await get(town, path)).text()).not.toContain("<script>alert");
  });
});

test("the landing page leads to the documentation that the site names, its own where it names none", async () => {
  for (const [settings, address] of [
    [{}, "/docs"],
    [{ DOCS_URL: "https://example.org/handbook" }, "https://example.org/handbook"],
  ] as const) {
    await using town = await startTown(settings);
    expect(await (await get(town, "/")).text()).toContain(`<a href="${address}">How it works</a>`);
  }
});

test("a guest's profile page tells of a follow, a like and a new blog at once, though it is kept", async () => {
  await using town = await startTown();
  const [ana, eve] = [await town.resident("Ana"), await town.resident("Eve")];
  const { id } = await ana.api.blogs.create.mutate(aBlog({ title: "The first" }));
  const profile = async () => (await get(town, `/${ana.me.username}`)).text();
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

test("whoever has pages drawn without pause has to wait; what is drawn already is for everybody", async () => {
  await using town = await startTown({ RATE_LIMIT: "on" });
  const guest = town.browser();
  expect((await guest.fetch("/home")).status).toBe(200);
  for (let count = 0; count < 3_000; count++)
    await town.app.parts.limits.take("read", "127.0.0.1").catch(() => undefined);
  expect((await guest.fetch("/home")).status).toBe(200);
  const refused = await guest.fetch("/search?q=owls");
  expect([refused.status, Number(refused.headers.get("retry-after"))]).toEqual([429, expect.any(Number)]);
  expect((await town.browser("session=made-up").fetch("/home")).status).toBe(429);
});

test("while too many wait for a page, the next is told so as a page, and when to come back", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  let isFull = true;
  const goOn = (): unknown => isFull && inTurn(goOn);
  const waiting = Array.from({ length: 1_000 }, () => inTurn(goOn));
  const refused = await Promise.all(["", ana.cookie].map((cookie) => get(town, "/home", { cookie })));
  isFull = false;
  await Promise.all(waiting);
  for (const page of refused) {
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
  expect((await get(town, "/home")).status).toBe(200);
});

test("a page whose data can't be had yet says when they can", async () => {
  await using town = await startTown({ RATE_LIMIT: "on" });
  const guest = town.browser();
  await town.app.parts.limits.take("read", "127.0.0.1", 2_998);
  // The page is counted as one, the search in it as more.
  const refused = await guest.fetch("/search?q=owls");
  expect([refused.status, Number(refused.headers.get("retry-after"))]).toEqual([429, expect.any(Number)]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  const text = await refused.text();
  expect(text).toContain("Retry");
  expect(text).toMatch(/"data":{"failure":"[^"]+","again":[1-9]\d*}/);
});
