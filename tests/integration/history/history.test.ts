import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { execute } from "../../../src/server/database/connection.ts";
import { isPostgres } from "../../../src/server/database/schema/store.ts";
import { recordPublished, thinVersions } from "../../../src/server/history/versions.ts";
import { actingAs } from "../../../src/server/accounts/acting-as.ts";
import { sweepPictures } from "../../../src/server/media/service.ts";
import { newId } from "../../../src/server/runtime/ids.ts";
import { limits } from "../../../src/shared/limits.ts";
import { ApiClient, blogForm } from "../../support/api-client.ts";
import { createFolder } from "../../support/import-folder.ts";
import { importMarkdown } from "../../support/import-markdown.ts";
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
  (await historyOf(who, id)).map(({ reason }) => reason);
const count = (testSite: TestSite): number =>
  testSite.rows<{ n: number }>("select count(*) as n from versions")[0]!.n;

/** Moves all versions this many milliseconds into the past. */
const ageVersions = (testSite: TestSite, ms: number) =>
  testSite.write(async (tx) => execute(tx, sql`update versions set created_at = created_at - ${ms}`));

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

/** Adds versions of a draft, like the blog's newest version and one millisecond apart before it. */
const copyVersions = (testSite: TestSite, blogId: string, copies: number, before = 0) =>
  testSite.write(async (tx) => {
    for (let round = 1; round <= copies; round++)
      await execute(
        tx,
        sql`insert into versions (id, blog_id, author_id, reason, title, description, tags,
          cover_id, words, created_at, document)
        select ${newId()}, blog_id, author_id, 'written', title, description, tags,
          cover_id, words, ${Date.now() - before - round}, document
        from versions where blog_id = ${blogId} limit 1`,
      );
  });

test("stores a version of each publication that changes the text or its fields, with its author", async () => {
  await using testSite = await startTestSite();
  const { ana, id } = await createAnaWithBlog(testSite, {
    draft: true,
    title: "Owls",
    document: paragraphs("One two three."),
  });
  const save = (change: Record<string, unknown>) => ana.api.blogs.update.mutate({ id, ...change });
  const etag = async () => (await ana.api.blogs.forEdit.query({ slug: "owls-at-night" })).etag;
  // Of a draft, its fields, visibility and address.
  await save({ title: "Owls, seen", private: true });
  await save({ private: false, slug: "owls-at-night" });
  await ana.api.blogs.publish.mutate({ id, draft: true });
  expect(await reasonsOf(ana, id)).toEqual([]);
  await save({ draft: false });
  // Unchanged values, visibility and addresses.
  await save({ title: "Owls, seen" });
  await save({ etag: await etag(), document: paragraphs("One two three.") });
  await save({ private: true });
  await save({ private: false });
  await save({ canonicalUrl: "https://example.org/owls", searchTitle: "Owls!" });
  await ana.api.blogs.setCommenters.mutate({ id, commentsFrom: "nobody" });
  expect(await reasonsOf(ana, id)).toEqual(["published"]);
  // Its versions stay with a blog that becomes a draft, and is published again as it was.
  await save({ draft: true });
  expect(await ana.api.blogs.versions.query({ id })).toMatchObject({ seen: null, versions: { length: 1 } });
  await save({ draft: false });
  expect(await reasonsOf(ana, id)).toEqual(["published"]);
  await save({ draft: true });
  await save({ draft: false, title: "Owls, heard" });
  const cover = await upload(ana, await paint());
  for (const change of [{ description: "What one sees." }, { tags: ["birds"] }, { coverId: cover.id }])
    await save(change);
  await save({ etag: await etag(), document: paragraphs("One two three.", "Four.") });
  const versions = await historyOf(ana, id);
  expect(versions.map(({ reason }) => reason)).toEqual(Array.from({ length: 6 }, () => "published"));
  expect(versions[0]).toMatchObject({
    title: "Owls, heard",
    words: 4,
    change: 1,
    previous: versions[1]!.id,
    restored: null,
    author: { id: ana.me.id, name: "Ana" },
  });
  expect(versions.at(-1)).toMatchObject({ title: "Owls, seen", words: 3, change: null, previous: null });
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
  const { api: staff } = await testSite.createAccount("Boss");
  const { ana, id } = await createAnaWithBlog(testSite);
  const change = { id, etag: 1, title: "Later", document: paragraphs("Later.") };
  await ana.api.blogs.update.mutate(change);
  await ana.api.blogs.update.mutate(change);
  await refusal(ana.api.blogs.update.mutate({ ...change, title: "Too late" }));
  await refusal(ana.api.blogs.update.mutate({ id, coverId: newId() }));
  const takedown = { kind: "blog", id, outcome: "take-down", reason: "Spam." } as const;
  await staff.moderation.resolveReport.mutate(takedown);
  await refusal(ana.api.blogs.update.mutate({ id, title: "Hidden", draft: false }));
  await staff.moderation.restore.mutate({ blogId: id });
  expect(await reasonsOf(ana, id)).toEqual(["published", "published"]);
});

