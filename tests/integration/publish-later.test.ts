import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { expect, test } from "vitest";
import { openDatabase } from "../../src/server/database/connection.ts";
import { jobsTopic } from "../../src/server/live/signals.ts";
import { Bus } from "../../src/server/live/bus.ts";
import { publishScheduled } from "../../src/server/publish-later.ts";
import { ApiClient } from "../support/api-client.ts";
import { moveIn, openBrowser } from "../support/browser.ts";
import { startServer } from "../support/server.ts";
import { startStaffedTown } from "../support/staffed-town.ts";
import {
  aBlog,
  followTopics,
  listen,
  password,
  refusal,
  startTown,
  until,
  type Resident,
  type Town,
} from "../support/town.ts";

const hour = 60 * 60 * 1_000;
const inHours = (hours: number) => ({
  at: new Date(Date.now() + hours * hour).toISOString(),
  zone: "Europe/Berlin",
});
const draft = (change: Record<string, unknown> = {}) =>
  aBlog({ draft: true, schedule: inHours(5), ...change });

/** As if the time had come of all that waits. */
const letComeDue = (town: Town) =>
  town.write(async (tx) => {
    tx.drizzle.run("update jobs set due_at = 0 where name = 'publish'");
    tx.signal(jobsTopic);
  });
const jobsOf = (town: Town) =>
  town.rows<{ due_at: number; payload: string }>("select * from jobs where name = 'publish' order by due_at");
const plansOf = (town: Town) =>
  town.rows<{ blog_id: string; publish_at: number; zone: string }>("select * from schedules");
const published = (town: Town, id: string) =>
  town.rows<{ seq: number }>(
    `select seq from live_events where json_extract(fact, '$.kind') = 'blog.published' and json_extract(fact, '$.blogId') = '${id}'`,
  ).length;
const ofStore = (town: Town, id: string) =>
  town.rows<{ draft: number; private: number; published_at: number; title: string; version: number }>(
    `select draft, private, published_at, title, version from blogs where id = '${id}'`,
  )[0];
const settled = (town: Town) => until(() => jobsOf(town).length === 0, "the end of the job");
const noticesOf = async (person: Resident) => (await person.api.social.notifications.query()).notifications;

test("a draft is published at its time and not before, and who follows its author hears of it then", async () => {
  await using town = await startTown();
  const [ana, ben, guest] = [await town.resident("Ana"), await town.resident("Ben"), town.browser()];
  const feed = listen(ben, "feed");
  await feed.live();
  const saved = await ana.api.blogs.create.mutate(
    draft({ schedule: { at: "2027-02-01T09:00:00+01:00", zone: "Europe/Berlin" } }),
  );
  expect(saved.message).toBe("Scheduled for Feb 1, 2027, 9:00 AM (Berlin time).");
  const { id, slug } = saved;
  for (const reader of [ben, guest]) {
    expect(await refusal(reader.api.blogs.bySlug.query({ slug }))).toMatchObject({ code: "NOT_FOUND" });
    expect((await reader.api.blogs.list.query({})).blogs).toEqual([]);
    expect((await reader.api.blogs.search.query({ query: "owls" })).blogs).toEqual([]);
  }
  for (const address of ["/sitemap.xml", "/feed.xml", `/${ana.me.username}`])
    expect(await (await fetch(town.url + address)).text()).not.toContain(slug);
  expect(feed.kinds()).toEqual([]);
  expect(jobsOf(town)).toMatchObject([{ due_at: Date.parse("2027-02-01T08:00:00Z") }]);

  const before = Date.now();
  await letComeDue(town);
  await feed.heard("blog.published");
  await settled(town);
  expect(ofStore(town, id)).toMatchObject({ draft: 0, private: 0 });
  expect(ofStore(town, id)?.published_at).toBeGreaterThanOrEqual(before);
  expect(plansOf(town)).toEqual([]);
  expect(feed.kinds()).toEqual(["blog.published"]);
  const [card] = (await ben.api.blogs.list.query({})).blogs;
  expect(card).toMatchObject({ id, draft: false });
  expect(card).not.toHaveProperty("scheduled");
  expect(await (await fetch(`${town.url}/feed.xml`)).text()).toContain(slug);
  expect(await noticesOf(ana)).toEqual([]);
  feed.stop();
});

