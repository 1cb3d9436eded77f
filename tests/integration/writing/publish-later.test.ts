import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { changeBeside, openSecondDatabase } from "../../support/second-database.ts";
import { execute } from "../../../src/server/database/connection.ts";
import { jobsTopic } from "../../../src/server/live/signals.ts";
import { Bus } from "../../../src/server/live/bus.ts";
import { publishScheduled } from "../../../src/server/writing/publish-scheduled.ts";
import { ApiClient } from "../../support/api-client.ts";
import { signUpAndSignIn, openBrowser } from "../../support/browser.ts";
import { startServer } from "../../support/server.ts";
import { startStaffedSite } from "../../support/staffed-site.ts";
import {
  aBlog,
  followTopics,
  followTopic,
  password,
  refusal,
  startTestSite,
  until,
  type SignedInBrowser,
  type TestSite,
} from "../../support/test-site.ts";

const hour = 60 * 60 * 1_000;
const inHours = (hours: number) => ({
  at: new Date(Date.now() + hours * hour).toISOString(),
  zone: "Europe/Berlin",
});
const draft = (change: Record<string, unknown> = {}) =>
  aBlog({ draft: true, schedule: inHours(5), ...change });

/** Makes all scheduled publications due. */
const makeJobsDue = (testSite: TestSite) =>
  testSite.write(async (tx) => {
    await execute(tx, "update jobs set due_at = 0 where name = 'publish'");
    tx.signal(jobsTopic);
  });
const jobsOf = (testSite: TestSite) =>
  testSite.rows<{ due_at: number; payload: string }>(
    "select * from jobs where name = 'publish' order by due_at",
  );
const schedulesOf = (testSite: TestSite) =>
  testSite.rows<{ blog_id: string; publish_at: number; zone: string }>("select * from schedules");
const countPublished = (testSite: TestSite, id: string) =>
  testSite.rows<{ seq: number }>(
    `select seq from live_events where event like '%"kind":"blog.published"%' and event like '%"blogId":"${id}"%'`,
  ).length;
const storedBlog = (testSite: TestSite, id: string) =>
  testSite.rows<{ draft: number; private: number; published_at: number; title: string; etag: number }>(
    `select draft, private, published_at, title, etag from blogs where id = '${id}'`,
  )[0];
const publishJobsDone = (testSite: TestSite) =>
  until(() => jobsOf(testSite).length === 0, "the end of the job");
const notificationsOf = async (person: SignedInBrowser) =>
  (await person.api.social.notifications.query()).notifications;

test("hides a scheduled draft until its time, then publishes it and sends it to open feeds", async () => {
  await using testSite = await startTestSite();
  const [ana, ben, guest] = [
    await testSite.createAccount("Ana"),
    await testSite.createAccount("Ben"),
    testSite.browser(),
  ];
  const feed = followTopic(ben, "feed");
  await feed.waitForStart();
  const blog = await ana.api.blogs.create.mutate(
    draft({ schedule: { at: "2027-02-01T09:00:00+01:00", zone: "Europe/Berlin" } }),
  );
  expect(blog.message).toBe("Scheduled for Feb 1, 2027, 9:00 AM (Berlin time).");
  const { id, slug } = blog;
  for (const reader of [ben, guest]) {
    expect(await refusal(reader.api.blogs.bySlug.query({ slug }))).toMatchObject({ code: "NOT_FOUND" });
    expect((await reader.api.blogs.list.query({})).blogs).toEqual([]);
    expect((await reader.api.blogs.search.query({ query: "owls" })).blogs).toEqual([]);
  }
  for (const address of ["/sitemap.xml", "/feed.xml", `/${ana.me.username}`])
    expect(await (await fetch(testSite.url + address)).text()).not.toContain(slug);
  expect(feed.kinds()).toEqual([]);
  expect(jobsOf(testSite)).toMatchObject([{ due_at: Date.parse("2027-02-01T08:00:00Z") }]);

  const before = Date.now();
  await makeJobsDue(testSite);
  await feed.waitFor("blog.published");
  await publishJobsDone(testSite);
  expect(storedBlog(testSite, id)).toMatchObject({ draft: 0, private: 0 });
  expect(storedBlog(testSite, id)?.published_at).toBeGreaterThanOrEqual(before);
  expect(schedulesOf(testSite)).toEqual([]);
  expect(feed.kinds()).toEqual(["blog.published"]);
  const [card] = (await ben.api.blogs.list.query({})).blogs;
  expect(card).toMatchObject({ id, draft: false });
  expect(card).not.toHaveProperty("scheduled");
  expect(await (await fetch(`${testSite.url}/feed.xml`)).text()).toContain(slug);
  expect(await notificationsOf(ana)).toEqual([]);
  feed.stop();
});

