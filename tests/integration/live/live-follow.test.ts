import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { execute } from "../../../src/server/database/connection.ts";
import { cardSource } from "../../../src/server/blogs/live.ts";
import { blogTopic } from "../../../src/server/live/stored-events.ts";
import { openTopicStream } from "../../../src/server/live/topic-stream.ts";
import { createSource } from "../../../src/server/live/source.ts";
import { limits } from "../../../src/shared/limits.ts";
import type { TopicName } from "../../../src/shared/live.ts";
import { siteWith } from "../../support/site-with.ts";
import {
  aBlog,
  aComment,
  followTopics,
  paragraphs,
  followOverLiveConnection,
  password,
  startTestSite,
  until,
} from "../../support/test-site.ts";

/** Creates a blog by Ana; `cursor` is the position of a page of it. */
async function createPage() {
  const [testSite, ana] = await siteWith("Ana");
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog());
  const { cursor } = await testSite.browser().api.blogs.bySlug.query({ slug });
  const postComment = (text: string, blogId = id) =>
    ana.api.comments.create.mutate(aComment({ id: blogId }, { text }));
  return { testSite, ana, id, slug, cursor, postComment };
}

test("publishes like counts to ranked lists, also when a liker's account is deleted, and spreads refetches", async () => {
  const { testSite, ana, id, cursor } = await createPage();
  const [eve, fay] = [await testSite.createAccount("Eve"), await testSite.createAccount("Fay")];
  const stream = followTopics(testSite.browser(), ["likes", `card:${id}`], cursor);
  await stream.waitForStart();
  await fay.api.social.likeBlog.mutate({ blogId: id, liked: true });
  await eve.api.social.likeBlog.mutate({ blogId: id, liked: true });
  await eve.api.social.likeBlog.mutate({ blogId: id, liked: false });
  await fay.api.users.remove.mutate({ password });
  await stream.waitFor("blog.ranked", 4);
  const rankings = stream.events("blog.ranked");
  expect(rankings.map(({ was, count }) => [was, count])).toEqual([
    [0, 1],
    [1, 2],
    [2, 1],
    [1, 0],
  ]);
  // A later subscriber gets all of it as one event.
  const lateStream = followTopics(testSite.browser(), ["likes"], cursor);
  await lateStream.waitForStart();
  expect(lateStream.events("blog.ranked")).toMatchObject([{ blogId: id, was: 0, count: 0 }]);
  await ana.api.blogs.update.mutate({ id, private: true });
  await stream.waitFor("accessLost");
  expect(stream.events("accessLost")[0]!.jitterMs).toBeGreaterThan(0);
});

test("delivers all that a page shows over one stream, in the order in which it happened", async () => {
  const { testSite, ana, id, cursor, postComment } = await createPage();
  const eve = await testSite.createAccount("Eve");
  const other = await ana.api.blogs.create.mutate(aBlog());
  const stream = followTopics(eve, [`blog:${id}`, `card:${other.id}`, "feed", "me"], cursor);
  await stream.waitForStart();
  await postComment("one");
  await postComment("two", other.id);
  // Two counts at once would be one.
  await stream.waitFor("blog.counted");
  await eve.api.social.likeBlog.mutate({ blogId: other.id, liked: true });
  const third = await ana.api.blogs.create.mutate(aBlog());
  await postComment("three");
  await stream.waitFor("comment.created", 2);
  expect(stream.kinds()).toEqual([
    // Her own sign-in.
    "me viewer.signInChanged",
    "feed blog.published",
    "blog comment.created",
    "card blog.counted",
    "card blog.counted",
    "me viewer.like",
    "feed blog.published",
    "blog comment.created",
  ]);
  expect(stream.events("blog.published").map(({ blogId }) => blogId)).toEqual([other.id, third.id]);
  expect(stream.events("blog.counted").at(-1)).toMatchObject({
    blogId: other.id,
    likesCount: 1,
    commentsCount: 1,
  });
  const seqs = stream.frames.map(({ seq }) => seq);
  expect(seqs).toEqual(seqs.toSorted((one, another) => one - another));
});

