import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";
import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { insertComment } from "../../../src/server/comments/queries.ts";
import { openSecondDatabase } from "../../support/second-database.ts";
import { liveEvents } from "../../../src/server/database/schema/live.ts";
import { meta } from "../../../src/server/database/schema/meta.ts";
import { blogTopic } from "../../../src/server/live/stored-events.ts";
import { pruneEventLog, renewEpoch } from "../../../src/server/live/event-log.ts";
import { openTopicStream } from "../../../src/server/live/topic-stream.ts";
import { createSource } from "../../../src/server/live/source.ts";
import { limits } from "../../../src/shared/limits.ts";
import type { LiveMessage } from "../../../src/shared/live.ts";
import { openBrowser } from "../../support/browser.ts";
import { siteWith } from "../../support/site-with.ts";
import {
  aBlog,
  aComment,
  followOverLiveConnection,
  until,
  followBlog,
  type Browser,
  type TestSite,
} from "../../support/test-site.ts";

/** Creates a blog by Ana that Eve has open; `cursor` is the position of her page. */
async function createPage() {
  const [testSite, ana] = await siteWith("Ana");
  const eve = testSite.browser();
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog());
  const { cursor } = await eve.api.blogs.bySlug.query({ slug });
  const postComment = (text: string) => ana.api.comments.create.mutate(aComment({ id }, { text }));
  return { testSite, ana, eve, id, slug, cursor, postComment };
}

const commentTexts = (stream: Pick<ReturnType<typeof followBlog>, "events">) =>
  stream.events("comment.created").map(({ comment }) => comment.text);
const numberedTexts = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `comment ${from + index}`);
const seqOf = (id: string) => Number(id.split(".")[1]);
const awaitNoListeners = (testSite: TestSite) => until(() => testSite.listeners === 0, "everybody's leaving");

test("a page gets the events between its load and its connection once, in order", async () => {
  const { eve, id, cursor, postComment } = await createPage();
  for (const text of numberedTexts(3)) await postComment(text);
  const stream = followBlog(eve, id, cursor);
  await stream.waitFor("comment.created", 3);
  await postComment("comment 3");
  await stream.waitFor("comment.created", 4);
  expect(commentTexts(stream)).toEqual(numberedTexts(4));
});

test("a page that connects without a cursor gets only new events", async () => {
  const { eve, id, postComment } = await createPage();
  await postComment("before");
  const stream = followBlog(eve, id, undefined);
  await stream.waitForStart();
  await postComment("after");
  await stream.waitFor("comment.created");
  expect(commentTexts(stream)).toEqual(["after"]);
});

test("a page that is cut repeatedly while others write gets every event once, in order", async () => {
  const { eve, id, cursor, postComment } = await createPage();
  const stream = followOverLiveConnection(eve, [`blog:${id}`], cursor);
  const all = numberedTexts(120);
  let isWriting = true;
  const disconnects = (async () => {
    while (isWriting) {
      eve.cut();
      // As any response over HTTP shows that the next attempt will succeed.
      stream.line.retryNow();
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 25));
    }
  })();
  for (const text of all) await postComment(text);
  isWriting = false;
  await disconnects;
  await stream.waitFor("comment.created", all.length);
  await postComment("the last");
  await until(() => commentTexts(stream).includes("the last"));
  expect(commentTexts(stream)).toEqual([...all, "the last"]);
  const seqs = stream.eventFrames().map(({ seq }) => seq);
  expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
  expect(new Set(seqs).size).toBe(seqs.length);
  expect(eve.sockets.length).toBeGreaterThan(3);
  stream.stop();
});

test("a stream whose first connections break starts once a connection holds", async () => {
  const { ana, eve, id, cursor, postComment } = await createPage();
  const other = await ana.api.blogs.create.mutate(aBlog());
  eve.failingConnections = 3;
  const stream = followOverLiveConnection(eve, [`blog:${id}`, `blog:${other.id}`], cursor);
  await until(() => {
    stream.line.retryNow();
    return eve.failingConnections <= 0;
  }, "the last break");
  await postComment("here");
  await ana.api.comments.create.mutate(aComment(other, { text: "and there" }));
  await stream.waitFor("comment.created", 2);
  expect(commentTexts(stream)).toEqual(["here", "and there"]);
  stream.stop();
});

test("a reader who is cut before the first event resumes from the page's cursor", async () => {
  const { testSite, eve, id, cursor, postComment } = await createPage();
  const stream = followBlog(eve, id, cursor);
  await stream.waitForStart();
  eve.cut();
  await awaitNoListeners(testSite);
  await postComment("while away");
  await stream.waitFor("comment.created");
  expect(commentTexts(stream)).toEqual(["while away"]);
});

