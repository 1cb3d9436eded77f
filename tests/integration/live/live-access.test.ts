import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { users } from "../../../src/server/database/schema/profiles.ts";
import { blogTopic } from "../../../src/server/live/stored-events.ts";
import { rightsTopic } from "../../../src/server/live/signals.ts";
import type { TopicName } from "../../../src/shared/live.ts";
import { siteWith } from "../../support/site-with.ts";
import {
  aBlog,
  aComment,
  followTopics,
  followTopic,
  password,
  startTestSite,
  until,
  followBlog,
  type SignedInBrowser,
  type TestSite,
} from "../../support/test-site.ts";

/** Makes one account follow another, with an accepted request where that is private. */
async function makeFollower(follower: SignedInBrowser, author: SignedInBrowser) {
  const { status } = await follower.api.social.follow.mutate({ userId: author.me.id, follow: true });
  if (status === "requested")
    await author.api.social.handleRequest.mutate({ requesterId: follower.me.id, action: "accept" });
}

/** Ana's blog, watched by her follower Fay, by Eve who does not follow, and a guest. Without access, `accessLost` comes. */
async function createAudience(testSite: TestSite, blog: Record<string, unknown> = {}) {
  const [ana, fay, eve] = await Promise.all([
    testSite.createAccount("Ana"),
    testSite.createAccount("Fay"),
    testSite.createAccount("Eve"),
  ]);
  await makeFollower(fay, ana);
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog(blog));
  const { cursor } = await ana.api.blogs.bySlug.query({ slug });
  const streams = {
    ana: followBlog(ana, id, cursor),
    fay: followBlog(fay, id, cursor),
    eve: followBlog(eve, id, cursor),
    guest: followBlog(testSite.browser(), id, cursor),
  };
  await Promise.all(Object.values(streams).map((stream) => stream.waitForStart()));
  const postComment = (text: string) => ana.api.comments.create.mutate(aComment({ id }, { text }));
  return { ana, fay, id, streams, postComment };
}

test("a deleted blog disappears from every page, also its author's", async () => {
  await using testSite = await startTestSite();
  const { ana, id, streams } = await createAudience(testSite);
  await ana.api.blogs.remove.mutate({ id });
  await Promise.all(Object.values(streams).map((stream) => stream.waitFor("accessLost")));
  for (const stream of Object.values(streams)) expect(stream.kinds()).toEqual(["accessLost"]);
});

test("a follower who unfollows gets no more events of a private blog", async () => {
  await using testSite = await startTestSite();
  const { ana, fay, streams, postComment } = await createAudience(testSite, { private: true });
  await fay.api.social.follow.mutate({ userId: ana.me.id, follow: false });
  await streams.fay.waitFor("accessLost");
  await postComment("to herself");
  await streams.ana.waitFor("comment.created");
  expect(streams.fay.kinds()).toEqual(["accessLost"]);
});

test("deleting an account removes its blogs from every page", async () => {
  const [testSite] = await siteWith("Administrator");
  const { ana, streams } = await createAudience(testSite);
  await ana.api.users.remove.mutate({ password });
  await Promise.all([
    streams.fay.waitFor("accessLost"),
    streams.eve.waitFor("accessLost"),
    streams.guest.waitFor("accessLost"),
  ]);
  expect([streams.fay.kinds(), streams.eve.kinds(), streams.guest.kinds()]).toEqual([
    ["accessLost"],
    ["accessLost"],
    ["accessLost"],
  ]);
});

test("an event stored together with a loss of access never reaches those who lost it", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const blogs = await Promise.all([
    ana.api.blogs.create.mutate(aBlog()),
    ana.api.blogs.create.mutate(aBlog()),
  ]);
  // More readers than are woken in one turn, and the access is signalled last in the commit.
  const browsers = Array.from({ length: 120 }, () => testSite.browser());
  const topics = blogs.map(({ id }): TopicName => `blog:${id}`);
  const streams = browsers.map((browser) => followTopics(browser, topics));
  await Promise.all(streams.map((stream) => stream.waitForStart()));
  const texts = await Promise.all([
    ...blogs.map((blog) => ana.api.comments.create.mutate(aComment(blog, { text: "for all" }))),
    testSite.write(async (tx) => {
      await tx.drizzle.update(users).set({ private: true }).where(eq(users.id, ana.me.id));
      for (const blog of blogs) tx.emit(blogTopic(blog.id), { kind: "blog.edited" });
      tx.signal(rightsTopic(ana.me.id));
    }),
  ]);
  expect(texts).toHaveLength(3);
  for (const blog of blogs) await ana.api.comments.create.mutate(aComment(blog, { text: "for followers" }));
  await Promise.all(streams.map((stream) => stream.waitFor("accessLost", 2)));
  for (const stream of streams) {
    expect(stream.kinds().slice(-2)).toEqual(["blog accessLost", "blog accessLost"]);
    expect(stream.events("blog.edited")).toEqual([]);
    expect(JSON.stringify(stream.frames)).not.toContain("for followers");
  }
});

