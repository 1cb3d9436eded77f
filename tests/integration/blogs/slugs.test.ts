import { expect, test } from "vitest";
import { newId } from "../../../src/server/runtime/ids.ts";
import { limits } from "../../../src/shared/limits.ts";
import { ApiClient } from "../../support/api-client.ts";
import { aBlog, refusal, startTestSite, type TestSite } from "../../support/test-site.ts";

const page = async (testSite: TestSite, path: string, cookie = "") => {
  const { status, headers } = await fetch(testSite.url + path, {
    redirect: "manual",
    headers: cookie ? { cookie } : {},
  });
  return { status, to: headers.get("location") };
};

test("redirects every earlier address of a draft to the newest one", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog({ title: "Owls", draft: true }));
  const second = await ana.api.blogs.update.mutate({ id, title: "Bats" });
  expect(second.slug).toMatch(/^bats-[a-z2-9]{6}$/);
  const third = await ana.api.blogs.update.mutate({ id, title: "Moths", draft: false });
  expect(third.slug).toMatch(/^moths-/);
  for (const old of [slug, second.slug]) {
    expect(await page(testSite, `/blog/${old}`)).toEqual({ status: 301, to: `/blog/${third.slug}` });
    expect(await page(testSite, `/edit/${old}`, ana.cookie)).toEqual({
      status: 301,
      to: `/edit/${third.slug}`,
    });
    expect((await ana.api.blogs.forEdit.query({ slug: old })).id).toBe(id);
    expect(await new ApiClient(testSite).call("GET", `/blogs/${old}`)).toMatchObject({
      status: 200,
      body: { blog: { _id: id, blogId: third.slug } },
    });
  }
});

test("keeps the address of a blog that was published, whatever its title, also once it is a draft again", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
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
  await using testSite = await startTestSite();
  const [ana, ben] = [await testSite.createAccount("Ana"), await testSite.createAccount("Ben")];
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
    expect(await refusal(ben.api.blogs.create.mutate(aBlog({ slug: taken })))).toMatchObject(answer);
    const bensBlog = await ben.api.blogs.create.mutate(aBlog());
    expect(await refusal(ben.api.blogs.update.mutate({ id: bensBlog.id, slug: taken }))).toMatchObject(
      answer,
    );
  }
  const ownBlog = await ben.api.blogs.create.mutate(aBlog({ slug: "bens-own", title: "Owls", draft: true }));
  expect(ownBlog.slug).toBe("bens-own");
  expect((await ben.api.blogs.update.mutate({ id: ownBlog.id, title: "Bats" })).slug).toBe("bens-own");

  await ana.api.blogs.remove.mutate({ id });
  expect((await ben.api.blogs.create.mutate(aBlog({ slug: "night-walks" }))).slug).toBe("night-walks");
});

test("refuses invalid addresses, and limits how often an address changes", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
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
  expect(await refusal(ana.api.blogs.update.mutate({ id, slug: "one-more" }))).toMatchObject({
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

test("accepts a chosen address after a draft had more titles than a blog keeps old addresses", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const { id } = await ana.api.blogs.create.mutate(aBlog({ title: "Owls", draft: true }));
  const slugs: string[] = [];
  for (let round = 0; round < limits.slug.old + 5; round++)
    slugs.push((await ana.api.blogs.update.mutate({ id, title: `Title ${round}` })).slug);
  expect(new Set(slugs).size).toBe(slugs.length);
  const published = await ana.api.blogs.update.mutate({ id, slug: "owls-at-night", draft: false });
  expect(published.slug).toBe("owls-at-night");
  // The newest of its drafts' addresses redirect.
  for (const old of slugs.slice(-10))
    expect(await page(testSite, `/blog/${old}`)).toEqual({ status: 301, to: "/blog/owls-at-night" });
  for (let round = 0; round < limits.slug.old - 10; round++)
    await ana.api.blogs.update.mutate({ id, slug: `turn-${round}` });
  expect(await page(testSite, "/blog/owls-at-night")).toMatchObject({ status: 301 });
  expect(await refusal(ana.api.blogs.update.mutate({ id, slug: "one-more" }))).toMatchObject({
    field: "slug",
  });
});

test("keeps the address of a blog that moderators took down, whatever its title", async () => {
  await using testSite = await startTestSite();
  const [boss, ana] = [await testSite.createAccount("Boss"), await testSite.createAccount("Ana")];
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog({ title: "Owls" }));
  await boss.api.moderation.resolveReport.mutate({ kind: "blog", id, outcome: "hide", reason: "Spam." });
  expect((await ana.api.blogs.update.mutate({ id, title: "Bats" })).slug).toBe(slug);
});