test("a reader who comes back gets events stored meanwhile at once, not with the next event", async () => {
  const { testSite, eve, id, cursor, postComment } = await createPage();
  const before = followBlog(eve, id, cursor);
  await before.waitForStart();
  before.stop();
  await awaitNoListeners(testSite);
  await postComment("while away");
  const after = followBlog(eve, id, cursor);
  await after.waitFor("comment.created");
  expect(commentTexts(before)).toEqual([]);
});

test("two tabs with different cursors each get the events that they lack", async () => {
  const { testSite, eve, id, slug, cursor, postComment } = await createPage();
  await postComment("comment 0");
  const { cursor: later } = await eve.api.blogs.bySlug.query({ slug });
  const first = followBlog(eve, id, cursor);
  const second = followBlog(testSite.browser(eve.cookie), id, later);
  await postComment("comment 1");
  await Promise.all([first.waitFor("comment.created", 2), second.waitFor("comment.created", 1)]);
  expect(commentTexts(first)).toEqual(numberedTexts(2));
  expect(commentTexts(second)).toEqual(["comment 1"]);
});

test("events of one blog do not reach the readers of another", async () => {
  const { testSite, ana, eve, id, cursor, postComment } = await createPage();
  const other = await ana.api.blogs.create.mutate(aBlog({ title: "Another" }));
  const stream = followBlog(eve, id, cursor);
  const otherStream = followBlog(testSite.browser(eve.cookie), other.id, cursor);
  await postComment("here");
  await ana.api.comments.create.mutate(aComment(other, { text: "there" }));
  await Promise.all([stream.waitFor("comment.created"), otherStream.waitFor("comment.created")]);
  expect([commentTexts(stream), commentTexts(otherStream)]).toEqual([["here"], ["there"]]);
});

test("resets a page older than the backlog, which then gets new events", async () => {
  const { testSite, eve, id, cursor, postComment } = await createPage();
  await postComment("long ago");
  const middle = (await eve.api.comments.list.query({ blogId: id })).cursor;
  await postComment("yesterday");
  await testSite.write(async (tx) => {
    await tx.drizzle
      .update(liveEvents)
      .set({ createdAt: Date.now() - limits.live.keptFor - 1 })
      .where(sql`seq <= ${seqOf(middle)}`);
  });
  await pruneEventLog(testSite.app.services.database, Date.now());
  expect(testSite.rows(`select seq from live_events where seq <= ${seqOf(middle)}`)).toEqual([]);

  const old = followBlog(eve, id, cursor);
  const recent = followBlog(testSite.browser(eve.cookie), id, middle);
  await Promise.all([old.waitFor("reset"), recent.waitFor("comment.created")]);
  await postComment("now");
  await Promise.all([old.waitFor("comment.created"), recent.waitFor("comment.created", 2)]);
  expect(commentTexts(old)).toEqual(["now"]);
  expect(commentTexts(recent)).toEqual(["yesterday", "now"]);
  expect(recent.kinds()).not.toContain("reset");
});

test("an event log pruned empty still knows its position", async () => {
  const { testSite, eve, id, slug, cursor, postComment } = await createPage();
  await postComment("gone from the backlog");
  await pruneEventLog(testSite.app.services.database, Date.now() + limits.live.keptFor + 1_000);
  expect(testSite.rows("select seq from live_events")).toEqual([]);
  const page = await eve.api.blogs.bySlug.query({ slug });
  const old = followBlog(eve, id, cursor);
  const fresh = followBlog(testSite.browser(eve.cookie), id, page.cursor);
  await old.waitFor("reset");
  await postComment("new");
  await Promise.all([old.waitFor("comment.created"), fresh.waitFor("comment.created")]);
  expect(fresh.kinds()).toEqual(["comment.created"]);
  expect(old.kinds()).toEqual(["reset", "comment.created"]);
});

test("resets a page from another history of the site, or from its future", async () => {
  const { testSite, eve, id, cursor, postComment } = await createPage();
  const [epoch, seq] = cursor.split(".");
  const foreignCursors = [
    `other.${seq}`,
    `${epoch}.${Number(seq) + 1_000}`,
    `${epoch}.-1`,
    `${epoch}.x`,
    "",
    ".",
    "nonsense",
    `${epoch}.9007199254740993`,
  ];
  const all = foreignCursors.map((since) => followBlog(testSite.browser(eve.cookie), id, since));
  await Promise.all(all.map((stream) => stream.waitFor("reset")));
  await postComment("hello");
  await Promise.all(all.map((stream) => stream.waitFor("comment.created")));
  for (const stream of all) expect(stream.kinds()).toEqual(["reset", "comment.created"]);
  await testSite.write(
    async (tx) => await tx.drizzle.update(meta).set({ value: "restored" }).where(eq(meta.key, "live_epoch")),
  );
  const after = followBlog(eve, id, cursor);
  await after.waitFor("reset");
});