test("its author alone is told of it: in their lists, on its page, in the form, by REST", async () => {
  await using town = await startTown();
  const [ana, ben] = [await town.resident("Ana"), await town.resident("Ben")];
  const schedule = { at: "2027-06-30T21:05:00.000Z", zone: "Asia/Kathmandu" };
  const { id, slug } = await ana.api.blogs.create.mutate(draft({ schedule }));
  await ana.api.blogs.create.mutate(aBlog({ draft: true, title: "No hurry" }));
  const words = "Scheduled for Jul 1, 2027, 2:50 AM (Kathmandu time)";
  const { username } = ana.me;
  const told = (blogs: { scheduled?: string }[]) => blogs.map(({ scheduled }) => scheduled);
  expect(told((await ana.api.blogs.mine.query({})).blogs)).toEqual([undefined, words]);
  expect(told((await ana.api.blogs.byAuthor.query({ username, tab: "draft-blogs" })).blogs)).toEqual([
    undefined,
    words,
  ]);
  expect(await ana.api.blogs.bySlug.query({ slug })).toMatchObject({ draft: true, scheduled: words });
  expect(await ana.api.blogs.forEdit.query({ slug })).toMatchObject({ draft: true, schedule });
  const rest = await ApiClient.of(town, ana);
  expect((await rest.call("GET", `/blogs/${id}`)).body.blog).toMatchObject({
    draft: true,
    scheduledFor: schedule.at,
  });
  expect((await (await ApiClient.of(town, ben)).call("GET", `/blogs/${id}`)).status).toBe(404);
  await ana.api.blogs.update.mutate({ id, schedule: null });
  expect((await rest.call("GET", `/blogs/${id}`)).body.blog).toMatchObject({ scheduledFor: null });
  await ana.api.blogs.update.mutate({ id, draft: false });
  expect((await rest.call("GET", `/blogs/${id}`)).body.blog).not.toHaveProperty("scheduledFor");
});

test("it is moved and taken back, and other saves leave it where it is", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const first = inHours(5);
  const { id, version } = await ana.api.blogs.create.mutate(draft({ schedule: first }));
  // A save that says the same again changes nothing, one of something else not the time.
  expect((await ana.api.blogs.update.mutate({ id, schedule: first, version })).version).toBe(version);
  const edited = await ana.api.blogs.update.mutate({ id, title: "Bats", private: true, version });
  expect(edited.message).toMatch(/^Scheduled for /);
  expect(plansOf(town)).toMatchObject([{ publish_at: Date.parse(first.at) }]);

  const own = listen(ana, "me");
  await own.live();
  const later = { at: inHours(9).at, zone: "America/New_York" };
  const moved = await ana.api.blogs.update.mutate({ id, schedule: later, version: edited.version });
  expect(moved.version).toBe(edited.version + 1);
  await own.heard("viewer.blogsChanged");
  expect(plansOf(town)).toMatchObject([{ publish_at: Date.parse(later.at), zone: "America/New_York" }]);
  expect(jobsOf(town)).toMatchObject([{ due_at: Date.parse(later.at) }]);
  // Whoever has not seen that can't move it.
  expect(
    await refusal(ana.api.blogs.update.mutate({ id, schedule: first, version: edited.version })),
  ).toMatchObject({ code: "CONFLICT", field: "version" });

  const back = await ana.api.blogs.update.mutate({ id, schedule: null, version: moved.version });
  expect(back.message).toBe("Draft saved.");
  expect([plansOf(town), jobsOf(town)]).toEqual([[], []]);
  expect(ofStore(town, id)).toMatchObject({ draft: 1, title: "Bats" });

  // There and back again: it comes once, as it was last saved, for whom it says.
  for (const schedule of [first, later, first]) await ana.api.blogs.update.mutate({ id, schedule });
  await letComeDue(town);
  await settled(town);
  expect(ofStore(town, id)).toMatchObject({ draft: 0, private: 1, title: "Bats" });
  expect(published(town, id)).toBe(1);
  own.stop();
});

test("published by hand before its time it has none any more, on the site and by REST", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const rest = await ApiClient.of(town, ana);
  const byHand = [
    (id: string) => ana.api.blogs.update.mutate({ id, draft: false }),
    (id: string) => rest.call("PATCH", `/blogs/${id}`, { draft: false }),
  ];
  for (const publish of byHand) {
    const { id } = await ana.api.blogs.create.mutate(draft());
    await publish(id);
    expect(ofStore(town, id)).toMatchObject({ draft: 0 });
    expect([plansOf(town), jobsOf(town)]).toEqual([[], []]);
    expect(published(town, id)).toBe(1);
  }
  // Other changes by REST leave the time.
  const { id } = await ana.api.blogs.create.mutate(draft());
  await rest.call("PATCH", `/blogs/${id}`, { title: "Bats" });
  expect(plansOf(town)).toMatchObject([{ blog_id: id }]);
  await ana.api.blogs.remove.mutate({ id });
  expect(plansOf(town)).toEqual([]);
  await letComeDue(town);
  await settled(town);
});