test("keeps the order across topics under concurrent writes, and loses no event over repeated disconnects", async () => {
  const { testSite, ana, id, cursor, postComment } = await createPage();
  const [eve, bob] = [await testSite.createAccount("Eve"), await testSite.createAccount("Bob")];
  const others = await Promise.all(Array.from({ length: 4 }, () => ana.api.blogs.create.mutate(aBlog())));
  const page = testSite.browser(eve.cookie);
  const cards = others.map((blog) => `card:${blog.id}` as const);
  // Over the connection of a page: the official client gives up if it is cut while it subscribes.
  const stream = followOverLiveConnection(page, [`blog:${id}`, ...cards, "feed", "me"], cursor);
  let isWriting = true;
  const disconnects = (async () => {
    while (isWriting) {
      page.cut();
      await new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 40));
    }
  })();
  await Promise.all(
    [0, 1, 2, 3, 4].map(async (writer) => {
      const blog = others[writer % others.length]!;
      for (let index = 0; index < 8; index++) {
        await postComment(`number ${writer * 8 + index}`);
        await eve.api.social.likeBlog.mutate({ blogId: blog.id, liked: index % 2 === 0 });
        await postComment("there", blog.id);
        await bob.api.social.saveBlog.mutate({ blogId: blog.id, saved: index % 2 === 0 });
      }
    }),
  );
  isWriting = false;
  await disconnects;
  const { cursor: end } = await eve.api.blogs.list.query({});
  // A signal without an event makes the stream send a checkpoint.
  await until(() => {
    testSite.app.services.bus.signal([`user:${eve.me.id}`]);
    return stream.frames.some(
      ({ event, seq }) => event.kind === "checkpoint" && seq >= Number(end.split(".")[1]),
    );
  });
  const texts = stream.events("comment.created").map(({ comment }) => comment.text);
  expect(texts.toSorted()).toEqual(Array.from({ length: 40 }, (_, index) => `number ${index}`).toSorted());
  const seqs = stream.frames.map(({ seq }) => seq);
  expect(seqs).toEqual(seqs.toSorted((one, another) => one - another));
  expect(stream.kinds().filter((kind) => kind === "me viewer.like")).toHaveLength(
    testSite.rows(
      `select seq from live_events where topic = 'user:${eve.me.id}' and event like '%viewer.like%'`,
    ).length,
  );
  for (const blog of others) {
    const { likesCount, savesCount, commentsCount } = await eve.api.blogs.card.query({ id: blog.id });
    expect(stream.events("blog.counted").findLast(({ blogId }) => blogId === blog.id)).toMatchObject({
      likesCount,
      savesCount,
      commentsCount,
    });
  }
  stream.stop();
});

test("refuses the topic “me” to a guest", async () => {
  await using testSite = await startTestSite();
  const stream = followTopics(testSite.browser(), ["me", "feed"]);
  await until(() => stream.state.error);
  expect(stream.state.error).toMatchObject({ data: { code: "UNAUTHORIZED" } });
  expect(stream.frames).toEqual([]);
});

test("resumes from any event with exactly those that are missing", async () => {
  const { testSite, ana, id, cursor, postComment } = await createPage();
  await postComment("one");
  await postComment("two");
  await ana.api.blogs.update.mutate({ id, title: "Another title" });
  // The open blog and its card get the same events: a disconnect may come between the two.
  const topics: TopicName[] = [`blog:${id}`, `card:${id}`];
  const fullStream = followTopics(testSite.browser(), topics, cursor);
  await fullStream.waitForStart();
  const allKinds = fullStream.kinds();
  expect(allKinds).toEqual([
    "blog comment.created",
    "blog comment.created",
    "card blog.counted",
    "blog blog.edited",
    "card blog.edited",
  ]);
  for (const [index, frame] of fullStream.frames.slice(0, -1).entries()) {
    const resumedStream = followTopics(testSite.browser(), topics, frame.id);
    await resumedStream.waitForStart();
    const isPart = frame.id.endsWith(".0");
    expect(resumedStream.kinds()).toEqual(allKinds.slice(isPart ? index : index + 1));
  }
  const endStream = followTopics(testSite.browser(), topics, fullStream.frames.at(-1)!.id);
  await endStream.waitForStart();
  expect(endStream.kinds()).toEqual([]);
});