test("resets a reader who is very far behind instead of replaying every event", async () => {
  const { testSite, eve, id, cursor, postComment } = await createPage();
  const events = limits.live.replay + 200;
  await testSite.write(async (tx) => {
    for (let index = 0; index < events; index++) tx.emit(blogTopic(id), { kind: "blog.liked" });
  });
  const stream = followBlog(eve, id, cursor);
  await stream.waitFor("reset");
  await postComment("now");
  await stream.waitFor("comment.created");
  expect(stream.eventFrames().length).toBeLessThan(events);
  expect(commentTexts(stream)).toEqual(["now"]);
});

test("publishes only the deletion of a comment that is deleted before its event is read", async () => {
  const { ana, eve, id, cursor, postComment } = await createPage();
  const { id: commentId } = await postComment("regretted");
  await ana.api.comments.remove.mutate({ id: commentId });
  const stream = followBlog(eve, id, cursor);
  await stream.waitFor("comment.deleted");
  expect(stream.kinds()).toEqual(["comment.deleted"]);
});

test("publishes every change of a blog's page with its newest state", async () => {
  const { testSite, ana, eve, id, cursor, postComment } = await createPage();
  const bob = await testSite.createAccount("Bob");
  const stream = followBlog(eve, id, cursor);
  const comment = await postComment("first");
  // Each event is awaited before the next change, whose state it would otherwise carry.
  await stream.waitFor("comment.created");
  await ana.api.comments.edit.mutate({ id: comment.id, text: "first, edited" });
  await stream.waitFor("comment.edited");
  await bob.api.comments.like.mutate({ id: comment.id, liked: true });
  await stream.waitFor("comment.liked");
  await bob.api.social.likeBlog.mutate({ blogId: id, liked: true });
  // Counts that change together are sent once, with the last values.
  await stream.waitFor("blog.counted");
  await bob.api.social.saveBlog.mutate({ blogId: id, saved: true });
  await stream.waitFor("blog.counted", 2);
  await ana.api.blogs.update.mutate({ id, title: "A walk at dawn" });
  await stream.waitFor("blog.edited");
  await ana.api.comments.remove.mutate({ id: comment.id });
  await stream.waitFor("comment.deleted");
  expect(stream.kinds()).toEqual([
    "comment.created",
    "comment.edited",
    "comment.liked",
    "blog.counted",
    "blog.counted",
    "blog.edited",
    "comment.deleted",
  ]);
  const [created] = stream.events("comment.created");
  expect(created).toMatchObject({
    commentsCount: 1,
    comment: { id: comment.id, text: "first", author: { name: "Ana" } },
  });
  expect(created?.comment).not.toHaveProperty("liked");
  expect(stream.events("comment.edited")[0]).toMatchObject({ commentId: comment.id, text: "first, edited" });
  expect(stream.events("comment.liked")[0]).toMatchObject({ commentId: comment.id, likesCount: 1 });
  expect(stream.events("blog.counted")).toMatchObject([
    { likesCount: 1, savesCount: 0 },
    { likesCount: 1, savesCount: 1 },
  ]);
  expect(stream.events("blog.edited")[0]).toMatchObject({ card: { title: "A walk at dawn" } });
  expect(stream.events("comment.deleted")[0]).toEqual({
    kind: "comment.deleted",
    commentIds: [comment.id],
    emptied: [],
    commentsCount: 0,
    repliesCounts: { [comment.id]: 0 },
  });
});

test("does not miss an event stored while the backlog is being read", async () => {
  const { testSite, id, cursor, postComment } = await createPage();
  const { database, bus, dispatcher } = testSite.app.services;
  await postComment("comment 0");
  let interrupted = false;
  const source = createSource("blog", blogTopic(id), `blog:${id}`, async (events) => {
    // The worst moment: the backlog has been read, and the stream does not wait yet.
    if (!interrupted) {
      interrupted = true;
      await postComment("comment 1");
    }
    return events.map(({ seq }) => ({ seq, event: { kind: "accessRestored" } as const }));
  });
  const stop = new AbortController();
  const stream = openTopicStream({
    database,
    bus,
    dispatcher,
    topics: [{ name: `blog:${id}`, source }],
    from: [cursor],
    viewerTopic: undefined,
    accessTo: async (names) => new Map(names.map((name) => [name, { readable: true, signals: [] }])),
    isInAudience: async () => true,
    signal: stop.signal,
    connection: undefined,
  });
  const seqs: number[] = [];
  while (seqs.length < 2) {
    const [eventId, { event }] = (await stream.next()).value as unknown as [string, LiveMessage];
    if (event.kind === "accessRestored") seqs.push(seqOf(eventId));
  }
  expect(seqs).toEqual(
    testSite
      .rows<{ seq: number }>(`select seq from live_events where topic = 'blog:${id}'`)
      .map(({ seq }) => seq),
  );
  stop.abort();
  await stream.return();
  expect(testSite.listeners).toBe(0);
});