test("shows the scheduled time to the author alone: in lists, on the page, in the form and over REST", async () => {
  await using testSite = await startTestSite();
  const [ana, ben] = [await testSite.createAccount("Ana"), await testSite.createAccount("Ben")];
  const schedule = { at: "2027-06-30T21:05:00.000Z", zone: "Asia/Kathmandu" };
  const { id, slug } = await ana.api.blogs.create.mutate(draft({ schedule }));
  await ana.api.blogs.create.mutate(aBlog({ draft: true, title: "No hurry" }));
  const words = "Scheduled for Jul 1, 2027, 2:50 AM (Kathmandu time)";
  const { username } = ana.me;
  const scheduledOf = (blogs: { scheduled?: string }[]) => blogs.map(({ scheduled }) => scheduled);
  expect(scheduledOf((await ana.api.blogs.mine.query({})).blogs)).toEqual([undefined, words]);
  expect(scheduledOf((await ana.api.blogs.byAuthor.query({ username, tab: "draft-blogs" })).blogs)).toEqual([
    undefined,
    words,
  ]);
  expect(await ana.api.blogs.bySlug.query({ slug })).toMatchObject({ draft: true, scheduled: words });
  expect(await ana.api.blogs.forEdit.query({ slug })).toMatchObject({ draft: true, schedule });
  const apiClient = await ApiClient.of(testSite, ana);
  expect((await apiClient.call("GET", `/blogs/${id}`)).body.blog).toMatchObject({
    draft: true,
    scheduledFor: schedule.at,
  });
  expect((await (await ApiClient.of(testSite, ben)).call("GET", `/blogs/${id}`)).status).toBe(404);
  await ana.api.blogs.update.mutate({ id, schedule: null });
  expect((await apiClient.call("GET", `/blogs/${id}`)).body.blog).toMatchObject({ scheduledFor: null });
  await ana.api.blogs.update.mutate({ id, draft: false });
  expect((await apiClient.call("GET", `/blogs/${id}`)).body.blog).not.toHaveProperty("scheduledFor");
});

test("reschedules and unschedules a draft, and leaves its time unchanged in other saves", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const first = inHours(5);
  const { id, etag } = await ana.api.blogs.create.mutate(draft({ schedule: first }));
  // A save of the same time changes nothing; a save of other fields leaves the time.
  expect((await ana.api.blogs.update.mutate({ id, schedule: first, etag })).etag).toBe(etag);
  const edited = await ana.api.blogs.update.mutate({ id, title: "Bats", private: true, etag });
  expect(edited.message).toMatch(/^Scheduled for /);
  expect(schedulesOf(testSite)).toMatchObject([{ publish_at: Date.parse(first.at) }]);

  const anaStream = followTopic(ana, "me");
  await anaStream.waitForStart();
  const later = { at: inHours(9).at, zone: "America/New_York" };
  const rescheduled = await ana.api.blogs.update.mutate({ id, schedule: later, etag: edited.etag });
  expect(rescheduled.etag).toBe(edited.etag + 1);
  // Not only its text: the page of the form asks for the time again.
  await expect
    .poll(() => anaStream.eventFrames().map(({ event }) => event))
    .toContainEqual({ kind: "viewer.blogsChanged", blogId: id });
  expect(schedulesOf(testSite)).toMatchObject([
    { publish_at: Date.parse(later.at), zone: "America/New_York" },
  ]);
  expect(jobsOf(testSite)).toMatchObject([{ due_at: Date.parse(later.at) }]);
  // A client that has not seen that version cannot change the time.
  expect(
    await refusal(ana.api.blogs.update.mutate({ id, schedule: first, etag: edited.etag })),
  ).toMatchObject({ code: "CONFLICT", field: "etag" });

  const unscheduled = await ana.api.blogs.update.mutate({ id, schedule: null, etag: rescheduled.etag });
  expect(unscheduled.message).toBe("Draft saved.");
  expect([schedulesOf(testSite), jobsOf(testSite)]).toEqual([[], []]);
  expect(storedBlog(testSite, id)).toMatchObject({ draft: 1, title: "" });

  // Rescheduled there and back, it is published once, as last saved and with its last visibility.
  for (const schedule of [first, later, first]) await ana.api.blogs.update.mutate({ id, schedule });
  await makeJobsDue(testSite);
  await publishJobsDone(testSite);
  expect(storedBlog(testSite, id)).toMatchObject({ draft: 0, private: 1, title: "Bats" });
  expect(countPublished(testSite, id)).toBe(1);
  anaStream.stop();
});

