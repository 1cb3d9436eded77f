import { WebSocket } from "ws";
import { expect, test } from "vitest";
import { Bus } from "../../../src/server/live/bus.ts";
import { guestsPerAddress, Presence } from "../../../src/server/live/presence.ts";
import { newId } from "../../../src/server/runtime/ids.ts";
import { appRouter } from "../../../src/server/router.ts";
import { maxStreamMs } from "../../../src/server/http/trpc.ts";
import type { PresenceEvent, TopicName } from "../../../src/shared/live.ts";
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
  const heard = followTopics(browser, [`presence:${blogId}`, `reading:${blogId}:${page}`]);
  const now = () => heard.events("presence").at(-1);
  return {
    ...heard,
    now,
    shows: async (expected: Partial<PresenceEvent>) => {
      await expect.poll(now, { timeout: 5_000 }).toMatchObject(expected);
    },
    isGone: () => until(() => heard.frames.some(({ event }) => event.kind === "accessLost"), "being gone"),
  };
}

async function createBlogWithPeople(testSite: TestSite, names = ["Ana", "Ben", "Cem"]) {
  const people = await Promise.all(names.map(testSite.createAccount));
  const { id, slug } = await people[0]!.api.blogs.create.mutate(aBlog());
  return { people: people as [SignedInBrowser, SignedInBrowser, SignedInBrowser], id, slug };
}
const stored = (testSite: TestSite) =>
  testSite.rows<{ count: number }>("select count(*) count from live_events")[0]!.count;

test("counts the readers of a blog: a person once, guests by page, until they leave", async () => {
  await using testSite = await startSite();
  const {
    people: [ana, ben],
    id,
  } = await createBlogWithPeople(testSite);
  const before = stored(testSite);
  const hers = open(ana, id);
  await hers.shows({ reading: 1, replying: [], replyingCount: 0 });
  const his = [open(ben, id), open(testSite.browser(ben.cookie), id)] as const;
  await hers.shows({ reading: 2 });
  const guests = [open(testSite.browser(), id), open(testSite.browser(), id)] as const;
  for (const page of [hers, ...his, ...guests]) await page.shows({ reading: 4 });
  his[0].stop();
  guests[0].stop();
  await hers.shows({ reading: 3 });
  // Ben counts until his last page closes.
  his[1].stop();
  await hers.shows({ reading: 2 });
  expect(stored(testSite)).toBe(before);
  // Pages of other blogs do not receive these counts.
  const other = await ana.api.blogs.create.mutate(aBlog());
  const elsewhere = open(testSite.browser(), other.id);
  await elsewhere.shows({ reading: 1 });
  expect(elsewhere.events("presence").every(({ reading }) => reading <= 1)).toBe(true);
});

test("does not count a page that is left at once, and keeps counting one across a short disconnect", async () => {
  await using testSite = await startSite({}, { ...quick, settle: 400, linger: 400 });
  const {
    people: [ana, ben],
    id,
  } = await createBlogWithPeople(testSite);
  const hers = open(ana, id);
  await hers.live();
  // Sent before anyone counts, so that a new page has a count at once.
  expect(hers.now()).toMatchObject({ reading: 0 });
  const passing = open(ben, id);
  await passing.live();
  passing.stop();
  const guest = testSite.browser();
  const page = newId();
  const first = open(guest, id, page);
  await hers.shows({ reading: 2 });
  first.stop();
  const second = open(guest, id, page);
  await second.live();
  second.stop();
  const third = open(testSite.browser(), id, page);
  await ben.api.comments.replying.mutate({ blogId: id });
  await hers.shows({ reading: 2, replyingCount: 1 });
  await third.shows({ reading: 2, replyingCount: 0 });
  const counts = hers.events("presence").map(({ reading }) => reading);
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
    const closed = await ana.api.blogs.create.mutate(aBlog(kind));
    for (const who of [ana, ben]) {
      const page = open(who, closed.id);
      await page.live();
      await page.isGone();
      expect(page.events("presence")).toEqual([]);
    }
    expect(
      await (kind.draft
        ? refusal(ana.api.comments.replying.mutate({ blogId: closed.id }))
        : ben.api.comments.replying.mutate({ blogId: closed.id })),
    ).toMatchObject(kind.draft ? { code: "FORBIDDEN" } : { told: false });
    expect((await refusal(cem.api.comments.replying.mutate({ blogId: closed.id }))).code).toBe("NOT_FOUND");
  }

  const [hers, his] = [open(ana, id), open(ben, id)];
  await his.shows({ reading: 2 });
  await ana.api.blogs.update.mutate({ id, private: true });
  await Promise.all([hers.isGone(), his.isGone()]);
  expect(await ben.api.comments.replying.mutate({ blogId: id })).toMatchObject({ told: false });
  const told = his.events("presence").length;
  await ana.api.blogs.update.mutate({ id, private: false });
  await until(() => his.events("presence").length > told, "being told again");
  await his.shows({ reading: 2, replyingCount: 0 });
  // Only followers can read a private account's blogs.
  await ana.api.users.updateSettings.mutate({ private: true });
  await until(() => his.events("accessLost").length >= 4, "being gone again");
  expect(await ben.api.comments.replying.mutate({ blogId: id })).toMatchObject({ told: false });
});

