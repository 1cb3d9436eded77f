import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { saveDraft } from "../../../src/server/blogs/draft-save.ts";
import { sweepPictures } from "../../../src/server/media/service.ts";
import { limits } from "../../../src/shared/limits.ts";
import { ApiClient } from "../../support/api-client.ts";
import { CoWriter } from "../../support/co-writer.ts";
import { paint, upload } from "../../support/pictures.ts";
import {
  aBlog,
  followTopics,
  paragraphs,
  refusal,
  startTestSite,
  until,
  type SignedInBrowser,
  type TestSite,
} from "../../support/test-site.ts";

/* What autosaves, unpublished changes and discarded changes leave in a blog's history (docs/decisions/0042). */

const minute = 60_000;
const month = limits.image.unusedFor;

async function startWriting(change: Record<string, unknown> = {}) {
  const testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const blog = aBlog({ title: "Owls", document: paragraphs("Owls."), ...change });
  const { id, slug } = await ana.api.blogs.create.mutate(blog);
  const writer = await CoWriter.open(() => ana.api, id);
  return { testSite, ana, id, slug, writer, [Symbol.asyncDispose]: () => testSite[Symbol.asyncDispose]() };
}
const startDraft = () => startWriting({ draft: true });

const autosaved = (testSite: TestSite) =>
  until(() => testSite.rows("select 1 from jobs where name = 'draft.save'").length === 0, "the autosave");

/** Runs the autosave of a published blog's draft, which waits up to a minute. */
const autosaveNow = (testSite: TestSite, blogId: string) =>
  saveDraft.run(testSite.app.services, { blogId }, {} as Parameters<typeof saveDraft.run>[2]);

/** Moves all that was stored this many milliseconds into the past. */
const age = (testSite: TestSite, ms: number) =>
  testSite.write(async (tx) => {
    await tx.drizzle.run(sql`update versions set created_at = created_at - ${ms}`);
    await tx.drizzle.run(sql`update drafts set changed_at = changed_at - ${ms}`);
    await tx.drizzle.run(sql`update blogs set created_at = created_at - ${ms},
      published_at = published_at - ${ms}, edited_at = edited_at - ${ms}`);
  });

/** Returns reason, text, author and restored date of each version, the newest first. */
async function historyOf(who: SignedInBrowser, id: string) {
  const { versions, seen } = await who.api.blogs.versions.query({ id });
  const entries = await Promise.all(
    versions.map(async (entry) => {
      const { document } = await who.api.blogs.version.query({ id, version: entry.id });
      return { ...entry, text: textOf(document) };
    }),
  );
  return { entries, seen, lines: entries.map(({ why, text }) => `${why}: ${text}`) };
}
const textOf = (document: unknown): string =>
  [...JSON.stringify(document).matchAll(/"text":"(.*?)"/g)].map(([, text]) => text).join("|");
const linesOf = async (who: SignedInBrowser, id: string) => (await historyOf(who, id)).lines;

/** Replaces the text, and waits until the server has the commit. */
async function write(writer: CoWriter, text: string): Promise<void> {
  await writer.sync.fetchMissed();
  writer.edit((tr) => tr.insertText(text, 1, tr.doc.content.size - 1));
  await writer.sync.push();
}

/** Restores a version, as the form does. */
async function restore(writer: CoWriter, restores: string, text: string): Promise<void> {
  writer.sync.changeFields({ restores });
  await write(writer, text);
}

test("records a draft that is saved after its autosave, once", async () => {
  await using setup = await startDraft();
  const { testSite, ana, id, writer } = setup;
  const stream = followTopics(ana, ["me"]);
  await stream.waitForStart();
  await write(writer, "Bats.");
  await autosaved(testSite);
  expect(await linesOf(ana, id)).toEqual(["draft: Owls."]);
  const eventCount = stream.events("viewer.blogsChanged").length;
  await ana.api.blogs.publish.mutate({ id, draft: true });
  // Open pages with the history show it.
  await stream.waitFor("viewer.blogsChanged", eventCount + 1);
  stream.stop();
  expect(await linesOf(ana, id)).toEqual(["draft: Bats.", "draft: Owls."]);
  await ana.api.blogs.publish.mutate({ id, draft: true });
  await ana.api.blogs.update.mutate({ id, title: "Owls" });
  expect(await linesOf(ana, id)).toEqual(["draft: Bats.", "draft: Owls."]);
});

