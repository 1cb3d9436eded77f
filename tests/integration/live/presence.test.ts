import { WebSocket } from "ws";
import { expect, test } from "vitest";
import { Bus } from "../../../src/server/live/bus.ts";
import { guestsPerAddress, Presence } from "../../../src/server/live/presence.ts";
import { OtherServers } from "../../../src/server/live/other-servers.ts";
import { newId } from "../../../src/server/runtime/ids.ts";
import { appRouter } from "../../../src/server/router.ts";
import { maxStreamMs } from "../../../src/server/http/trpc.ts";
import type { PresenceEvent, TopicName } from "../../../src/shared/live.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import {
  aBlog,
  aComment,
  followTopics,
  refusal,
  startTestSite,
  until,
  type Browser,
  type SignedInBrowser,
  type TestSite,
} from "../../support/test-site.ts";

/* The readers of a blog: published as ephemeral events and never stored. */

const quick = { settle: 30, linger: 60, pause: 5, reply: 300 };
const startSite = (settings: Record<string, string> = {}, presence: object = quick) =>
  startTestSite(settings, {}, { presence });

/** Opens a page of a blog for a person or a guest. */
function open(browser: Browser, blogId: string, page = newId()) {
  const stream = followTopics(browser, [`presence:${blogId}`, `reading:${blogId}:${page}`]);
  const latest = () => stream.events("presence").at(-1);
  return {
    ...stream,
    latest,
    expectPresence: async (expected: Partial<PresenceEvent>) => {
      await expect.poll(latest, { timeout: 5_000 }).toMatchObject(expected);
    },
    waitUntilGone: () =>
      until(() => stream.frames.some(({ event }) => event.kind === "accessLost"), "being gone"),
  };
}

async function createBlogWithPeople(testSite: TestSite, names = ["Ana", "Ben", "Cem"]) {
  const people = await Promise.all(names.map(testSite.createAccount));
  const { id, slug } = await people[0]!.api.blogs.create.mutate(aBlog());
  return { people: people as [SignedInBrowser, SignedInBrowser, SignedInBrowser], id, slug };
}
const countStoredEvents = (testSite: TestSite) =>
  testSite.rows<{ count: number }>("select count(*) count from live_events")[0]!.count;

test("counts the readers of a blog: a person once, guests by page, until they leave", async () => {
  await using testSite = await startSite();
  const {
    people: [ana, ben],
    id,
  } = await createBlogWithPeople(testSite);
  const before = countStoredEvents(testSite);
  const anaPage = open(ana, id);
  await anaPage.expectPresence({ reading: 1, replying: [], replyingCount: 0 });
  const benPages = [open(ben, id), open(testSite.browser(ben.cookie), id)] as const;
  await anaPage.expectPresence({ reading: 2 });
  const guests = [open(testSite.browser(), id), open(testSite.browser(), id)] as const;
  for (const page of [anaPage, ...benPages, ...guests]) await page.expectPresence({ reading: 4 });
  benPages[0].stop();
  guests[0].stop();
  await anaPage.expectPresence({ reading: 3 });
  // Ben counts until his last page closes.
  benPages[1].stop();
  await anaPage.expectPresence({ reading: 2 });
  expect(countStoredEvents(testSite)).toBe(before);
  // Pages of other blogs do not receive these counts.
  const other = await ana.api.blogs.create.mutate(aBlog());
  const otherPage = open(testSite.browser(), other.id);
  await otherPage.expectPresence({ reading: 1 });
  expect(otherPage.events("presence").every(({ reading }) => reading <= 1)).toBe(true);
});

