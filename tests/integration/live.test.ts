import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";
import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { insertComment } from "../../src/server/comments/queries.ts";
import { openDatabase } from "../../src/server/database/connection.ts";
import { liveEvents } from "../../src/server/database/schema/live.ts";
import { meta } from "../../src/server/database/schema/site.ts";
import { blogTopic } from "../../src/server/live/stored-events.ts";
import { pruneEventLog, renewEpoch } from "../../src/server/live/event-log.ts";
import { openTopicStream } from "../../src/server/live/topic-stream.ts";
import { createSource } from "../../src/server/live/source.ts";
import { limits } from "../../src/shared/limits.ts";
import type { LiveMessage } from "../../src/shared/live.ts";
import { openBrowser } from "../support/browser.ts";
import { aBlog, aComment, read, startTown, until, watch, type Browser, type Town } from "../support/town.ts";

/** Ana wrote a blog, and Eve has its page open: `cursor` is where it stands. */
async function openPage(town: Town) {
  const ana = await town.resident("Ana");
  const eve = town.browser();
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog());
  const { cursor } = await eve.api.blogs.bySlug.query({ slug });
  const say = (text: string) => ana.api.comments.create.mutate(aComment({ id }, { text }));
  return { ana, eve, id, slug, cursor, say };
}

const texts = (heard: Pick<ReturnType<typeof watch>, "events">) =>
  heard.events("comment.created").map(({ comment }) => comment.text);
const numbered = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `comment ${from + index}`);
const seqOf = (id: string) => Number(id.split(".")[1]);
const nobodyListens = (town: Town) => until(() => town.listeners === 0, "everybody's leaving");

test("a page hears what happened between its load and its connection, once, in order", async () => {
  await using town = await startTown();
  const { eve, id, cursor, say } = await openPage(town);
  for (const text of numbered(3)) await say(text);
  const heard = watch(eve, id, cursor);
  await heard.heard("comment.created", 3);
  await say("comment 3");
  await heard.heard("comment.created", 4);
  expect(texts(heard)).toEqual(numbered(4));
});

test("a page that connects with no cursor hears only what comes", async () => {
  await using town = await startTown();
  const { eve, id, say } = await openPage(town);
  await say("before");
  const heard = watch(eve, id, undefined);
  await heard.live();
  await say("after");
  await heard.heard("comment.created");
  expect(texts(heard)).toEqual(["after"]);
});

test("somebody whose connection is cut again and again while others write misses nothing and hears nothing twice", async () => {
  await using town = await startTown();
  const { eve, id, cursor, say } = await openPage(town);
  const heard = read(eve, [`blog:${id}`], cursor);
  const all = numbered(120);
  let writing = true;
  const cutting = (async () => {
    while (writing) {
      eve.cut();
      // As whatever is answered over HTTP says that the next attempt will succeed.
      heard.line.retryNow();
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 25));
    }
  })();
  for (const text of all) await say(text);
  writing = false;
  await cutting;
  await heard.heard("comment.created", all.length);
  await say("the last");
  await until(() => texts(heard).includes("the last"));
  expect(texts(heard)).toEqual([...all, "the last"]);
  const seqs = heard.told().map(({ seq }) => seq);
  expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
  expect(new Set(seqs).size).toBe(seqs.length);
  expect(eve.sockets.length).toBeGreaterThan(3);
  heard.stop();
});

test("a stream that was asked for over connections that broke before it is there", async () => {
  await using town = await startTown();
  const { ana, eve, id, cursor, say } = await openPage(town);
  const other = await ana.api.blogs.create.mutate(aBlog());
  eve.frail = 3;
  const heard = read(eve, [`blog:${id}`, `blog:${other.id}`], cursor);
  await until(() => {
    heard.line.retryNow();
    return eve.frail <= 0;
  }, "the last break");
  await say("here");
  await ana.api.comments.create.mutate(aComment(other, { text: "and there" }));
  await heard.heard("comment.created", 2);
  expect(texts(heard)).toEqual(["here", "and there"]);
  heard.stop();
});

test("a reader who is cut before the first event goes on from the page's cursor", async () => {
  await using town = await startTown();
  const { eve, id, cursor, say } = await openPage(town);
  const heard = watch(eve, id, cursor);
  await heard.live();
  eve.cut();
  await nobodyListens(town);
  await say("while away");
  await heard.heard("comment.created");
  expect(texts(heard)).toEqual(["while away"]);
});

