import { expect, test } from "vitest";
import { limits } from "../../../src/shared/limits.ts";
import { anEntry, createLiveBlog } from "../../support/live-blogs.ts";
import { siteWith } from "../../support/site-with.ts";
import {
  aBlog,
  aComment,
  followTopic,
  paragraphs,
  password,
  startTestSite,
  until,
  type TestSite,
} from "../../support/test-site.ts";

/** Streams of `search`: of Ana, of her follower Fay, of Eve and of a guest. */
async function openSearches(testSite: TestSite) {
  const [ana, fay, eve] = [
    await testSite.createAccount("Ana"),
    await testSite.createAccount("Fay"),
    await testSite.createAccount("Eve"),
  ];
  await fay.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  const { cursor } = await testSite.browser().api.blogs.list.query({});
  const streams = [ana, fay, eve, testSite.browser()].map((who) => followTopic(who, "search", cursor));
  await Promise.all(streams.map((stream) => stream.waitForStart()));
  const counts = streams.map(() => 0);
  /** Runs `action`, then a change that reaches every stream. Returns for each stream whether `action` reached it. */
  const reachOf = async (kind: "search.blogs" | "search.people", action: () => Promise<unknown>) => {
    await action();
    const other = kind === "search.blogs" ? "search.people" : "search.blogs";
    const before = streams.map((stream) => stream.events(other).length);
    if (kind === "search.blogs") await eve.api.users.updateProfile.mutate({ bio: `Bio ${Math.random()}` });
    else await eve.api.blogs.create.mutate(aBlog());
    await until(() => streams.every((stream, index) => stream.events(other).length > before[index]!));
    return streams.map((stream, index) => {
      const now = stream.events(kind).length;
      const added = now - counts[index]!;
      counts[index] = now;
      return added > 0;
    });
  };
  return { ana, fay, eve, streams, reachOf };
}

const [everyone, followers, noOne] = [
  [true, true, true, true],
  [true, true, false, false],
  [false, false, false, false],
];

test("publishes every change of a public blog to open searches, and of one for followers to them and its author", async () => {
  await using testSite = await startTestSite();
  const { ana, reachOf } = await openSearches(testSite);
  const blogReach = (action: () => Promise<unknown>) => reachOf("search.blogs", action);
  const blog = aBlog({ draft: true });
  expect(await blogReach(() => ana.api.blogs.create.mutate(blog))).toEqual(noOne);
  const { id } = blog;
  const update = (change: object) => blogReach(() => ana.api.blogs.update.mutate({ id, ...change }));
  expect(await update({ title: "Still nobody's" })).toEqual(noOne);
  expect(await update({ draft: false, private: true })).toEqual(followers);
  expect(await update({ tags: ["owls"] })).toEqual(followers);
  expect(await update({ private: false })).toEqual(everyone);
  expect(await update({ etag: 5, document: paragraphs("Of owls.") })).toEqual(everyone);
  expect(await blogReach(() => ana.api.users.updateSettings.mutate({ private: true }))).toEqual(everyone);
  expect(await update({ title: "Owls" })).toEqual(followers);
  expect(await blogReach(() => ana.api.blogs.remove.mutate({ id }))).toEqual(followers);
});

test("publishes entries of a live blog, and that one was withdrawn, to open searches of its readers", async () => {
  await using testSite = await startTestSite();
  const { ana, reachOf } = await openSearches(testSite);
  const blogReach = (action: () => Promise<unknown>) => reachOf("search.blogs", action);
  const blog = await createLiveBlog(ana);
  const { blogId, ...entry } = anEntry(blog);
  const withdraw = () => ana.api.blogs.withdrawEntry.mutate({ id: entry.id, withdrawn: true });
  expect(await blogReach(() => ana.api.blogs.postEntry.mutate({ ...entry, blogId }))).toEqual(everyone);
  // Its words are the same.
  expect(await blogReach(() => ana.api.blogs.editEntry.mutate({ ...entry, isKey: true }))).toEqual(noOne);
  expect(await blogReach(() => ana.api.blogs.update.mutate({ id: blog.id, private: true }))).toEqual(
    everyone,
  );
  expect(await blogReach(withdraw)).toEqual(followers);
});

