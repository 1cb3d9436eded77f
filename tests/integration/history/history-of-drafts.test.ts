import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { execute } from "../../../src/server/database/connection.ts";
import { sweepPictures } from "../../../src/server/media/service.ts";
import { textBytesOf } from "../../../src/server/profiles/account-queries.ts";
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
  type SignedInBrowser,
  type TestSite,
} from "../../support/test-site.ts";

/* What writing, restoring and discarding leave in a blog's history (docs/decisions/0020-history.md). */

const minute = 60_000;
const month = limits.image.unusedFor;

async function startWriting(change: Record<string, unknown> = {}, environment = {}) {
  const testSite = await startTestSite(environment);
  const boss = await testSite.createAccount("Boss");
  const ana = await testSite.createAccount("Ana");
  const blog = aBlog({ title: "Owls", document: paragraphs("Owls."), ...change });
  const { id, slug } = await ana.api.blogs.create.mutate(blog);
  const writer = await CoWriter.open(() => ana.api, id);
  return {
    testSite,
    boss,
    ana,
    id,
    slug,
    writer,
    [Symbol.asyncDispose]: () => testSite[Symbol.asyncDispose](),
  };
}

/** Adds Ben as co-author of Ana's blog, with a page of his. */
async function addBen({ testSite, ana, id }: Awaited<ReturnType<typeof startWriting>>): Promise<CoWriter> {
  const ben = await testSite.createAccount("Ben");
  await ana.api.blogs.inviteAuthor.mutate({ id, username: ben.me.username });
  await ben.api.blogs.answerInvitation.mutate({ id, accept: true });
  return CoWriter.open(() => ben.api, id);
}

/** Moves all that was stored this many milliseconds into the past. */
const age = (testSite: TestSite, ms = 60 * minute) =>
  testSite.write(async (tx) => {
    await execute(tx, sql`update versions set created_at = created_at - ${ms}`);
    await execute(
      tx,
      sql`update drafts set changed_at = changed_at - ${ms}, next_version_at = next_version_at - ${ms}`,
    );
    await execute(
      tx,
      sql`update blogs set created_at = created_at - ${ms},
      published_at = published_at - ${ms}, edited_at = edited_at - ${ms}`,
    );
  });
const changedAt = (testSite: TestSite): string =>
  new Date(testSite.rows<{ at: number }>("select changed_at as at from drafts")[0]!.at).toISOString();

/** Returns the versions with their texts, and each with its reason, text and author, the newest first. */
async function historyOf(who: SignedInBrowser, id: string) {
  const { versions, seen } = await who.api.blogs.versions.query({ id });
  const texts = await Promise.all(
    versions.map(async (entry) => {
      const { document } = await who.api.blogs.version.query({ id, version: entry.id });
      return [...JSON.stringify(document).matchAll(/"text":"(.*?)"/g)].map(([, text]) => text).join("|");
    }),
  );
  const lines = versions.map(({ reason, author }, at) => `${reason}: ${texts[at]} ${author?.name}`);
  return { entries: versions, seen, lines };
}
const linesOf = async (who: SignedInBrowser, id: string) => (await historyOf(who, id)).lines;

/** Replaces the text, and waits until the server has the commit. */
async function write(writer: CoWriter, text: string): Promise<void> {
  await writer.sync.fetchMissed();
  writer.edit((tr) => tr.insertText(text, 1, tr.doc.content.size - 1));
  await writer.sync.push();
}

/** Restores a version, as the form does. */
async function restore(writer: CoWriter, restores: string | null, text: string): Promise<void> {
  writer.sync.changeFields({ restores });
  await write(writer, text);
}

