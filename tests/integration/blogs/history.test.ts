import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { insertCurrentVersion, thinVersions } from "../../../src/server/blogs/versions.ts";
import { maxUnthinned } from "../../../src/server/blogs/thin-versions.ts";
import { actingAs } from "../../../src/server/commands/services.ts";
import { importMarkdown } from "../../../src/server/imports/import-folder.ts";
import { operator } from "../../../src/server/moderation/log.ts";
import { takeDownBlog, undoTakedown } from "../../../src/server/moderation/actions.ts";
import { sweepPictures } from "../../../src/server/media/service.ts";
import { newId } from "../../../src/server/runtime/ids.ts";
import { limits } from "../../../src/shared/limits.ts";
import { ApiClient, blogForm } from "../../support/api-client.ts";
import { createFolder } from "../../support/import-folder.ts";
import { paint, upload } from "../../support/pictures.ts";
import {
  aBlog,
  followTopics,
  paragraphs,
  password,
  refusal,
  startTestSite,
  until,
  type SignedInBrowser,
  type TestSite,
} from "../../support/test-site.ts";

const [hour, day] = [3_600_000, 86_400_000];
const month = limits.image.unusedFor;

async function createAnaWithBlog(testSite: TestSite, change: Record<string, unknown> = {}) {
  const ana = await testSite.createAccount("Ana");
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog(change));
  return { ana, id, slug };
}

const historyOf = async (who: SignedInBrowser, id: string) =>
  (await who.api.blogs.versions.query({ id })).versions;
const reasonsOf = async (who: SignedInBrowser, id: string) =>
  (await historyOf(who, id)).map(({ why }) => why);
const count = (testSite: TestSite): number =>
  testSite.rows<{ n: number }>("select count(*) as n from versions")[0]!.n;

/** Moves all versions this many milliseconds into the past. */
const ageVersions = (testSite: TestSite, ms: number) =>
  testSite.write(
    async (tx) => void (await tx.drizzle.run(sql`update versions set created_at = created_at - ${ms}`)),
  );

const documentWithImages = (...ids: string[]) => ({
  type: "doc",
  content: [
    {
      type: "paragraph",
      content: ids.map((id) => ({ type: "image", attrs: { src: `/media/${id}/full.webp` } })),
    },
  ],
});
const imageExists = (testSite: TestSite, id: string) =>
  testSite.rows<{ id: string }>("select id from media").some((row) => row.id === id);

/** Columns of a copied version. */
const columns = sql.raw(
  "id, blog_id, author_id, why, title, description, tags, cover_id, words, draft, created_at, restored_from, document",
);

test("stores a version of each save that changes the text or its fields, with author and reason", async () => {
  await using testSite = await startTestSite();
  const { ana, id } = await createAnaWithBlog(testSite, {
    draft: true,
    title: "Owls",
    document: paragraphs("One two three."),
  });
  const save = (change: Record<string, unknown>) => ana.api.blogs.update.mutate({ id, ...change });
  expect(await reasonsOf(ana, id)).toEqual(["draft"]);
  // Unchanged values, visibility and addresses.
  await save({ title: "Owls" });
  await save({ version: 1, document: paragraphs("One two three.") });
  await save({ private: true });
  await save({ private: false });
  await save({ slug: "owls-at-night", canonicalUrl: "https://example.org/owls", searchTitle: "Owls!" });
  await ana.api.blogs.setCommenters.mutate({ id, commentsFrom: "nobody" });
  expect(await reasonsOf(ana, id)).toEqual(["draft"]);
  await save({ draft: false });
  await save({ draft: true });
  await save({ draft: false, title: "Owls, heard" });
  expect(await reasonsOf(ana, id)).toEqual(["published", "published", "draft"]);
  const cover = await upload(ana, await paint());
  const { version } = await ana.api.blogs.forEdit.query({ slug: "owls-at-night" });
  for (const change of [
    { description: "What one sees." },
    { tags: ["birds"] },
    { coverId: cover.id },
    { version: version + 3, document: paragraphs("One two three.", "Four.") },
  ])
    await save(change);
  const versions = await historyOf(ana, id);
  expect(versions.map(({ why }) => why)).toEqual([
    ...Array.from({ length: 4 }, () => "updated"),
    "published",
    "published",
    "draft",
  ]);
  expect(versions[0]).toMatchObject({
    title: "Owls, heard",
    words: 4,
    change: 1,
    previous: versions[1]!.id,
    draft: false,
    restored: null,
    author: { id: ana.me.id, name: "Ana" },
  });
  expect(versions.at(-1)).toMatchObject({
    title: "Owls",
    words: 3,
    change: null,
    previous: null,
    draft: true,
  });
  expect(JSON.stringify(versions)).not.toContain("Four");
  const stored = await ana.api.blogs.version.query({ id, version: versions[1]!.id });
  expect(stored).toMatchObject({
    title: "Owls, heard",
    description: "What one sees.",
    tags: ["birds"],
    cover: { id: cover.id },
  });
  expect(JSON.stringify(stored.document)).toContain("One two three.");
  expect(JSON.stringify(stored.document)).not.toContain("Four.");
});

