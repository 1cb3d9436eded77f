import { expect, test } from "vitest";
import { execute } from "../../../src/server/database/connection.ts";
import { maxReadingPositions } from "../../../src/shared/reading-position.ts";
import { newId } from "../../../src/server/runtime/ids.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { siteWith } from "../../support/site-with.ts";
import { aBlog, password, type SignedInBrowser } from "../../support/test-site.ts";

const place = { block: 12, words: 0xdead_beef, part: 40 };
const placeOf = async ({ api }: Pick<SignedInBrowser, "api">, blogId: string) =>
  (await api.social.place.query({ blogId })).place;

test("shows a reading position to its reader alone, on all their devices, until they have read on", async () => {
  const [testSite, ana, ben, eve] = await siteWith("Ana", "Ben", "Eve");
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  expect(await placeOf(ben, id)).toBeNull();
  await ben.api.social.keepPosition.mutate({ blogId: id, place: { ...place, block: 2 } });
  expect(await ben.api.social.keepPosition.mutate({ blogId: id, place })).toMatchObject({ kept: true });
  const phone = testSite.browser();
  await phone.api.users.signIn.mutate({ email: ben.email, password });
  expect(await placeOf(phone, id)).toEqual(place);
  for (const other of [ana, eve]) expect(await placeOf(other, id)).toBeNull();
  await expectRefusal(testSite.browser().api.social.place.query({ blogId: id }), "UNAUTHORIZED");
  await phone.api.social.keepPosition.mutate({ blogId: id, place: null });
  expect(await placeOf(ben, id)).toBeNull();
});

test("hides a reading position while its reader may not read the blog, and returns it afterwards", async () => {
  const [, ana, ben] = await siteWith("Ana", "Ben");
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  await ben.api.social.keepPosition.mutate({ blogId: id, place });
  await ana.api.blogs.update.mutate({ id, private: true });
  await expectRefusal(placeOf(ben, id), "NOT_FOUND");
  for (const savedPlace of [place, null])
    await expectRefusal(ben.api.social.keepPosition.mutate({ blogId: id, place: savedPlace }), "NOT_FOUND");
  await ana.api.blogs.update.mutate({ id, private: false });
  expect(await placeOf(ben, id)).toEqual(place);
});

test("stores no reading position of a person who hides their presence, and deletes the stored ones", async () => {
  const [testSite, ana, ben] = await siteWith("Ana", "Ben");
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  for (const { api } of [ana, ben]) await api.social.keepPosition.mutate({ blogId: id, place });
  await ben.api.users.updateSettings.mutate({ showSavedBlogs: false });
  expect(await placeOf(ben, id)).toEqual(place);
  await ben.api.users.updateSettings.mutate({ showPresence: false });
  expect(testSite.rows("select user_id from reading_positions")).toEqual([{ user_id: ana.me.id }]);
  expect(await ben.api.social.keepPosition.mutate({ blogId: id, place })).toMatchObject({ kept: false });
  expect(await placeOf(ben, id)).toBeNull();
  await ben.api.users.updateSettings.mutate({ showPresence: true });
  expect(await ben.api.social.keepPosition.mutate({ blogId: id, place })).toMatchObject({ kept: true });
});

test("keeps each person's newest reading positions, and deletes them with the blog or the account", async () => {
  const [testSite, ana, ben, eve] = await siteWith("Ana", "Ben", "Eve");
  const [first, second] = [
    await ana.api.blogs.create.mutate(aBlog()),
    await ana.api.blogs.create.mutate(aBlog({ slug: "second" })),
  ];
  // Fills the limit with positions in copies of a blog, older than what is stored next.
  await testSite.write(async (tx) => {
    for (let count = 0; count < maxReadingPositions; count++) {
      const id = newId();
      await execute(
        tx,
        `insert into blogs (id, slug, title, description, tags, document, html, text, excerpt, words,
          reading_minutes, author_id, draft, private, created_at, published_at)
        select '${id}', '${id}', title, description, tags, document, html, text, excerpt, words,
          reading_minutes, author_id, draft, private, created_at, published_at from blogs where id = '${first.id}'`,
      );
      await execute(tx, `insert into reading_positions values ('${ben.me.id}', '${id}', 1, 1, 1, ${count})`);
    }
  });
  for (const { api } of [ben, eve]) await api.social.keepPosition.mutate({ blogId: first.id, place });
  const storedPlaces = (user: SignedInBrowser) =>
    testSite.rows(
      `select count(*) as count, min(left_at) as oldest from reading_positions where user_id = '${user.me.id}'`,
    )[0];
  expect(storedPlaces(ben)).toEqual({ count: maxReadingPositions, oldest: 1 });
  expect(storedPlaces(eve)).toMatchObject({ count: 1 });
  await ben.api.social.keepPosition.mutate({ blogId: second.id, place });
  expect(storedPlaces(ben)).toEqual({ count: maxReadingPositions, oldest: 2 });

  await ana.api.blogs.remove.mutate({ id: second.id });
  expect(storedPlaces(ben)).toMatchObject({ count: maxReadingPositions - 1 });
  await ben.api.users.remove.mutate({ password });
  expect(testSite.rows("select user_id, block from reading_positions")).toEqual([
    { user_id: eve.me.id, block: place.block },
  ]);
});
