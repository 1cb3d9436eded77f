import { WebSocket } from "ws";
import { expect, test } from "vitest";
import { Bus } from "../../src/server/live/bus.ts";
import { guestsPerAddress, Presence } from "../../src/server/live/presence.ts";
import { newId } from "../../src/server/ids.ts";
import { appRouter } from "../../src/server/router.ts";
import { answersFor } from "../../src/server/trpc.ts";
import type { PresenceEvent, TopicName } from "../../src/shared/live.ts";
import {
  aBlog,
  aComment,
  followTopics,
  refusal,
  startTown,
  until,
  type Browser,
  type Resident,
  type Town,
} from "../support/town.ts";

/* Who is at a blog: told for the moment, and stored nowhere. */

const quick = { settle: 30, linger: 60, pause: 5, reply: 300 };
const aTown = (settings: Record<string, string> = {}, presence: object = quick) =>
  startTown(settings, {}, { presence });

/** An open page of a blog, of somebody or of a guest. */
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

async function aTalk(town: Town, names = ["Ana", "Ben", "Cem"]) {
  const people = await Promise.all(names.map(town.resident));
  const { id, slug } = await people[0]!.api.blogs.create.mutate(aBlog());
  return { people: people as [Resident, Resident, Resident], id, slug };
}
const stored = (town: Town) =>
  town.rows<{ count: number }>("select count(*) count from live_events")[0]!.count;

test("pages of a blog tell how many read it: a person once, guests by their pages; whoever leaves is gone", async () => {
  await using town = await aTown();
  const {
    people: [ana, ben],
    id,
  } = await aTalk(town);
  const before = stored(town);
  const hers = open(ana, id);
  await hers.shows({ reading: 1, replying: [], replyingCount: 0 });
  const his = [open(ben, id), open(town.browser(ben.cookie), id)] as const;
  await hers.shows({ reading: 2 });
  const guests = [open(town.browser(), id), open(town.browser(), id)] as const;
  for (const page of [hers, ...his, ...guests]) await page.shows({ reading: 4 });
  his[0].stop();
  guests[0].stop();
  await hers.shows({ reading: 3 });
  // Over the same page's key the line goes on as the same reader.
  his[1].stop();
  await hers.shows({ reading: 2 });
  expect(stored(town)).toBe(before);
  // Elsewhere nobody hears of it.
  const other = await ana.api.blogs.create.mutate(aBlog());
  const elsewhere = open(town.browser(), other.id);
  await elsewhere.shows({ reading: 1 });
  expect(elsewhere.events("presence").every(({ reading }) => reading <= 1)).toBe(true);
});

test("a page that only passes is not counted, and one whose line is cut for a moment counts all the while", async () => {
  await using town = await aTown({}, { ...quick, settle: 400, linger: 400 });
  const {
    people: [ana, ben],
    id,
  } = await aTalk(town);
  const hers = open(ana, id);
  await hers.live();
  // Told before anybody counts: a page knows at once how it stands.
  expect(hers.now()).toMatchObject({ reading: 0 });
  const passing = open(ben, id);
  await passing.live();
  passing.stop();
  const guest = town.browser();
  const page = newId();
  const first = open(guest, id, page);
  await hers.shows({ reading: 2 });
  first.stop();
  const second = open(guest, id, page);
  await second.live();
  second.stop();
  const third = open(town.browser(), id, page);
  await ben.api.comments.replying.mutate({ blogId: id });
  await hers.shows({ reading: 2, replyingCount: 1 });
  await third.shows({ reading: 2, replyingCount: 0 });
  const counts = hers.events("presence").map(({ reading }) => reading);
  expect(counts).toEqual(counts.toSorted((one, another) => one - another));
  expect(Math.max(...counts)).toBe(2);
});

test("who is there is told of blogs alone that everybody may read, and from the moment on that they may", async () => {
  await using town = await aTown();
  const {
    people: [ana, ben, cem],
    id,
  } = await aTalk(town);
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
  // A private account's blogs are for its followers.
  await ana.api.users.updateSettings.mutate({ private: true });
  await until(() => his.events("accessLost").length >= 4, "being gone again");
  expect(await ben.api.comments.replying.mutate({ blogId: id })).toMatchObject({ told: false });
});

test("whoever does not show it is not counted nor named, from the moment on that they turn it off", async () => {
  await using town = await aTown({}, { ...quick, reply: 60_000 });
  const {
    people: [ana, ben],
    id,
  } = await aTalk(town);
  const [hers, his] = [open(ana, id), open(ben, id)];
  await ben.api.comments.replying.mutate({ blogId: id });
  await hers.shows({ reading: 2, replying: [{ id: ben.me.id, name: "Ben" }] });
  const profiles = () =>
    town.rows("select seq from live_events where topic like 'profile:%' and fact like '%profile.changed%'")
      .length;
  const before = profiles();
  expect(await ben.api.users.updateSettings.mutate({ showPresence: false })).toMatchObject({
    showPresence: false,
  });
  await hers.shows({ reading: 1, replying: [], replyingCount: 0 });
  expect(await ben.api.comments.replying.mutate({ blogId: id })).toMatchObject({ told: false });
  // He sees of others what they show.
  await ana.api.comments.replying.mutate({ blogId: id });
  await his.shows({ reading: 1, replying: [{ id: ana.me.id, name: "Ana" }] });
  await ben.api.users.updateSettings.mutate({ showPresence: true });
  await hers.shows({ reading: 2 });
  expect(profiles()).toBe(before);
});