test("stores no version for a refused or repeated save, or for a moderator's decision", async () => {
  await using testSite = await startTestSite();
  const { ana, id } = await createAnaWithBlog(testSite);
  const change = { id, version: 1, title: "Later", document: paragraphs("Later.") };
  await ana.api.blogs.update.mutate(change);
  await ana.api.blogs.update.mutate(change);
  await refusal(ana.api.blogs.update.mutate({ ...change, title: "Too late" }));
  await refusal(ana.api.blogs.update.mutate({ id, coverId: newId() }));
  await testSite.write((tx) => takeDownBlog(tx, operator, id, "Spam."));
  await refusal(ana.api.blogs.update.mutate({ id, title: "Hidden", draft: false }));
  await testSite.write((tx) => undoTakedown(tx, operator, id));
  expect(await reasonsOf(ana, id)).toEqual(["updated", "published"]);
});

test("stores the previous text of a blog older than its history at the first change, with its date", async () => {
  await using testSite = await startTestSite();
  const { ana, id } = await createAnaWithBlog(testSite, {
    title: "Before",
    document: paragraphs("Words of before."),
  });
  await ana.api.blogs.update.mutate({ id, private: true });
  const savedAt = Date.now() - 400 * day;
  await testSite.write(async (tx) => {
    await tx.drizzle.run(sql`delete from versions`);
    await tx.drizzle.run(
      sql`update blogs set created_at = ${savedAt - day}, published_at = ${savedAt - hour}, edited_at = ${savedAt}`,
    );
  });
  expect(await historyOf(ana, id)).toEqual([]);
  await ana.api.blogs.update.mutate({ id, version: 2, document: paragraphs("Words.") });
  await ana.api.blogs.update.mutate({ id, title: "After" });
  const versions = await historyOf(ana, id);
  expect(versions.map(({ why, title, words, change }) => [why, title, words, change])).toEqual([
    ["updated", "After", 1, 0],
    ["updated", "Before", 1, -2],
    ["before", "Before", 3, null],
  ]);
  expect(versions.at(-1)!.createdAt).toBe(new Date(savedAt).toISOString());
  const first = await ana.api.blogs.version.query({ id, version: versions.at(-1)!.id });
  expect(JSON.stringify(first.document)).toContain("Words of before.");
});

test("records REST saves and imports as the reason of a version", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const client = await ApiClient.of(testSite, ana);
  const { body } = await client.call("POST", "/blogs", blogForm({ draft: "true" }));
  const id = body.blog._id as string;
  await client.call("PATCH", `/blogs/${id}`, { title: "By a program" });
  await client.call("PATCH", `/blogs/${id}`, { draft: false });
  await client.call("PATCH", `/blogs/${id}`, { content: "<p>Again.</p>" });
  // REST clients have no `restores` field.
  expect((await client.call("PATCH", `/blogs/${id}`, { restores: newId() })).status).toBe(400);
  expect(await reasonsOf(ana, id)).toEqual(["api", "published", "api", "draft"]);

  const text = (words: string) => `---\ntitle: Moved in\ndate: 2020-02-03\n---\n${words}\n`;
  await using source = await createFolder({ "a.md": text("Words.") });
  const ctx = actingAs(testSite.app.services, { id: ana.me.id });
  await importMarkdown(ctx, source.folder);
  await source.put("a.md", text("Other words."));
  await importMarkdown(ctx, source.folder, { again: true });
  const blog = (await ana.api.blogs.mine.query({})).blogs.find(({ title }) => title === "Moved in")!;
  expect(await reasonsOf(ana, blog.id)).toEqual(["imported", "imported"]);
  expect((await historyOf(ana, blog.id))[0]!.createdAt.slice(0, 4)).not.toBe("2020");
});