test("what is sent twice is planned once", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const blog = draft();
  for (let count = 0; count < 3; count++) await ana.api.blogs.create.mutate(blog);
  expect([plansOf(town).length, jobsOf(town).length]).toEqual([1, 1]);
});

test("times that can't be are refused, at their field", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  const plan = (schedule: unknown, change = {}) =>
    refusal(ana.api.blogs.create.mutate(draft({ schedule, ...change })));
  const refused = (message: RegExp) => ({
    code: "BAD_REQUEST",
    field: "schedule",
    message: expect.stringMatching(message),
  });
  const { at } = inHours(5);
  expect(await plan(inHours(-1))).toMatchObject(refused(/is in the past/));
  expect(await plan(inHours(24 * 368))).toMatchObject(refused(/more than a year/));
  expect(await plan({ at, zone: "Europe/Atlantis" })).toMatchObject(refused(/time zone/));
  expect(await plan({ at, zone: "'; drop table" })).toMatchObject(refused(/./));
  expect(await plan({ at: "tomorrow", zone: "UTC" })).toMatchObject(refused(/not a valid time/));
  expect(await plan({ at: "2027-02-30T10:00:00Z", zone: "UTC" })).toMatchObject(refused(/not a valid time/));
  expect(await plan({ at: 5, zone: "UTC" })).toMatchObject(refused(/./));
  expect(await plan("soon")).toMatchObject(refused(/./));
  expect(await plan({ at, zone: "UTC", private: true })).toMatchObject({ code: "BAD_REQUEST" });
  expect(await plan(inHours(5), { draft: false })).toMatchObject(refused(/Only a draft/));
  expect(await refusal(ana.api.blogs.update.mutate({ id, schedule: inHours(5) }))).toMatchObject(
    refused(/Only a draft/),
  );
  expect([plansOf(town), jobsOf(town)]).toEqual([[], []]);
  // A published one may become a draft again that has a time.
  await ana.api.blogs.update.mutate({ id, draft: true, schedule: inHours(5) });
  expect(plansOf(town).length).toBe(1);
});

test("two that race, a second turn and an old job publish nothing more", async () => {
  await using town = await startTown();
  const bus = new Bus();
  const database = openDatabase(town.config.databaseFile, (topics) => bus.signal(topics));
  const other = { ...town.app.parts, bus, database };
  const ana = await town.resident("Ana");
  const { id } = await ana.api.blogs.create.mutate(draft());
  const due = JSON.parse(jobsOf(town)[0]?.payload ?? "") as { blogId: string; publishAt: number };
  const work = { id: "job", attempt: 1, signal: new AbortController().signal };
  const old = { ...due, publishAt: due.publishAt - hour };
  await publishScheduled.run(town.app.parts, old, work);
  expect(ofStore(town, id)).toMatchObject({ draft: 1 });
  await Promise.all([town.app.parts, other, other].map((parts) => publishScheduled.run(parts, due, work)));
  const after = ofStore(town, id);
  expect(after).toMatchObject({ draft: 0, version: 2 });
  // Its author takes it back for a while: what was planned before is over.
  await ana.api.blogs.update.mutate({ id, draft: true });
  await publishScheduled.run(town.app.parts, due, work);
  expect(ofStore(town, id)).toMatchObject({ draft: 1 });
  expect(published(town, id)).toBe(1);
  await database.close();
});

test("one that is cut off in the middle leaves all as it was, and does it the next time", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const { id } = await ana.api.blogs.create.mutate(draft());
  const due = JSON.parse(jobsOf(town)[0]?.payload ?? "") as { blogId: string; publishAt: number };
  const { database } = town.app.parts;
  // The process ends after all is written and before it is committed.
  const parts = {
    ...town.app.parts,
    database: {
      ...database,
      read: database.read,
      write: <T>(work: Parameters<typeof database.write<T>>[0]) =>
        database.write<T>(async (tx) => {
          await work(tx);
          throw new Error("killed");
        }),
    },
  };
  const work = { id: "job", attempt: 1, signal: new AbortController().signal };
  await expect(publishScheduled.run(parts, due, work)).rejects.toThrow("killed");
  expect(ofStore(town, id)).toMatchObject({ draft: 1, version: 1 });
  expect([plansOf(town).length, jobsOf(town).length, published(town, id)]).toEqual([1, 1, 0]);
  await letComeDue(town);
  await settled(town);
  expect(ofStore(town, id)).toMatchObject({ draft: 0, version: 2 });
  expect(published(town, id)).toBe(1);
});

