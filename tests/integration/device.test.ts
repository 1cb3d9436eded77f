import { expect, test } from "vitest";
import { aBlog, startTown } from "../support/town.ts";

test("every page names the manifest, which says what the site is called and where shared things go", async () => {
  await using town = await startTown({ SITE_NAME: "The Lantern" });
  const html = await (await fetch(`${town.url}/home`)).text();
  expect(html).toContain('<link rel="manifest" href="/manifest.webmanifest">');
  const answer = await fetch(`${town.url}/manifest.webmanifest`);
  expect(answer.headers.get("content-type")).toBe("application/manifest+json; charset=utf-8");
  expect(answer.headers.get("cache-control")).toBe("public, max-age=3600");
  expect(await answer.json()).toMatchObject({
    name: "The Lantern",
    start_url: "/home",
    scope: "/",
    display: "standalone",
    share_target: {
      action: "/add-blog",
      method: "GET",
      params: { title: "title", text: "text", url: "link" },
    },
  });
});

test("its pages may begin the site's own worker and no other", async () => {
  await using town = await startTown();
  const { headers } = await fetch(`${town.url}/home`);
  expect(headers.get("content-security-policy")).toContain("worker-src 'self';");
  expect(headers.get("content-security-policy")).toContain("manifest-src 'self';");
});

test("the worker is asked for each time, and takes itself away where it is switched off", async () => {
  await using town = await startTown({ SERVICE_WORKER: "off" });
  const answer = await fetch(`${town.url}/service-worker.js`);
  expect(answer.headers.get("content-type")).toMatch(/^text\/javascript/);
  expect(answer.headers.get("cache-control")).toBe("no-cache");
  expect(await answer.text()).toContain("registration.unregister()");
  expect(await (await fetch(`${town.url}/home`)).text()).not.toContain("/service-worker.js");
});

test("a member's page says whose it is, a guest's is nobody's", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const { slug } = await ana.api.blogs.create.mutate(aBlog());
  const own = await ana.fetch(`/blog/${slug}`);
  expect(own.headers.get("x-session")).toBe(ana.me.session);
  expect((await fetch(`${town.url}/blog/${slug}`)).headers.has("x-session")).toBe(false);
});

test("a device hears which of what it has kept may still be read, of thirty at most", async () => {
  await using town = await startTown();
  const [ana, ben] = [await town.resident("Ana"), await town.resident("Ben")];
  const open = await ana.api.blogs.create.mutate(aBlog());
  const closed = await ana.api.blogs.create.mutate(aBlog({ private: true }));
  const slugs = [open.slug, closed.slug, "no-such-blog"];
  expect((await ben.api.blogs.readable.query({ slugs })).slugs).toEqual([open.slug]);
  expect((await ana.api.blogs.readable.query({ slugs })).slugs).toEqual([open.slug, closed.slug]);
  const tooMany = Array.from({ length: 31 }, (_, at) => `blog-${at}`);
  await expect(ben.api.blogs.readable.query({ slugs: tooMany })).rejects.toMatchObject({
    data: { code: "BAD_REQUEST" },
  });
});

test("what a page does is done as the person whom it shows, or not at all", async () => {
  await using town = await startTown();
  const [ana, ben] = [await town.resident("Ana"), await town.resident("Ben")];
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  const likes = (account: string) =>
    ben.fetch("/trpc/social.likeBlog", {
      method: "POST",
      headers: { "content-type": "application/json", "x-account": account },
      body: JSON.stringify({ blogId: id, liked: true }),
    });
  expect((await likes(ana.me.id)).status).toBe(401);
  expect(await town.rows("select * from blog_likes")).toEqual([]);
  expect((await likes(ben.me.id)).status).toBe(200);
});