test("records which version of the same blog a save restores, and keeps all others", async () => {
  await using testSite = await startTestSite();
  const { ana, id } = await createAnaWithBlog(testSite, { title: "First" });
  const other = await ana.api.blogs.create.mutate(aBlog());
  await ana.api.blogs.update.mutate({ id, title: "Second" });
  const [, first] = await historyOf(ana, id);
  const [otherVersion] = await historyOf(ana, other.id);
  for (const restores of [otherVersion!.id, newId()])
    expect(await refusal(ana.api.blogs.update.mutate({ id, title: "First", restores }))).toMatchObject({
      code: "BAD_REQUEST",
      field: "restores",
    });
  await ana.api.blogs.update.mutate({ id, title: "First", restores: first!.id });
  expect((await historyOf(ana, id)).map(({ why, title, restored }) => [why, title, restored])).toEqual([
    ["restored", "First", first!.createdAt],
    ["updated", "Second", null],
    ["published", "First", null],
  ]);
  // The restored version may be deleted.
  await testSite.write(
    async (tx) => void (await tx.drizzle.run(sql`delete from versions where id = ${first!.id}`)),
  );
  expect((await historyOf(ana, id))[0]).toMatchObject({ why: "restored", restored: null });
  expect(await refusal(ana.api.blogs.version.query({ id, version: first!.id }))).toMatchObject({
    code: "NOT_FOUND",
  });
});

test("pages a long history, each version once and in order, also within one millisecond", async () => {
  await using testSite = await startTestSite();
  const { ana, id } = await createAnaWithBlog(testSite, { title: "0" });
  for (let round = 1; round <= 40; round++) await ana.api.blogs.update.mutate({ id, title: `${round}` });
  const at = Date.now();
  await testSite.write(async (tx) => {
    for (let round = 0; round < 4; round++)
      await insertCurrentVersion(tx, id, { by: ana.me.id, why: "api", at });
  });
  const ids: string[] = [];
  const sizes: number[] = [];
  let before: { createdAt: string; id: string } | undefined;
  for (;;) {
    const page = await ana.api.blogs.versions.query({ id, before });
    sizes.push(page.versions.length);
    ids.push(...page.versions.map(({ id: one }) => one));
    const last = page.versions.at(-1)!;
    if (!page.hasMore) {
      expect(last.previous).toBeNull();
      break;
    }
    before = { createdAt: last.createdAt, id: last.id };
    expect(last.previous).not.toBeNull();
  }
  expect(sizes).toEqual([20, 20, 5]);
  const stored = testSite.rows<{ id: string }>("select id from versions order by rowid desc");
  expect(ids).toEqual(stored.map((row) => row.id));
  expect(ids).toHaveLength(45);
});

test("sends a new version to the author's other tabs, and nothing to other people", async () => {
  await using testSite = await startTestSite();
  const { ana, id } = await createAnaWithBlog(testSite, { draft: true });
  const eve = await testSite.createAccount("Eve");
  const [ownStream, otherStream] = [followTopics(ana, ["me"]), followTopics(eve, ["me", "feed"])];
  await ownStream.waitForStart();
  await otherStream.waitForStart();
  await ana.api.blogs.update.mutate({ id, title: "Later" });
  await ownStream.waitFor("viewer.blogsChanged");
  expect(ownStream.events("viewer.blogsChanged").at(-1)).toMatchObject({ blogId: id });
  const { cursor } = await eve.api.blogs.list.query({});
  testSite.app.services.bus.signal([`user:${eve.me.id}`]);
  await otherStream.waitForCursor(cursor);
  expect(otherStream.eventFrames()).toEqual([]);
  ownStream.stop();
  otherStream.stop();
});

