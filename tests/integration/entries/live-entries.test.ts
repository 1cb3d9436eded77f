import { expect, test } from "vitest";
import type { Entry } from "../../../src/shared/entries.ts";
import { limits } from "../../../src/shared/limits.ts";
import { addCoAuthor, createLiveBlog, listEntries, postEntry } from "../../support/live-blogs.ts";
import { siteWith } from "../../support/site-with.ts";
import { followBlog, paragraphs, until, type Browser } from "../../support/test-site.ts";

type Stream = ReturnType<typeof followBlog>;

const withdraw = ({ api }: Pick<Browser, "api">, id: string, withdrawn: boolean) =>
  api.blogs.withdrawEntry.mutate({ id, withdrawn });
const edit = ({ api }: Pick<Browser, "api">, id: string, title: string) =>
  api.blogs.editEntry.mutate({ id, title, document: paragraphs("A bat.") });

/** Returns what a page shows after a stream's events: the entries by id, and how many there are. */
function stateAfter(stream: Stream) {
  const entries = new Map<string, Entry>();
  let total = 0;
  for (const { event } of stream.eventFrames()) {
    if (event.kind === "entry.posted" || event.kind === "entry.edited")
      entries.set(event.entry.id, event.entry);
    if (event.kind === "entry.withdrawn") entries.delete(event.entryId);
    if (event.kind === "entry.liked") {
      const entry = entries.get(event.entryId);
      if (entry) entries.set(entry.id, { ...entry, likesCount: event.likesCount });
    }
    if ("total" in event) ({ total } = event);
  }
  return { entries: Object.fromEntries(entries), total };
}

async function stateListed(reader: Pick<Browser, "api">, blog: { id: string }) {
  const { entries, total } = await listEntries(reader, blog);
  return {
    entries: Object.fromEntries(
      entries.map(({ liked: _liked, ...entry }): [string, Entry] => [entry.id, entry]),
    ),
    total,
  };
}

test("updates an open page for each entry that is posted, edited, liked, withdrawn and brought back", async () => {
  const [testSite, ana, eve] = await siteWith("Ana", "Eve");
  const blog = await createLiveBlog(ana);
  const page = followBlog(testSite.browser(), blog.id);
  await page.waitForStart();
  const { liked: _liked, ...posted } = await postEntry(ana, blog, { title: "Dusk", isKey: true });
  await page.waitFor("entry.posted");
  const entry = { ...posted, cursor: undefined };
  expect(page.events("entry.posted")).toEqual([{ kind: "entry.posted", entry, total: 1 }]);
  const { id } = entry;
  const edited = await edit(ana, id, "Night");
  await page.waitFor("entry.edited");
  expect(page.events("entry.edited")).toMatchObject([
    { entry: { id, title: "Night", isKey: false, html: edited.html, editedAt: edited.editedAt }, total: 1 },
  ]);
  await eve.api.blogs.likeEntry.mutate({ id, liked: true });
  await page.waitFor("entry.liked");
  await withdraw(ana, id, true);
  await page.waitFor("entry.withdrawn");
  await withdraw(ana, id, false);
  await page.waitFor("entry.posted", 2);
  expect(
    page
      .eventFrames()
      .slice(2)
      .map(({ event }) => event),
  ).toMatchObject([
    { kind: "entry.liked", entryId: id, likesCount: 1 },
    { kind: "entry.withdrawn", entryId: id, total: 0 },
    { kind: "entry.posted", entry: { id, title: "Night", likesCount: 1 }, total: 1 },
  ]);
});