test("a guest without access gets only accessLost, as for a blog that does not exist", async () => {
  await using testSite = await startTestSite();
  const { id, ana, postComment } = await createAudience(testSite, { draft: true });
  const earlyStream = followBlog(testSite.browser(), id, undefined);
  const missingStream = followBlog(testSite.browser(), "018f0000-0000-7000-8000-000000000000", undefined);
  await Promise.all([earlyStream.waitFor("accessLost"), missingStream.waitFor("accessLost")]);
  expect(earlyStream.kinds()).toEqual(missingStream.kinds());
  await ana.api.blogs.update.mutate({ id, draft: false });
  await postComment("published");
  const publishedStream = followBlog(testSite.browser(), id, undefined);
  await publishedStream.waitForStart();
  await postComment("heard");
  await publishedStream.waitFor("comment.created");
  await earlyStream.waitFor("comment.created");
  expect([earlyStream.kinds().slice(0, 2), missingStream.kinds()]).toEqual([
    ["accessLost", "accessRestored"],
    ["accessLost"],
  ]);
});

/** The kinds and ids of a feed's events about blogs. */
const blogEvents = (stream: Pick<ReturnType<typeof followTopic>, "eventFrames">) =>
  stream.eventFrames().flatMap(({ event }) => ("blogId" in event ? [[event.kind, event.blogId]] : []));

test("the feed publishes only public blogs of public accounts", async () => {
  const [testSite, ana, zoe] = await siteWith("Ana", "Zoe");
  await zoe.api.users.updateSettings.mutate({ private: true });
  const { cursor } = await testSite.browser().api.blogs.list.query({});
  const stream = followTopic(testSite.browser(), "feed", cursor);
  await stream.waitForStart();
  await ana.api.blogs.create.mutate(aBlog({ draft: true }));
  await ana.api.blogs.create.mutate(aBlog({ private: true }));
  await zoe.api.blogs.create.mutate(aBlog());
  const open = await ana.api.blogs.create.mutate(aBlog());
  const privateBlog = await ana.api.blogs.create.mutate(aBlog());
  await stream.waitFor("blog.published", 2);
  await ana.api.blogs.update.mutate({ id: privateBlog.id, private: true });
  const removedBlog = await ana.api.blogs.create.mutate(aBlog());
  await stream.waitFor("blog.published", 3);
  await ana.api.blogs.remove.mutate({ id: removedBlog.id });
  await stream.waitFor("blog.gone", 2);
  expect(blogEvents(stream)).toEqual([
    ["blog.published", open.id],
    ["blog.published", privateBlog.id],
    ["blog.gone", privateBlog.id],
    ["blog.published", removedBlog.id],
    ["blog.gone", removedBlog.id],
  ]);
  await ana.api.users.updateSettings.mutate({ private: true });
  await stream.waitFor("feed.changed");
});

test("replays nothing of a blog that the reader cannot see any more, to the feed and to searches", async () => {
  const [testSite, boss, ana, eve] = await siteWith("Boss", "Ana", "Eve");
  const { cursor } = await testSite.browser().api.blogs.list.query({});
  const create = (person = ana) => person.api.blogs.create.mutate(aBlog({ tags: ["sorrows"] }));
  const [privateBlog, draft, removed, taken] = [
    await create(),
    await create(),
    await create(),
    await create(),
  ];
  const suspended = await create(eve);
  for (const { id } of [privateBlog, suspended])
    await boss.api.social.likeBlog.mutate({ blogId: id, liked: true });
  await ana.api.blogs.update.mutate({ id: privateBlog.id, private: true, tags: ["secrets"] });
  await ana.api.blogs.update.mutate({ id: draft.id, draft: true });
  await ana.api.blogs.remove.mutate({ id: removed.id });
  await boss.api.moderation.resolveReport.mutate({
    kind: "blog",
    id: taken.id,
    outcome: "take-down",
    reason: ".",
  });
  await boss.api.moderation.suspend.mutate({ userId: eve.me.id, suspended: true, reason: "." });
  const hidden = [privateBlog, draft, removed, taken, suspended].map(({ id }) => id);
  for (const topic of ["feed", "likes", "search"] as const) {
    const stream = followTopic(testSite.browser(), topic, cursor);
    await stream.waitForStart();
    const replayed = JSON.stringify(stream.frames);
    for (const secret of [...hidden, "sorrows", "secrets"]) expect(replayed, topic).not.toContain(secret);
  }
});

