import { expect, test, vi } from "vitest";
import { newId } from "../../../src/server/runtime/ids.ts";
import { schema } from "../../../src/shared/document/schema.ts";
import { CoWriter } from "../../support/co-writer.ts";
import { paint, upload } from "../../support/pictures.ts";
import { aBlog, paragraphs, refusal, startTestSite, until, type TestSite } from "../../support/test-site.ts";

/* What readers and authors see of a text that is being written, and publications at the same time. */

async function begin(change: Record<string, unknown> = {}) {
  const testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const blog = aBlog({ document: paragraphs("Owls, mostly."), ...change });
  const { slug } = await ana.api.blogs.create.mutate(blog);
  const writer = await CoWriter.open(() => ana.api, blog.id);
  return {
    testSite,
    ana,
    id: blog.id,
    slug,
    writer,
    [Symbol.asyncDispose]: () => testSite[Symbol.asyncDispose](),
  };
}

test("shows a draft as it was typed last to its authors alone, half-typed fields too", async () => {
  await using setup = await begin({ draft: true });
  const { ana, id, slug, writer } = setup;
  const ben = await setup.testSite.createAccount("Ben");
  writer.type("Typed: ");
  writer.sync.changeFields({ title: "Owls  ", description: "x".repeat(400), canonicalUrl: "https://" });
  await writer.sync.push();
  const page = await ana.api.blogs.bySlug.query({ slug });
  expect(page).toMatchObject({ title: "Owls", description: "x".repeat(400), draft: true });
  expect(page.html).toContain("Typed: Owls");
  const { blogs } = await ana.api.blogs.mine.query({});
  expect(blogs).toMatchObject([{ id, title: "Owls", excerpt: "Typed: Owls, mostly.", readingMinutes: 1 }]);
  expect((await ana.api.blogs.mine.query({ words: "owls" })).blogs).toHaveLength(1);
  expect(await refusal(ben.api.blogs.bySlug.query({ slug }))).toMatchObject({ code: "NOT_FOUND" });
  expect(setup.testSite.rows(`select title, html, text, document from blogs where id = '${id}'`)).toEqual([
    { title: "", html: "", text: "", document: "null" },
  ]);
});

test("shows the words of a draft that cannot be published, and says why at Publish", async () => {
  await using setup = await begin({ draft: true });
  const { ana, id, slug, writer } = setup;
  const image = schema.nodes.image.create({ src: `/media/${newId()}/full.webp`, alt: "An owl" });
  writer.edit((tr) => tr.insert(0, schema.nodes.paragraph.create(null, image)));
  await writer.sync.push();
  expect((await ana.api.blogs.bySlug.query({ slug })).html).toContain("Owls, mostly.");
  expect(await refusal(ana.api.blogs.publish.mutate({ id, draft: false }))).toMatchObject({
    code: "BAD_REQUEST",
    message: expect.stringMatching(/^The picture “An owl” of this text is not there/),
  });
  expect(await ana.api.blogs.card.query({ id })).toMatchObject({ draft: true });
});

test("makes a published blog a draft that keeps unpublished changes, and publishes it again", async () => {
  await using setup = await begin();
  const { ana, id, slug, writer } = setup;
  const ben = await setup.testSite.createAccount("Ben");
  writer.type("Unpublished: ");
  await writer.sync.push();
  await ana.api.blogs.publish.mutate({ id, draft: true });
  expect(await refusal(ben.api.blogs.bySlug.query({ slug }))).toMatchObject({ code: "NOT_FOUND" });
  expect((await ana.api.blogs.bySlug.query({ slug })).html).toContain("Unpublished: Owls");
  await ana.api.blogs.publish.mutate({ id, draft: false });
  expect((await ben.api.blogs.bySlug.query({ slug })).html).toContain("Unpublished: Owls");
});

/** Holds the first publication at the check of its text, as a long text may take a while, until `release` is called. */
function holdFirstPublication({ app }: TestSite) {
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
    begun: () => until(() => isHeld, "the publication"),
    release: () => held.resolve(),
    [Symbol.dispose]: () => spy.mockRestore(),
  };
}

test("never replaces a later publication by an earlier one that took longer", async () => {
  await using setup = await begin();
  const { ana, id, slug, writer } = setup;
  using publication = holdFirstPublication(setup.testSite);
  writer.type("Earlier: ");
  await writer.sync.push();
  const earlier = ana.api.blogs.publish.mutate({ id, draft: false });
  await publication.begun();
  writer.type("Later: ");
  await writer.sync.push();
  await ana.api.blogs.publish.mutate({ id, draft: false });
  publication.release();
  await earlier;
  expect((await ana.api.blogs.bySlug.query({ slug })).html).toContain("Later: Earlier: Owls");
  const { seq, since } = await ana.api.blogs.openDraft.mutate({ id });
  expect(since).toBe(seq);
});

test("publishes a draft that is written on meanwhile as it was at Publish", async () => {
  await using setup = await begin({ draft: true });
  const { ana, id, writer } = setup;
  using publication = holdFirstPublication(setup.testSite);
  writer.type("Earlier: ");
  await writer.sync.push();
  const publishing = ana.api.blogs.publish.mutate({ id, draft: false });
  await publication.begun();
  writer.type("Later: ");
  await writer.sync.push();
  publication.release();
  const { slug } = await publishing;
  expect((await ana.api.blogs.bySlug.query({ slug })).html).toContain(">Earlier: Owls");
  const { seq, since, document } = await ana.api.blogs.openDraft.mutate({ id });
  expect(JSON.stringify(document)).toContain("Later: Earlier: Owls");
  expect(since).toBeLessThan(seq);
});

test("publishes nothing of changes that are discarded meanwhile", async () => {
  await using setup = await begin();
  const { ana, id, slug, writer } = setup;
  using publication = holdFirstPublication(setup.testSite);
  writer.type("Bats. ");
  await writer.sync.push();
  const publishing = ana.api.blogs.publish.mutate({ id, draft: false });
  await publication.begun();
  await ana.api.blogs.discardDraft.mutate({ id });
  publication.release();
  await publishing;
  expect((await ana.api.blogs.bySlug.query({ slug })).html).not.toContain("Bats");
  const { seq, since, document } = await ana.api.blogs.openDraft.mutate({ id });
  expect(JSON.stringify(document)).not.toContain("Bats");
  expect(since).toBe(seq);
});

test("publishes a cover that a former co-author chose", async () => {
  await using setup = await begin({ draft: true });
  const { ana, id } = setup;
  const ben = await setup.testSite.createAccount("Ben");
  await ana.api.blogs.inviteAuthor.mutate({ id, username: ben.me.username });
  await ben.api.blogs.answerInvitation.mutate({ id, accept: true });
  const page = await CoWriter.open(() => ben.api, id);
  const cover = await upload(ben, await paint());
  page.sync.changeFields({ coverId: cover.id });
  await page.sync.push();
  await ana.api.blogs.removeAuthor.mutate({ id, userId: ben.me.id });
  const { slug } = await ana.api.blogs.publish.mutate({ id, draft: false });
  expect((await ana.api.blogs.bySlug.query({ slug })).cover).not.toBeNull();
});
