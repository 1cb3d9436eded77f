import { AddMarkStep, ReplaceStep, type Step } from "prosemirror-transform";
import { Fragment, Node, Slice } from "prosemirror-model";
import { expect, test } from "vitest";
import { execute } from "../../../src/server/database/connection.ts";
import { deleteOldCommits, storeRestingDrafts } from "../../../src/server/writing/commits.ts";
import { newId } from "../../../src/server/runtime/ids.ts";
import { schema } from "../../../src/shared/document/schema.ts";
import { schemaMark } from "../../../src/shared/document/schema-mark.ts";
import { draftLimits } from "../../../src/shared/drafts.ts";
import { CoWriter } from "../../support/co-writer.ts";
import {
  aBlog,
  followTopic,
  paragraphs,
  refusal,
  startTestSite,
  until,
  type SignedInBrowser,
  type TestSite,
} from "../../support/test-site.ts";

/* Bounds of drafts by bytes and work. */

const day = 24 * 60 * 60 * 1000;
const { strong, em, link } = schema.marks;

/** A page that sends any steps, on the last commit unless told otherwise. */
async function openPage(who: SignedInBrowser, id: string, client = newId()) {
  const { epoch, seq: start, document } = await who.api.blogs.openDraft.mutate({ id });
  let [seq, number] = [start, 0];
  return {
    document: Node.fromJSON(schema, document),
    push: async (
      steps: readonly Step[] | string,
      more: {
        seq?: number;
        number?: number;
        fields?: { title?: string; coverId?: string; restores?: string };
      } = {},
    ) => {
      const commit = { id, epoch, client, seq, number: ++number, schema: schemaMark };
      const json = typeof steps === "string" ? steps : JSON.stringify(steps);
      const result = await who.api.blogs.pushCommit.mutate({ ...commit, steps: json, ...more });
      if (result.kind === "stored") seq = Math.max(seq, result.seq);
      return result;
    },
    since: async (from: number) => (await who.api.blogs.commitsSince.query({ id, epoch, seq: from })).commits,
  };
}

/** Replaces the letters of the first paragraph, which has `before`, by `length` others. */
const letters = (before: number, length: number, letter = "x") => [
  new ReplaceStep(1, 1 + before, new Slice(Fragment.from(schema.text(letter.repeat(length))), 0, 0)),
];
const half = draftLimits.missedBytes / 4;

const storedBytes = (testSite: TestSite) =>
  testSite.rows<{ bytes: number }>("select sum(octet_length(steps)) as bytes from draft_commits")[0]!.bytes;

const manyParagraphs = (count: number) => paragraphs(...Array.from({ length: count }, () => "a"));
const marks = (document: Node, count: number) =>
  Array.from(
    { length: count },
    (_, at) => new AddMarkStep(0, document.content.size, (at % 2 ? strong : em).create()),
  );

async function createDraft(who: SignedInBrowser, change: Record<string, unknown> = {}): Promise<string> {
  const blog = aBlog({ draft: true, document: paragraphs(""), ...change });
  await who.api.blogs.create.mutate(blog);
  return blog.id;
}

test("sends no missed commits above the most bytes, and stores none that it could not send", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const id = await createDraft(ana);
  const page = await openPage(ana, id);
  const stream = followTopic(ana, `draft:${id}`);
  await stream.waitForStart();
  for (let count = 0; count < 3; count++) await page.push(letters(count && half, half));
  expect(await page.since(1)).toHaveLength(3);
  await page.push(letters(half, half));
  expect(await page.since(1)).toBeNull();
  expect(await page.push(letters(0, 1), { seq: 1 })).toEqual(expect.objectContaining({ kind: "lost" }));
  expect(await page.since(2)).toHaveLength(3);
  for (let count = 0; count < 6; count++) await page.push(letters(half, half));
  expect(storedBytes(testSite)).toBeLessThan(draftLimits.missedBytes * 1.2);
  // Long commits are not sent to open pages, which fetch them.
  await stream.waitFor("draft.committed");
  for (const { commits } of stream.events("draft.committed")) expect(commits).toBeNull();
  testSite.app.services.drafts.forget();
  const { document } = await ana.api.blogs.openDraft.mutate({ id });
  expect(Node.fromJSON(schema, document).textContent).toHaveLength(half);
});

