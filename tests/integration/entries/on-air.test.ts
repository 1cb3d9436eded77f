import { expect, test } from "vitest";
import { entryLimits } from "../../../src/shared/entries.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { addCoAuthor, createLiveBlog, listEntries, postEntry } from "../../support/live-blogs.ts";
import { siteWith } from "../../support/site-with.ts";
import { aBlog, followBlog, followTopics, type SignedInBrowser } from "../../support/test-site.ts";

const setLive = async ({ api }: SignedInBrowser, { id }: { id: string }, live: boolean) =>
  (await api.blogs.setLive.mutate({ id, live })).live;
const stateFor = async ({ api }: Pick<SignedInBrowser, "api">, { slug }: { slug: string }) =>
  (await api.blogs.bySlug.query({ slug })).live;
const setSummary = ({ api }: SignedInBrowser, { id }: { id: string }, summary: unknown) =>
  api.blogs.setSummary.mutate({ id, summary: summary as string[] });

test("starts, ends and reopens a live blog, and updates its readers' pages and its authors' lists each time", async () => {
  const [testSite, ana, ben] = await siteWith("Ana", "Ben");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  await addCoAuthor(ana, blog, ben);
  const guest = testSite.browser();
  const page = followBlog(guest, blog.id);
  const list = followTopics(ana, ["me"]);
  await Promise.all([page.waitForStart(), list.waitForStart()]);
  expect(await stateFor(guest, blog)).toBeNull();
  const started = Date.now();
  const state = await setLive(ben, blog, true);
  expect(state).toEqual({ since: expect.any(String), ended: null, summary: [], embeddable: false });
  expect(Date.parse(state!.since)).toBeGreaterThanOrEqual(started);
  expect(await setLive(ana, blog, true)).toEqual(state);
  await postEntry(ben, blog);
  const ended = await setLive(ana, blog, false);
  expect(ended).toEqual({ ...state, ended: expect.any(String) });
  expect(await setLive(ana, blog, false)).toEqual(ended);
  expect(await stateFor(guest, blog)).toEqual(ended);
  expect((await ana.api.blogs.forEdit.query({ slug: blog.slug })).live).toEqual(ended);
  expect(await setLive(ben, blog, true)).toEqual(state);
  await postEntry(ana, blog);
  await page.waitFor("blog.edited", 3);
  expect(page.events("blog.edited").map(({ live }) => live)).toEqual([state, ended, state]);
  await list.waitFor("viewer.blogsChanged", 3);
});

test("makes a live blog that ends without entries an ordinary one again", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const blog = await createLiveBlog(ana);
  expect(await setLive(ana, blog, false)).toBeNull();
  expect(await stateFor(testSite.browser(), blog)).toBeNull();
  await setLive(ana, blog, true);
  const { id } = await postEntry(ana, blog);
  await ana.api.blogs.withdrawEntry.mutate({ id, withdrawn: true });
  expect(await setLive(ana, blog, false)).toBeNull();
  await setLive(ana, blog, true);
  await ana.api.blogs.update.mutate({ id: blog.id, draft: true });
  await ana.api.blogs.update.mutate({ id: blog.id, draft: false });
  expect(await stateFor(ana, blog)).toBeNull();
});

test.each(["an update", "the editor"])(
  "ends a live blog that becomes a draft by %s, and hides its entries",
  async (by) => {
    const [testSite, ana, eve] = await siteWith("Ana", "Eve");
    const guest = testSite.browser();
    const blog = await createLiveBlog(ana);
    const { id } = await postEntry(ana, blog, { title: "Dusk" });
    await setSummary(ana, blog, ["An owl called."]);
    const publish = async (draft: boolean) => {
      if (by === "an update") return ana.api.blogs.update.mutate({ id: blog.id, draft });
      await ana.api.blogs.openDraft.mutate({ id: blog.id });
      return ana.api.blogs.publish.mutate({ id: blog.id, draft });
    };
    await publish(true);
    for (const who of [guest, eve]) await expectRefusal(listEntries(who, blog), "NOT_FOUND");
    await expectRefusal(eve.api.blogs.likeEntry.mutate({ id, liked: true }), "NOT_FOUND");
    expect((await listEntries(ana, blog)).entries).toMatchObject([{ id, title: "Dusk" }]);
    const { slug } = await publish(false);
    expect(await stateFor(guest, { slug })).toEqual({
      since: expect.any(String),
      ended: expect.any(String),
      summary: ["An owl called."],
      embeddable: false,
    });
    expect((await listEntries(guest, blog)).entries).toMatchObject([{ id, title: "Dusk" }]);
    expect(await setLive(ana, blog, true)).toMatchObject({ ended: null });
  },
);