test("stores what readers of a restored blog saw at its first change, with its date", async () => {
  await using testSite = await startTestSite();
  const { ana, id } = await createAnaWithBlog(testSite, {
    title: "Before",
    document: paragraphs("Words of before."),
  });
  await ana.api.blogs.update.mutate({ id, private: true });
  const savedAt = Date.now() - 400 * day;
  await testSite.write(async (tx) => {
    await execute(tx, sql`delete from versions`);
    await execute(
      tx,
      sql`update blogs set created_at = ${savedAt - day}, published_at = ${savedAt - hour}, edited_at = ${savedAt}`,
    );
  });
  await ana.api.blogs.update.mutate({ id, etag: 2, document: paragraphs("Words.") });
  await ana.api.blogs.update.mutate({ id, title: "After" });
  const versions = await historyOf(ana, id);
  expect(versions.map(({ title, words, change }) => [title, words, change])).toEqual([
    ["After", 1, 0],
    ["Before", 1, -2],
    ["Before", 3, null],
  ]);
  expect(versions.at(-1)!.createdAt).toBe(new Date(savedAt).toISOString());
  const first = await ana.api.blogs.version.query({ id, version: versions.at(-1)!.id });
  expect(JSON.stringify(first.document)).toContain("Words of before.");
});

test("stores a version of what REST clients and imports publish, dated when they did", async () => {
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
  expect(await reasonsOf(ana, id)).toEqual(["published", "published"]);

  const text = (words: string) => `---\ntitle: Moved in\ndate: 2020-02-03\n---\n${words}\n`;
  await using source = await createFolder({ "a.md": text("Words.") });
  const ctx = actingAs(testSite.app.services, ana.me.id);
  await importMarkdown(ctx, source.folder);
  await source.put("a.md", text("Other words."));
  await importMarkdown(ctx, source.folder, { again: true });
  const blog = (await ana.api.blogs.mine.query({})).blogs.find(({ title }) => title === "Moved in")!;
  expect(await reasonsOf(ana, blog.id)).toEqual(["published", "published"]);
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
  expect((await historyOf(ana, id)).map(({ title, restored }) => [title, restored])).toEqual([
    ["First", first!.createdAt],
    ["Second", null],
    ["First", null],
  ]);
  await ana.api.blogs.deleteVersion.mutate({ id, version: first!.id });
  expect((await historyOf(ana, id))[0]).toMatchObject({ title: "First", restored: null });
});

