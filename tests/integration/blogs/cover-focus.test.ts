import { expect, test } from "vitest";
import { ApiClient } from "../../support/api-client.ts";
import { CoWriter } from "../../support/co-writer.ts";
import { paint, upload } from "../../support/pictures.ts";
import { siteWith } from "../../support/site-with.ts";
import { aBlog, refusal } from "../../support/test-site.ts";

const owl = { x: 30, y: 20 };
const moon = { x: 0, y: 100 };

test("shows a cover's focus point on cards, in the form and in versions, and resets it for another cover", async () => {
  const [, ana] = await siteWith("Ana");
  const [one, other] = [await upload(ana, await paint()), await upload(ana, await paint())];
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog({ coverId: one.id, coverFocus: owl }));
  const focus = async () => (await ana.api.blogs.card.query({ id })).cover?.focus;
  expect(await focus()).toEqual(owl);
  expect((await ana.api.blogs.list.query({})).blogs[0]?.cover?.focus).toEqual(owl);
  expect((await ana.api.blogs.bySlug.query({ slug })).cover?.focus).toEqual(owl);
  expect((await ana.api.blogs.forEdit.query({ slug })).cover?.focus).toEqual(owl);

  const { etag } = await ana.api.blogs.update.mutate({ id, coverFocus: moon });
  expect(await focus()).toEqual(moon);
  expect((await ana.api.blogs.update.mutate({ id, coverFocus: { y: 100, x: 0 } })).etag).toBe(etag);
  await ana.api.blogs.update.mutate({ id, title: "Owls", coverId: one.id });
  expect(await focus()).toEqual(moon);
  await ana.api.blogs.update.mutate({ id, coverId: other.id });
  expect(await focus()).toBeUndefined();
  await ana.api.blogs.update.mutate({ id, coverId: one.id, coverFocus: owl });
  await ana.api.blogs.update.mutate({ id, coverFocus: { x: 50, y: 50 } });
  expect((await ana.api.blogs.card.query({ id })).cover).not.toHaveProperty("focus");

  const { versions } = await ana.api.blogs.versions.query({ id });
  const covers = [];
  for (const { id: stored } of versions)
    covers.push((await ana.api.blogs.version.query({ id, version: stored })).cover);
  expect(covers.map((cover) => [cover?.id, cover?.focus])).toEqual([
    [one.id, undefined],
    [one.id, owl],
    [other.id, undefined],
    [one.id, moon],
    [one.id, moon],
    [one.id, owl],
  ]);
});

test("refuses a focus point that is malformed or outside the image with 400", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const api = await ApiClient.of(testSite, ana);
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog());
  const before = await ana.api.blogs.forEdit.query({ slug });
  for (const coverFocus of [
    { x: -1, y: 0 },
    { x: 0, y: 101 },
    { x: 0.5, y: 0 },
    { x: "1", y: 0 },
    { x: 1 },
    { x: 1, y: 1, z: 1 },
    [1, 1],
    "middle",
    7,
  ]) {
    const json = JSON.stringify(coverFocus);
    expect([
      json,
      await refusal(ana.api.blogs.update.mutate({ id, coverFocus: coverFocus as never })),
    ]).toMatchObject([json, { code: "BAD_REQUEST", field: "coverFocus" }]);
    const answer = await api.call("PATCH", `/blogs/${slug}`, { coverFocus });
    expect([json, answer.status, answer.body.message]).toEqual([
      json,
      400,
      expect.stringMatching(typeof coverFocus === "string" ? /coverFocus|focus/ : /focus of a cover|z/i),
    ]);
  }
  expect(await ana.api.blogs.forEdit.query({ slug })).toEqual(before);
});

test("reads and writes the focus point over REST, also as a form's text", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const api = await ApiClient.of(testSite, ana);
  const cover = await upload(ana, await paint());
  const { slug } = await ana.api.blogs.create.mutate(aBlog({ coverId: cover.id }));
  const read = async () => (await api.call("GET", `/blogs/${slug}`)).body.blog.coverFocus as unknown;
  expect(await read()).toBeNull();
  const response = await api.call("PATCH", `/blogs/${slug}`, { coverFocus: owl });
  expect(response).toMatchObject({ status: 200, body: { blog: { coverFocus: owl } } });
  expect(await read()).toEqual(owl);
  expect(await api.call("PATCH", `/blogs/${slug}`, { title: "Owls" })).toMatchObject({ status: 200 });
  expect(await read()).toEqual(owl);
  expect(await api.call("PATCH", `/blogs/${slug}`, { coverFocus: JSON.stringify(moon) })).toMatchObject({
    status: 200,
  });
  expect(await read()).toEqual(moon);
  await api.call("PATCH", `/blogs/${slug}`, { coverFocus: null });
  expect(await read()).toBeNull();
});

test("shares the focus point in the draft among its writers, and shows it to readers once published", async () => {
  const [, ana] = await siteWith("Ana");
  const [one, other] = [await upload(ana, await paint()), await upload(ana, await paint())];
  const { id } = await ana.api.blogs.create.mutate(aBlog({ coverId: one.id }));
  const [desk, phone] = [
    await CoWriter.open(() => ana.api, id),
    await CoWriter.open(() => ana.api, id),
  ] as const;
  desk.sync.changeFields({ coverFocus: owl });
  await desk.sync.push();
  await phone.sync.fetchMissed();
  expect(phone.sync.fields).toMatchObject({ coverId: one.id, coverFocus: owl });
  expect((await ana.api.blogs.preview.query({ id })).blog.cover?.focus).toEqual(owl);
  const focus = async () => (await ana.api.blogs.card.query({ id })).cover?.focus;
  expect(await focus()).toBeUndefined();
  await ana.api.blogs.publish.mutate({ id, draft: false });
  expect(await focus()).toEqual(owl);

  // An older client sends no focus point.
  phone.sync.changeFields({ coverId: other.id });
  await phone.sync.push();
  await desk.sync.fetchMissed();
  for (const { fields } of [desk.sync, phone.sync, await ana.api.blogs.openDraft.mutate({ id })])
    expect(fields).toMatchObject({ coverId: other.id, coverFocus: null });
  await ana.api.blogs.discardDraft.mutate({ id });
  await desk.sync.fetchMissed();
  expect(desk.sync.fields).toMatchObject({ coverId: one.id, coverFocus: owl });

  // A change past the draft is merged into it.
  await ana.api.blogs.update.mutate({ id, coverFocus: moon });
  await desk.sync.fetchMissed();
  expect(desk.sync.fields).toMatchObject({ coverId: one.id, coverFocus: moon });
});