test("does not count a page that is left at once, and keeps counting one across a short disconnect", async () => {
  await using testSite = await startSite({}, { ...quick, settle: 400, linger: 400 });
  const {
    people: [ana, ben],
    id,
  } = await createBlogWithPeople(testSite);
  const anaPage = open(ana, id);
  await anaPage.waitForStart();
  // Sent before anyone counts, so that a new page has a count at once.
  expect(anaPage.latest()).toMatchObject({ reading: 0 });
  const briefPage = open(ben, id);
  await briefPage.waitForStart();
  briefPage.stop();
  const guest = testSite.browser();
  const page = newId();
  const first = open(guest, id, page);
  await anaPage.expectPresence({ reading: 2 });
  first.stop();
  const second = open(guest, id, page);
  await second.waitForStart();
  second.stop();
  const third = open(testSite.browser(), id, page);
  await ben.api.comments.replying.mutate({ blogId: id });
  await anaPage.expectPresence({ reading: 2, replyingCount: 1 });
  await third.expectPresence({ reading: 2, replyingCount: 0 });
  const counts = anaPage.events("presence").map(({ reading }) => reading);
  expect(counts).toEqual(counts.toSorted((one, another) => one - another));
  expect(Math.max(...counts)).toBe(2);
});

test("publishes presence of public blogs only, and again when a blog becomes public", async () => {
  await using testSite = await startSite();
  const {
    people: [ana, ben, cem],
    id,
  } = await createBlogWithPeople(testSite);
  await ben.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  for (const kind of [{ private: true }, { draft: true }]) {
    const hiddenBlog = await ana.api.blogs.create.mutate(aBlog(kind));
    for (const who of [ana, ben]) {
      const page = open(who, hiddenBlog.id);
      await page.waitForStart();
      await page.waitUntilGone();
      expect(page.events("presence")).toEqual([]);
    }
    expect(
      await (kind.draft
        ? refusal(ana.api.comments.replying.mutate({ blogId: hiddenBlog.id }))
        : ben.api.comments.replying.mutate({ blogId: hiddenBlog.id })),
    ).toMatchObject(kind.draft ? { code: "FORBIDDEN" } : { told: false });
    await expectRefusal(cem.api.comments.replying.mutate({ blogId: hiddenBlog.id }), "NOT_FOUND");
  }

  const [anaPage, benPage] = [open(ana, id), open(ben, id)];
  await benPage.expectPresence({ reading: 2 });
  await ana.api.blogs.update.mutate({ id, private: true });
  await Promise.all([anaPage.waitUntilGone(), benPage.waitUntilGone()]);
  expect(await ben.api.comments.replying.mutate({ blogId: id })).toMatchObject({ told: false });
  const eventCount = benPage.events("presence").length;
  await ana.api.blogs.update.mutate({ id, private: false });
  await until(() => benPage.events("presence").length > eventCount, "being told again");
  await benPage.expectPresence({ reading: 2, replyingCount: 0 });
  // Only followers can read a private account's blogs.
  await ana.api.users.updateSettings.mutate({ private: true });
  await until(() => benPage.events("accessLost").length >= 4, "being gone again");
  expect(await ben.api.comments.replying.mutate({ blogId: id })).toMatchObject({ told: false });
});

test("stops counting and naming a person as soon as they hide their presence", async () => {
  await using testSite = await startSite({}, { ...quick, reply: 60_000 });
  const {
    people: [ana, ben],
    id,
  } = await createBlogWithPeople(testSite);
  const [anaPage, benPage] = [open(ana, id), open(ben, id)];
  await ben.api.comments.replying.mutate({ blogId: id, what: "reply" });
  await anaPage.expectPresence({ reading: 2, replying: [{ id: ben.me.id, name: "Ben", what: "reply" }] });
  const profileEvents = () =>
    testSite.rows(
      "select seq from live_events where topic like 'profile:%' and event like '%profile.changed%'",
    ).length;
  const before = profileEvents();
  expect(await ben.api.users.updateSettings.mutate({ showPresence: false })).toMatchObject({
    showPresence: false,
  });
  await anaPage.expectPresence({ reading: 1, replying: [], replyingCount: 0 });
  expect(await ben.api.comments.replying.mutate({ blogId: id })).toMatchObject({ told: false });
  // Ben still sees others who show their presence.
  await ana.api.comments.replying.mutate({ blogId: id });
  await benPage.expectPresence({ reading: 1, replying: [{ id: ana.me.id, name: "Ana", what: "comment" }] });
  await ben.api.users.updateSettings.mutate({ showPresence: true });
  await anaPage.expectPresence({ reading: 2 });
  expect(profileEvents()).toBe(before);
});