test.each([
  { state: "a draft", draft: true, first: "written" },
  { state: "a published blog", draft: false, first: "published" },
])(
  "records what was written in $state after a pause and after ten minutes, by whom and when",
  async (one) => {
    await using setup = await startWriting({ draft: one.draft });
    const { testSite, ana, id, writer } = setup;
    const ben = await addBen(setup);
    const stream = followTopics(ana, ["me"]);
    await stream.waitForStart();
    await write(ben, "Bats.");
    const first = `${one.first}: Owls. Ana`;
    expect(await linesOf(ana, id)).toEqual([first]);

    await age(testSite);
    const writtenAt = changedAt(testSite);
    const count = stream.events("viewer.blogsChanged").length;
    await write(writer, "Crows.");
    // Open pages with the history show it.
    await stream.waitFor("viewer.blogsChanged", count + 1);
    stream.stop();
    const { entries, lines } = await historyOf(ana, id);
    expect(lines).toEqual(["written: Bats. Ben", first]);
    expect(entries[0]).toMatchObject({ createdAt: writtenAt, title: "Owls", words: 1 });

    await write(writer, "Jays.");
    expect(await linesOf(ana, id)).toEqual(lines);
    await testSite.write(async (tx) =>
      execute(tx, sql`update drafts set next_version_at = next_version_at - ${10 * minute}`),
    );
    await write(ben, "Gulls.");
    expect(await linesOf(ana, id)).toEqual(["written: Jays. Ana", ...lines]);
  },
);

test("records neither the same text twice nor what readers see", async () => {
  await using setup = await startWriting();
  const { testSite, ana, id, writer } = setup;
  await write(writer, "Bats.");
  await write(writer, "Owls.");
  await age(testSite);
  await write(writer, "Crows.");
  expect(await linesOf(ana, id)).toEqual(["published: Owls. Ana"]);
  for (const text of ["Jays.", "Crows."]) {
    await age(testSite);
    await write(writer, text);
  }
  const lines = ["written: Jays. Ana", "written: Crows. Ana", "published: Owls. Ana"];
  expect(await linesOf(ana, id)).toEqual(lines);
  await write(writer, "Jays.");
  await age(testSite);
  await write(writer, "Owls.");
  await ana.api.blogs.discardDraft.mutate({ id });
  expect(await linesOf(ana, id)).toEqual(lines);
});

test("replaces the version of a draft when the same text is published or discarded", async () => {
  await using setup = await startWriting();
  const { testSite, ana, id, writer } = setup;
  const recordWritten = async (text: string) => {
    await write(writer, text);
    await age(testSite);
    await write(writer, "More.");
    await write(writer, text);
  };
  await recordWritten("Bats.");
  expect(await linesOf(ana, id)).toEqual(["written: Bats. Ana", "published: Owls. Ana"]);
  await ana.api.blogs.publish.mutate({ id, draft: false });
  const { entries, lines, seen } = await historyOf(ana, id);
  expect(lines).toEqual(["published: Bats. Ana", "published: Owls. Ana"]);
  expect(seen).toBe(entries[0]!.id);
  await recordWritten("Crows.");
  expect(await linesOf(ana, id)).toEqual(["written: Crows. Ana", ...lines]);
  await ana.api.blogs.discardDraft.mutate({ id });
  expect(await linesOf(ana, id)).toEqual(["before-discard: Crows. Ana", ...lines]);
});