test("removes the schedule when the draft is published by hand, on the site or over REST", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const apiClient = await ApiClient.of(testSite, ana);
  const publishers = [
    (id: string) => ana.api.blogs.update.mutate({ id, draft: false }),
    (id: string) => apiClient.call("PATCH", `/blogs/${id}`, { draft: false }),
  ];
  for (const publish of publishers) {
    const { id } = await ana.api.blogs.create.mutate(draft());
    await publish(id);
    expect(storedBlog(testSite, id)).toMatchObject({ draft: 0 });
    expect([schedulesOf(testSite), jobsOf(testSite)]).toEqual([[], []]);
    expect(countPublished(testSite, id)).toBe(1);
  }
  // Other changes over REST leave the time.
  const { id } = await ana.api.blogs.create.mutate(draft());
  await apiClient.call("PATCH", `/blogs/${id}`, { title: "Bats" });
  expect(schedulesOf(testSite)).toMatchObject([{ blog_id: id }]);
  await ana.api.blogs.remove.mutate({ id });
  expect(schedulesOf(testSite)).toEqual([]);
  await makeJobsDue(testSite);
  await publishJobsDone(testSite);
});

test("schedules a draft once when the same request is sent three times", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const blog = draft();
  for (let count = 0; count < 3; count++) await ana.api.blogs.create.mutate(blog);
  expect([schedulesOf(testSite).length, jobsOf(testSite).length]).toEqual([1, 1]);
});

test("refuses impossible times at the schedule field", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  const refusalOf = (schedule: unknown, change = {}) =>
    refusal(ana.api.blogs.create.mutate(draft({ schedule, ...change })));
  const errorWith = (message: RegExp) => ({
    code: "BAD_REQUEST",
    field: "schedule",
    message: expect.stringMatching(message),
  });
  const { at } = inHours(5);
  expect(await refusalOf(inHours(-1))).toMatchObject(errorWith(/is in the past/));
  expect(await refusalOf(inHours(24 * 368))).toMatchObject(errorWith(/more than a year/));
  expect(await refusalOf({ at, zone: "Europe/Atlantis" })).toMatchObject(errorWith(/time zone/));
  expect(await refusalOf({ at, zone: "'; drop table" })).toMatchObject(errorWith(/./));
  expect(await refusalOf({ at: "tomorrow", zone: "UTC" })).toMatchObject(errorWith(/not a valid time/));
  expect(await refusalOf({ at: "2027-02-30T10:00:00Z", zone: "UTC" })).toMatchObject(
    errorWith(/not a valid time/),
  );
  expect(await refusalOf({ at: 5, zone: "UTC" })).toMatchObject(errorWith(/./));
  expect(await refusalOf("soon")).toMatchObject(errorWith(/./));
  expect(await refusalOf({ at, zone: "UTC", private: true })).toMatchObject({ code: "BAD_REQUEST" });
  expect(await refusalOf(inHours(5), { draft: false })).toMatchObject(errorWith(/Only a draft/));
  expect(await refusal(ana.api.blogs.update.mutate({ id, schedule: inHours(5) }))).toMatchObject(
    errorWith(/Only a draft/),
  );
  expect([schedulesOf(testSite), jobsOf(testSite)]).toEqual([[], []]);
  // A published blog can become a scheduled draft.
  await ana.api.blogs.update.mutate({ id, draft: true, schedule: inHours(5) });
  expect(schedulesOf(testSite).length).toBe(1);
});

