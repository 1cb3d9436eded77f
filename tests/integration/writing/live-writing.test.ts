import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { jobsTopic } from "../../../src/server/live/signals.ts";
import { CoWriter } from "../../support/co-writer.ts";
import { followTopics, startTestSite, until } from "../../support/test-site.ts";
import { aBlog, paragraphs } from "../../support/sample-content.ts";

type TestSite = Awaited<ReturnType<typeof startTestSite>>;

/** A blog that Ana writes live, with the page on which she writes. */
async function startLiveWriting(testSite: TestSite, change: Record<string, unknown> = {}) {
  const ana = await testSite.createAccount("Ana");
  const blog = aBlog({ document: paragraphs("Owls."), ...change });
  const { slug } = await ana.api.blogs.create.mutate(blog);
  await ana.api.blogs.setLive.mutate({ id: blog.id, live: true });
  const page = await CoWriter.open(() => ana.api, blog.id);
  /** Writes at the end, and starts the next paragraph unless she stays. */
  const write = async (text: string, { staysInParagraph = false } = {}) => {
    page.edit((tr) => tr.insertText(text, tr.doc.content.size - 1));
    if (!staysInParagraph) page.edit((tr) => tr.split(tr.doc.content.size - 1));
    await page.sync.push();
  };
  return { ana, id: blog.id, slug, page, write };
}

const paragraphTexts = (html: string): string[] => html.split(/<\/?p(?: dir="auto")?>|<br>/).filter(Boolean);

test("readers get each paragraph once its author has left it, as a small change; a reload shows the same", async () => {
  await using testSite = await startTestSite();
  const { id, slug, write } = await startLiveWriting(testSite);
  const eve = testSite.browser();
  const stream = followTopics(eve, [`blog:${id}`]);
  await stream.waitForStart();
  const before = await eve.api.blogs.bySlug.query({ slug });
  expect(before.live).toBe(true);
  await write(" And bats.");
  await write("Crows, too.");
  await write("A half", { staysInParagraph: true });
  const now = async () => paragraphTexts((await testSite.browser().api.blogs.bySlug.query({ slug })).html);
  await until(async () => (await now()).includes("Crows, too."));
  expect((await now()).slice(0, 2)).toEqual(["Owls. And bats.", "Crows, too."]);
  // After a pause in typing.
  await until(async () => (await now()).includes("A half"));
  const after = await eve.api.blogs.bySlug.query({ slug });
  await until(() => stream.events("blog.edited").at(-1)?.text?.to === after.digest);
  const newBlocks = stream
    .events("blog.edited")
    .flatMap(({ text }) => (text?.blocks ?? []).filter((block) => typeof block === "string"));
  expect(newBlocks).toContain(`<p dir="auto">A half</p>`);
  expect(newBlocks.join("").length).toBeLessThan(200);
  expect(stream.events("blog.edited").every(({ live }) => live)).toBe(true);
  // A stream that resumes gets the change from the version that its page has.
  const resumedStream = followTopics(eve, [`blog:${id}`], before.cursor);
  await resumedStream.waitFor("blog.edited");
  expect(resumedStream.events("blog.edited").at(-1)!.text).toMatchObject({ to: after.digest });
  const response = await fetch(testSite.url + `/api/v1/blogs/${id}`);
  expect(JSON.stringify(await response.json())).toContain("A half");
  expect(await (await fetch(testSite.url + "/feed.xml")).text()).toContain("A half");
});

test("no response contains text deleted during live writing, and none ever text that was not finished", async () => {
  await using testSite = await startTestSite();
  const { id, slug, page, write } = await startLiveWriting(testSite);
  const eve = testSite.browser();
  const stream = followTopics(eve, [`blog:${id}`]);
  await stream.waitForStart();
  await write("");
  await write("A secret.");
  const html = async () => (await eve.api.blogs.bySlug.query({ slug })).html;
  await until(async () => (await html()).includes("secret"));
  const { digest, cursor } = await eve.api.blogs.bySlug.query({ slug });
  await write("Never meant to be said", { staysInParagraph: true });
  page.edit((tr) => tr.delete(6, tr.doc.content.size - 2));
  await page.sync.push();
  await write("Bats.");
  await until(async () => (await html()).includes("Bats"));
  await until(async () => !(await html()).includes("secret"));
  const laterStream = followTopics(testSite.browser(), [`blog:${id}`], cursor);
  await laterStream.waitFor("blog.edited");
  const answers = [
    await eve.api.blogs.bySlug.query({ slug, has: digest }),
    laterStream.events("blog.edited"),
    await (await fetch(testSite.url + "/feed.json")).json(),
    await (await fetch(testSite.url + `/blog/${slug}`)).text(),
  ];
  expect(JSON.stringify(answers)).not.toMatch(/secret|Never meant/);
  expect(JSON.stringify(stream.events("blog.edited"))).not.toContain("Never meant");
});

test("sends no private blog to a stranger, and refuses to write a draft live", async () => {
  await using testSite = await startTestSite();
  const { ana, id, write } = await startLiveWriting(testSite, { private: true });
  const stranger = await testSite.createAccount("Eve");
  const stream = followTopics(stranger, [`blog:${id}`]);
  await stream.waitFor("accessLost");
  const anaStream = followTopics(ana, [`blog:${id}`]);
  await anaStream.waitForStart();
  await write("A line.");
  await anaStream.waitFor("blog.edited");
  expect(stream.events("blog.edited")).toEqual([]);
  const draft = aBlog({ draft: true });
  await ana.api.blogs.create.mutate(draft);
  await expect(ana.api.blogs.setLive.mutate({ id: draft.id, live: true })).rejects.toThrow(
    "Publish this draft first",
  );
});

