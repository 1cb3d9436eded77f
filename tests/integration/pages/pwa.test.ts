import { expect, test } from "vitest";
import { siteWith } from "../../support/site-with.ts";
import { aBlog, startTestSite } from "../../support/test-site.ts";

test("links a manifest with the site's name and share target from every page", async () => {
  await using testSite = await startTestSite({ SITE_NAME: "The Lantern" });
  const html = await (await fetch(`${testSite.url}/home`)).text();
  expect(html).toContain('<link rel="manifest" href="/manifest.webmanifest">');
  const answer = await fetch(`${testSite.url}/manifest.webmanifest`);
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

test("allows only the site's own service worker and manifest by the content security policy", async () => {
  await using testSite = await startTestSite();
  const { headers } = await fetch(`${testSite.url}/home`);
  expect(headers.get("content-security-policy")).toContain("worker-src 'self';");
  expect(headers.get("content-security-policy")).toContain("manifest-src 'self';");
});

test("serves the service worker without caching, and one that unregisters itself where the setting is off", async () => {
  await using testSite = await startTestSite({ SERVICE_WORKER: "off" });
  const answer = await fetch(`${testSite.url}/service-worker.js`);
  expect(answer.headers.get("content-type")).toMatch(/^text\/javascript/);
  expect(answer.headers.get("cache-control")).toBe("no-cache");
  expect(await answer.text()).toContain("registration.unregister()");
  expect(await (await fetch(`${testSite.url}/home`)).text()).not.toContain("/service-worker.js");
});

test("names the session in a header of a member's page, and none on a guest's", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const { slug } = await ana.api.blogs.create.mutate(aBlog());
  const ownAnswer = await ana.fetch(`/blog/${slug}`);
  expect(ownAnswer.headers.get("x-session")).toBe(ana.me.session);
  expect((await fetch(`${testSite.url}/blog/${slug}`)).headers.has("x-session")).toBe(false);
});

test("tells a device which of up to thirty saved articles may still be read", async () => {
  const [, ana, ben] = await siteWith("Ana", "Ben");
  const publicBlog = await ana.api.blogs.create.mutate(aBlog());
  const privateBlog = await ana.api.blogs.create.mutate(aBlog({ private: true }));
  const slugs = [publicBlog.slug, privateBlog.slug, "no-such-blog"];
  expect((await ben.api.blogs.readable.query({ slugs })).slugs).toEqual([publicBlog.slug]);
  expect((await ana.api.blogs.readable.query({ slugs })).slugs).toEqual([publicBlog.slug, privateBlog.slug]);
  const tooManySlugs = Array.from({ length: 31 }, (_, index) => `blog-${index}`);
  await expect(ben.api.blogs.readable.query({ slugs: tooManySlugs })).rejects.toMatchObject({
    data: { code: "BAD_REQUEST" },
  });
});

test("refuses a mutation unless the session is the person whom the page shows", async () => {
  const [testSite, ana, ben] = await siteWith("Ana", "Ben");
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  const likes = (account: string) =>
    ben.fetch("/trpc/social.likeBlog", {
      method: "POST",
      headers: { "content-type": "application/json", "x-account": account },
      body: JSON.stringify({ blogId: id, liked: true }),
    });
  expect((await likes(ana.me.id)).status).toBe(401);
  expect(await testSite.rows("select * from blog_likes")).toEqual([]);
  expect((await likes(ben.me.id)).status).toBe(200);
});