test.each([
  { revised: "by the save", pause: 0 },
  { revised: "by an autosave", pause: 11 * minute },
])("names a restored draft as restored, when it is revised $revised", async ({ pause }) => {
  await using setup = await startDraft();
  const { testSite, ana, id, writer } = setup;
  await write(writer, "Bats.");
  await ana.api.blogs.publish.mutate({ id, draft: true });
  await autosaved(testSite);
  const [, first] = (await historyOf(ana, id)).entries;
  await age(testSite, pause);
  await restore(writer, first!.id, "Owls.");
  await autosaved(testSite);
  await ana.api.blogs.publish.mutate({ id, draft: true });
  const { entries, lines } = await historyOf(ana, id);
  expect(lines).toEqual(["restored: Owls.", "draft: Bats.", "draft: Owls."]);
  expect(entries[0]!.restored).toBe(entries[2]!.createdAt);
});

test("records a draft's state before a long pause, with its date, when writing continues", async () => {
  await using setup = await startDraft();
  const { testSite, ana, id, writer } = setup;
  await write(writer, "Bats.");
  await autosaved(testSite);
  expect(await linesOf(ana, id)).toEqual(["draft: Owls."]);
  await age(testSite, 60 * minute);
  const { publishedAt: savedAt } = await ana.api.blogs.card.query({ id });
  await write(writer, "Crows.");
  await autosaved(testSite);
  const { entries, lines } = await historyOf(ana, id);
  expect(lines).toEqual(["draft: Crows.", "draft: Bats.", "draft: Owls."]);
  expect(entries[1]!.createdAt).toBe(savedAt);
  // Within the interval, autosaves add nothing; the same state is not added twice.
  await write(writer, "Jays.");
  await autosaved(testSite);
  await write(writer, "Crows.");
  await autosaved(testSite);
  await age(testSite, 60 * minute);
  await write(writer, "Crows. ");
  await write(writer, "Crows.");
  await autosaved(testSite);
  expect(await linesOf(ana, id)).toEqual(lines);
});

test("records what only autosaves stored before a program replaces it", async () => {
  await using setup = await startDraft();
  const { testSite, ana, id, writer } = setup;
  const client = await ApiClient.of(testSite, ana);
  await write(writer, "Bats.");
  await autosaved(testSite);
  await client.call("PATCH", `/blogs/${id}`, { content: "<p>By a program.</p>" });
  await client.call("PATCH", `/blogs/${id}`, { content: "<p>And again.</p>" });
  expect(await linesOf(ana, id)).toEqual([
    "api: And again.",
    "api: By a program.",
    "draft: Bats.",
    "draft: Owls.",
  ]);
});

test("records a state of live writing before a long pause", async () => {
  await using setup = await startWriting();
  const { testSite, ana, id, slug, writer } = setup;
  await ana.api.blogs.setLive.mutate({ id, live: true });
  const shows = (text: string) =>
    until(async () => (await ana.api.blogs.bySlug.query({ slug })).html.includes(text), text);
  await write(writer, "Bats.");
  await shows("Bats.");
  await age(testSite, 20 * minute);
  await write(writer, "Crows.");
  await shows("Crows.");
  expect(await linesOf(ana, id)).toEqual(["updated: Crows.", "updated: Bats.", "published: Owls."]);
});