test("stops counting and naming a person as soon as they hide their presence", async () => {
  await using testSite = await startSite({}, { ...quick, reply: 60_000 });
  const {
    people: [ana, ben],
    id,
  } = await createBlogWithPeople(testSite);
  const [hers, his] = [open(ana, id), open(ben, id)];
  await ben.api.comments.replying.mutate({ blogId: id });
  await hers.shows({ reading: 2, replying: [{ id: ben.me.id, name: "Ben" }] });
  const profiles = () =>
    testSite.rows(
      "select seq from live_events where topic like 'profile:%' and fact like '%profile.changed%'",
    ).length;
  const before = profiles();
  expect(await ben.api.users.updateSettings.mutate({ showPresence: false })).toMatchObject({
    showPresence: false,
  });
  await hers.shows({ reading: 1, replying: [], replyingCount: 0 });
  expect(await ben.api.comments.replying.mutate({ blogId: id })).toMatchObject({ told: false });
  // Ben still sees others who show their presence.
  await ana.api.comments.replying.mutate({ blogId: id });
  await his.shows({ reading: 1, replying: [{ id: ana.me.id, name: "Ana" }] });
  await ben.api.users.updateSettings.mutate({ showPresence: true });
  await hers.shows({ reading: 2 });
  expect(profiles()).toBe(before);
});

test("names the people who are replying for a few seconds, and never a guest", async () => {
  await using testSite = await startSite({}, { ...quick, reply: 3_000 });
  const {
    people: [ana, ben, cem],
    id,
  } = await createBlogWithPeople(testSite);
  const guest = testSite.browser();
  const page = open(guest, id);
  await page.shows({ reading: 1 });
  expect((await refusal(guest.api.comments.replying.mutate({ blogId: id }))).code).toBe("UNAUTHORIZED");
  for (const who of [ana, ben, cem]) await who.api.comments.replying.mutate({ blogId: id });
  await until(() => page.events("presence").some(({ replyingCount }) => replyingCount === 3), "all three");
  await page.shows({ replying: [], replyingCount: 0 });
});

test("stops naming who is replying once their comment is posted", async () => {
  await using testSite = await startSite({}, { ...quick, reply: 3_600_000 });
  const {
    people: [ana],
    id,
  } = await createBlogWithPeople(testSite);
  const page = open(testSite.browser(), id);
  await page.shows({ reading: 1 });
  await ana.api.comments.replying.mutate({ blogId: id });
  await page.shows({ replyingCount: 1 });
  await ana.api.comments.create.mutate(aComment({ id }));
  await page.shows({ replyingCount: 0 });
  const eve = await testSite.createAccount("Eve");
  await eve.api.comments.replying.mutate({ blogId: id });
  await page.shows({ replyingCount: 1 });
});

