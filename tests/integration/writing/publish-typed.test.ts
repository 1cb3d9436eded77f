import { expect, test } from "vitest";
import { execute } from "../../../src/server/database/connection.ts";
import { jobsTopic } from "../../../src/server/live/signals.ts";
import { newId } from "../../../src/server/runtime/ids.ts";
import { publishScheduled } from "../../../src/server/writing/publish-scheduled.ts";
import { ApiClient } from "../../support/api-client.ts";
import { CoWriter } from "../../support/co-writer.ts";
import { startStaffedSite } from "../../support/staffed-site.ts";
import { Device } from "../../support/draft-device.ts";
import {
  aBlog,
  paragraphs,
  password,
  refusal,
  startTestSite,
  until,
  type SignedInBrowser,
  type TestSite,
} from "../../support/test-site.ts";

/* Publishing a draft without its form: by its schedule, "Publish now" or REST. */

const schedule = () => ({ at: new Date(Date.now() + 3_600_000).toISOString(), zone: "Europe/Berlin" });

async function createDraft(ana: SignedInBrowser, change: Record<string, unknown> = {}) {
  const blog = aBlog({
    draft: true,
    title: "Owls",
    document: paragraphs("Mostly."),
    schedule: schedule(),
    ...change,
  });
  const { slug } = await ana.api.blogs.create.mutate(blog);
  return { id: blog.id, slug, writer: await CoWriter.open(() => ana.api, blog.id) };
}

/** Makes scheduled publications due, and waits for them. */
async function runSchedules(testSite: TestSite): Promise<void> {
  await testSite.write(async (tx) => {
    await execute(tx, "update jobs set due_at = 0 where name = 'publish'");
    tx.signal(jobsTopic);
  });
  await until(() => testSite.rows("select 1 from jobs where name = 'publish'").length === 0);
}
const slugOf = (testSite: TestSite, id: string) =>
  testSite.rows<{ slug: string }>(`select slug from blogs where id = '${id}'`)[0]!.slug;
const countPublished = (testSite: TestSite, id: string) =>
  testSite.rows(
    `select 1 from live_events where event like '%"kind":"blog.published"%' and event like '%"blogId":"${id}"%'`,
  ).length;
const schedulesOf = (testSite: TestSite) => testSite.rows("select 1 from schedules");
const reasonsOf = async (ana: SignedInBrowser) =>
  (await ana.api.social.notifications.query()).notifications
    .filter(({ kind }) => kind === "unscheduled")
    .map(({ excerpt }) => excerpt);
type Publish = (testSite: TestSite, ana: SignedInBrowser, id: string) => Promise<unknown>;
const publishers: [string, Publish][] = [
  ["its schedule", runSchedules],
  ["“Publish now”", (_testSite, ana, id) => ana.api.blogs.update.mutate({ id, draft: false })],
  [
    "REST",
    async (testSite, ana, id) => {
      const api = await ApiClient.of(testSite, ana);
      expect((await api.call("PATCH", `/blogs/${id}`, { draft: false })).status).toBe(200);
    },
  ],
];

test.each(publishers)("publishes by %s what was typed last", async (_by, publish) => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const { id, writer } = await createDraft(ana);
  writer.type("Typed last. ");
  writer.sync.changeFields({ title: "Bats", description: "By ear.", private: true, address: "bats" });
  await writer.sync.push();
  await publish(testSite, ana, id);
  expect(await ana.api.blogs.bySlug.query({ slug: "bats" })).toMatchObject({
    draft: false,
    private: true,
    title: "Bats",
    description: "By ear.",
    html: expect.stringContaining("Typed last. Mostly."),
  });
  expect([countPublished(testSite, id), schedulesOf(testSite)]).toEqual([1, []]);
  const { fields, seq, since } = await ana.api.blogs.openDraft.mutate({ id });
  expect(fields.address).toBe("");
  expect(since).toBe(seq);
});

test.each([
  [{ canonicalUrl: "https://" }, "canonicalUrl"],
  [{ searchTitle: "x".repeat(900) }, "searchTitle"],
  [{ address: "taken" }, "slug"],
  [{ title: "x".repeat(400) }, "title"],
])("does not publish a draft with the half-typed field %o, and keeps it as typed", async (change, field) => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  await ana.api.blogs.create.mutate(aBlog({ slug: "taken" }));
  const { id, writer } = await createDraft(ana);
  writer.sync.changeFields(change);
  await writer.sync.push();
  expect(await refusal(ana.api.blogs.publish.mutate({ id, draft: false }))).toMatchObject({ field });
  const api = await ApiClient.of(testSite, ana);
  expect((await api.call("PATCH", `/blogs/${id}`, { draft: false })).body).toMatchObject({ field });
  await runSchedules(testSite);
  expect([countPublished(testSite, id), schedulesOf(testSite)]).toEqual([0, []]);
  expect(await reasonsOf(ana)).toEqual(["One of its fields is not valid. Publish it yourself to see which."]);
  expect((await ana.api.blogs.openDraft.mutate({ id })).fields).toMatchObject(change);
});

test.each(publishers)(
  "derives the address from the last title when a draft is published by %s, and keeps it from then on",
  async (_by, publish) => {
    await using testSite = await startTestSite();
    const ana = await testSite.createAccount("Ana");
    const id = newId();
    await ana.api.blogs.begin.mutate({ id });
    const writer = await CoWriter.open(() => ana.api, id);
    const changeTitle = async (title: string) => {
      writer.sync.changeFields({ title });
      await writer.sync.push();
    };
    await changeTitle("Owls");
    await ana.api.blogs.publish.mutate({ id, draft: true, schedule: schedule() });
    expect(slugOf(testSite, id)).toMatch(/^owls-/);
    await changeTitle("Bats");
    await publish(testSite, ana, id);
    const slug = slugOf(testSite, id);
    expect(slug).toMatch(/^bats-/);
    await changeTitle("Moths");
    await ana.api.blogs.publish.mutate({ id, draft: false });
    expect(await ana.api.blogs.bySlug.query({ slug })).toMatchObject({ slug, title: "Moths" });
  },
);