test("keeps discarded changes in the history, from where they can be restored", async () => {
  await using setup = await startWriting();
  const { testSite, ana, id, writer } = setup;
  const [inText, cover] = [await upload(ana, await paint()), await upload(ana, await paint())];
  writer.sync.changeFields({ title: "Bats", coverId: cover.id, tags: ["night"] });
  await write(writer, "Bats, mostly.");
  const { image } = writer.state.schema.nodes;
  writer.edit((tr) => tr.insert(1, image!.create({ src: inText.src })));
  await writer.sync.push();
  const discard = () => ana.api.blogs.discardDraft.mutate({ id });
  await discard();
  const { entries, lines, seen } = await historyOf(ana, id);
  expect(lines).toEqual(["before-discard: Bats, mostly. Ana", "published: Owls. Ana"]);
  expect(entries[0]).toMatchObject({ title: "Bats", words: 2 });
  expect(seen).toBe(entries[1]!.id);
  const [discarded] = entries;
  const { document, ...version } = await ana.api.blogs.version.query({ id, version: discarded!.id });
  expect(version).toMatchObject({ tags: ["night"], cover: { id: cover.id } });
  await sweepPictures(testSite.app.services, Date.now() + 2 * month);
  for (const { src } of [inText, cover]) expect((await ana.fetch(src)).status).toBe(200);
  await discard();
  expect(await linesOf(ana, id)).toEqual(lines);

  // Undo, as the form does it, and another decision.
  const undo = async () => {
    await writer.sync.fetchMissed();
    writer.sync.changeFields({ title: "Bats", coverId: cover.id, tags: ["night"] });
    const text = writer.state.schema.nodeFromJSON(document);
    writer.edit((tr) => tr.replaceWith(0, tr.doc.content.size, text.content));
    await writer.sync.push();
  };
  await undo();
  await discard();
  expect(await linesOf(ana, id)).toEqual(lines);
  writer.sync.changeFields({ restores: discarded!.id });
  await undo();
  await ana.api.blogs.publish.mutate({ id, draft: false });
  const after = await historyOf(ana, id);
  expect(after.lines).toEqual(["published: Bats, mostly. Ana", ...lines]);
  expect(after.seen).toBe(after.entries[0]!.id);
  expect(after.entries[0]!.restored).toBe(discarded!.createdAt);
});

test.each([true, false])("keeps the text that a restored version replaces, draft: %s", async (draft) => {
  await using setup = await startWriting({ draft });
  const { testSite, ana, id, writer } = setup;
  await write(writer, "Bats.");
  const [first] = (await historyOf(ana, id)).entries;
  await age(testSite);
  await restore(writer, first!.id, "Owls.");
  const { lines } = await historyOf(ana, id);
  expect(lines).toEqual(["before-restore: Bats. Ana", `${draft ? "written" : "published"}: Owls. Ana`]);
  // Undo, and again.
  await restore(writer, null, "Bats.");
  await restore(writer, first!.id, "Owls.");
  expect(await linesOf(ana, id)).toEqual(lines);
  await ana.api.blogs.publish.mutate({ id, draft: false });
  const { entries } = await historyOf(ana, id);
  expect(entries[0]).toMatchObject({ reason: "published", restored: entries[2]!.createdAt });
});

test("keeps what was written before a program replaces it, and what the program wrote", async () => {
  await using setup = await startWriting({ draft: true });
  const { testSite, ana, id, writer } = setup;
  const client = await ApiClient.of(testSite, ana);
  await write(writer, "Bats.");
  await client.call("PATCH", `/blogs/${id}`, { content: "<p>By a program.</p>" });
  await client.call("PATCH", `/blogs/${id}`, { content: "<p>And again.</p>" });
  const lines = ["written: By a program. Ana", "written: Bats. Ana", "written: Owls. Ana"];
  expect(await linesOf(ana, id)).toEqual(lines);
  await age(testSite);
  await write(writer, "Crows.");
  expect(await linesOf(ana, id)).toEqual(["written: And again. Ana", ...lines]);
});

test("records what was written before a pause in which a program changed the blog", async () => {
  await using setup = await startWriting();
  const { testSite, ana, id, writer } = setup;
  await write(writer, "Bats.");
  await age(testSite);
  await ana.api.blogs.update.mutate({ id, description: "By a program." });
  await write(writer, "Crows.");
  expect(await linesOf(ana, id)).toEqual([
    "written: Bats. Ana",
    "published: Owls. Ana",
    "published: Owls. Ana",
  ]);
});