test("publishes once despite concurrent runs, a repeated run and an outdated job", async () => {
  await using testSite = await startTestSite();
  const bus = new Bus();
  const database = await openSecondDatabase(testSite, (topics) => bus.signal(topics));
  const other = { ...testSite.app.services, bus, database };
  const ana = await testSite.createAccount("Ana");
  const { id } = await ana.api.blogs.create.mutate(draft());
  const payload = JSON.parse(jobsOf(testSite)[0]?.payload ?? "") as { blogId: string; publishAt: number };
  const job = { id: "job", attempt: 1, signal: new AbortController().signal };
  const outdated = { ...payload, publishAt: payload.publishAt - hour };
  await publishScheduled.run(testSite.app.services, outdated, job);
  expect(storedBlog(testSite, id)).toMatchObject({ draft: 1 });
  await Promise.all(
    [testSite.app.services, other, other].map((services) => publishScheduled.run(services, payload, job)),
  );
  const after = storedBlog(testSite, id);
  expect(after).toMatchObject({ draft: 0, etag: 2 });
  // After the author makes it a draft again, the old schedule is void.
  await ana.api.blogs.update.mutate({ id, draft: true });
  await publishScheduled.run(testSite.app.services, payload, job);
  expect(storedBlog(testSite, id)).toMatchObject({ draft: 1 });
  expect(countPublished(testSite, id)).toBe(1);
  await database.close();
});

test("leaves everything unchanged when the process ends before the commit, and publishes on the retry", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const { id } = await ana.api.blogs.create.mutate(draft());
  const payload = JSON.parse(jobsOf(testSite)[0]?.payload ?? "") as { blogId: string; publishAt: number };
  const { database } = testSite.app.services;
  // The process ends after all writes and before the commit.
  const services = {
    ...testSite.app.services,
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
  const job = { id: "job", attempt: 1, signal: new AbortController().signal };
  await expect(publishScheduled.run(services, payload, job)).rejects.toThrow("killed");
  expect(storedBlog(testSite, id)).toMatchObject({ draft: 1, etag: 1 });
  expect([schedulesOf(testSite).length, jobsOf(testSite).length, countPublished(testSite, id)]).toEqual([
    1, 1, 0,
  ]);
  await makeJobsDue(testSite);
  await publishJobsDone(testSite);
  expect(storedBlog(testSite, id)).toMatchObject({ draft: 0, etag: 2 });
  expect(countPublished(testSite, id)).toBe(1);
});

test("publishes once on start what came due while the server was down, dated at the start", async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), "reprise-later-"));
  const settings = { DATA_DIR: dataDir };
  const first = await startServer(settings);
  const ana = await signUpAndSignIn(openBrowser(first.url), "Ana", path.join(dataDir, "outbox"));
  const { slug } = await ana.api.blogs.create.mutate(draft());
  await first.kill();
  await ana.close();
  // Makes it due while the server is down.
  expect(await changeBeside(dataDir, "update jobs set due_at = 1 where name = 'publish'")).toBe(1);
  const startTime = Date.now();
  for (let round = 0; round < 2; round++) {
    await using server = await startServer(settings);
    const guest = openBrowser(server.url);
    const page = await until(() => guest.api.blogs.bySlug.query({ slug }).catch(() => undefined), "the blog");
    expect(page).toMatchObject({ draft: false });
    expect(Date.parse(page?.publishedAt ?? "")).toBeGreaterThanOrEqual(startTime);
    expect(page?.editedAt).toBeNull();
    await guest.close();
  }
  await rm(dataDir, { recursive: true, force: true });
});

