import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { blogs } from "../../../src/server/database/schema/blogs.ts";
import { newId } from "../../../src/server/runtime/ids.ts";
import { schema } from "../../../src/shared/document/schema.ts";
import { schemaMark } from "../../../src/shared/document/schema-mark.ts";
import { draftLimits } from "../../../src/shared/drafts.ts";
import { CoWriter } from "../../support/co-writer.ts";
import { deleteOldCommits } from "../../../src/server/writing/commits.ts";
import { paint, upload } from "../../support/pictures.ts";
import { ApiClient } from "../../support/api-client.ts";
import {
  aBlog,
  followTopic,
  paragraphs,
  refusal,
  startTestSite,
  type SignedInBrowser,
} from "../../support/test-site.ts";

async function createWithWriter(ana: SignedInBrowser, change: Record<string, unknown> = {}) {
  const blog = aBlog({ document: paragraphs("Owls, mostly."), ...change });
  const { slug } = await ana.api.blogs.create.mutate(blog);
  return { id: blog.id, slug, writer: await CoWriter.open(() => ana.api, blog.id) };
}

test("shows a begun blog as a draft, and publishes it", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const id = newId();
  await Promise.all([1, 2, 3].map(() => ana.api.blogs.begin.mutate({ id })));
  const writer = await CoWriter.open(() => ana.api, id);
  expect(writer.sync.fields.title).toBe("");
  expect(await ana.api.blogs.card.query({ id })).toMatchObject({ title: "Untitled", draft: true });
  writer.type("Owls, mostly.");
  writer.sync.changeFields({ title: "A walk at night", tags: ["night"] });
  await writer.sync.push();
  const card = await ana.api.blogs.card.query({ id });
  expect(card).toMatchObject({
    title: "A walk at night",
    tags: ["night"],
    draft: true,
    excerpt: "Owls, mostly.",
  });
  expect(card.slug).toMatch(/^untitled-/);

  const publishedBlog = await ana.api.blogs.publish.mutate({ id, draft: false });
  expect(publishedBlog.slug).toMatch(/^a-walk-at-night-/);
  expect(await ana.api.blogs.bySlug.query({ slug: publishedBlog.slug })).toMatchObject({ draft: false });
  // Nothing is left to publish.
  const workingCopy = await ana.api.blogs.openDraft.mutate({ id });
  expect(workingCopy.since).toBe(workingCopy.seq);
});

test("derives a draft's address from its title when it is finished without further changes", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const id = newId();
  await ana.api.blogs.begin.mutate({ id });
  const writer = await CoWriter.open(() => ana.api, id);
  writer.sync.changeFields({ title: "Night trains" });
  await writer.sync.push();
  expect((await ana.api.blogs.card.query({ id })).slug).toMatch(/^untitled-/);
  const { slug } = await ana.api.blogs.publish.mutate({ id, draft: true });
  expect(slug).toMatch(/^night-trains-/);
  expect((await ana.api.blogs.publish.mutate({ id, draft: true })).slug).toBe(slug);
  expect((await ana.api.blogs.publish.mutate({ id, draft: false })).slug).toBe(slug);
  writer.sync.changeFields({ title: "Slow ships" });
  await writer.sync.push();
  expect((await ana.api.blogs.publish.mutate({ id, draft: false })).slug).toBe(slug);
});

test("hides changes of a published blog from readers until they are published, or discards them", async () => {
  await using testSite = await startTestSite();
  const [ana, ben] = [await testSite.createAccount("Ana"), await testSite.createAccount("Ben")];
  const { id, slug, writer } = await createWithWriter(ana);
  writer.type("Not yet: ");
  writer.sync.changeFields({ title: "Not yet" });
  await writer.sync.push();
  const read = () => ben.api.blogs.bySlug.query({ slug });
  expect(JSON.stringify(await read())).not.toMatch(/not yet/i);
  for (const call of [
    () => ben.api.blogs.openDraft.mutate({ id }),
    () => ben.api.blogs.commitsSince.query({ id, epoch: "0", seq: 1 }),
    () => ben.api.blogs.publish.mutate({ id, draft: false }),
    () => ben.api.blogs.discardDraft.mutate({ id }),
    () => ben.api.blogs.begin.mutate({ id }),
  ])
    expect((await refusal(call())).code).toBe("FORBIDDEN");

  const workingCopy = await ana.api.blogs.openDraft.mutate({ id });
  expect(workingCopy.since).toBeLessThan(workingCopy.seq);
  await ana.api.blogs.discardDraft.mutate({ id });
  await writer.sync.fetchMissed();
  expect(writer.text).toBe("Owls, mostly.");
  expect(writer.sync.fields.title).toBe("A walk at night");

  writer.type("Now: ");
  await writer.sync.push();
  await ana.api.blogs.publish.mutate({ id, draft: false });
  expect((await read()).html).toContain("Now: Owls");
  expect((await read()).slug).toBe(slug);
});