test("keeps the address of a draft that REST published together with other changes", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const { id, slug, writer } = await createDraft(ana);
  const api = await ApiClient.of(testSite, ana);
  const change = { draft: false, description: "By ear." };
  expect((await api.call("PATCH", `/blogs/${id}`, change)).status).toBe(200);
  await writer.sync.fetchMissed();
  writer.sync.changeFields({ title: "Bats" });
  await writer.sync.push();
  expect((await ana.api.blogs.publish.mutate({ id, draft: false })).slug).toBe(slug);
});

test.each([
  ["an empty title", ""],
  ["a title of spaces", "  "],
])("ends the schedule of a draft with %s, and notifies its author of the reason", async (_title, title) => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const id = newId();
  await ana.api.blogs.begin.mutate({ id });
  await ana.api.blogs.update.mutate({ id, schedule: schedule() });
  const writer = await CoWriter.open(() => ana.api, id);
  writer.type("Mostly.");
  writer.sync.changeFields({ title });
  await writer.sync.push();
  const api = await ApiClient.of(testSite, ana);
  expect((await api.call("PATCH", `/blogs/${id}`, { draft: false })).body).toMatchObject({
    field: "title",
    message: "Please give your blog a title.",
  });
  expect(await refusal(ana.api.blogs.update.mutate({ id, draft: false }))).toMatchObject({
    code: "BAD_REQUEST",
    field: "title",
  });
  await runSchedules(testSite);
  expect(await ana.api.blogs.card.query({ id })).toMatchObject({ draft: true });
  expect([countPublished(testSite, id), schedulesOf(testSite)]).toEqual([0, []]);
  expect(await reasonsOf(ana)).toEqual(["It had no title. Add one, then publish or schedule it again."]);
});

test("notifies the author of a text that its schedule could not publish", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const { id, writer } = await createDraft(ana);
  const image = writer.state.schema.nodes.image!.create({ src: `/media/${newId()}/full.webp` });
  writer.edit((tr) => tr.insert(1, image));
  await writer.sync.push();
  await runSchedules(testSite);
  expect(await ana.api.blogs.card.query({ id })).toMatchObject({ draft: true });
  expect(await reasonsOf(ana)).toEqual([
    "Part of its text can’t be published. Publish it yourself to see why.",
  ]);
});

test("publishes a draft once despite concurrent runs of its schedule", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const { id, writer } = await createDraft(ana);
  writer.type("Typed last. ");
  await writer.sync.push();
  const [job] = testSite.rows<{ payload: string }>("select payload from jobs where name = 'publish'");
  const payload = JSON.parse(job!.payload) as { blogId: string; publishAt: number };
  const run = { id: "job", attempt: 1, signal: new AbortController().signal };
  await Promise.all([1, 2, 3].map(() => publishScheduled.run(testSite.app.services, payload, run)));
  expect(countPublished(testSite, id)).toBe(1);
  await ana.api.blogs.update.mutate({ id, draft: true });
  await publishScheduled.run(testSite.app.services, payload, run);
  expect(await ana.api.blogs.card.query({ id })).toMatchObject({ draft: true });
  expect(await reasonsOf(ana)).toEqual([]);
});

test("refuses to publish over REST what changed since it was read", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const { id } = await createDraft(ana);
  const api = await ApiClient.of(testSite, ana);
  const tag = (await api.call("GET", `/blogs/${id}`)).headers.get("etag")!;
  await ana.api.blogs.update.mutate({ id, description: "By ear." });
  const publish = async (etag: string) =>
    (await api.call("PATCH", `/blogs/${id}`, { draft: false }, { "if-match": etag })).status;
  expect(await publish(tag)).toBe(412);
  expect(await ana.api.blogs.card.query({ id })).toMatchObject({ draft: true });
  expect(await publish((await api.call("GET", `/blogs/${id}`)).headers.get("etag")!)).toBe(200);
});

test("keeps what an author types while being suspended, publishes nothing of it, and sends it after the suspension", async () => {
  const staffed = await startStaffedSite();
  const { testSite, mona, ana } = staffed;
  const { id } = await createDraft(ana);
  const device = new Device(() => ana);
  const tab = await device.tab({ id, draft: true, etag: 1 });
  await tab.write("Before. ");
  const suspend = (suspended: boolean) =>
    mona.api.moderation.suspend.mutate({ userId: ana.me.id, suspended, reason: "Spam" });
  await suspend(true);
  tab.type("After. ");
  await tab.waitForSyncState("signed-out");
  await tab.storeOnDevice();
  tab.crash();
  await runSchedules(testSite);
  expect([countPublished(testSite, id), schedulesOf(testSite)]).toEqual([0, []]);
  await suspend(false);
  await ana.api.users.signIn.mutate({ email: ana.email, password });
  expect(await reasonsOf(ana)).toEqual(["Your account was suspended at that time."]);
  const later = await device.tab({ id, draft: true, etag: 1 });
  await later.waitForSyncState("saved");
  expect(later.words).toBe("After. Before. Mostly.");
  await until(async () => (await ana.api.blogs.card.query({ id })).excerpt === "After. Before. Mostly.");
});