/** Expects a draft with one notification and nothing else left in the database. */
async function expectUnpublished(testSite: TestSite, ana: SignedInBrowser, id: string, why: string) {
  await publishJobsDone(testSite);
  expect(storedBlog(testSite, id)).toMatchObject({ draft: 1 });
  expect([schedulesOf(testSite), countPublished(testSite, id)]).toEqual([[], 0]);
  const notifications = (await notificationsOf(ana)).filter(({ kind }) => kind === "unscheduled");
  expect(notifications).toMatchObject([{ blog: { title: "A walk at night" }, excerpt: why, unread: true }]);
}

test("leaves the draft of a suspended author unpublished and notifies them after the suspension", async () => {
  const staffed = await startStaffedSite();
  const { testSite, mona, ana } = staffed;
  const { id } = await ana.api.blogs.create.mutate(draft());
  await mona.api.moderation.suspend.mutate({ userId: ana.me.id, suspended: true, reason: "Spam." });
  await makeJobsDue(testSite);
  await publishJobsDone(testSite);
  await mona.api.moderation.suspend.mutate({ userId: ana.me.id, suspended: false });
  await ana.api.users.signIn.mutate({ email: ana.email, password });
  await expectUnpublished(testSite, ana, id, "Your account was suspended at that time.");
});

test("does not publish a draft that moderators took down, and refuses a new time for it", async () => {
  const staffed = await startStaffedSite();
  const { testSite, ana } = staffed;
  const { id } = await ana.api.blogs.create.mutate(draft());
  await testSite.write(
    async (tx) =>
      await execute(
        tx,
        `update blogs set takedown_reason = 'Spam.', title = 'A walk at night' where id = '${id}'`,
      ),
  );
  await makeJobsDue(testSite);
  await expectUnpublished(testSite, ana, id, "Moderators had taken it down.");
  expect(await refusal(ana.api.blogs.update.mutate({ id, schedule: inHours(5) }))).toMatchObject({
    code: "FORBIDDEN",
    field: "schedule",
  });
});

test("leaves a draft unpublished when only approved writers can publish by then", async () => {
  const staffed = await startStaffedSite();
  const { testSite, boss, ana } = staffed;
  const { id, slug } = await ana.api.blogs.create.mutate(draft());
  await boss.api.administration.setSite.mutate({ writers: "approved" });
  const anaStream = followTopics(ana, ["me", `blog:${id}`]);
  await anaStream.waitForStart();
  await makeJobsDue(testSite);
  await anaStream.waitFor("viewer.blogsChanged");
  await anaStream.waitFor("notification.created");
  await anaStream.waitFor("blog.edited");
  await expectUnpublished(testSite, ana, id, "Publishing is limited to approved writers on this site.");
  expect(await ana.api.blogs.forEdit.query({ slug })).toMatchObject({ schedule: null, etag: 2 });
  anaStream.stop();
});

test("leaves a draft with too many links for a new account unpublished without using up its limit", async () => {
  await using testSite = await startTestSite({ RATE_LIMIT: "on" });
  await testSite.createAccount("Boss");
  const ana = await testSite.createAccount("Ana");
  const text = {
    type: "text",
    text: "owl ",
    marks: [{ type: "link", attrs: { href: "https://owls.example/" } }],
  };
  const linkedDocument = (count: number) => ({
    type: "doc",
    content: Array.from({ length: count }, () => ({ type: "paragraph", content: [text] })),
  });
  const { id } = await ana.api.blogs.create.mutate(draft({ document: linkedDocument(101) }));
  await makeJobsDue(testSite);
  await expectUnpublished(
    testSite,
    ana,
    id,
    "It has more links than a new account can post on its first day.",
  );
  await ana.api.blogs.create.mutate(aBlog({ document: linkedDocument(100) }));
});

test("notifies the author once when publication is given up", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const { id } = await ana.api.blogs.create.mutate(draft());
  const payload = JSON.parse(jobsOf(testSite)[0]?.payload ?? "") as { blogId: string; publishAt: number };
  await publishScheduled.onGivenUp?.(testSite.app.services, payload);
  await publishScheduled.onGivenUp?.(testSite.app.services, payload);
  await makeJobsDue(testSite);
  await expectUnpublished(testSite, ana, id, "Something went wrong. Please try again.");
});
