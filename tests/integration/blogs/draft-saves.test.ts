import { expect, test, vi } from "vitest";
import { jobsTopic } from "../../../src/server/live/signals.ts";
import { newId } from "../../../src/server/runtime/ids.ts";
import { schema } from "../../../src/shared/document/schema.ts";
import { CoWriter } from "../../support/co-writer.ts";
import {
  aBlog,
  followTopic,
  paragraphs,
  startTestSite,
  until,
  type SignedInBrowser,
  type TestSite,
} from "../../support/test-site.ts";

/* What the job saves of a draft, and saves that run at the same time. */

async function createWithWriter(ana: SignedInBrowser, change: Record<string, unknown> = {}) {
  const blog = aBlog({ document: paragraphs("Owls, mostly."), ...change });
  const { slug } = await ana.api.blogs.create.mutate(blog);
  return { id: blog.id, slug, writer: await CoWriter.open(() => ana.api, blog.id) };
}

const jobsDone = (testSite: TestSite) =>
  until(
    () => testSite.rows("select 1 from jobs where name = 'draft.save' and failed_at is null").length === 0,
  );
const failedJobs = (testSite: TestSite) => testSite.rows("select 1 from jobs where failed_at is not null");
/** Runs the waiting save of a published blog, which is due within a minute. */
async function runSave(testSite: TestSite): Promise<void> {
  await testSite.write(async (tx) => {
    tx.drizzle.run("update jobs set due_at = 0 where name = 'draft.save'");
    tx.signal(jobsTopic);
  });
  await jobsDone(testSite);
}
const messagesOf = (testSite: TestSite) =>
  testSite
    .rows<{ event: string }>("select event from live_events where event like '%draft.message%'")
    .map(({ event }) => (JSON.parse(event) as { message: string }).message);

const insertImage = (writer: CoWriter, src: string) =>
  writer.edit((tr) =>
    tr.insert(0, schema.nodes.paragraph.create(null, schema.nodes.image.create({ src, alt: "An owl" }))),
  );

test("saves the text and the valid fields of a draft while others are half-typed, and keeps what was typed", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const { id, slug, writer } = await createWithWriter(ana, {
    draft: true,
    canonicalUrl: "https://owls.example/first",
    searchTitle: "Owls",
  });
  const halfTyped = {
    title: "x".repeat(400),
    description: "x".repeat(400),
    canonicalUrl: "https://",
    tags: Array.from({ length: 11 }, (_, index) => `tag${index}`),
  };
  writer.type("Saved: ");
  writer.sync.changeFields({ ...halfTyped, searchTitle: "Owls at night" });
  await writer.sync.push();
  await jobsDone(testSite);
  expect(failedJobs(testSite)).toEqual([]);
  const saved = await ana.api.blogs.bySlug.query({ slug });
  expect(saved).toMatchObject({
    title: "A walk at night",
    description: "What one hears.",
    tags: ["night"],
    canonicalUrl: "https://owls.example/first",
    searchTitle: "Owls at night",
  });
  expect(saved.html).toContain("Saved: Owls");
  expect((await ana.api.blogs.openDraft.mutate({ id })).fields).toMatchObject(halfTyped);
  writer.sync.changeFields({ title: "Owls", canonicalUrl: "https://owls.example/second" });
  await writer.sync.push();
  await jobsDone(testSite);
  expect(await ana.api.blogs.bySlug.query({ slug })).toMatchObject({
    title: "Owls",
    canonicalUrl: "https://owls.example/second",
  });
});

test("shows the writers once why the text of a draft is not saved, and lists no failed job", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const { id, slug, writer } = await createWithWriter(ana, { draft: true });
  const stream = followTopic(ana, `draft:${id}`);
  await stream.waitForStart();
  insertImage(writer, `/media/${newId()}/full.webp`);
  await writer.sync.push();
  await stream.waitFor("draft.message");
  for (const letter of ["a", "b"]) {
    await jobsDone(testSite);
    writer.type(letter, 4);
    await writer.sync.push();
  }
  await jobsDone(testSite);
  expect(messagesOf(testSite)).toEqual([
    expect.stringMatching(
      /^This draft can’t be published yet: The picture “An owl” of this text is not there/,
    ),
  ]);
  expect(failedJobs(testSite)).toEqual([]);
  expect((await ana.api.blogs.bySlug.query({ slug })).html).not.toContain("ba");
  writer.edit((tr) => tr.delete(0, tr.doc.firstChild!.nodeSize));
  await writer.sync.push();
  await jobsDone(testSite);
  expect((await ana.api.blogs.bySlug.query({ slug })).html).toContain("baOwls");
  stream.stop();
});