const apiOf = async (
  testSite: Awaited<ReturnType<typeof startTestSite>>,
  ana: SignedInBrowser,
  id: string,
) => {
  const api = await ApiClient.of(testSite, ana);
  return async (change: Record<string, unknown>) => {
    const { status } = await api.call("PATCH", `/blogs/${id}`, change);
    expect(status).toBe(200);
  };
};

test("merges a change over REST into the draft without publishing what is written there", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const { id, slug, writer } = await createWithWriter(ana, {
    document: paragraphs("One.", "Two.", "Three."),
  });
  const patch = await apiOf(testSite, ana, id);
  writer.type("Mine: ");
  writer.sync.changeFields({ description: "Mine as well." });
  await writer.sync.push();
  await patch({ title: "By the API", content: "<p>One.</p><p>Two.</p><p>Three, by the API.</p>" });
  writer.type("And ");
  await writer.sync.push();
  expect(writer.sync.isSaved).toBe(true);
  expect(writer.sync.fields).toMatchObject({ title: "By the API", description: "Mine as well." });
  expect(writer.text).toBe("And Mine: One.\nTwo.\nThree, by the API.");
  const workingCopy = await ana.api.blogs.openDraft.mutate({ id });
  expect(writer.state.doc.toJSON()).toEqual(workingCopy.document);
  expect(workingCopy.since, "what is written is not published by that").toBeLessThan(workingCopy.seq);
  const { html } = await ana.api.blogs.bySlug.query({ slug });
  expect(html).toContain("Three, by the API.");
  expect(html).not.toContain("Mine");
});

test("keeps written text through a REST change of another field and a moderator's action", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const { id, writer } = await createWithWriter(ana);
  const patch = await apiOf(testSite, ana, id);
  writer.type("Mine: ");
  await writer.sync.push();
  await patch({ title: "By the API" });
  // As after a takedown and a restore.
  await testSite.app.services.database.write(async (tx) => {
    await tx.drizzle.update(blogs).set({ etag: 9 }).where(eq(blogs.id, id));
  });
  writer.type("And ");
  await writer.sync.push();
  await writer.sync.fetchMissed();
  expect(writer.text).toBe("And Mine: Owls, mostly.");
  expect(writer.sync.fields.title).toBe("By the API");
});

test("prefers the later change of the same words, and restores no deleted text", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const { id, writer } = await createWithWriter(ana, {
    document: paragraphs("One.", "Still.", "Two.", "Three.", "Four."),
  });
  const patch = await apiOf(testSite, ana, id);
  writer.edit((tr) => tr.insertText("Uno", 1, 4));
  writer.edit((tr) => tr.delete(14, 28));
  writer.edit((tr) => tr.insert(tr.doc.content.size, schema.node("paragraph", null, schema.text("Mine."))));
  await writer.sync.push();
  expect(writer.text).toBe("Uno.\nStill.\nFour.\nMine.");
  await patch({ content: "<p>Eins.</p><p>Still.</p><p>Two.</p><p>Three!</p><p>Four.</p><p>Five.</p>" });
  await writer.sync.fetchMissed();
  for (const words of ["Eins.", "Still.", "Four.", "Mine.", "Five."])
    expect(writer.text.split(words), words).toHaveLength(2);
  expect(writer.text).not.toMatch(/Two|Uno|Three/);
  const workingCopy = await ana.api.blogs.openDraft.mutate({ id });
  expect(writer.state.doc.toJSON()).toEqual(workingCopy.document);
});