test("what was written while nobody listened is heard at once by who comes back, not with the next event", async () => {
  await using town = await startTown();
  const { eve, id, cursor, say } = await openPage(town);
  const before = watch(eve, id, cursor);
  await before.live();
  before.stop();
  await nobodyListens(town);
  await say("while away");
  const after = watch(eve, id, cursor);
  await after.heard("comment.created");
  expect(texts(before)).toEqual([]);
});

test("two tabs at different places each hear what they lack", async () => {
  await using town = await startTown();
  const { eve, id, slug, cursor, say } = await openPage(town);
  await say("comment 0");
  const { cursor: later } = await eve.api.blogs.bySlug.query({ slug });
  const first = watch(eve, id, cursor);
  const second = watch(town.browser(eve.cookie), id, later);
  await say("comment 1");
  await Promise.all([first.heard("comment.created", 2), second.heard("comment.created", 1)]);
  expect(texts(first)).toEqual(numbered(2));
  expect(texts(second)).toEqual(["comment 1"]);
});

test("events of one blog do not reach the readers of another", async () => {
  await using town = await startTown();
  const { ana, eve, id, cursor, say } = await openPage(town);
  const other = await ana.api.blogs.create.mutate(aBlog({ title: "Another" }));
  const here = watch(eve, id, cursor);
  const there = watch(town.browser(eve.cookie), other.id, cursor);
  await say("here");
  await ana.api.comments.create.mutate(aComment(other, { text: "there" }));
  await Promise.all([here.heard("comment.created"), there.heard("comment.created")]);
  expect([texts(here), texts(there)]).toEqual([["here"], ["there"]]);
});

test("a page as old as the backlog does not reach is told to load again, and hears what comes after", async () => {
  await using town = await startTown();
  const { eve, id, cursor, say } = await openPage(town);
  await say("long ago");
  const middle = (await eve.api.comments.list.query({ blogId: id })).cursor;
  await say("yesterday");
  await town.write(async (tx) => {
    tx.drizzle
      .update(liveEvents)
      .set({ createdAt: Date.now() - limits.live.keptFor - 1 })
      .where(sql`seq <= ${seqOf(middle)}`)
      .run();
  });
  await pruneEventLog(town.app.parts.database, Date.now());
  expect(town.rows(`select seq from live_events where seq <= ${seqOf(middle)}`)).toEqual([]);

  const old = watch(eve, id, cursor);
  const recent = watch(town.browser(eve.cookie), id, middle);
  await Promise.all([old.heard("reset"), recent.heard("comment.created")]);
  await say("now");
  await Promise.all([old.heard("comment.created"), recent.heard("comment.created", 2)]);
  expect(texts(old)).toEqual(["now"]);
  expect(texts(recent)).toEqual(["yesterday", "now"]);
  expect(recent.kinds()).not.toContain("reset");
});

test("a backlog pruned empty still knows where it stood", async () => {
  await using town = await startTown();
  const { eve, id, slug, cursor, say } = await openPage(town);
  await say("gone from the backlog");
  await pruneEventLog(town.app.parts.database, Date.now() + limits.live.keptFor + 1_000);
  expect(town.rows("select seq from live_events")).toEqual([]);
  const page = await eve.api.blogs.bySlug.query({ slug });
  const old = watch(eve, id, cursor);
  const fresh = watch(town.browser(eve.cookie), id, page.cursor);
  await old.heard("reset");
  await say("new");
  await Promise.all([old.heard("comment.created"), fresh.heard("comment.created")]);
  expect(fresh.kinds()).toEqual(["comment.created"]);
  expect(old.kinds()).toEqual(["reset", "comment.created"]);
});