test("a page that was open and one that resumes from an old cursor show what a reload shows", async () => {
  const [testSite, ana, ben, eve] = await siteWith("Ana", "Ben", "Eve");
  const blog = await createLiveBlog(ana);
  await addCoAuthor(ana, blog, ben);
  const { cursor: start } = await listEntries(eve, blog);
  const openPage = followBlog(testSite.browser(), blog.id, start);
  await openPage.waitForStart();
  const ids: string[] = [];
  for (const who of [ana, ben, ana, ben, ana]) ids.push((await postEntry(who, blog)).id);
  const [kept, changed, gone, back, backAndGone] = ids as [string, string, string, string, string];
  await edit(ben, changed, "Edited");
  for (const who of [ana, eve]) await who.api.blogs.likeEntry.mutate({ id: kept, liked: true });
  for (const id of [gone, back, backAndGone]) await withdraw(ana, id, true);
  const { cursor: middle } = await listEntries(eve, blog);
  await edit(ana, back, "Edited while it was away");
  for (const id of [back, backAndGone]) await withdraw(ana, id, false);
  await withdraw(ana, backAndGone, true);
  await eve.api.blogs.likeEntry.mutate({ id: kept, liked: false });
  await edit(ana, kept, "The last change");
  const resumedPage = followBlog(testSite.browser(), blog.id, start);
  const laterPage = followBlog(testSite.browser(), blog.id, middle);
  const isAtTheEnd = (page: Stream) => page.events("entry.edited").at(-1)?.entry.title === "The last change";
  await until(() => [openPage, resumedPage, laterPage].every(isAtTheEnd), "the last change on each page");
  const listed = await stateListed(testSite.browser(), blog);
  expect(Object.keys(listed.entries).toSorted()).toEqual([kept, changed, back].toSorted());
  expect(stateAfter(openPage)).toEqual(listed);
  expect(stateAfter(resumedPage)).toEqual(listed);
  expect(stateAfter(laterPage).entries[back]).toEqual(listed.entries[back]);
  expect(stateAfter(laterPage)).toMatchObject({ total: 3 });
});

test("sends no word of a withdrawn entry to a page that resumes", async () => {
  const [testSite, ana, eve] = await siteWith("Ana", "Eve");
  const blog = await createLiveBlog(ana);
  const { cursor: start } = await listEntries(eve, blog);
  const { id } = await postEntry(ana, blog, { title: "A secret", document: paragraphs("Never to be said.") });
  await edit(ana, id, "A secret, edited");
  await eve.api.blogs.likeEntry.mutate({ id, liked: true });
  await withdraw(ana, id, true);
  await edit(ana, id, "A secret, edited while away");
  const page = followBlog(testSite.browser(), blog.id, start);
  await page.waitForCursor((await listEntries(eve, blog)).cursor);
  expect(page.eventFrames().map(({ event }) => event)).toEqual([
    { kind: "entry.withdrawn", entryId: id, total: 0 },
  ]);
});

test("sends the entries of a blocked co-author without their name, and so does the list", async () => {
  const [, ana, ben, eve, fay] = await siteWith("Ana", "Ben", "Eve", "Fay");
  const blog = await createLiveBlog(ana);
  await addCoAuthor(ana, blog, ben);
  await eve.api.social.block.mutate({ userId: ben.me.id, blocked: true });
  await ben.api.social.block.mutate({ userId: fay.me.id, blocked: true });
  const pages = [eve, fay, ana].map((who) => followBlog(who, blog.id));
  await Promise.all(pages.map((page) => page.waitForStart()));
  const { id } = await postEntry(ben, blog);
  await edit(ben, id, "Edited");
  for (const [at, who] of [eve, fay, ana].entries()) {
    await pages[at]!.waitFor("entry.edited");
    const author = who === ana ? { name: "Ben" } : null;
    expect(pages[at]!.events("entry.posted")).toMatchObject([{ entry: { id, author }, total: 1 }]);
    expect(pages[at]!.events("entry.edited")).toMatchObject([
      { entry: { title: "Edited", author }, total: 1 },
    ]);
    expect((await listEntries(who, blog)).entries).toMatchObject([{ id, author }]);
  }
});