test("resets a page from another history, from before the backlog or too far behind, and continues", async () => {
  const { testSite, id, cursor, postComment } = await createPage();
  await testSite.write(async (tx) => {
    for (let index = 0; index <= limits.live.replay; index++) tx.emit(blogTopic(id), { kind: "blog.liked" });
  });
  const [epoch] = cursor.split(".");
  const pages = [cursor, `other.5`, `${epoch}.999999`, "nonsense"].map((since) =>
    followTopics(testSite.browser(), [`blog:${id}`], since),
  );
  await Promise.all(pages.map((page) => page.waitForStart()));
  await postComment("now");
  await Promise.all(pages.map((page) => page.waitFor("comment.created")));
  for (const page of pages) {
    expect(page.frames.map(({ topic, event }) => [topic, event.kind])).toEqual([
      ["", "reset"],
      ["", "checkpoint"],
      [`blog:${id}`, "comment.created"],
    ]);
    expect(page.events("reset")[0]!.jitterMs).toBeGreaterThan(0);
  }
});

test("resets a page that missed more than a socket may buffer, and only that one", async () => {
  const { ana, id, slug, cursor, postComment } = await createPage();
  const topics: TopicName[] = [`blog:${id}`];
  const text = "ﷺ".repeat(limits.comment.max);
  // Three bytes a letter.
  const count = Math.ceil(limits.live.buffered / (3 * limits.comment.max));
  for (let index = 0; index < count; index++) await postComment(text);
  const kindsSince = async (since: string) => {
    const stream = followTopics(ana, topics, since);
    await stream.waitForStart();
    stream.stop();
    return stream.eventFrames().map(({ event }) => event.kind);
  };
  expect(await kindsSince(cursor)).toEqual(["reset"]);
  const { cursor: later } = await ana.api.blogs.bySlug.query({ slug });
  await postComment(text);
  expect(await kindsSince(later)).toEqual(["comment.created"]);
});

test("sends a checkpoint after every action, even one that changes nothing", async () => {
  const { ana, id } = await createPage();
  const page = followTopics(ana, [`card:${id}`]);
  await page.waitForStart();
  await ana.api.blogs.update.mutate({ id, title: "Another title" });
  const { cursor } = await ana.api.blogs.bySlug
    .query({ slug: "another-title" })
    .catch(() => ana.api.blogs.list.query({}));
  await page.waitForCursor(cursor);
  expect(page.kinds()).toEqual(["card blog.edited"]);
  const before = page.events("checkpoint").length;
  await ana.api.blogs.update.mutate({ id, title: "Another title" });
  await until(() => page.events("checkpoint").length > before, "the word after nothing");
});

test("sends an edit with its text to open pages, without it to cards, and without a long text", async () => {
  const { testSite, ana, id } = await createPage();
  const [page, list] = [
    followTopics(testSite.browser(), [`blog:${id}`]),
    followTopics(testSite.browser(), [`card:${id}`]),
  ];
  await Promise.all([page.waitForStart(), list.waitForStart()]);
  await ana.api.blogs.update.mutate({
    id,
    title: "By night",
    etag: 1,
    document: paragraphs("Owls call."),
  });
  await Promise.all([page.waitFor("blog.edited"), list.waitFor("blog.edited")]);
  const card = { id, title: "By night", author: { name: "Ana" }, private: false };
  expect(page.events("blog.edited")[0]).toMatchObject({
    card,
    text: { blocks: [`<p dir="auto">Owls call.</p>`] },
  });
  expect(page.events("blog.edited")[0]!.jitterMs).toBe(2 * limits.live.jitter.each);
  expect(page.events("blog.edited")[0]!.card).not.toHaveProperty("liked");
  expect(list.events("blog.edited")[0]).toMatchObject({ card, text: null });
  await ana.api.blogs.update.mutate({
    id,
    etag: 2,
    document: paragraphs("long ".repeat(limits.live.message / 4)),
  });
  await page.waitFor("blog.edited", 2);
  expect(page.events("blog.edited")[1]!.text).toBe(null);
});

