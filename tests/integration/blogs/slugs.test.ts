import { expect, test } from "vitest";
import { keepSlug } from "../../../src/server/blogs/queries.ts";
import { newId } from "../../../src/server/runtime/ids.ts";
import { limits } from "../../../src/shared/limits.ts";
import { ApiClient } from "../../support/api-client.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { siteWith } from "../../support/site-with.ts";
import { aBlog, refusal, type TestSite } from "../../support/test-site.ts";

const page = async (testSite: TestSite, path: string, cookie = "") => {
  const { status, headers } = await fetch(testSite.url + path, {
    redirect: "manual",
    headers: cookie ? { cookie } : {},
  });
  return { status, to: headers.get("location") };
};

test("keeps nowhere what a draft was called before readers could see it", async () => {
  const [testSite, boss, ana] = await siteWith("Boss", "Ana");
  const move = (change: object) => ana.api.blogs.update.mutate({ id, ...change });
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog({ title: "Owls", draft: true }));
  const second = await move({ title: "Bats" });
  expect(second.slug).toMatch(/^bats-[a-z2-9]{6}$/);
  await move({ slug: "moths", draft: false });
  await move({ slug: "night", draft: true });
  await move({ slug: "unseen" });
  await move({ slug: "seen", draft: false });
  await boss.api.moderation.resolveReport.mutate({ kind: "blog", id, outcome: "take-down", reason: "Spam." });
  await move({ slug: "down" });
  await move({ slug: "last" });
  await boss.api.moderation.restore.mutate({ blogId: id });
  for (const hidden of [slug, second.slug, "night", "unseen", "down"]) {
    expect((await page(testSite, `/blog/${hidden}`)).status, hidden).toBe(404);
    expect((await page(testSite, `/edit/${hidden}`, ana.cookie)).status, hidden).toBe(404);
    expect((await new ApiClient(testSite).call("GET", `/blogs/${hidden}`)).status, hidden).toBe(404);
  }
  for (const known of ["moths", "seen"]) {
    expect(await page(testSite, `/blog/${known}`)).toEqual({ status: 301, to: "/blog/last" });
    expect(await page(testSite, `/edit/${known}`, ana.cookie)).toEqual({ status: 301, to: "/edit/last" });
  }
  const markdown = async (headers: Record<string, string> = {}) =>
    (await fetch(`${testSite.url}/blog/last.md`, { headers })).text();
  expect(await markdown({ cookie: ana.cookie })).toContain("aliases:\n  - /blog/moths\n  - /blog/seen\n");
  expect(await markdown()).not.toContain("aliases");
});

test("forgets the former addresses of a restored draft when it is published", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const { id } = await ana.api.blogs.create.mutate(aBlog({ draft: true }));
  await testSite.write((tx) => keepSlug(tx, { id, slug: "secret" }));
  await ana.api.blogs.update.mutate({ id, draft: false });
  expect(await page(testSite, "/blog/secret")).toEqual({ status: 404, to: null });
});

test("keeps the address of a blog that was published, whatever its title, also once it is a draft again", async () => {
  const [, ana] = await siteWith("Ana");
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog({ title: "Owls" }));
  const update = (change: object) => ana.api.blogs.update.mutate({ id, ...change });
  expect((await update({ title: "Bats" })).slug).toBe(slug);
  expect((await update({ draft: true, title: "Moths" })).slug).toBe(slug);
  expect((await update({ title: "Crickets" })).slug).toBe(slug);
  // The same words make the same address.
  const draft = await ana.api.blogs.create.mutate(aBlog({ title: "A Walk", draft: true }));
  expect((await ana.api.blogs.update.mutate({ id: draft.id, title: "a walk!" })).slug).toBe(draft.slug);
});

test("redirects the earlier address after the author sets another one, and refuses both addresses to others", async () => {
  const [testSite, ana, ben] = await siteWith("Ana", "Ben");
  const api = await ApiClient.of(testSite, ana);
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog());
  const move = (to: string) => ana.api.blogs.update.mutate({ id, slug: to });
  expect(await page(testSite, `/blog/${slug}`)).toMatchObject({ status: 200 });
  expect((await move(" Night-Walks ")).slug).toBe("night-walks");
  expect(await page(testSite, `/blog/${slug}`)).toEqual({ status: 301, to: "/blog/night-walks" });
  expect(await page(testSite, "/blog/night-walks")).toMatchObject({ status: 200 });
  expect((await api.call("PATCH", `/blogs/${slug}`, { title: "By its old address" })).status).toBe(200);

  // No redirect loop.
  expect((await move(slug)).slug).toBe(slug);
  expect(await page(testSite, "/blog/night-walks")).toEqual({ status: 301, to: `/blog/${slug}` });
  await move("night-walks");

  for (const taken of ["night-walks", slug]) {
    const answer = { code: "CONFLICT", field: "slug", message: expect.stringContaining(taken) };
    await expectRefusal(ben.api.blogs.create.mutate(aBlog({ slug: taken })), answer);
    const bensBlog = await ben.api.blogs.create.mutate(aBlog());
    await expectRefusal(ben.api.blogs.update.mutate({ id: bensBlog.id, slug: taken }), answer);
  }
  const ownBlog = await ben.api.blogs.create.mutate(aBlog({ slug: "bens-own", title: "Owls", draft: true }));
  expect(ownBlog.slug).toBe("bens-own");
  expect((await ben.api.blogs.update.mutate({ id: ownBlog.id, title: "Bats" })).slug).toBe("bens-own");

  await ana.api.blogs.remove.mutate({ id });
  expect((await ben.api.blogs.create.mutate(aBlog({ slug: "night-walks" }))).slug).toBe("night-walks");
});

test("refuses invalid addresses, and limits how often an address changes", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog());
  const wrong = [
    "",
    "-",
    "a--b",
    "a-",
    "a b",
    "a/b",
    "a.b",
    "ä",
    "%2e",
    "a_b",
    newId(),
    "x".repeat(limits.slug.max + 1),
  ];
  for (const invalidSlug of wrong)
    expect(await refusal(ana.api.blogs.update.mutate({ id, slug: invalidSlug })), invalidSlug).toMatchObject({
      code: "BAD_REQUEST",
      field: "slug",
    });
  expect((await ana.api.blogs.update.mutate({ id, slug: "x".repeat(limits.slug.max) })).slug).toHaveLength(
    limits.slug.max,
  );
  for (let round = 1; round < limits.slug.old; round++)
    await ana.api.blogs.update.mutate({ id, slug: `turn-${round}` });
  await expectRefusal(ana.api.blogs.update.mutate({ id, slug: "one-more" }), {
    field: "slug",
  });
  expect((await ana.api.blogs.bySlug.query({ slug })).slug).toBe(`turn-${limits.slug.old - 1}`);
  // One of the former ones adds none.
  expect((await ana.api.blogs.update.mutate({ id, slug: "turn-1" })).slug).toBe("turn-1");
  expect(await page(testSite, `/blog/turn-${limits.slug.old - 1}`)).toEqual({
    status: 301,
    to: "/blog/turn-1",
  });
});

test("keeps the address of a blog that moderators took down, whatever its title", async () => {
  const [, boss, ana] = await siteWith("Boss", "Ana");
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog({ title: "Owls" }));
  await boss.api.moderation.resolveReport.mutate({ kind: "blog", id, outcome: "take-down", reason: "Spam." });
  expect((await ana.api.blogs.update.mutate({ id, title: "Bats" })).slug).toBe(slug);
});