test("a page from another history of the site, or from its future, is told to load again", async () => {
  await using town = await startTown();
  const { eve, id, cursor, say } = await openPage(town);
  const [epoch, seq] = cursor.split(".");
  const strange = [
    `other.${seq}`,
    `${epoch}.${Number(seq) + 1_000}`,
    `${epoch}.-1`,
    `${epoch}.x`,
    "",
    ".",
    "nonsense",
    `${epoch}.9007199254740993`,
  ];
  const all = strange.map((since) => watch(town.browser(eve.cookie), id, since));
  await Promise.all(all.map((heard) => heard.heard("reset")));
  await say("hello");
  await Promise.all(all.map((heard) => heard.heard("comment.created")));
  for (const heard of all) expect(heard.kinds()).toEqual(["reset", "comment.created"]);
  await town.write(
    async (tx) =>
      void tx.drizzle.update(meta).set({ value: "restored" }).where(eq(meta.key, "live_epoch")).run(),
  );
  const after = watch(eve, id, cursor);
  await after.heard("reset");
});

test("a reader who is very far behind is told to load again instead of being read the whole story", async () => {
  await using town = await startTown();
  const { eve, id, cursor, say } = await openPage(town);
  const events = limits.live.replay + 200;
  await town.write(async (tx) => {
    for (let index = 0; index < events; index++) await tx.emit(blogTopic(id), { kind: "blog.liked" });
  });
  const heard = watch(eve, id, cursor);
  await heard.heard("reset");
  await say("now");
  await heard.heard("comment.created");
  expect(heard.told().length).toBeLessThan(events);
  expect(texts(heard)).toEqual(["now"]);
});

test("a comment that is deleted before its event is read is told of by its deletion alone", async () => {
  await using town = await startTown();
  const { ana, eve, id, cursor, say } = await openPage(town);
  const { id: commentId } = await say("regretted");
  await ana.api.comments.remove.mutate({ id: commentId });
  const heard = watch(eve, id, cursor);
  await heard.heard("comment.deleted");
  expect(heard.kinds()).toEqual(["comment.deleted"]);
});

test("every change of a blog's page is told with its newest state", async () => {
  await using town = await startTown();
  const { ana, eve, id, cursor, say } = await openPage(town);
  const bob = await town.resident("Bob");
  const heard = watch(eve, id, cursor);
  const comment = await say("first");
  // Each change is heard before the next, whose state it would carry otherwise.
  await heard.heard("comment.created");
  await ana.api.comments.edit.mutate({ id: comment.id, text: "first, edited" });
  await heard.heard("comment.edited");
  await bob.api.comments.like.mutate({ id: comment.id, liked: true });
  await heard.heard("comment.liked");
  await bob.api.social.likeBlog.mutate({ blogId: id, liked: true });
  // Of numbers that change together the last are told.
  await heard.heard("blog.counted");
  await bob.api.social.saveBlog.mutate({ blogId: id, saved: true });
  await heard.heard("blog.counted", 2);
  await ana.api.blogs.update.mutate({ id, title: "A walk at dawn" });
  await heard.heard("blog.edited");
  await ana.api.comments.remove.mutate({ id: comment.id });
  await heard.heard("comment.deleted");
  expect(heard.kinds()).toEqual([
    "comment.created",
    "comment.edited",
    "comment.liked",
    "blog.counted",
    "blog.counted",
    "blog.edited",
    "comment.deleted",
  ]);
  const [created] = heard.events("comment.created");
  expect(created).toMatchObject({
    commentsCount: 1,
    comment: { id: comment.id, text: "first", author: { name: "Ana" } },
  });
  expect(created?.comment).not.toHaveProperty("liked");
  expect(heard.events("comment.edited")[0]).toMatchObject({ commentId: comment.id, text: "first, edited" });
  expect(heard.events("comment.liked")[0]).toMatchObject({ commentId: comment.id, likesCount: 1 });
  expect(heard.events("blog.counted")).toMatchObject([
    { likesCount: 1, savesCount: 0 },
    { likesCount: 1, savesCount: 1 },
  ]);
  expect(heard.events("blog.edited")[0]).toMatchObject({ card: { title: "A walk at dawn" } });
  expect(heard.events("comment.deleted")[0]).toEqual({
    kind: "comment.deleted",
    commentIds: [comment.id],
    emptied: [],
    commentsCount: 0,
    repliesCounts: { [comment.id]: 0 },
  });
});