test("deletes the steps of stored documents after a day, and still recognizes commits that are sent again", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const id = await createDraft(ana, { draft: false });
  const page = await openPage(ana, id);
  const [first, other] = [letters(0, 10), letters(10, 10, "y")];
  await page.push(first);
  for (let count = 0; count < 100; count++) await page.push(letters(10, 10, "z"));
  const { drafts } = testSite.app.services;
  const before = await ana.api.blogs.openDraft.mutate({ id });
  await deleteOldCommits(testSite.app.services, Date.now() + day / 2);
  expect(await page.since(50)).toHaveLength(before.seq - 50);
  await storeRestingDrafts(testSite.app.services, Date.now() + day + 60_000);
  await deleteOldCommits(testSite.app.services, Date.now() + day + 60_000);
  drafts.forget();
  expect(testSite.rows("select 1 from draft_commits where octet_length(steps) > 0")).toEqual([]);
  expect(await page.since(50)).toBeNull();
  expect((await ana.api.blogs.openDraft.mutate({ id })).document).toEqual(before.document);
  expect(await page.push(first, { seq: 1, number: 1 })).toMatchObject({ kind: "stored", seq: 2 });
  expect(await refusal(page.push(other, { seq: 1, number: 1 }))).toMatchObject({ field: "number" });
  await ana.api.blogs.publish.mutate({ id, draft: false });
  const { versions } = await ana.api.blogs.versions.query({ id });
  expect(versions[0]?.author?.name).toBe("Ana");
});

test("refuses a commit that takes too much work, and takes a long text’s changes of every paragraph", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const id = await createDraft(ana, { document: manyParagraphs(3_000) });
  const page = await openPage(ana, id);
  expect(await refusal(page.push(marks(page.document, 500)))).toMatchObject({
    code: "BAD_REQUEST",
    field: "steps",
  });
  const writer = await CoWriter.open(() => ana.api, id);
  expect(writer.sync.seq).toBe(1);
  // As the editor does: one step for each paragraph.
  const { content } = writer.state.doc;
  writer.edit((tr) => tr.addMark(0, content.size, strong.create()));
  writer.edit((tr) => {
    writer.state.doc.forEach((node, at) => {
      if (at > content.size - 1_800) tr.setNodeMarkup(at, null, { ...node.attrs, align: "center" });
    });
  });
  const changed = JSON.stringify(writer.state.doc);
  await writer.sync.push();
  expect(writer.sync.isSaved).toBe(true);
  testSite.app.services.drafts.forget();
  const { document, seq } = await ana.api.blogs.openDraft.mutate({ id });
  expect(JSON.stringify(document) === changed).toBe(true);
  expect(seq).toBeGreaterThan(10);
});

test("restores a version of a long text", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const long = paragraphs(...Array.from({ length: 20 }, () => "Owls. ".repeat(2_000)));
  const id = await createDraft(ana, { draft: false, document: long });
  await ana.api.blogs.update.mutate({ id, title: "Bats" });
  const [version] = (await ana.api.blogs.versions.query({ id })).versions;
  const page = await openPage(ana, id);
  const fields = { restores: version!.id };
  expect(await page.push([new ReplaceStep(1, 2, Slice.empty)], { fields })).toMatchObject({ kind: "stored" });
});

test("stores the document once much work has led to it, so that opening it repeats little", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const id = await createDraft(ana, { document: manyParagraphs(9_000) });
  const page = await openPage(ana, id);
  const storedAt = () => testSite.rows<{ seq: number }>("select document_seq as seq from drafts")[0]!.seq;
  await page.push(marks(page.document, 3));
  expect(storedAt()).toBe(1);
  await page.push(marks(page.document, 3));
  expect(storedAt()).toBe(3);
});

test("refuses marks that make a short text long, and shortens one that is too long", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const id = await createDraft(ana, { document: manyParagraphs(4_000) });
  const page = await openPage(ana, id);
  const mark = link.create({ href: `https://example.org/${"x".repeat(1_000)}` });
  const { size } = page.document.content;
  expect(await refusal(page.push([new AddMarkStep(0, size, mark)]))).toMatchObject({
    code: "BAD_REQUEST",
    message: "This text is too long to save.",
  });
  const long = JSON.stringify(page.document.toJSON()).replaceAll(
    '"text":"a"',
    `"marks":[${JSON.stringify(mark)}],"text":"a"`,
  );
  await testSite.write(async (tx) => execute(tx, "update drafts set document = '" + long + "'"));
  testSite.app.services.drafts.forget();
  expect(await refusal(page.push(letters(0, 1)))).toMatchObject({ code: "BAD_REQUEST" });
  expect(await page.push([new ReplaceStep(3, 9, Slice.empty)])).toMatchObject({ kind: "stored" });
});