test("names who is replying for a few seconds, and never a guest", async () => {
  await using town = await aTown({}, { ...quick, reply: 3_000 });
  const {
    people: [ana, ben, cem],
    id,
  } = await aTalk(town);
  const guest = town.browser();
  const page = open(guest, id);
  await page.shows({ reading: 1 });
  expect((await refusal(guest.api.comments.replying.mutate({ blogId: id }))).code).toBe("UNAUTHORIZED");
  for (const who of [ana, ben, cem]) await who.api.comments.replying.mutate({ blogId: id });
  await until(() => page.events("presence").some(({ replyingCount }) => replyingCount === 3), "all three");
  await page.shows({ replying: [], replyingCount: 0 });
});

test("stops naming who is replying once their comment is posted or their account is deleted", async () => {
  await using town = await aTown({}, { ...quick, reply: 3_600_000 });
  const {
    people: [ana],
    id,
  } = await aTalk(town);
  const page = open(town.browser(), id);
  await page.shows({ reading: 1 });
  await ana.api.comments.replying.mutate({ blogId: id });
  await page.shows({ replyingCount: 1 });
  await ana.api.comments.create.mutate(aComment({ id }));
  await page.shows({ replyingCount: 0 });
  const eve = await town.resident("Eve");
  await eve.api.comments.replying.mutate({ blogId: id });
  await page.shows({ replyingCount: 1 });
});

test("typing is told of so often and no more", async () => {
  await using town = await aTown({ RATE_LIMIT: "on" });
  const {
    people: [ana],
    id,
  } = await aTalk(town, ["Ana"]);
  // A page tells of it every few seconds.
  const often = 30;
  for (let asked = 0; asked < often; asked++) await ana.api.comments.replying.mutate({ blogId: id });
  await Promise.allSettled(
    Array.from({ length: 20 }, () => ana.api.comments.replying.mutate({ blogId: id })),
  );
  expect(await refusal(ana.api.comments.replying.mutate({ blogId: id }))).toMatchObject({
    code: "TOO_MANY_REQUESTS",
  });
  // It is a limit of its own: what was typed can be sent.
  await ana.api.comments.create.mutate(aComment({ id }));
});

test("a script counts as few: one address has room for some guests, one stream is at one blog", async () => {
  await using town = await aTown({ TRUST_PROXY: "on" });
  const {
    people: [ana],
    id,
  } = await aTalk(town, ["Ana"]);
  const other = await ana.api.blogs.create.mutate(aBlog());
  const hers = open(ana, id);
  const sockets = await Promise.all(
    Array.from({ length: guestsPerAddress + 10 }, async (_, index) => {
      const address = `2001:db8:0:1::${(index + 1).toString(16)}`;
      const headers = { "x-forwarded-for": address, origin: town.url };
      const socket = new WebSocket(`${town.url.replace("http", "ws")}/trpc`, { headers });
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
  const elsewhere = open(town.browser(), other.id);
  await elsewhere.shows({ reading: 1 });
  for (const socket of sockets) socket.terminate();
  await hers.shows({ reading: 1 });
  const made = `reading:${id}:${"x".repeat(50)}` as TopicName;
  const refused = followTopics(town.browser(), [made]);
  await until(() => refused.state.error);
  expect(refused.state.error).toMatchObject({ data: { code: "BAD_REQUEST" } });
});

test("a page that asks in pieces is told how it stands, and counts while it asks", async () => {
  await using town = await aTown({}, { ...quick, linger: 5_000 });
  const {
    people: [ana],
    id,
  } = await aTalk(town, ["Ana"]);
  const topics: TopicName[] = [`presence:${id}`, `reading:${id}:${newId()}`];
  const hers = open(ana, id);
  await hers.shows({ reading: 1 });
  const guest = town.browser();
  await until(async () => {
    const { messages } = await guest.api.live.since.query({ topics });
    return messages.some(({ event }) => event.kind === "presence" && event.reading === 2);
  });
  await hers.shows({ reading: 2 });
});

test("an answer that goes on ends after a while, since nothing else shows that somebody still reads it", async () => {
  await using town = await aTown();
  const {
    people: [ana],
    id,
  } = await aTalk(town, ["Ana"]);
  const { sse } = appRouter._def._config as { sse?: { maxDurationMs?: number } };
  expect(sse).toMatchObject({ maxDurationMs: answersFor });
  sse!.maxDurationMs = 600;
  try {
    const hers = open(ana, id);
    const input = encodeURIComponent(JSON.stringify({ topics: [`reading:${id}:${newId()}`] }));
    const stream = await town.browser().fetch(`/trpc/live.follow?input=${input}`, {
      headers: { accept: "text/event-stream" },
    });
    await hers.shows({ reading: 2 });
    // Nobody has to read it for that; whoever does comes to its end, and begins anew.
    await hers.shows({ reading: 1 });
    expect(await stream.text()).toContain('"kind":"checkpoint"');
  } finally {
    sse!.maxDurationMs = answersFor;
  }
});

test("a crowd of a thousand hears of itself in a few frames that are the same for all, and leaves nothing", async () => {
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
  // Those who came first may be told before the last have been there for long enough.
  expect(heard.size).toBeLessThanOrEqual(3);
  expect(stirred).toBe(1_000 * heard.size);
  heard.clear();
  // Of many two digits are told: some who come and go stir nobody.
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

test("in a server nothing is left of those who were there", async () => {
  await using town = await aTown();
  const {
    people: [ana, ben],
    id,
  } = await aTalk(town);
  const pages = [open(ana, id), open(ben, id), open(town.browser(), id)];
  await pages[0]!.shows({ reading: 3 });
  await ana.api.comments.replying.mutate({ blogId: id });
  for (const page of pages) page.stop();
  await until(() => town.app.parts.presence.rooms === 0, "an empty house");
  await until(() => town.listeners === 0, "nobody's listening");
});