test("publishes commits live to writers alone", async () => {
  await using testSite = await startTestSite();
  const [ana, ben] = [await testSite.createAccount("Ana"), await testSite.createAccount("Ben")];
  const { id, writer } = await createWithWriter(ana);
  const [anaStream, benStream] = [followTopic(ana, `draft:${id}`), followTopic(ben, `draft:${id}`)];
  await anaStream.waitForStart();
  await benStream.waitForStart();
  expect(benStream.kinds()).toEqual(["accessLost"]);
  writer.type("Live: ");
  await writer.sync.push();
  await anaStream.waitFor("draft.committed");
  expect(anaStream.events("draft.committed")).toMatchObject([{ seq: 2, commits: [{ seq: 2, number: 1 }] }]);
  const { cursor } = await ben.api.social.likeBlog.mutate({ blogId: id, liked: true });
  await benStream.waitForCursor(cursor);
  expect(benStream.kinds()).toEqual(["accessLost"]);
});

test("refuses invalid commits with a readable error, and leaves the text unchanged", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const { id } = await createWithWriter(ana);
  const { epoch, document } = await ana.api.blogs.openDraft.mutate({ id });
  const client = newId();
  let number = 0;
  const push = (steps: unknown, more: Record<string, unknown> = {}) =>
    ana.api.blogs.pushCommit.mutate({
      id,
      epoch,
      client,
      number: ++number,
      seq: 1,
      steps: typeof steps === "string" ? steps : JSON.stringify(steps),
      schema: schemaMark,
      ...more,
    });
  const insert = (content: unknown[], from = 1, to = from) => [
    { stepType: "replace", from, to, slice: { content } },
  ];
  const refusalOf = async (call: Promise<unknown>) => {
    const { code, field, message } = await refusal(call);
    expect(message).not.toMatch(/undefined|RangeError|TypeError|Invalid content/);
    return `${code} ${field}`;
  };
  const text = { type: "text", text: "x" };
  for (const steps of [
    "{",
    "null",
    "{}",
    [null],
    [1],
    [{ stepType: "none" }],
    [{ stepType: "replace" }],
    insert([text], 900),
    insert([text], -4),
    insert([text], 0.5),
    insert([{ type: "script" }]),
    insert([{ type: "text", text: "" }]),
    insert([{ type: "text", text: "x\u0000" }]),
    insert([{ type: "text", text: "x", marks: [{ type: "link", attrs: { href: "javascript:alert(1)" } }] }]),
    insert([{ type: "image", attrs: { src: "javascript:alert(1)" } }]),
    // Content that no document of the site consists of.
    insert([{ type: "table_row" }], 0),
    [{ stepType: "replace", from: 0, to: 15 }],
    insert([{ type: "heading", attrs: { level: 99 } }], 0),
    [{ stepType: "attr", pos: 0, attr: "indent", value: "javascript" }],
    insert([nestedQuotes(60)], 0),
    Array.from({ length: draftLimits.steps + 1 }, () => insert([text])[0]),
    insert([{ type: "text", text: "x".repeat(600_000) }]),
  ])
    expect(await refusalOf(push(steps)), JSON.stringify(steps).slice(0, 100)).toBe("BAD_REQUEST steps");
  expect(await refusalOf(push("x".repeat(draftLimits.stepsLength + 1)))).toBe("BAD_REQUEST steps");
  expect(await refusalOf(push([], { fields: { title: "x".repeat(1_001) } }))).toBe("BAD_REQUEST fields");
  expect(await refusalOf(push([], { fields: { draft: true } }))).toBe("BAD_REQUEST fields");
  expect(await refusalOf(push([], { fields: { coverId: newId() } }))).toBe("BAD_REQUEST coverId");
  expect(await refusalOf(push(insert([text]), { schema: "yesterday" }))).toBe("CONFLICT schema");
  expect(await push(insert([text]), { seq: 7 })).toMatchObject({ kind: "lost" });
  expect(await push(insert([text]), { epoch: "another" })).toMatchObject({ kind: "lost" });
  expect(await ana.api.blogs.openDraft.mutate({ id })).toMatchObject({ seq: 1, document });

  // A number stands for one change, however often it is sent.
  const first = { number: 1, client: newId() };
  for (let round = 0; round < 3; round++)
    expect(await push(insert([text]), first)).toEqual(expect.objectContaining({ kind: "stored", seq: 2 }));
  expect(await refusalOf(push(insert([{ type: "text", text: "other" }]), first))).toBe("CONFLICT number");
  expect(await ana.api.blogs.openDraft.mutate({ id })).toMatchObject({ seq: 2 });
});