test("the feed publishes blogs for followers to those who follow then and to their author", async () => {
  const [testSite, ana, fay, eve] = await siteWith("Ana", "Fay", "Eve");
  await ana.api.users.updateSettings.mutate({ private: true });
  await makeFollower(fay, ana);
  const { cursor } = await fay.api.blogs.list.query({});
  const feeds = [ana, fay, eve, testSite.browser()].map((who) => followTopic(who, "feed", cursor));
  await Promise.all(feeds.map((feed) => feed.waitForStart()));
  const eventsOf = (feed: number) => blogEvents(feeds[feed]!);

  const first = await ana.api.blogs.create.mutate(aBlog());
  const second = await ana.api.blogs.create.mutate(aBlog({ draft: true }));
  await ana.api.blogs.update.mutate({ id: second.id, draft: false, private: true });
  await Promise.all(feeds.slice(0, 2).map((feed) => feed.waitFor("blog.published", 2)));
  await ana.api.blogs.update.mutate({ id: second.id, private: false });
  await ana.api.blogs.remove.mutate({ id: first.id });
  await ana.api.blogs.update.mutate({ id: second.id, draft: true });
  const sentinel = await eve.api.blogs.create.mutate(aBlog());
  await Promise.all(feeds.map((feed) => until(() => blogEvents(feed).at(-1)?.[1] === sentinel.id)));
  const expected = [
    ["blog.published", first.id],
    ["blog.published", second.id],
    ["blog.gone", first.id],
    ["blog.gone", second.id],
    ["blog.published", sentinel.id],
  ];
  expect([eventsOf(0), eventsOf(1)]).toEqual([expected, expected]);
  expect([eventsOf(2), eventsOf(3)]).toEqual([expected.slice(-1), expected.slice(-1)]);
  expect(JSON.stringify(feeds.slice(2).map(({ frames }) => frames))).not.toContain(ana.me.id);

  await ana.api.social.removeFollower.mutate({ userId: fay.me.id });
  await ana.api.blogs.update.mutate({ id: second.id, draft: false });
  const last = await eve.api.blogs.create.mutate(aBlog());
  await until(() => eventsOf(1).at(-1)?.[1] === last.id);
  expect(eventsOf(1)).toEqual([...expected, ["blog.published", last.id]]);
});

test("publishes the deletion of an account to lists, even of one that never had blogs", async () => {
  const [testSite, zoe] = await siteWith("Zoe");
  const { cursor } = await testSite.browser().api.users.profile.query({ username: zoe.me.username });
  const found = await testSite.browser().api.blogs.search.query({ query: "Zoe" });
  expect(found.cursor).toBe(cursor);
  const stream = followTopic(testSite.browser(), "feed", cursor);
  await stream.waitForStart();
  await zoe.api.users.remove.mutate({ password });
  await stream.waitFor("person.gone");
});

test("the topic “me” reaches all tabs of its person and no one else", async () => {
  const [testSite, ana, eve] = await siteWith("Ana", "Eve");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const secondTab = testSite.browser(eve.cookie);
  const tabs = [followTopic(eve, "me"), followTopic(secondTab, "me")];
  const anaStream = followTopic(ana, "me");
  const guestStream = followTopic(testSite.browser(), "me");
  await Promise.all([...tabs, anaStream].map((stream) => stream.waitForStart()));
  await until(() => guestStream.state.error);
  expect(guestStream.state.error).toMatchObject({ data: { code: "UNAUTHORIZED" } });

  await eve.api.social.saveBlog.mutate({ blogId: blog.id, saved: true });
  await eve.api.social.likeBlog.mutate({ blogId: blog.id, liked: true });
  await eve.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  await Promise.all(tabs.map((tab) => tab.waitFor("viewer.follow")));
  await anaStream.waitFor("follower.changed");
  for (const tab of tabs) expect(tab.kinds()).toEqual(["viewer.save", "viewer.like", "viewer.follow"]);
  // The like adds to the counts of Ana's blogs.
  expect(anaStream.kinds()).toEqual([
    "viewer.countsChanged",
    "notification.created",
    "follower.changed",
    "notification.created",
  ]);
});