test("keeps discarded changes in the history, from where they can be restored", async () => {
  await using setup = await startWriting();
  const { testSite, ana, id, writer } = setup;
  const [inText, cover] = [await upload(ana, await paint()), await upload(ana, await paint())];
  const stream = followTopics(ana, ["me"]);
  await stream.waitForStart();
  writer.sync.changeFields({ title: "Bats", coverId: cover.id, tags: ["night"] });
  await write(writer, "Bats, mostly.");
  const { image } = writer.state.schema.nodes;
  writer.edit((tr) => tr.insert(1, image!.create({ src: inText.src })));
  await writer.sync.push();
  await ana.api.blogs.discardDraft.mutate({ id });
  await stream.waitFor("viewer.blogsChanged");
  stream.stop();
  const { entries, lines, seen } = await historyOf(ana, id);
  expect(lines).toEqual(["discarded: Bats, mostly.", "published: Owls."]);
  expect(entries[0]).toMatchObject({ title: "Bats", words: 2, draft: true, author: { name: "Ana" } });
  expect(seen).toBe(entries[1]!.id);
  const [discarded] = entries;
  expect(await ana.api.blogs.version.query({ id, version: discarded!.id })).toMatchObject({
    tags: ["night"],
    cover: { id: cover.id },
  });
  await sweepPictures(testSite.app.services, Date.now() + 2 * month);
  for (const { src } of [inText, cover]) expect((await ana.fetch(src)).status).toBe(200);
  // Nothing is discarded twice.
  await ana.api.blogs.discardDraft.mutate({ id });
  expect(await linesOf(ana, id)).toEqual(lines);

  await restore(writer, discarded!.id, "Bats, mostly.");
  await ana.api.blogs.publish.mutate({ id, draft: false });
  const after = await historyOf(ana, id);
  expect(after.lines).toEqual(["restored: Bats, mostly.", ...lines]);
  expect(after.seen).toBe(after.entries[0]!.id);
  expect(after.entries[0]!.restored).toBe(discarded!.createdAt);
});

test("records no discarded changes that were undone", async () => {
  await using setup = await startWriting();
  const { ana, id, writer } = setup;
  await write(writer, "Bats.");
  await write(writer, "Owls.");
  await ana.api.blogs.discardDraft.mutate({ id });
  expect(await linesOf(ana, id)).toEqual(["published: Owls."]);
});

test("records unpublished changes now and then, and readers' version stays the one that cannot be deleted", async () => {
  await using setup = await startWriting();
  const { testSite, ana, id, writer } = setup;
  await age(testSite, 11 * minute);
  await write(writer, "Bats.");
  await autosaveNow(testSite, id);
  await autosaveNow(testSite, id);
  expect(await linesOf(ana, id)).toEqual(["unpublished: Bats.", "published: Owls."]);
  // Within the interval a state stays unrecorded, until writing continues after a pause.
  await write(writer, "Crows.");
  await autosaveNow(testSite, id);
  expect(await linesOf(ana, id)).toEqual(["unpublished: Bats.", "published: Owls."]);
  await age(testSite, 60 * minute);
  await write(writer, "Jays.");
  const { entries, lines, seen } = await historyOf(ana, id);
  expect(lines).toEqual(["unpublished: Crows.", "unpublished: Bats.", "published: Owls."]);
  expect(entries.map(({ draft }) => draft)).toEqual([true, true, false]);

  const deleteVersion = (version: string) => ana.api.blogs.deleteVersion.mutate({ id, version });
  expect(seen).toBe(entries[2]!.id);
  expect(await refusal(deleteVersion(seen!))).toMatchObject({ code: "CONFLICT" });
  await deleteVersion(entries[0]!.id);
  await deleteVersion(entries[1]!.id);
  expect(await linesOf(ana, id)).toEqual(["published: Owls."]);
});

test("replaces the version of unpublished changes when they are published or discarded", async () => {
  await using setup = await startWriting();
  const { testSite, ana, id, writer } = setup;
  await write(writer, "Bats.");
  await age(testSite, 11 * minute);
  await autosaveNow(testSite, id);
  expect(await linesOf(ana, id)).toEqual(["unpublished: Bats.", "published: Owls."]);
  await ana.api.blogs.publish.mutate({ id, draft: false });
  const { entries, lines, seen } = await historyOf(ana, id);
  expect(lines).toEqual(["updated: Bats.", "published: Owls."]);
  expect(seen).toBe(entries[0]!.id);
  await age(testSite, 11 * minute);
  await write(writer, "Crows.");
  await autosaveNow(testSite, id);
  await ana.api.blogs.discardDraft.mutate({ id });
  expect(await linesOf(ana, id)).toEqual(["discarded: Crows.", "updated: Bats.", "published: Owls."]);
});

test.each([true, false])("records the text that a restored version replaces, draft %s", async (draft) => {
  await using setup = await startWriting({ draft });
  const { testSite, ana, id, writer } = setup;
  const [first] = (await historyOf(ana, id)).entries;
  await write(writer, "Bats.");
  if (draft) await autosaved(testSite);
  await restore(writer, first!.id, "Owls.");
  expect((await linesOf(ana, id))[0]).toBe(`${draft ? "draft" : "unpublished"}: Bats.`);
});