function nestedQuotes(depth: number): unknown {
  let node: unknown = { type: "paragraph" };
  for (let level = 0; level < depth; level++) node = { type: "blockquote", content: [node] };
  return node;
}

test("refuses to publish an invalid field by name, and keeps the published version", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const { id, slug, writer } = await createWithWriter(ana);
  const publish = (draft = false) => ana.api.blogs.publish.mutate({ id, draft });
  for (const [fields, field] of [
    [{ title: "  " }, "title"],
    [{ title: "x".repeat(151) }, "title"],
    [{ title: "Owls", description: "x".repeat(151) }, "description"],
    [{ description: "", tags: Array.from({ length: 11 }, (_, index) => `tag${index}`) }, "tags"],
    [{ tags: [], canonicalUrl: "nowhere" }, "canonicalUrl"],
    [{ canonicalUrl: "", address: "Not an address!" }, "slug"],
  ] as const) {
    writer.sync.changeFields(structuredClone(fields) as never);
    await writer.sync.push();
    expect(await refusal(publish())).toMatchObject({ code: "BAD_REQUEST", field });
  }
  expect(await ana.api.blogs.bySlug.query({ slug })).toMatchObject({ title: "A walk at night" });
  writer.sync.changeFields({ address: "owls-of-my-own", title: " Owls  of my own " });
  await writer.sync.push();
  expect((await publish()).slug).toBe("owls-of-my-own");
  await writer.sync.fetchMissed();
  expect(writer.sync.fields).toMatchObject({ address: "", title: " Owls  of my own " });
  expect(await ana.api.blogs.bySlug.query({ slug })).toMatchObject({ title: "Owls of my own" });
});

test("keeps pictures of unpublished text, and deletes old commits after a month without losing text", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const { id, writer } = await createWithWriter(ana);
  const picture = await upload(ana, await paint(40, 30));
  const pictureRow = () =>
    testSite.rows<{ unused_at: number | null }>(`select unused_at from media where id = '${picture.id}'`);
  expect(pictureRow()).toMatchObject([{ unused_at: expect.any(Number) }]);
  writer.edit((tr) =>
    tr.insert(
      0,
      schema.nodes.paragraph.create(
        null,
        schema.nodes.image.create({ src: picture.src, width: 40, height: 30 }),
      ),
    ),
  );
  await writer.sync.push();
  expect(pictureRow()).toEqual([{ unused_at: null }]);
  await ana.api.blogs.discardDraft.mutate({ id });
  // The history shows it.
  expect(pictureRow()).toEqual([{ unused_at: null }]);
  const [discarded] = (await ana.api.blogs.versions.query({ id })).versions;
  await ana.api.blogs.deleteVersion.mutate({ id, version: discarded!.id });
  expect(pictureRow()).toMatchObject([{ unused_at: expect.any(Number) }]);

  await writer.sync.fetchMissed();
  for (let round = 0; round < 120; round++) {
    writer.type("x");
    await writer.sync.push();
  }
  const before = await ana.api.blogs.openDraft.mutate({ id });
  const month = 31 * 24 * 60 * 60 * 1000;
  await deleteOldCommits(testSite.app.services, Date.now() + month);
  testSite.app.services.drafts.forget();
  expect((await ana.api.blogs.openDraft.mutate({ id })).document).toEqual(before.document);
  expect(testSite.rows("select 1 from draft_commits").length).toBeLessThan(100);
  // A page that far behind opens the text again; another one continues.
  expect((await ana.api.blogs.commitsSince.query({ id, epoch: before.epoch, seq: 2 })).commits).toBeNull();
  writer.type("y");
  await writer.sync.push();
  expect(writer.sync.isSaved).toBe(true);
});