test("names the people who are replying for a few seconds, and never a guest", async () => {
  await using testSite = await startSite({}, { ...quick, reply: 3_000 });
  const {
    people: [ana, ben, cem],
    id,
  } = await createBlogWithPeople(testSite);
  const guest = testSite.browser();
  const page = open(guest, id);
  await page.expectPresence({ reading: 1 });
  await expectRefusal(guest.api.comments.replying.mutate({ blogId: id }), "UNAUTHORIZED");
  for (const who of [ana, ben, cem]) await who.api.comments.replying.mutate({ blogId: id });
  await until(() => page.events("presence").some(({ replyingCount }) => replyingCount === 3), "all three");
  await page.expectPresence({ replying: [], replyingCount: 0 });
});

test("stops naming who is replying once their comment is posted", async () => {
  await using testSite = await startSite({}, { ...quick, reply: 3_600_000 });
  const {
    people: [ana],
    id,
  } = await createBlogWithPeople(testSite);
  const page = open(testSite.browser(), id);
  await page.expectPresence({ reading: 1 });
  await ana.api.comments.replying.mutate({ blogId: id });
  await page.expectPresence({ replyingCount: 1 });
  await ana.api.comments.create.mutate(aComment({ id }));
  await page.expectPresence({ replyingCount: 0 });
  const eve = await testSite.createAccount("Eve");
  await eve.api.comments.replying.mutate({ blogId: id });
  await page.expectPresence({ replyingCount: 1 });
});

test("limits typing signals without limiting comments", async () => {
  await using testSite = await startSite({ RATE_LIMIT: "on" });
  const {
    people: [ana],
    id,
  } = await createBlogWithPeople(testSite, ["Ana"]);
  // A page sends this every few seconds.
  const allowed = 30;
  for (let index = 0; index < allowed; index++) await ana.api.comments.replying.mutate({ blogId: id });
  await Promise.allSettled(
    Array.from({ length: 20 }, () => ana.api.comments.replying.mutate({ blogId: id })),
  );
  await expectRefusal(ana.api.comments.replying.mutate({ blogId: id }), "TOO_MANY_REQUESTS");
  // The limit is separate: the typed comment can be sent.
  await ana.api.comments.create.mutate(aComment({ id }));
});

test("limits the guests counted per address and counts a connection at one blog only", async () => {
  await using testSite = await startSite({ TRUST_PROXY: "on" });
  const {
    people: [ana],
    id,
  } = await createBlogWithPeople(testSite, ["Ana"]);
  const other = await ana.api.blogs.create.mutate(aBlog());
  const anaPage = open(ana, id);
  const sockets = await Promise.all(
    Array.from({ length: guestsPerAddress + 10 }, async (_, index) => {
      const address = `2001:db8:0:1::${(index + 1).toString(16)}`;
      const headers = { "x-forwarded-for": address, origin: testSite.url };
      const socket = new WebSocket(`${testSite.url.replace("http", "ws")}/trpc`, { headers });
      const topics = [
        `reading:${other.id}:${newId()}`,
        `reading:${id}:${newId()}`,
        `reading:${id}:${newId()}`,
      ];
      const params = { path: "live.follow", input: { topics } };
      await new Promise((resolve) => socket.once("open", resolve));
      socket.send(JSON.stringify({ id: 1, method: "subscription", params }));
      return socket;
    }),
  );
  await anaPage.expectPresence({ reading: guestsPerAddress + 1 });
  const otherPage = open(testSite.browser(), other.id);
  await otherPage.expectPresence({ reading: 1 });
  for (const socket of sockets) socket.terminate();
  await anaPage.expectPresence({ reading: 1 });
  const invalidTopic = `reading:${id}:${"x".repeat(50)}` as TopicName;
  const refusedStream = followTopics(testSite.browser(), [invalidTopic]);
  await until(() => refusedStream.state.error);
  expect(refusedStream.state.error).toMatchObject({ data: { code: "BAD_REQUEST" } });
});