test("publishes changed names, bios and counts of people wherever they are shown", async () => {
  const { testSite, ana, id } = await createPage();
  const [eve, bob] = [await testSite.createAccount("Eve"), await testSite.createAccount("Bob")];
  await bob.api.social.likeBlog.mutate({ blogId: id, liked: true });
  const page = followTopics(eve, ["feed", `profile:${ana.me.id}`, `profile:${bob.me.id}`]);
  const ownStream = followTopics(ana, ["me"]);
  await Promise.all([page.waitForStart(), ownStream.waitForStart()]);
  await bob.api.users.updateProfile.mutate({ name: "Robert" });
  await bob.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  await ana.api.blogs.create.mutate(aBlog());
  await bob.api.users.updateProfile.mutate({ bio: "I read." });
  await until(() => page.events("profile.changed").at(-1)?.bio === "I read.");
  await page.waitFor("person.changed", 2);
  expect(page.events("person.changed").at(-1)).toEqual({
    kind: "person.changed",
    person: expect.objectContaining({ id: bob.me.id, name: "Robert" }),
    bio: "I read.",
    private: false,
  });
  const lastProfileOf = (personId: string) =>
    page.events("profile.changed").findLast(({ person }) => person.id === personId);
  expect(lastProfileOf(ana.me.id)).toMatchObject({ counts: { followers: 1, following: 0, blogs: 2 } });
  expect(lastProfileOf(bob.me.id)).toMatchObject({
    person: { name: "Robert" },
    counts: { followers: 0, following: 1 },
  });
  expect(page.events("profile.listed").map(({ userId, list }) => [userId, list])).toEqual([
    [bob.me.id, "following"],
    [ana.me.id, "followers"],
    [ana.me.id, "blogs"],
  ]);
  await ownStream.waitFor("notification.withdrawn");
  await bob.api.users.updateSettings.mutate({ private: true });
  await until(() => page.events("profile.changed").at(-1)?.private);
  expect(page.events("profile.changed").at(-1)).toMatchObject({ counts: null });
  await until(() => page.events("person.changed").at(-1)?.private);
});

test("sends the dates between which lists changed when an account becomes private", async () => {
  const { testSite, ana } = await createPage();
  await ana.api.blogs.create.mutate(aBlog({ private: true }));
  const page = followTopics(testSite.browser(), ["feed"]);
  await page.waitForStart();
  await ana.api.users.updateSettings.mutate({ private: true });
  await page.waitFor("feed.changed");
  const [row] = testSite.rows<{ at: number }>("select published_at as at from blogs where private = 0");
  const date = new Date(row!.at).toISOString();
  expect(page.events("feed.changed")).toEqual([
    { kind: "feed.changed", oldest: date, newest: date, left: 0, jitterMs: limits.live.jitter.each },
  ]);
});

test("withdraws notifications about people when their account is deleted", async () => {
  const { testSite, ana, id, postComment } = await createPage();
  const bob = await testSite.createAccount("Bob");
  const comment = await postComment("What do you think?");
  await bob.api.comments.create.mutate(aComment({ id }, { parentId: comment.id, text: "Much." }));
  const { unread } = await ana.api.social.notifications.query();
  const page = followTopics(ana, ["me"]);
  await page.waitForStart();
  await bob.api.users.remove.mutate({ password });
  await page.waitFor("notification.withdrawn");
  expect([unread, page.events("notification.withdrawn").at(-1)?.unread]).toEqual([1, 0]);
});

test("a newer stream of a connection replaces the one before, and too many topics are refused", async () => {
  const { testSite, ana, id } = await createPage();
  const browser = testSite.browser(ana.cookie);
  const first = followTopics(browser, [`blog:${id}`]);
  await first.waitForStart();
  const second = followTopics(browser, [`card:${id}`]);
  await second.waitForStart();
  await until(() => first.state.ended || first.state.error, "the first one's end");
  const stream = followTopics(
    testSite.browser(),
    Array.from({ length: limits.live.topics + 1 }, (_, index): TopicName => `address:number-${index}`),
  );
  await until(() => stream.state.error);
  expect(stream.state.error).toMatchObject({ data: { code: "BAD_REQUEST" } });
});