test.each(["the switch", "an update", "a draft"])(
  "ends live writing by %s with all of its text, and keeps what readers saw",
  async (by) => {
    await using testSite = await startTestSite();
    const { ana, id, slug, write } = await startLiveWriting(testSite);
    await write("");
    await write("Bats.");
    const read = () => ana.api.blogs.bySlug.query({ slug });
    await until(async () => (await read()).html.includes("Bats"));
    expect((await ana.api.blogs.versions.query({ id })).versions).toHaveLength(1);
    await write("Crows", { staysInParagraph: true });
    if (by === "the switch") await ana.api.blogs.setLive.mutate({ id, live: false });
    else await ana.api.blogs.publish.mutate({ id, draft: by === "a draft" });
    const after = await read();
    expect(after).toMatchObject({ live: false, draft: by === "a draft" });
    expect(paragraphTexts(after.html).at(-1)).toBe("Crows");
    const { versions } = await ana.api.blogs.versions.query({ id });
    expect(versions).toHaveLength(2);
    const { document } = await ana.api.blogs.version.query({ id, version: versions[0]!.id });
    // Of a draft, what readers saw.
    expect(JSON.stringify(document)).toContain(by === "a draft" ? "Bats." : "Crows");
  },
);

test("merges a change by the API into live writing", async () => {
  await using testSite = await startTestSite();
  const { ana, id, slug, write } = await startLiveWriting(testSite);
  await write("");
  await write("Bats.");
  const read = async () => paragraphTexts((await ana.api.blogs.bySlug.query({ slug })).html);
  await until(async () => (await read()).includes("Bats."));
  const { etag } = await ana.api.blogs.forEdit.query({ slug });
  await ana.api.blogs.update.mutate({ id, etag, document: paragraphs("Owls, by the API.", "Bats.") });
  await write("Crows.");
  await until(async () => (await read()).includes("Crows."));
  expect(await read()).toEqual(["Owls, by the API.", "Bats.", "Crows."]);
  // The history has what readers saw before.
  const { versions } = await ana.api.blogs.versions.query({ id });
  const texts = await Promise.all(
    versions.map(async (entry) => {
      const { document } = await ana.api.blogs.version.query({ id, version: entry.id });
      return JSON.stringify(document);
    }),
  );
  expect(texts.some((text) => text.includes("Bats.") && !text.includes("API"))).toBe(true);
});

test("live writing ends after an hour without typing, also over a restart", async () => {
  await using testSite = await startTestSite();
  const { ana, id, slug, write } = await startLiveWriting(testSite);
  await write("");
  await write("Bats", { staysInParagraph: true });
  const read = () => ana.api.blogs.bySlug.query({ slug });
  // As after a restart: the server has forgotten who wrote where.
  testSite.app.services.drafts.forget();
  await until(async () => (await read()).html.includes("Bats"));
  const backdateLive = async (ago: number) => {
    const since = Date.now() - ago;
    await testSite.write(async (tx) => {
      tx.drizzle.run(sql`update blogs set live_since = ${since} where id = ${id}`);
      tx.drizzle.run(sql`update drafts set changed_at = ${since} where blog_id = ${id}`);
      const payload = JSON.stringify({ blogId: id, since });
      tx.drizzle.run(
        sql`update jobs set payload = ${payload}, due_at = ${since} where name = 'draft.live-end'`,
      );
      tx.signal(jobsTopic);
    });
  };
  const plannedEnd = () =>
    testSite.rows<{ due_at: number }>("select due_at from jobs where name = 'draft.live-end'")[0]?.due_at ??
    0;
  await backdateLive(50 * 60_000);
  await until(() => plannedEnd() > Date.now());
  expect((await read()).live).toBe(true);
  await backdateLive(61 * 60_000);
  await until(async () => !(await read()).live);
  expect((await ana.api.blogs.versions.query({ id })).versions).toHaveLength(2);
});

test("a co-author can start and end live writing, and is named in its version", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const ben = await testSite.createAccount("Ben");
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog({ document: paragraphs("Owls.") }));
  await ana.api.blogs.inviteAuthor.mutate({ id, username: ben.me.username });
  await ben.api.blogs.answerInvitation.mutate({ id, accept: true });
  const list = followTopics(ana, ["me"]);
  await list.waitForStart();
  await ben.api.blogs.setLive.mutate({ id, live: true });
  await list.waitFor("viewer.blogsChanged");
  const page = await CoWriter.open(() => ben.api, id);
  page.type("Bats, and ");
  await page.sync.push();
  await ben.api.blogs.setLive.mutate({ id, live: false });
  list.stop();
  expect(await ana.api.blogs.bySlug.query({ slug })).toMatchObject({
    live: false,
    html: `<p dir="auto">Bats, and Owls.</p>`,
  });
  const [newest] = (await ana.api.blogs.versions.query({ id })).versions;
  expect(newest!.author!.name).toBe("Ben");
});

test("ending live writing publishes its text despite concurrent changes of the blog", async () => {
  await using testSite = await startTestSite();
  const { ana, id, slug, page } = await startLiveWriting(testSite);
  page.type("Bats, and ");
  await page.sync.push();
  await Promise.all([
    ana.api.blogs.setLive.mutate({ id, live: false }),
    ...["One", "Two"].map((description) => ana.api.blogs.update.mutate({ id, description })),
  ]);
  expect((await ana.api.blogs.bySlug.query({ slug })).html).toBe(`<p dir="auto">Bats, and Owls.</p>`);
});