test("thins old versions in steps, and keeps the newest and published ones", async () => {
  await using testSite = await startTestSite();
  const { ana, id } = await createAnaWithBlog(testSite, { draft: true, title: "0" });
  const quietBlog = await ana.api.blogs.create.mutate(aBlog({ title: "Quiet" }));
  for (let round = 1; round < 60; round++) await ana.api.blogs.update.mutate({ id, title: `${round}` });
  await ana.api.blogs.update.mutate({ id, draft: false });
  const { database } = testSite.app.services;
  await thinVersions(database, Date.now());
  expect(count(testSite)).toBe(62);
  // Within one minute, which may span two hours.
  await ageVersions(testSite, 2 * day);
  await ana.api.blogs.update.mutate({ id, draft: true, title: "Now" });
  await thinVersions(database, Date.now());
  const remaining = await historyOf(ana, id);
  expect(remaining.length).toBeLessThanOrEqual(4);
  expect(remaining.map(({ why }) => why).slice(0, 2)).toEqual(["draft", "published"]);
  expect(await reasonsOf(ana, quietBlog.id)).toEqual(["published"]);
  // Thins only histories with a new version or one that reached a certain age; here is neither.
  await testSite.write(async (tx) => {
    for (let round = 0; round < 5; round++)
      await tx.drizzle.run(sql`insert into versions (${columns})
        select ${newId()}, blog_id, author_id, why, title, description, tags, cover_id, words, 1,
          created_at - ${3 * day + round}, restored_from, document from versions order by created_at desc limit 1`);
  });
  const before = count(testSite);
  await thinVersions(database, Date.now());
  expect(count(testSite)).toBe(before);
  await thinVersions(database, Date.now() + 5 * day);
  expect(count(testSite)).toBe(before - 4);
});

test("limits the versions of a program that saves very often to those kept of a day", async () => {
  await using testSite = await startTestSite();
  const { ana, id } = await createAnaWithBlog(testSite);
  await testSite.write(async (tx) => {
    for (let round = 0; round < 3 * maxUnthinned; round++)
      await tx.drizzle.run(sql`insert into versions (${columns})
        select ${newId()}, blog_id, author_id, why, title, description, tags, cover_id, words, draft,
          created_at - ${60_000 + round * 1_000}, restored_from, document from versions limit 1`);
  });
  await ana.api.blogs.update.mutate({ id, title: "Once more" });
  // Each save deletes a few.
  expect(count(testSite)).toBe(1 + 3 * maxUnthinned + 1 - 40);
  await thinVersions(testSite.app.services.database, Date.now());
  const remaining = count(testSite);
  expect(remaining).toBeGreaterThanOrEqual(maxUnthinned);
  expect(remaining).toBeLessThanOrEqual(maxUnthinned + 2);
  await ana.api.blogs.update.mutate({ id, title: "And again" });
  expect(count(testSite)).toBe(remaining + 1);
  expect((await historyOf(ana, id)).length).toBe(20);
});

test("keeps images while a version shows them, and deletes them a month later", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const [inText, cover] = [await upload(ana, await paint()), await upload(ana, await paint())];
  const blog = aBlog({ draft: true, document: documentWithImages(inText.id), coverId: cover.id });
  await ana.api.blogs.create.mutate(blog);
  await ana.api.blogs.update.mutate({
    id: blog.id,
    version: 1,
    document: paragraphs("None."),
    coverId: null,
  });
  const imagesExist = () => [imageExists(testSite, inText.id), imageExists(testSite, cover.id)];
  await sweepPictures(testSite.app.services, Date.now() + 2 * month);
  expect(imagesExist()).toEqual([true, true]);
  expect((await ana.fetch(inText.src)).status).toBe(200);
  const [, first] = await historyOf(ana, blog.id);
  expect(await ana.api.blogs.version.query({ id: blog.id, version: first!.id })).toMatchObject({
    cover: { id: cover.id },
  });
  const eve = await testSite.createAccount("Eve");
  for (const { src } of [inText, cover]) expect((await eve.fetch(src)).status).toBe(404);

  // Another version of the same hour stays instead.
  await testSite.write(async (tx) => {
    const baseTime = Math.floor((Date.now() - 3 * day) / hour) * hour;
    await tx.drizzle.run(sql`update versions set created_at = ${baseTime} + (words * 0)`);
    await tx.drizzle.run(sql`update versions set created_at = created_at + 1 where cover_id is null`);
  });
  await thinVersions(testSite.app.services.database, Date.now());
  expect(await reasonsOf(ana, blog.id)).toEqual(["draft"]);
  await sweepPictures(testSite.app.services, Date.now() + month - 60_000);
  expect(imagesExist()).toEqual([true, true]);
  await sweepPictures(testSite.app.services, Date.now() + month + 60_000);
  expect(imagesExist()).toEqual([false, false]);
});

