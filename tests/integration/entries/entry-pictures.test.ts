import { expect, test } from "vitest";
import { sweepPictures } from "../../../src/server/media/service.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { addCoAuthor, createLiveBlog, listEntries, postEntry } from "../../support/live-blogs.ts";
import { upload } from "../../support/pictures.ts";
import { siteWith } from "../../support/site-with.ts";
import { paragraphs, password, type Browser, type TestSite } from "../../support/test-site.ts";

const withPicture = ({ src }: { src: string }) => ({
  type: "doc",
  content: [{ type: "paragraph", content: [{ type: "image", attrs: { src, alt: "An owl" } }] }],
});
const statusesFor = async (people: Pick<Browser, "fetch">[], { src }: { src: string }) =>
  (await Promise.all(people.map(async (who) => (await who.fetch(src)).status))).join(" ");

const unusedAt = (testSite: TestSite, { id }: { id: string }) =>
  testSite.rows<{ at: number | null }>(`select unused_at as at from media where id = '${id}'`)[0]?.at;
/** Deletes the pictures that were unused for a month by a day in two months. */
const sweepLater = (testSite: TestSite) => sweepPictures(testSite.app.services, Date.now() + 60 * 86_400_000);

test("serves an entry's picture to those who can read the entry, and a withdrawn one's to the blog's authors", async () => {
  const [testSite, ana, ben, fay, eve] = await siteWith("Ana", "Ben", "Fay", "Eve");
  await fay.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  const blog = await createLiveBlog(ana);
  await addCoAuthor(ana, blog, ben);
  const picture = await upload(ben);
  const statuses = () => statusesFor([testSite.browser(), eve, fay, ana, ben], picture);
  expect(await statuses()).toBe("404 404 404 404 200");
  const { id, html, headline } = await postEntry(ben, blog, { document: withPicture(picture) });
  expect(html).toContain(picture.id);
  expect(headline).toBe("A picture");
  expect(await statuses()).toBe("200 200 200 200 200");
  await ana.api.blogs.update.mutate({ id: blog.id, private: true });
  expect(await statuses()).toBe("404 404 200 200 200");
  await ana.api.blogs.update.mutate({ id: blog.id, private: false });
  await ben.api.blogs.withdrawEntry.mutate({ id, withdrawn: true });
  expect(await statuses()).toBe("404 404 404 200 200");
  await ben.api.blogs.withdrawEntry.mutate({ id, withdrawn: false });
  expect(await statuses()).toBe("200 200 200 200 200");
  await ana.api.blogs.update.mutate({ id: blog.id, draft: true });
  expect(await statuses()).toBe("404 404 404 200 200");
  await ana.api.blogs.update.mutate({ id: blog.id, draft: false });
  await ana.api.users.updateSettings.mutate({ private: true });
  expect(await statuses()).toBe("404 404 200 200 200");
  await ana.api.users.updateSettings.mutate({ private: false });
  await ana.api.blogs.editEntry.mutate({ id, document: paragraphs("No picture.") });
  expect(await statuses()).toBe("404 404 404 404 200");
});

test("keeps a picture while an entry shows it, a withdrawn one, too, and then for a month", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const blog = await createLiveBlog(ana);
  const [picture, other] = [await upload(ana), await upload(ana)];
  expect(unusedAt(testSite, picture)).toEqual(expect.any(Number));
  const { id } = await postEntry(ana, blog, { document: withPicture(picture) });
  expect(unusedAt(testSite, picture)).toBeNull();
  await ana.api.blogs.withdrawEntry.mutate({ id, withdrawn: true });
  await ana.api.blogs.update.mutate({ id: blog.id, draft: true });
  await sweepLater(testSite);
  expect([unusedAt(testSite, picture), unusedAt(testSite, other)]).toEqual([null, undefined]);
  const replaced = await upload(ana);
  await ana.api.blogs.editEntry.mutate({ id, document: withPicture(replaced) });
  expect([unusedAt(testSite, picture), unusedAt(testSite, replaced)]).toEqual([expect.any(Number), null]);
  await sweepLater(testSite);
  expect([unusedAt(testSite, picture), unusedAt(testSite, replaced)]).toEqual([undefined, null]);
  await ana.api.blogs.remove.mutate({ id: blog.id });
  expect(unusedAt(testSite, replaced)).toEqual(expect.any(Number));
});

test("copies another person's picture that the author can see, and refuses one that they cannot", async () => {
  const [testSite, ana, eve] = await siteWith("Ana", "Eve");
  const blog = await createLiveBlog(ana);
  const [hidden, shown] = [await upload(eve), await upload(eve)];
  await eve.api.users.updateProfile.mutate({ pictureId: shown.id });
  await expectRefusal(postEntry(ana, blog, { document: withPicture(hidden) }), {
    code: "BAD_REQUEST",
    field: "document",
    message: expect.stringContaining("“An owl”"),
  });
  const { html } = await postEntry(ana, blog, { document: withPicture(shown) });
  expect(html).not.toContain(shown.id);
  const src = /src="([^"]+)"/.exec(html)![1]!;
  expect(await statusesFor([testSite.browser()], { src })).toBe("200");
});

test("keeps the pictures of a former co-author's entry, which the owner can still edit", async () => {
  const [testSite, ana, ben] = await siteWith("Ana", "Ben");
  const blog = await createLiveBlog(ana);
  await addCoAuthor(ana, blog, ben);
  const [first, second] = [await upload(ben), await upload(ben)];
  const entry = await postEntry(ben, blog, { document: withPicture(first) });
  const later = await postEntry(ben, blog, { document: withPicture(second) });
  await ana.api.blogs.removeAuthor.mutate({ id: blog.id, userId: ben.me.id });
  const editAsItIs = async (id: string) => {
    const { title, document } = await ana.api.blogs.entryForEdit.query({ id });
    return (await ana.api.blogs.editEntry.mutate({ id, title, document })).html;
  };
  expect(await editAsItIs(entry.id)).toContain("<img");
  await ben.api.users.remove.mutate({ password });
  expect(await editAsItIs(later.id)).toContain("<img");
  await sweepLater(testSite);
  for (const { html } of (await listEntries(ana, blog)).entries) {
    const src = /src="([^"]+)"/.exec(html)![1]!;
    expect(await statusesFor([testSite.browser()], { src })).toBe("200");
  }
});