test("an event that is stored while the backlog is being read is not missed", async () => {
  await using town = await startTown();
  const { id, cursor, say } = await openPage(town);
  const { database, bus, dispatcher } = town.app.parts;
  await say("comment 0");
  let interrupted = false;
  const source = createSource("blog", blogTopic(id), `blog:${id}`, async (events) => {
    // The backlog has been read, and the reader does not wait yet: the worst moment.
    if (!interrupted) {
      interrupted = true;
      await say("comment 1");
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
    const [at, { event }] = (await stream.next()).value as unknown as [string, LiveMessage];
    if (event.kind === "accessRestored") seqs.push(seqOf(at));
  }
  expect(seqs).toEqual(
    town
      .rows<{ seq: number }>(`select seq from live_events where topic = 'blog:${id}'`)
      .map(({ seq }) => seq),
  );
  stop.abort();
  await stream.return();
  expect(town.listeners).toBe(0);
});

/** A wire to the town whose first connection breaks after so many bytes from the server. */
async function brokenWire(town: Town, breaksAfter: number) {
  let first = true;
  const server = createServer((client) => {
    const far = connect(Number(new URL(town.url).port), "127.0.0.1");
    const end = () => {
      client.destroy();
      far.destroy();
    };
    let left = first ? breaksAfter : Number.POSITIVE_INFINITY;
    first = false;
    client
      .on("data", (bytes) => far.write(bytes))
      .on("close", end)
      .on("error", end);
    far.on("close", end).on("error", end);
    far.on("data", (bytes) => {
      client.write(bytes.subarray(0, Math.min(left, bytes.length)), () => left <= 0 && end());
      left -= bytes.length;
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.dispose]: () => void server.close(),
  };
}

test("wherever in the bytes of a stream the wire breaks, the reader hears everything once", async () => {
  await using town = await startTown();
  const { id, cursor, say } = await openPage(town);
  for (const text of numbered(2)) await say(text);
  // From before the handshake's answer to after the second event.
  const places = Array.from({ length: 110 }, (_, index) => index * 13);
  const wires = await Promise.all(places.map((place) => brokenWire(town, place)));
  const browsers = wires.map(({ url }) => openBrowser(url));
  const all = browsers.map((browser) => read(browser, [`blog:${id}`], cursor));
  await Promise.all(all.map((heard) => heard.heard("comment.created", 2)));
  await say("comment 2");
  await Promise.all(all.map((heard) => heard.heard("comment.created", 3)));
  for (const [index, heard] of all.entries())
    expect(texts(heard), `broken after ${places[index]} bytes`).toEqual(numbered(3));
  expect(browsers.filter(({ sockets }) => sockets.length > 1).length).toBeGreaterThan(80);
  for (const heard of all) heard.stop();
  await Promise.all(browsers.map((browser) => browser.close()));
  for (const wire of wires) wire[Symbol.dispose]();
});

test("a page hears what another process wrote: an import beside the running site", async () => {
  await using town = await startTown();
  const { ana, eve, id, cursor, say } = await openPage(town);
  const heard = watch(eve, id, cursor);
  await heard.live();
  const beside = openDatabase(town.config.databaseFile, () => undefined);
  const comment = { ...aComment({ id }, { text: "imported" }), authorId: ana.me.id, createdAt: Date.now() };
  await beside.write(async (tx) => {
    await insertComment(tx, { ...comment, rootId: comment.id });
    await tx.emit(blogTopic(id), { kind: "comment.created", commentId: comment.id });
  });
  await beside.close();
  await heard.heard("comment.created");
  await say("and on");
  await heard.heard("comment.created", 2);
  expect(texts(heard)).toEqual(["imported", "and on"]);
});

test("a crowd of readers hears the same, each once", async () => {
  await using town = await startTown();
  const { id, cursor, say } = await openPage(town);
  const crowd: Browser[] = Array.from({ length: 150 }, () => town.browser());
  const all = crowd.map((browser) => watch(browser, id, cursor));
  await Promise.all(all.map((heard) => heard.live()));
  for (const text of numbered(3)) await say(text);
  await Promise.all(all.map((heard) => heard.heard("comment.created", 3)));
  for (const heard of all) expect(texts(heard)).toEqual(numbered(3));
});

test("after an older copy of the store was put back, a page of before starts afresh", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog());
  const { cursor } = await ana.api.blogs.bySlug.query({ slug });
  await renewEpoch(town.app.parts.database, "another");
  const heard = watch(ana, id, cursor);
  await heard.heard("reset");
  heard.stop();
});