test("publishes new, changed and deleted people to open searches", async () => {
  const [testSite] = await siteWith("Administrator");
  const { ana, streams, reachOf } = await openSearches(testSite);
  const peopleReach = (action: () => Promise<unknown>) => reachOf("search.people", action);
  expect(await peopleReach(() => testSite.createAccount("Nia"))).toEqual(everyone);
  expect(await peopleReach(() => ana.api.users.updateProfile.mutate({ bio: "Owls." }))).toEqual(everyone);
  expect(await peopleReach(() => ana.api.users.updateProfile.mutate({ pictureId: null }))).toEqual(noOne);
  const reach = await peopleReach(() => ana.api.users.remove.mutate({ password }));
  expect(reach.slice(1)).toEqual(everyone.slice(1));
  expect(streams[3]!.events("search.blogs")).not.toEqual([]);
});

test("publishes a long text to open searches again once the rest of it has been indexed", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const guest = testSite.browser();
  const resultCount = async () => (await guest.api.blogs.search.query({ query: "quokka" })).blogs.length;
  const { cursor } = await guest.api.blogs.list.query({});
  const stream = followTopic(guest, "search", cursor);
  await stream.waitForStart();
  const long = [
    ...Array.from({ length: 400 }, () => "Owls, and what one hears of them at night. ".repeat(3)),
    "Quokka.",
  ];
  await ana.api.blogs.create.mutate(aBlog({ document: paragraphs(...long) }));
  await stream.waitFor("search.blogs", 2);
  expect(await resultCount()).toBe(1);
});

test("the jitter of a search grows with the number of open ones, and other pages get no event", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const { cursor } = await testSite.browser().api.blogs.list.query({});
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  const searches = Array.from({ length: 12 }, () => followTopic(testSite.browser(), "search", cursor));
  const feed = followTopic(testSite.browser(), "feed", cursor);
  await Promise.all([...searches, feed].map((stream) => stream.waitForStart()));
  await ana.api.blogs.update.mutate({ id, title: "Another" });
  await Promise.all(
    searches.map((stream) =>
      until(() => stream.events("search.blogs").at(-1)?.jitterMs === 12 * limits.live.jitter.each),
    ),
  );
  expect(feed.kinds().filter((kind) => kind.includes("search"))).toEqual([]);
});

test("a like drops the cached page of the most liked blogs", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const ids = [];
  for (let index = 0; index <= limits.page.feed; index++)
    ids.push((await ana.api.blogs.create.mutate(aBlog({ title: `Number ${index}` }))).id);
  const page = async () => (await testSite.browser().fetch("/home?sort=likes")).text();
  expect(await page()).not.toContain("Number 0");
  await ana.api.social.likeBlog.mutate({ blogId: ids[0]!, liked: true });
  expect(await page()).toContain("Number 0");
});

test("publishes every comment and like of an author's blogs to the author, also their own", async () => {
  const [, ana, ben] = await siteWith("Ana", "Ben");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const { cursor } = await ana.api.blogs.stats.query();
  const stream = followTopic(ana, "me", cursor);
  await stream.waitForStart();
  const { id } = await ana.api.comments.create.mutate(aComment(blog));
  await stream.waitFor("viewer.countsChanged", 1);
  await ana.api.comments.remove.mutate({ id });
  await stream.waitFor("viewer.countsChanged", 2);
  await ben.api.social.likeBlog.mutate({ blogId: blog.id, liked: true });
  await stream.waitFor("viewer.countsChanged", 3);
  await ben.api.comments.create.mutate(aComment(blog));
  await stream.waitFor("viewer.countsChanged", 4);
  await ben.api.users.remove.mutate({ password });
  await stream.waitFor("viewer.countsChanged", 6);
});