test("skips and logs unknown events and those that fail to render, and delivers all others", async () => {
  const { testSite, id, cursor, postComment, ana } = await createPage();
  const logged: unknown[] = [];
  testSite.app.services.log.error = ((detail: { err: unknown }, message: string) =>
    void logged.push([message, String(detail.err)])) as typeof testSite.app.services.log.error;
  await postComment("before");
  await testSite.write(async (tx) => {
    await execute(
      tx,
      sql`insert into live_events (topic, event, created_at) values (${`blog:${id}`}, '{"kind":"of-tomorrow"}', ${Date.now()})`,
    );
    tx.signal(blogTopic(id));
  });
  const source = createSource("blog", blogTopic(id), `blog:${id}`, async (events) => {
    if (events.some(({ event }) => event.kind === "blog.liked")) throw new Error("no likes today");
    return events.map(({ seq }) => ({ seq, event: { kind: "checkpoint", now: 0 } as const }));
  });
  const errors: string[] = [];
  const frames = await source.frames(
    [
      { seq: 1, event: { kind: "blog.edited" } },
      { seq: 2, event: { kind: "blog.liked" } },
      { seq: 3, event: "nonsense" },
      { seq: 4, event: { kind: "blog.saved" } },
    ],
    0,
    (error, message) => void errors.push(message),
  );
  expect(frames.map(({ seq }) => seq)).toEqual([1, 4]);
  expect(errors).toEqual(["an unknown event was skipped", "an event could not be presented and was skipped"]);
  const page = followTopics(ana, [`blog:${id}`], cursor);
  await postComment("after");
  await page.waitFor("comment.created", 2);
  expect(page.events("comment.created").map(({ comment }) => comment.text)).toEqual(["before", "after"]);
});

test("neither a reader who does not read nor a listener that throws delays others", async () => {
  const { testSite, id, postComment } = await createPage();
  const { database, bus, dispatcher } = testSite.app.services;
  const source = cardSource(database.read, id);
  const slowStream = openTopicStream({
    database,
    bus,
    dispatcher,
    topics: [{ name: `card:${id}`, source }],
    from: [],
    viewerTopic: undefined,
    accessTo: async (names) => new Map(names.map((name) => [name, { readable: true, signals: [] }])),
    isInAudience: async () => true,
    signal: undefined,
    connection: undefined,
  });
  await slowStream.next();
  bus.listen(blogTopic(id), () => {
    throw new Error("a listener's own fault");
  });
  const page = followTopics(testSite.browser(), [`card:${id}`]);
  await page.waitForStart();
  for (let index = 0; index <= limits.live.replay; index++) {
    await testSite.write(async (tx) => tx.emit(blogTopic(id), { kind: "blog.liked" }));
    if (index % 50 === 0) await dispatcher.dispatch();
  }
  await postComment("here");
  await until(() => page.events("blog.counted").some(({ commentsCount }) => commentsCount === 1));
  // More came than is buffered for one reader, so it must refetch.
  const { value } = await slowStream.next();
  expect((value as unknown as [string, { event: { kind: string } }])[1].event.kind).toMatch(
    /reset|blog.counted/,
  );
  await slowStream.return();
});

test("renders an event once for a crowd, and writes the same frame to all", async () => {
  const { testSite, id, postComment } = await createPage();
  let renderCount = 0;
  const { database, bus, dispatcher } = testSite.app.services;
  const frames = new Set<unknown>();
  const source = createSource("blog", blogTopic(id), `card:${id}`, async (events) => {
    renderCount++;
    return events.map(({ seq }) => ({ seq, event: { kind: "accessRestored" } as const }));
  });
  const streams = Array.from({ length: 200 }, () =>
    openTopicStream({
      database,
      bus,
      dispatcher,
      topics: [{ name: `card:${id}`, source }],
      from: [],
      viewerTopic: undefined,
      accessTo: async (names) => new Map(names.map((name) => [name, { readable: true, signals: [] }])),
      isInAudience: async () => true,
      signal: undefined,
      connection: undefined,
    }),
  );
  await Promise.all(streams.map((stream) => stream.next()));
  const nextFrames = streams.map(async (stream) => {
    const { value } = await stream.next();
    frames.add((value as unknown as [string, unknown])[1]);
  });
  await postComment("once");
  await Promise.all(nextFrames);
  expect([renderCount, frames.size]).toEqual([1, 1]);
  await Promise.all(streams.map((stream) => stream.return()));
  expect(testSite.listeners).toBe(0);
});