test("pages a long history, each version once and in order, also within one millisecond", async () => {
  await using testSite = await startTestSite();
  const { ana, id } = await createAnaWithBlog(testSite, { title: "0" });
  for (let round = 1; round <= 40; round++) await ana.api.blogs.update.mutate({ id, title: `${round}` });
  const at = Date.now();
  await testSite.write(async (tx) => {
    for (let round = 0; round < 4; round++) {
      await execute(tx, sql`update blogs set title = ${`Again ${round}`}`);
      await recordPublished(tx, id, { by: ana.me.id, at });
    }
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
  const stored = testSite.rows<{ id: string }>(
    `select id from versions order by ${isPostgres ? "ctid" : "rowid"} desc`,
  );
  expect(ids).toEqual(stored.map((row) => row.id));
  expect(ids).toHaveLength(45);
});

test("sends a new version to the author's other tabs, and nothing to other people", async () => {
  await using testSite = await startTestSite();
  const { ana, id } = await createAnaWithBlog(testSite);
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
  const { ana, id } = await createAnaWithBlog(testSite, { title: "First" });
  const quietBlog = await ana.api.blogs.create.mutate(aBlog({ title: "Quiet" }));
  await ana.api.blogs.update.mutate({ id, title: "Second" });
  const { database } = testSite.app.services;
  // Within one minute, which may span two hours.
  await copyVersions(testSite, id, 60);
  await thinVersions(database, Date.now());
  expect(count(testSite)).toBe(63);
  await ageVersions(testSite, 2 * day);
  await ana.api.blogs.update.mutate({ id, title: "Now" });
  await thinVersions(database, Date.now());
  const remaining = await historyOf(ana, id);
  expect(remaining.length).toBeLessThanOrEqual(5);
  expect(remaining.filter(({ reason }) => reason === "published").map(({ title }) => title)).toEqual([
    "Now",
    "Second",
    "First",
  ]);
  expect(await reasonsOf(ana, quietBlog.id)).toEqual(["published"]);
  // Thins only histories with a new version or one that reached a certain age; here is neither.
  await testSite.write(async (tx) => execute(tx, sql`delete from versions where reason = 'written'`));
  await copyVersions(testSite, id, 5, 3 * day);
  await thinVersions(database, Date.now());
  expect(count(testSite)).toBe(9);
  await thinVersions(database, Date.now() + 5 * day);
  expect(count(testSite)).toBe(5);
});

test("keeps images while a version shows them, and deletes them a month later", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const [inText, cover] = [await upload(ana, await paint()), await upload(ana, await paint())];
  const blog = aBlog({ document: documentWithImages(inText.id), coverId: cover.id });
  await ana.api.blogs.create.mutate(blog);
  await ana.api.blogs.update.mutate({
    id: blog.id,
    etag: 1,
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

  await ana.api.blogs.deleteVersion.mutate({ id: blog.id, version: first!.id });
  await sweepPictures(testSite.app.services, Date.now() + month - 60_000);
  expect(imagesExist()).toEqual([true, true]);
  await sweepPictures(testSite.app.services, Date.now() + month + 60_000);
  expect(imagesExist()).toEqual([false, false]);
});

test("deletes a blog's history with the blog or its author's account, however long it is", async () => {
  await using testSite = await startTestSite();
  const { ana, id } = await createAnaWithBlog(testSite);
  const picture = await upload(ana, await paint());
  await ana.api.blogs.update.mutate({ id, etag: 1, document: documentWithImages(picture.id) });
  await ana.api.blogs.update.mutate({ id, etag: 2, document: paragraphs("None.") });
  await copyVersions(testSite, id, 700);
  await ana.api.blogs.remove.mutate({ id });
  await until(() => count(testSite) === 0, "the end of its history");
  expect(testSite.rows("select id from blogs")).toEqual([]);
  await sweepPictures(testSite.app.services, Date.now() + month - 60_000);
  expect(imageExists(testSite, picture.id)).toBe(true);
  await sweepPictures(testSite.app.services, Date.now() + month + 60_000);
  expect(imageExists(testSite, picture.id)).toBe(false);

  const another = await ana.api.blogs.create.mutate(aBlog());
  await copyVersions(testSite, another.id, 700);
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
  await testSite.write(async (tx) => execute(tx, sql`update versions set author_id = ${eve.me.id}`));
  expect((await historyOf(ana, id))[0]!.author).toMatchObject({ name: "Eve" });
  await eve.api.users.remove.mutate({ password });
  expect(await historyOf(ana, id)).toMatchObject([{ author: null }]);
});

test("deletes one version for the author, but not the one that readers see", async () => {
  await using testSite = await startTestSite();
  const { ana, id } = await createAnaWithBlog(testSite, { document: paragraphs("One.") });
  for (const text of ["Two.", "Three."]) {
    const { etag } = await ana.api.blogs.forEdit.query({
      slug: (await ana.api.blogs.card.query({ id })).slug,
    });
    await ana.api.blogs.update.mutate({ id, etag, document: paragraphs(text) });
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
