import { expect, test } from "vitest";
import { newId } from "../../src/server/ids.ts";
import { limits } from "../../src/shared/limits.ts";
import { ApiClient } from "../support/api-client.ts";
import { aBlog, refusal, startTown, type Town } from "../support/town.ts";

const page = async (town: Town, path: string, cookie = "") => {
  const { status, headers } = await fetch(town.url + path, {
    redirect: "manual",
    headers: cookie ? { cookie } : {},
  });
  return { status, to: headers.get("location") };
};

test("a draft that nobody saw is found by its newest title, and by each that it had", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog({ title: "Owls", draft: true }));
  const second = await ana.api.blogs.update.mutate({ id, title: "Bats" });
  expect(second.slug).toMatch(/^bats-[a-z2-9]{6}$/);
  const third = await ana.api.blogs.update.mutate({ id, title: "Moths", draft: false });
  expect(third.slug).toMatch(/^moths-/);
  for (const old of [slug, second.slug]) {
    expect(await page(town, `/blog/${old}`)).toEqual({ status: 301, to: `/blog/${third.slug}` });
    expect(await page(town, `/edit/${old}`, ana.cookie)).toEqual({ status: 301, to: `/edit/${third.slug}` });
    expect((await ana.api.blogs.forEdit.query({ slug: old })).id).toBe(id);
    expect(await new ApiClient(town).call("GET", `/blogs/${old}`)).toMatchObject({
      status: 200,
      body: { blog: { _id: id, blogId: third.slug } },
    });
  }
});

test("once published an address stays, whatever the title, also as a draft again", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog({ title: "Owls" }));
  const renamed = (change: object) => ana.api.blogs.update.mutate({ id, ...change });
  expect((await renamed({ title: "Bats" })).slug).toBe(slug);
  expect((await renamed({ draft: true, title: "Moths" })).slug).toBe(slug);
  expect((await renamed({ title: "Crickets" })).slug).toBe(slug);
  // The same words make the same address.
  const draft = await ana.api.blogs.create.mutate(aBlog({ title: "A Walk", draft: true }));
  expect((await ana.api.blogs.update.mutate({ id: draft.id, title: "a walk!" })).slug).toBe(draft.slug);
});

test("an author's own address is kept, and the one before leads there, for guests with a page in memory too", async () => {
  await using town = await startTown();
  const [ana, ben] = [await town.resident("Ana"), await town.resident("Ben")];
  const api = await ApiClient.of(town, ana);
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog());
  const move = (to: string) => ana.api.blogs.update.mutate({ id, slug: to });
  expect(await page(town, `/blog/${slug}`)).toMatchObject({ status: 200 });
  expect((await move(" Night-Walks ")).slug).toBe("night-walks");
  expect(await page(town, `/blog/${slug}`)).toEqual({ status: 301, to: "/blog/night-walks" });
  expect(await page(town, "/blog/night-walks")).toMatchObject({ status: 200 });
  expect((await api.call("PATCH", `/blogs/${slug}`, { title: "By its old address" })).status).toBe(200);

  // Back again, and on: no circle.
  expect((await move(slug)).slug).toBe(slug);
  expect(await page(town, "/blog/night-walks")).toEqual({ status: 301, to: `/blog/${slug}` });
  await move("night-walks");

  for (const taken of ["night-walks", slug]) {
    const answer = { code: "CONFLICT", field: "slug", message: expect.stringContaining(taken) };
    expect(await refusal(ben.api.blogs.create.mutate(aBlog({ slug: taken })))).toMatchObject(answer);
    const his = await ben.api.blogs.create.mutate(aBlog());
    expect(await refusal(ben.api.blogs.update.mutate({ id: his.id, slug: taken }))).toMatchObject(answer);
  }
  const own = await ben.api.blogs.create.mutate(aBlog({ slug: "bens-own", title: "Owls", draft: true }));
  expect(own.slug).toBe("bens-own");
  expect((await ben.api.blogs.update.mutate({ id: own.id, title: "Bats" })).slug).toBe("bens-own");

  await ana.api.blogs.remove.mutate({ id });
  expect((await ben.api.blogs.create.mutate(aBlog({ slug: "night-walks" }))).slug).toBe("night-walks");
});

test("an address has letters, digits and hyphens, and there is an end to changing it", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
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
  for (const bad of wrong)
    expect(await refusal(ana.api.blogs.update.mutate({ id, slug: bad })), bad).toMatchObject({
      code: "BAD_REQUEST",
      field: "slug",
    });
  expect((await ana.api.blogs.update.mutate({ id, slug: "x".repeat(limits.slug.max) })).slug).toHaveLength(
    limits.slug.max,
  );
  for (let turn = 1; turn < limits.slug.old; turn++)
    await ana.api.blogs.update.mutate({ id, slug: `turn-${turn}` });
  expect(await refusal(ana.api.blogs.update.mutate({ id, slug: "one-more" }))).toMatchObject({
    field: "slug",
  });
  expect((await ana.api.blogs.bySlug.query({ slug })).slug).toBe(`turn-${limits.slug.old - 1}`);
});