test("what came due while the server was killed is published as soon as it starts, once, and dated then", async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), "reprise-later-"));
  const settings = { DATA_DIR: dataDir };
  const first = await startServer(settings);
  const ana = await moveIn(openBrowser(first.url), "Ana", path.join(dataDir, "outbox"));
  const { slug } = await ana.api.blogs.create.mutate(draft());
  await first.kill();
  await ana.close();
  // As if its time had come meanwhile.
  const store = new Sqlite(path.join(dataDir, "reprise.db"));
  expect(store.prepare("update jobs set due_at = 1 where name = 'publish'").run().changes).toBe(1);
  store.close();
  const started = Date.now();
  for (let turn = 0; turn < 2; turn++) {
    await using server = await startServer(settings);
    const guest = openBrowser(server.url);
    const page = await until(() => guest.api.blogs.bySlug.query({ slug }).catch(() => undefined), "the blog");
    expect(page).toMatchObject({ draft: false });
    expect(Date.parse(page?.publishedAt ?? "")).toBeGreaterThanOrEqual(started);
    expect(page?.editedAt).toBeNull();
    await guest.close();
  }
  await rm(dataDir, { recursive: true, force: true });
});

/** The one notification of it, and what is left in the store. */
async function expectLeft(town: Town, ana: Resident, id: string, why: string) {
  await settled(town);
  expect(ofStore(town, id)).toMatchObject({ draft: 1 });
  expect([plansOf(town), published(town, id)]).toEqual([[], 0]);
  const told = (await noticesOf(ana)).filter(({ kind }) => kind === "unscheduled");
  expect(told).toMatchObject([{ blog: { title: "A walk at night" }, excerpt: why, unread: true }]);
}

test("where its author is suspended it stays a draft, and they are told when they are back", async () => {
  await using staffed = await startStaffedTown();
  const { town, mona, ana } = staffed;
  const { id } = await ana.api.blogs.create.mutate(draft());
  await mona.api.moderation.suspend.mutate({ userId: ana.me.id, suspended: true });
  await letComeDue(town);
  await settled(town);
  await mona.api.moderation.suspend.mutate({ userId: ana.me.id, suspended: false });
  await ana.api.users.signIn.mutate({ email: ana.email, password });
  await expectLeft(town, ana, id, "Your account was suspended at that time.");
});

test("a draft that moderators took down is not published, and no time can be chosen for it", async () => {
  await using staffed = await startStaffedTown();
  const { town, ana } = staffed;
  const { id } = await ana.api.blogs.create.mutate(draft());
  await town.write(async (tx) => tx.drizzle.run(`update blogs set hidden_for = 'Spam.' where id = '${id}'`));
  await letComeDue(town);
  await expectLeft(town, ana, id, "Moderators had taken it down.");
  expect(await refusal(ana.api.blogs.update.mutate({ id, schedule: inHours(5) }))).toMatchObject({
    code: "FORBIDDEN",
    field: "schedule",
  });
});

test("where the site chooses who writes by then it stays a draft", async () => {
  await using staffed = await startStaffedTown();
  const { town, boss, ana } = staffed;
  const { id, slug } = await ana.api.blogs.create.mutate(draft());
  await boss.api.moderation.setSite.mutate({ writers: "approved" });
  const own = followTopics(ana, ["me", `blog:${id}`]);
  await own.live();
  await letComeDue(town);
  await own.heard("viewer.blogsChanged");
  await own.heard("notification.created");
  await own.heard("blog.edited");
  await expectLeft(town, ana, id, "Publishing is limited to approved writers on this site.");
  expect(await ana.api.blogs.forEdit.query({ slug })).toMatchObject({ schedule: null, version: 2 });
  own.stop();
});

test("where the first day has no room for its links it stays a draft, and takes none of that room", async () => {
  await using town = await startTown({ RATE_LIMIT: "on" });
  await town.resident("Boss");
  const ana = await town.resident("Ana");
  const text = {
    type: "text",
    text: "owl ",
    marks: [{ type: "link", attrs: { href: "https://owls.example/" } }],
  };
  const linked = (count: number) => ({
    type: "doc",
    content: Array.from({ length: count }, () => ({ type: "paragraph", content: [text] })),
  });
  const { id } = await ana.api.blogs.create.mutate(draft({ document: linked(101) }));
  await letComeDue(town);
  await expectLeft(town, ana, id, "It has more links than a new account can post on its first day.");
  await ana.api.blogs.create.mutate(aBlog({ document: linked(100) }));
});

test("what can't be done within a day is given up, and its author told", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const { id } = await ana.api.blogs.create.mutate(draft());
  const due = JSON.parse(jobsOf(town)[0]?.payload ?? "") as { blogId: string; publishAt: number };
  await publishScheduled.givenUp?.(town.app.parts, due);
  await publishScheduled.givenUp?.(town.app.parts, due);
  await letComeDue(town);
  await expectLeft(town, ana, id, "Something went wrong. Please try again.");
});