/** A proxy of the site whose first connection breaks after this many bytes from the server. */
async function breakingProxy(testSite: TestSite, breaksAfter: number) {
  let isFirst = true;
  const server = createServer((client) => {
    const upstream = connect(Number(new URL(testSite.url).port), "127.0.0.1");
    const destroyBoth = () => {
      client.destroy();
      upstream.destroy();
    };
    let bytesLeft = isFirst ? breaksAfter : Number.POSITIVE_INFINITY;
    isFirst = false;
    client
      .on("data", (bytes) => upstream.write(bytes))
      .on("close", destroyBoth)
      .on("error", destroyBoth);
    upstream.on("close", destroyBoth).on("error", destroyBoth);
    upstream.on("data", (bytes) => {
      client.write(
        bytes.subarray(0, Math.min(bytesLeft, bytes.length)),
        () => bytesLeft <= 0 && destroyBoth(),
      );
      bytesLeft -= bytes.length;
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.dispose]: () => void server.close(),
  };
}

test("a reader gets every event once, wherever in the bytes of a stream the connection breaks", async () => {
  const { testSite, id, cursor, postComment } = await createPage();
  for (const text of numberedTexts(2)) await postComment(text);
  // From before the handshake's response to after the second event.
  const offsets = Array.from({ length: 110 }, (_, index) => index * 13);
  const proxies = await Promise.all(offsets.map((offset) => breakingProxy(testSite, offset)));
  const browsers = proxies.map(({ url }) => openBrowser(url));
  const all = browsers.map((browser) => followOverLiveConnection(browser, [`blog:${id}`], cursor));
  await Promise.all(all.map((stream) => stream.waitFor("comment.created", 2)));
  await postComment("comment 2");
  await Promise.all(all.map((stream) => stream.waitFor("comment.created", 3)));
  for (const [index, stream] of all.entries())
    expect(commentTexts(stream), `broken after ${offsets[index]} bytes`).toEqual(numberedTexts(3));
  expect(browsers.filter(({ sockets }) => sockets.length > 1).length).toBeGreaterThan(80);
  for (const stream of all) stream.stop();
  await Promise.all(browsers.map((browser) => browser.close()));
  for (const proxy of proxies) proxy[Symbol.dispose]();
});

test("a page gets events that another process stored, such as an import", async () => {
  const { testSite, ana, eve, id, cursor, postComment } = await createPage();
  const stream = followBlog(eve, id, cursor);
  await stream.waitForStart();
  const otherDatabase = await openSecondDatabase(testSite);
  const comment = { ...aComment({ id }, { text: "imported" }), authorId: ana.me.id, createdAt: Date.now() };
  await otherDatabase.write(async (tx) => {
    await insertComment(tx, { ...comment, rootId: comment.id });
    tx.emit(blogTopic(id), { kind: "comment.created", commentId: comment.id });
  });
  await otherDatabase.close();
  await stream.waitFor("comment.created");
  await postComment("and on");
  await stream.waitFor("comment.created", 2);
  expect(commentTexts(stream)).toEqual(["imported", "and on"]);
});

test("a crowd of readers gets the same events, each once", async () => {
  const { testSite, id, cursor, postComment } = await createPage();
  const browsers: Browser[] = Array.from({ length: 150 }, () => testSite.browser());
  const all = browsers.map((browser) => followBlog(browser, id, cursor));
  await Promise.all(all.map((stream) => stream.waitForStart()));
  for (const text of numberedTexts(3)) await postComment(text);
  await Promise.all(all.map((stream) => stream.waitFor("comment.created", 3)));
  for (const stream of all) expect(commentTexts(stream)).toEqual(numberedTexts(3));
});

test("resets a page from before an older copy of the database was restored", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog());
  const { cursor } = await ana.api.blogs.bySlug.query({ slug });
  await renewEpoch(testSite.app.services.database, "another");
  const stream = followBlog(ana, id, cursor);
  await stream.waitFor("reset");
  stream.stop();
});