test("names a limited co-author to those who follow them alone, and a suspended one to nobody", async () => {
  const [testSite, boss, ana, ben, fay] = await siteWith("Boss", "Ana", "Ben", "Fay");
  const blog = await createLiveBlog(ana);
  await addCoAuthor(ana, blog, ben);
  await fay.api.social.follow.mutate({ userId: ben.me.id, follow: true });
  await boss.api.moderation.limit.mutate({ userId: ben.me.id, limited: true });
  const guest = testSite.browser();
  const [fays, guests] = [followBlog(fay, blog.id), followBlog(guest, blog.id)];
  await Promise.all([fays.waitForStart(), guests.waitForStart()]);
  await postEntry(ben, blog);
  await Promise.all([fays.waitFor("entry.posted"), guests.waitFor("entry.posted")]);
  const authors = async () => {
    const listed = [await listEntries(fay, blog), await listEntries(guest, blog)];
    return [
      ...[fays, guests].map((page) => page.events("entry.posted").at(-1)!.entry),
      ...listed.map(({ entries }) => entries[0]!),
    ].map(({ author }) => author?.name ?? null);
  };
  expect(await authors()).toEqual(["Ben", null, "Ben", null]);
  await boss.api.moderation.suspend.mutate({ userId: ben.me.id, suspended: true, reason: "Spam." });
  const { id } = (await listEntries(ana, blog)).entries[0]!;
  await withdraw(ana, id, true);
  await withdraw(ana, id, false);
  await Promise.all([fays.waitFor("entry.posted", 2), guests.waitFor("entry.posted", 2)]);
  expect(await authors()).toEqual([null, null, null, null]);
});

test("sends nothing more of a private blog to a removed follower, and nothing at all to a stranger", async () => {
  const [testSite, ana, fay, eve] = await siteWith("Ana", "Fay", "Eve");
  await fay.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  const blog = await createLiveBlog(ana, { private: true });
  const [anas, fays, eves, guests] = [ana, fay, eve, testSite.browser()].map((who) =>
    followBlog(who, blog.id),
  ) as [Stream, Stream, Stream, Stream];
  await Promise.all([anas, fays, eves, guests].map((page) => page.waitForStart()));
  await postEntry(ana, blog);
  await fays.waitFor("entry.posted");
  await ana.api.social.removeFollower.mutate({ userId: fay.me.id });
  await fays.waitFor("accessLost");
  const { id } = await postEntry(ana, blog);
  await edit(ana, id, "Edited");
  await ana.api.blogs.likeEntry.mutate({ id, liked: true });
  await withdraw(ana, id, true);
  await anas.waitFor("entry.withdrawn");
  expect(fays.kinds()).toEqual(["entry.posted", "accessLost"]);
  for (const page of [eves, guests]) expect(page.kinds()).toEqual(["accessLost"]);
});

test("sends readers nothing of entries that are changed while the blog is a draft", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const blog = await createLiveBlog(ana);
  const { id } = await postEntry(ana, blog);
  const page = followBlog(testSite.browser(), blog.id);
  await page.waitForStart();
  await ana.api.blogs.update.mutate({ id: blog.id, draft: true });
  await page.waitFor("accessLost");
  const anas = followBlog(ana, blog.id);
  await anas.waitForStart();
  await edit(ana, id, "Edited");
  await anas.waitFor("entry.edited");
  expect(page.kinds().filter((kind) => kind.startsWith("entry."))).toEqual([]);
});

test("has pages fetch an entry that is too long for a message", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const blog = await createLiveBlog(ana);
  const page = followBlog(testSite.browser(), blog.id);
  await page.waitForStart();
  const document = paragraphs(...Array.from({ length: 1_400 }, () => "猫".repeat(10)));
  const { id, html } = await postEntry(ana, blog, { document });
  // Its characters alone would fit.
  expect([html.length < limits.live.message, Buffer.byteLength(html) > limits.live.message]).toEqual([
    true,
    true,
  ]);
  await page.waitFor("accessRestored");
  expect(page.kinds()).toEqual(["accessRestored"]);
  expect((await listEntries(testSite.browser(), blog)).entries).toMatchObject([{ id, html }]);
  await edit(ana, id, "Shorter");
  await page.waitFor("entry.edited");
});