test("deletes a blog's history with the blog or its author's account, however long it is", async () => {
  await using testSite = await startTestSite();
  const { ana, id } = await createAnaWithBlog(testSite);
  const picture = await upload(ana, await paint());
  await ana.api.blogs.update.mutate({ id, version: 1, document: documentWithImages(picture.id) });
  await ana.api.blogs.update.mutate({ id, version: 2, document: paragraphs("None.") });
  const insertVersions = () =>
    testSite.write(async (tx) => {
      for (let round = 0; round < 700; round++)
        await tx.drizzle.run(sql`insert into versions (${columns})
          select ${newId()}, blog_id, author_id, why, title, description, tags, cover_id, words, draft,
            created_at - ${round + 1}, restored_from, document from versions limit 1`);
    });
  await insertVersions();
  await ana.api.blogs.remove.mutate({ id });
  await until(() => count(testSite) === 0, "the end of its history");
  expect(testSite.rows("select id from blogs")).toEqual([]);
  await sweepPictures(testSite.app.services, Date.now() + month - 60_000);
  expect(imageExists(testSite, picture.id)).toBe(true);
  await sweepPictures(testSite.app.services, Date.now() + month + 60_000);
  expect(imageExists(testSite, picture.id)).toBe(false);

  await ana.api.blogs.create.mutate(aBlog());
  await insertVersions();
  await ana.api.users.remove.mutate({ password });
  await until(() => testSite.rows("select id from users").length === 0, "the end of the account");
  expect([
    count(testSite),
    testSite.rows("select id from blogs"),
    testSite.rows("select * from version_media"),
  ]).toEqual([0, [], []]);
});

test("shows no author of a version whose author's account was deleted", async () => {
  await using testSite = await startTestSite();
  const { ana, id } = await createAnaWithBlog(testSite);
  const eve = await testSite.createAccount("Eve");
  // As a co-author's save would leave it.
  await testSite.write(
    async (tx) => void (await tx.drizzle.run(sql`update versions set author_id = ${eve.me.id}`)),
  );
  expect((await historyOf(ana, id))[0]!.author).toMatchObject({ name: "Eve" });
  await eve.api.users.remove.mutate({ password });
  expect(await historyOf(ana, id)).toMatchObject([{ author: null }]);
});

test("deletes one version for the author, but not the one that readers see", async () => {
  await using testSite = await startTestSite();
  const { ana, id } = await createAnaWithBlog(testSite, { document: paragraphs("One.") });
  for (const text of ["Two.", "Three."]) {
    const { version } = await ana.api.blogs.forEdit.query({
      slug: (await ana.api.blogs.card.query({ id })).slug,
    });
    await ana.api.blogs.update.mutate({ id, version, document: paragraphs(text) });
  }
  const before = await historyOf(ana, id);
  expect((await ana.api.blogs.versions.query({ id })).seen).toBe(before[0]!.id);
  const [newest, middle, first] = before.map((entry) => entry.id);
  expect(await refusal(ana.api.blogs.deleteVersion.mutate({ id, version: newest! }))).toMatchObject({
    code: "CONFLICT",
  });
  await ana.api.blogs.deleteVersion.mutate({ id, version: middle! });
  expect((await historyOf(ana, id)).map((entry) => [entry.id, entry.previous])).toEqual([
    [newest, first],
    [first, null],
  ]);
  for (const call of ["version", "deleteVersion"] as const) {
    const input = { id, version: middle! };
    const request =
      call === "version" ? ana.api.blogs.version.query(input) : ana.api.blogs.deleteVersion.mutate(input);
    expect(await refusal(request)).toMatchObject({ code: "NOT_FOUND" });
  }
  // Readers see none of a draft.
  await ana.api.blogs.update.mutate({ id, draft: true });
  expect((await ana.api.blogs.versions.query({ id })).seen).toBeNull();
  for (const { id: version } of await historyOf(ana, id))
    await ana.api.blogs.deleteVersion.mutate({ id, version });
  expect(await historyOf(ana, id)).toEqual([]);
});