test("a co-author’s page can use neither the commit numbers nor the name of another’s page", async () => {
  await using testSite = await startTestSite();
  const [ana, ben] = [await testSite.createAccount("Ana"), await testSite.createAccount("Ben")];
  const id = await createDraft(ana);
  await ana.api.blogs.inviteAuthor.mutate({ id, username: ben.me.username });
  await ben.api.blogs.answerInvitation.mutate({ id, accept: true });
  const writer = await CoWriter.open(
    () => ana.api,
    id,
    () => "well",
    ana.me.id,
  );
  writer.type("Owls. ");
  await writer.sync.push();
  const { client, number } = writer.sync.unconfirmed();
  const page = await openPage(ben, id, client);
  expect(await page.push([], { number, fields: { title: "By Ben" } })).toMatchObject({ kind: "stored" });
  expect(await page.push([], { number: 9_007_199_254_740_991, fields: { title: "Ben" } })).toMatchObject({
    kind: "stored",
  });
  writer.type("Bats. ");
  await writer.sync.push();
  await writer.sync.fetchMissed();
  writer.type("Mice. ");
  await writer.sync.push();
  expect(writer.sync.isSaved).toBe(true);
  expect(writer.sync.unconfirmed().number).toBe(number + 2);
  expect(writer.text).toContain("Mice. Bats. Owls.");
  expect(writer.sync.fields.title).toBe("Ben");
  // Both numbers go with their accounts.
  await ben.api.users.remove.mutate({ password: "correct horse battery" });
  await until(() => testSite.rows("select 1 from draft_commits where author_id is null").length === 2);
});

test("counts texts, versions and commits towards the storage, and keeps what was typed on the device", async () => {
  await using testSite = await startTestSite({ RATE_LIMIT: "on" });
  const [boss, ana] = [await testSite.createAccount("Boss"), await testSite.createAccount("Ana")];
  const setStorage = (storageMb: string) => boss.api.administration.setSite.mutate({ storageMb });
  const full = { code: "PAYLOAD_TOO_LARGE", message: expect.stringContaining("Your storage is full") };
  await setStorage("1");
  const id = await createDraft(ana);
  const page = await openPage(ana, id);
  await page.push(letters(0, 500_000));
  expect(await refusal(page.push(letters(500_000, 500_000)))).toMatchObject(full);
  const writer = await CoWriter.open(() => ana.api, id);
  writer.edit((tr) => tr.insertText("y".repeat(500_000), 1, 500_001));
  await writer.sync.push();
  expect(writer.syncStates.at(-1)).toMatchObject({
    name: "failed",
    reason: expect.stringContaining("is saved on this device"),
  });
  expect(writer.sync.unconfirmed().steps).toHaveLength(1);
  const another = () => ana.api.blogs.create.mutate(aBlog({ document: paragraphs("é".repeat(400_000)) }));
  expect(await refusal(another())).toMatchObject(full);
  // What makes room is taken, and what was stored before is known.
  const shorter = await openPage(ana, id);
  expect(await shorter.push([new ReplaceStep(1, 9, Slice.empty)])).toMatchObject({ kind: "stored" });
  // Staff have no limits; an administrator raises it.
  await boss.api.blogs.create.mutate(aBlog({ document: paragraphs("é".repeat(400_000)) }));
  await setStorage("10");
  await writer.sync.push();
  expect(writer.sync.isSaved).toBe(true);
  await another();
  await setStorage("1");
  expect(await refusal(another())).toMatchObject(full);
});

test("limits how much text an account stores at a time, whatever the number of its commits", async () => {
  await using testSite = await startTestSite({ RATE_LIMIT: "on" });
  const ana = await testSite.createAccount("Ana");
  const id = await createDraft(ana);
  const page = await openPage(ana, id);
  let count = 0;
  const fill = async () => {
    for (; count < 100; count++) await page.push(letters(count && 520_000, 520_000));
  };
  expect(await refusal(fill())).toMatchObject({
    code: "TOO_MANY_REQUESTS",
    message: expect.stringContaining("too much text"),
  });
  expect(count).toBeGreaterThan(7);
  expect(count).toBeLessThan(15);
});