test("limits typing signals without limiting comments", async () => {
  await using testSite = await startSite({ RATE_LIMIT: "on" });
  const {
    people: [ana],
    id,
  } = await createBlogWithPeople(testSite, ["Ana"]);
  // A page sends this every few seconds.
  const often = 30;
  for (let asked = 0; asked < often; asked++) await ana.api.comments.replying.mutate({ blogId: id });
  await Promise.allSettled(
    Array.from({ length: 20 }, () => ana.api.comments.replying.mutate({ blogId: id })),
  );
  expect(await refusal(ana.api.comments.replying.mutate({ blogId: id }))).toMatchObject({
    code: "TOO_MANY_REQUESTS",
  });
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
  const hers = open(ana, id);
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
  await hers.shows({ reading: guestsPerAddress + 1 });
  const elsewhere = open(testSite.browser(), other.id);
  await elsewhere.shows({ reading: 1 });
  for (const socket of sockets) socket.terminate();
  await hers.shows({ reading: 1 });
  const made = `reading:${id}:${"x".repeat(50)}` as TopicName;
  const refused = followTopics(testSite.browser(), [made]);
  await until(() => refused.state.error);
  expect(refused.state.error).toMatchObject({ data: { code: "BAD_REQUEST" } });
});

test("sends presence to a polling page and counts it while it polls", async () => {
  await using testSite = await startSite({}, { ...quick, linger: 5_000 });
  const {
    people: [ana],
    id,
  } = await createBlogWithPeople(testSite, ["Ana"]);
  const topics: TopicName[] = [`presence:${id}`, `reading:${id}:${newId()}`];
  const hers = open(ana, id);
  await hers.shows({ reading: 1 });
  const guest = testSite.browser();
  await until(async () => {
    const { messages } = await guest.api.live.since.query({ topics });
    return messages.some(({ event }) => event.kind === "presence" && event.reading === 2);
  });
  await hers.shows({ reading: 2 });
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
    const hers = open(ana, id);
    const input = encodeURIComponent(JSON.stringify({ topics: [`reading:${id}:${newId()}`] }));
    const stream = await testSite.browser().fetch(`/trpc/live.follow?input=${input}`, {
      headers: { accept: "text/event-stream" },
    });
    await hers.shows({ reading: 2 });
    // The server ends it even if the client reads nothing; a client that reads reconnects.
    await hers.shows({ reading: 1 });
    expect(await stream.text()).toContain('"kind":"checkpoint"');
  } finally {
    sse!.maxDurationMs = maxStreamMs;
  }
});

test("sends a thousand readers a few shared events and frees everything when they leave", async () => {
  const bus = new Bus();
  const presence = new Presence(bus, { settle: 20, linger: 20, pause: 20, each: 0.1 });
  const blogId = newId();
  let stirred = 0;
  const heard = new Set<unknown>();
  const moment = presence.topicOf(blogId);
  const now = () => moment.current()!.event as PresenceEvent;
  const leaves = Array.from({ length: 1_000 }, (_, index) => {
    const stops = [
      moment.join(() => {
        stirred++;
        heard.add(now());
      }),
      presence.joinReaders(blogId, { key: `guest ${index}`, from: `address ${index}` }).join(() => undefined),
    ];
    return () => stops.forEach((stop) => stop());
  });
  await until(() => now().reading === 1_000);
  // The first readers can be notified before the last ones count.
  expect(heard.size).toBeLessThanOrEqual(3);
  expect(stirred).toBe(1_000 * heard.size);
  heard.clear();
  // Large counts are rounded to two digits, so small changes send nothing.
  for (const leave of leaves.slice(0, 30)) leave();
  await until(() => now().reading === 970);
  expect(heard.size).toBe(1);
  for (const leave of leaves.slice(30, 33)) leave();
  presence.startReplying(blogId, { id: "ana", name: "Ana" });
  await until(() => now().replyingCount === 1);
  expect(now()).toMatchObject({ reading: 960, replying: [{ id: "ana", name: "Ana" }] });
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
  await pages[0]!.shows({ reading: 3 });
  await ana.api.comments.replying.mutate({ blogId: id });
  for (const page of pages) page.stop();
  await until(() => testSite.app.services.presence.rooms === 0, "an empty house");
  await until(() => testSite.listeners === 0, "nobody's listening");
});