test("refuses likes of a draft's entries to its author, too", async () => {
  const [, ana] = await siteWith("Ana");
  const blog = await createLiveBlog(ana);
  const { id } = await postEntry(ana, blog);
  await ana.api.blogs.update.mutate({ id: blog.id, draft: true });
  await expectRefusal(ana.api.blogs.likeEntry.mutate({ id, liked: true }), {
    code: "FORBIDDEN",
    message: "This is a draft. Publish it first.",
  });
});

test("keeps a live blog on air over edits of its text and of its settings", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const blog = await createLiveBlog(ana);
  await postEntry(ana, blog);
  await ana.api.blogs.update.mutate({ id: blog.id, title: "Another night", private: true });
  await ana.api.blogs.update.mutate({ id: blog.id, private: false });
  await ana.api.blogs.openDraft.mutate({ id: blog.id });
  await ana.api.blogs.publish.mutate({ id: blog.id, draft: false });
  expect(await stateFor(testSite.browser(), blog)).toMatchObject({ ended: null });
});

test("shows a summary without its empty points, and updates the page once for a changed one", async () => {
  const [testSite, ana, ben, eve] = await siteWith("Ana", "Ben", "Eve");
  const blog = await createLiveBlog(ana);
  await addCoAuthor(ana, blog, ben);
  const page = followBlog(testSite.browser(), blog.id);
  await page.waitForStart();
  const summary = ["An owl called.", "A bat came."];
  for (let count = 0; count < 2; count++)
    expect(await setSummary(ben, blog, ["", ` ${summary[0]}`, "  ", summary[1]])).toMatchObject({ summary });
  expect(await stateFor(eve, blog)).toMatchObject({ summary });
  await postEntry(ana, blog);
  await page.waitFor("entry.posted");
  expect(page.events("blog.edited").map(({ live }) => live?.summary)).toEqual([summary]);
  await setLive(ana, blog, false);
  expect(await setSummary(ana, blog, [])).toMatchObject({ summary: [] });
  await expectRefusal(setSummary(eve, blog, summary), "FORBIDDEN");
});

test("accepts eight points of 280 characters, and refuses more of either, and a summary of an ordinary blog", async () => {
  const [, ana] = await siteWith("Ana");
  const blog = await createLiveBlog(ana);
  const { points, length } = entryLimits.summary;
  const longest = Array.from({ length: points }, () => "x".repeat(length));
  expect((await setSummary(ana, blog, [...longest, "", " "])).summary).toEqual(longest);
  await expectRefusal(setSummary(ana, blog, [...longest, "x"]), {
    code: "BAD_REQUEST",
    message: "A summary can have up to 8 points.",
  });
  await expectRefusal(setSummary(ana, blog, ["x".repeat(length + 1)]), "BAD_REQUEST");
  await expectRefusal(
    setSummary(
      ana,
      blog,
      Array.from({ length: 101 }, () => ""),
    ),
    "BAD_REQUEST",
  );
  const ordinary = await ana.api.blogs.create.mutate(aBlog());
  await expectRefusal(setSummary(ana, ordinary, ["One."]), {
    code: "CONFLICT",
    message: "This is not a live blog.",
  });
});

test("lists the live blogs of different authors before several of one", async () => {
  const [testSite, ana, ben] = await siteWith("Ana", "Ben");
  const first = await createLiveBlog(ben);
  const ofAna: string[] = [];
  for (let count = 0; count < 6; count++) ofAna.unshift((await createLiveBlog(ana)).id);
  const { blogs } = await testSite.browser().api.blogs.liveNow.query();
  expect(blogs.map(({ id }) => id)).toEqual([ofAna[0], first.id, ...ofAna.slice(1, 4)]);
});