test("records the published text of a blog older than its history before its unpublished changes", async () => {
  await using setup = await startWriting();
  const { testSite, ana, id, writer } = setup;
  await testSite.write(async (tx) => void (await tx.drizzle.run(sql`delete from versions`)));
  await write(writer, "Bats.");
  await age(testSite, 11 * minute);
  await autosaveNow(testSite, id);
  const { entries, lines, seen } = await historyOf(ana, id);
  expect(lines).toEqual(["unpublished: Bats.", "before: Owls."]);
  expect(seen).toBe(entries[1]!.id);
});

/** Adds Ben as co-author of Ana's blog, with a page of his. */
async function addBen({ testSite, ana, id }: Awaited<ReturnType<typeof startWriting>>) {
  const ben = await testSite.createAccount("Ben");
  await ana.api.blogs.inviteAuthor.mutate({ id, username: ben.me.username });
  await ben.api.blogs.answerInvitation.mutate({ id, accept: true });
  return { ben, writer: await CoWriter.open(() => ben.api, id) };
}
const authorsOf = async (who: SignedInBrowser, id: string) =>
  (await historyOf(who, id)).entries.map(({ why, author }) => `${why} by ${author?.name}`);

test.each(["draft", "published"])(
  "names the co-author who wrote what autosaves record, %s",
  async (state) => {
    await using setup = await startWriting({ draft: state === "draft" });
    const { testSite, ana, id } = setup;
    const { writer } = await addBen(setup);
    await age(testSite, 11 * minute);
    await write(writer, "Bats.");
    await (state === "draft" ? autosaved(testSite) : autosaveNow(testSite, id));
    const last = state === "draft" ? "draft" : "unpublished";
    expect(await authorsOf(ana, id)).toEqual([`${last} by Ben`, `${state} by Ana`]);
    await write(writer, "Crows.");
    if (state === "draft") await autosaved(testSite);
    await age(testSite, 11 * minute);
    await write(setup.writer, "Jays.");
    await (state === "draft" ? autosaved(testSite) : autosaveNow(testSite, id));
    expect((await historyOf(ana, id)).lines.slice(0, 2)).toEqual([`${last}: Jays.`, `${last}: Crows.`]);
    expect((await authorsOf(ana, id)).slice(0, 2)).toEqual([`${last} by Ana`, `${last} by Ben`]);
  },
);

test("continues the history of a draft of which only discarded changes are left", async () => {
  await using setup = await startDraft();
  const { testSite, ana, id, writer } = setup;
  writer.type("Bats. ");
  await writer.sync.push();
  await ana.api.blogs.discardDraft.mutate({ id });
  await testSite.write(async (tx) => {
    await tx.drizzle.run(sql`delete from versions where why <> 'discarded'`);
  });
  await writer.sync.fetchMissed();
  writer.type("Crows. ");
  await writer.sync.push();
  await ana.api.blogs.publish.mutate({ id, draft: true });
  expect((await historyOf(ana, id)).lines[0]).toBe("draft: Crows. Owls.");
});

test("names the co-author whose live writing an autosave records", async () => {
  await using setup = await startWriting();
  const { testSite, ana, id } = setup;
  const { writer } = await addBen(setup);
  await ana.api.blogs.setLive.mutate({ id, live: true });
  await age(testSite, 11 * minute);
  await write(writer, "Bats.");
  await until(async () => (await authorsOf(ana, id)).length === 2, "a version");
  expect(await authorsOf(ana, id)).toEqual(["updated by Ben", "published by Ana"]);
});

test("shows no picture by its name in discarded changes to an author who could not see it", async () => {
  await using setup = await startWriting();
  const { testSite, ana, id, writer } = setup;
  const eve = await testSite.createAccount("Eve");
  const [own, foreign] = [await upload(ana, await paint()), await upload(eve, await paint())];
  const { image } = writer.state.schema.nodes;
  for (const { src } of [own, foreign]) writer.edit((tr) => tr.insert(1, image!.create({ src })));
  await writer.sync.push();
  const status = async () => (await ana.fetch(foreign.src)).status;
  expect(await status()).toBe(404);
  await ana.api.blogs.discardDraft.mutate({ id });
  const [discarded] = (await historyOf(ana, id)).entries;
  expect(discarded!.why).toBe("discarded");
  expect(await status()).toBe(404);
  expect(testSite.rows("select media_id as id from version_media")).toEqual([{ id: own.id }]);
});