test.each([
  { change: "is written", last: "written: Bats. Ana" },
  { change: "becomes a draft", last: undefined },
])("records what readers of a restored blog saw before it $change", async ({ change, last }) => {
  await using setup = await startWriting();
  const { testSite, ana, id, writer } = setup;
  const { createdAt } = (await historyOf(ana, id)).entries[0]!;
  await testSite.write(async (tx) => execute(tx, sql`delete from versions`));
  await write(writer, "Bats.");
  if (change === "is written") {
    await age(testSite);
    await write(writer, "Crows.");
  } else await ana.api.blogs.publish.mutate({ id, draft: true });
  const { entries, lines, seen } = await historyOf(ana, id);
  expect(lines).toEqual([...(last ? [last] : []), "published: Owls. Ana"]);
  expect(seen).toBe(last ? entries.find(({ reason }) => reason === "published")!.id : null);
  if (change !== "is written")
    expect(Date.parse(entries.at(-1)!.createdAt)).toBeCloseTo(Date.parse(createdAt), -3);
});

test("keeps what was written when a program replaces it, saved or not, also as it publishes", async () => {
  await using setup = await startWriting({ draft: true });
  const { ana, id, writer } = setup;
  const lines = async () => (await historyOf(ana, id)).lines;
  writer.type("Bats. ");
  await writer.sync.push();
  await ana.api.blogs.publish.mutate({ id, draft: true });
  await ana.api.blogs.update.mutate({ id, document: paragraphs("Program.") });
  expect(await lines()).toContain("written: Bats. Owls. Ana");
  await writer.sync.fetchMissed();
  writer.type("Crows. ");
  await writer.sync.push();
  await ana.api.blogs.update.mutate({ id, draft: false, document: paragraphs("Published.") });
  const after = await lines();
  expect(after[0]).toBe("published: Published. Ana");
  expect(after[1]).toMatch(/^written: Crows\. Program\. Ana$/);
});

test("counts versions towards the storage; when it is full, writing goes on without them, and nothing is lost", async () => {
  await using setup = await startWriting({ document: paragraphs("o".repeat(80_000)) }, { RATE_LIMIT: "on" });
  const { testSite, boss, ana, id, writer } = setup;
  const setStorage = (storageMb: string) => boss.api.administration.setSite.mutate({ storageMb });
  const reasons = async () => (await historyOf(ana, id)).entries.map(({ reason }) => reason);
  const used = () => textBytesOf(testSite.app.services.database.read, ana.me.id);
  await setStorage("1");
  writer.type("Bats. ");
  await writer.sync.push();
  // Little less than the limit with the other text, which is not measured again for ten minutes.
  await ana.api.blogs.create.mutate(aBlog({ draft: true, document: paragraphs("é".repeat(440_000)) }));

  await age(testSite);
  writer.type("Crows. ");
  await writer.sync.push();
  expect(writer.sync.isSaved).toBe(true);
  expect(await reasons()).toEqual(["published"]);
  const full = { code: "PAYLOAD_TOO_LARGE", message: expect.stringContaining("Your storage is full") };
  const discard = () => ana.api.blogs.discardDraft.mutate({ id });
  expect(await refusal(discard())).toMatchObject(full);
  const [version] = (await historyOf(ana, id)).entries;
  writer.type("Jays. ");
  writer.sync.changeFields({ restores: version!.id });
  await writer.sync.push();
  expect(writer.syncStates.at(-1)).toMatchObject({
    name: "failed",
    reason: expect.stringContaining("on this device"),
  });
  expect(await reasons()).toEqual(["published"]);

  await setStorage("2");
  await writer.sync.push();
  expect(await reasons()).toEqual(["before-restore", "published"]);
  const before = await used();
  await discard();
  expect(await reasons()).toEqual(["before-discard", "before-restore", "published"]);
  expect((await used()) - before).toBeGreaterThan(80_000);
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
  expect((await historyOf(ana, id)).entries[0]!.reason).toBe("before-discard");
  expect(await status()).toBe(404);
  expect(testSite.rows("select media_id as id from version_media")).toEqual([{ id: own.id }]);
});