test("ends a streamed response after its maximum duration and then stops counting its reader", async () => {
  await using testSite = await startSite();
  const {
    people: [ana],
    id,
  } = await createBlogWithPeople(testSite, ["Ana"]);
  const { sse } = appRouter._def._config as { sse?: { maxDurationMs?: number } };
  expect(sse).toMatchObject({ maxDurationMs: maxStreamMs });
  sse!.maxDurationMs = 600;
  try {
    const anaPage = open(ana, id);
    const input = encodeURIComponent(JSON.stringify({ topics: [`reading:${id}:${newId()}`] }));
    const stream = await testSite.browser().fetch(`/trpc/live.follow?input=${input}`, {
      headers: { accept: "text/event-stream" },
    });
    await anaPage.expectPresence({ reading: 2 });
    // The server ends it even if the client reads nothing; a client that reads reconnects.
    await anaPage.expectPresence({ reading: 1 });
    expect(await stream.text()).toContain('"kind":"checkpoint"');
  } finally {
    sse!.maxDurationMs = maxStreamMs;
  }
});

test("sends a thousand readers a few shared events and frees everything when they leave", async () => {
  const bus = new Bus();
  const presence = new Presence(bus, new OtherServers(undefined), {
    settle: 20,
    linger: 20,
    pause: 20,
    each: 0.1,
  });
  const blogId = newId();
  let notifications = 0;
  const events = new Set<unknown>();
  const topic = presence.topicOf(blogId);
  const latest = () => topic.current()!.event as PresenceEvent;
  const leaves = Array.from({ length: 1_000 }, (_, index) => {
    const stops = [
      topic.join(() => {
        notifications++;
        events.add(latest());
      }),
      presence.joinReaders(blogId, { key: `guest ${index}`, from: `address ${index}` }).join(() => undefined),
    ];
    return () => stops.forEach((stop) => stop());
  });
  await until(() => latest().reading === 1_000);
  // The first readers can be notified before the last ones count.
  expect(events.size).toBeLessThanOrEqual(3);
  expect(notifications).toBe(1_000 * events.size);
  events.clear();
  // Large counts are rounded to two digits, so small changes send nothing.
  for (const leave of leaves.slice(0, 30)) leave();
  await until(() => latest().reading === 970);
  expect(events.size).toBe(1);
  for (const leave of leaves.slice(30, 33)) leave();
  presence.startReplying(blogId, { id: "ana", name: "Ana", what: "reply" });
  await until(() => latest().replyingCount === 1);
  expect(latest()).toMatchObject({ reading: 960, replying: [{ id: "ana", name: "Ana" }] });
  presence.stopReplying(blogId, "ana");
  for (const leave of leaves.slice(33)) leave();
  await until(() => presence.rooms === 0, "nothing left");
  expect(bus.listeners).toBe(0);
});

test("frees the server's presence and listeners when all readers have left", async () => {
  await using testSite = await startSite();
  const {
    people: [ana, ben],
    id,
  } = await createBlogWithPeople(testSite);
  const pages = [open(ana, id), open(ben, id), open(testSite.browser(), id)];
  await pages[0]!.expectPresence({ reading: 3 });
  await ana.api.comments.replying.mutate({ blogId: id });
  for (const page of pages) page.stop();
  await until(() => testSite.app.services.presence.rooms === 0, "an empty house");
  await until(() => testSite.listeners === 0, "nobody's listening");
});