/** Holds the first save at the check of its text, as a long text may take a while, until `release` is called. */
function holdFirstSave({ app }: TestSite) {
  const { workers } = app.services;
  const run = workers.run.bind(workers) as (...task: unknown[]) => Promise<never>;
  const held = Promise.withResolvers<void>();
  let isHeld = false;
  const spy = vi.spyOn(workers, "run").mockImplementation(async (...task: unknown[]) => {
    if (task[0] === "check" && !isHeld) {
      isHeld = true;
      await held.promise;
    }
    return run(...task);
  });
  return {
    begun: () => until(() => isHeld, "the save"),
    release: () => held.resolve(),
    [Symbol.dispose]: () => spy.mockRestore(),
  };
}

test("never replaces a later publication by an earlier one that took longer", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const { id, slug, writer } = await createWithWriter(ana);
  using save = holdFirstSave(testSite);
  writer.type("Earlier: ");
  await writer.sync.push();
  const earlier = ana.api.blogs.publish.mutate({ id, draft: false });
  await save.begun();
  writer.type("Later: ");
  await writer.sync.push();
  await ana.api.blogs.publish.mutate({ id, draft: false });
  save.release();
  await earlier;
  expect((await ana.api.blogs.bySlug.query({ slug })).html).toContain("Later: Earlier: Owls");
  const { seq, since } = await ana.api.blogs.openDraft.mutate({ id });
  expect(since).toBe(seq);
});

test("leaves a draft that is published during its save as it was published", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const { id, writer } = await createWithWriter(ana, { draft: true });
  using save = holdFirstSave(testSite);
  writer.type("Earlier: ");
  await writer.sync.push();
  await save.begun();
  writer.type("Later: ");
  await writer.sync.push();
  const { slug } = await ana.api.blogs.publish.mutate({ id, draft: false });
  save.release();
  await runSave(testSite);
  expect(failedJobs(testSite)).toEqual([]);
  const blog = await ana.api.blogs.bySlug.query({ slug });
  expect(blog).toMatchObject({ draft: false, html: expect.stringContaining("Later: Earlier: Owls") });
});

test.each(["draft", "published blog"])("saves no text of a %s that is discarded meanwhile", async (kind) => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const draft = kind === "draft";
  const { id, slug, writer } = await createWithWriter(ana, { draft });
  using save = holdFirstSave(testSite);
  writer.type("Bats. ");
  await writer.sync.push();
  const publishing = draft ? undefined : ana.api.blogs.publish.mutate({ id, draft });
  await save.begun();
  await ana.api.blogs.discardDraft.mutate({ id });
  save.release();
  await publishing;
  await runSave(testSite);
  expect((await ana.api.blogs.bySlug.query({ slug })).html).not.toContain("Bats");
  const { seq, since, document } = await ana.api.blogs.openDraft.mutate({ id });
  expect(JSON.stringify(document)).not.toContain("Bats");
  expect(since).toBe(seq);
});

test("marks a draft as saved on all pages once its author undid all unpublished changes", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const { id, writer } = await createWithWriter(ana);
  const stream = followTopic(ana, `draft:${id}`);
  await stream.waitForStart();
  const isSaved = async () => {
    const { seq, since } = await ana.api.blogs.openDraft.mutate({ id });
    return since === seq;
  };
  writer.type("Not ");
  writer.sync.changeFields({ title: "Not yet" });
  await writer.sync.push();
  await runSave(testSite);
  writer.edit((tr) => tr.delete(1, 5));
  await writer.sync.push();
  await runSave(testSite);
  expect(await isSaved(), "the title differs").toBe(false);
  expect(stream.events("draft.saved")).toEqual([]);
  // A save leaves out the space.
  writer.sync.changeFields({ title: "A walk at night " });
  await writer.sync.push();
  await runSave(testSite);
  await stream.waitFor("draft.saved");
  const { seq } = await ana.api.blogs.openDraft.mutate({ id });
  expect(stream.events("draft.saved")).toMatchObject([{ seq, draft: false }]);
  expect(await isSaved()).toBe(true);
  stream.stop();
});
