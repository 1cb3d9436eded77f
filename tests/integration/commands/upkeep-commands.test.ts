import { readdir, rm, utimes } from "node:fs/promises";
import path from "node:path";
import { sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { pictureKey } from "../../../src/server/media/paths.ts";
import { execute } from "../../../src/server/database/connection.ts";
import { openServicesForCommand } from "../../../src/server/commands/services.ts";
import { isPostgres } from "../../../src/server/database/schema/store.ts";
import { rebuild } from "../../../src/server/blogs/rebuild.ts";
import { findCommand, usage } from "../../../src/server/commands/table.ts";
import { indexedWith, removeFromIndex } from "../../support/search-index.ts";
import { reprise } from "../../support/command.ts";
import { createFolder } from "../../support/import-folder.ts";
import { createLiveBlog, postEntry } from "../../support/live-blogs.ts";
import { environmentOf } from "../../support/second-database.ts";
import { startStaffedSite } from "../../support/staffed-site.ts";
import { upload } from "../../support/pictures.ts";
import {
  aBlog,
  paragraphs,
  startTestSite,
  followBlog,
  until,
  type TestSite,
} from "../../support/test-site.ts";

const runCommand = (testSite: TestSite, ...args: string[]) =>
  reprise(testSite.config.dataDir, [...args, "--json"], { PUBLIC_URL: testSite.config.publicUrl });

test("reports pictures without files and files without pictures in doctor, and repairs what it can", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const [shown, unusedPicture, misrecorded] = [await upload(ana), await upload(ana), await upload(ana)];
  await ana.api.blogs.create.mutate(aBlog({ coverId: shown.id }));
  await ana.api.blogs.create.mutate(aBlog({ coverId: misrecorded.id }));
  const { media } = testSite.app.services;
  const folderOf = (id: string) => path.join(testSite.config.dataDir, pictureKey(id));
  expect((await runCommand(testSite, "doctor")).json).toMatchObject({
    integrity: ["ok"],
    brokenReferences: 0,
    pictures: { pictures: 3, missing: [], forgotten: 0, noted: 0, dropped: 0, strays: 0 },
  });
  await rm(folderOf(shown.id), { recursive: true });
  await rm(folderOf(unusedPicture.id), { recursive: true });
  await testSite.write(async (tx) =>
    execute(tx, sql`update media set unused_at = 5 where id = ${misrecorded.id}`),
  );
  const strayId = "0198c0de-0000-7000-8000-0000000000aa";
  await media.copy(misrecorded.id, strayId);
  await utimes(folderOf(strayId), 1, 1);
  const result = await runCommand(testSite, "doctor");
  expect(result).toMatchObject({ code: 1, error: "" });
  expect(result.json).toMatchObject({
    recounted: { "media.unused_at": 1 },
    pictures: { pictures: 3, missing: [shown.id], forgotten: 1, noted: 1, strays: 1 },
  });
  expect(testSite.rows("select id, unused_at from media order by id")).toEqual([
    { id: shown.id, unused_at: null },
    { id: misrecorded.id, unused_at: null },
  ]);
  expect((await runCommand(testSite, "doctor")).json).toMatchObject({
    pictures: { pictures: 2, missing: [shown.id], forgotten: 0, noted: 0, strays: 0 },
  });
});

test("repairs the tag index from the blogs' tags in doctor", { tags: ["more"] }, async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  for (const tags of [["owls", "night"], ["moths"], ["day"], []])
    await ana.api.blogs.create.mutate(aBlog({ tags }));
  await ana.api.blogs.create.mutate(aBlog({ tags: ["night"], draft: true }));
  const blogTags = () => testSite.rows("select * from blog_tags order by blog_seq, tag");
  const expectedTags = blogTags();
  expect(expectedTags).toHaveLength(4);
  const recountedRows = async () =>
    ((await runCommand(testSite, "doctor")).json as { recounted: Record<string, number> }).recounted;
  expect((await recountedRows())["blog_tags.tag"]).toBe(0);
  await testSite.write(async (tx) => {
    // One missing, one too many, one of a draft, and one with an old rank.
    await execute(tx, sql`delete from blog_tags where tag = 'owls'`);
    await execute(tx, sql`update blog_tags set likes_count = 7 where tag = 'moths'`);
    for (const number of [4, 5])
      await execute(
        tx,
        sql`insert into blog_tags (blog_seq, tag, author_id, is_public, likes_count, published_at)
          select ${number}, 'x', author_id, 1, 0, 0 from blog_tags where blog_seq = 3`,
      );
  });
  expect((await recountedRows())["blog_tags.tag"]).toBe(4);
  expect(blogTags()).toEqual(expectedTags);
  expect(Object.values(await recountedRows()).every((rows) => rows === 0)).toBe(true);
});

test("repairs the listings and counts of co-authors from the blogs in doctor", async () => {
  await using testSite = await startTestSite();
  const [ana, ben] = [await testSite.createAccount("Ana"), await testSite.createAccount("Ben")];
  for (const draft of [false, true]) {
    const { id } = await ana.api.blogs.create.mutate(aBlog({ draft }));
    await ana.api.blogs.inviteAuthor.mutate({ id, username: ben.me.username });
    await ben.api.blogs.answerInvitation.mutate({ id, accept: true });
  }
  const derivedRows = () => [
    testSite.rows(
      "select blog_id, draft, private, is_public, published_at from blog_authors order by blog_id",
    ),
    testSite.rows("select shared_blogs from users order by seq"),
  ];
  const expectedRows = derivedRows();
  expect(expectedRows[1]).toEqual([{ shared_blogs: 0 }, { shared_blogs: 1 }]);
  const recountedRows = async () =>
    ((await runCommand(testSite, "doctor")).json as { recounted: Record<string, number> }).recounted;
  await testSite.write(async (tx) => {
    await execute(tx, sql`update blog_authors set is_public = 1 - is_public, published_at = 7`);
    await execute(tx, sql`update users set shared_blogs = 9`);
  });
  expect(await recountedRows()).toMatchObject({ "blog_authors.marks": 2, "users.shared_blogs": 2 });
  expect(derivedRows()).toEqual(expectedRows);
  expect(Object.values(await recountedRows()).every((rows) => rows === 0)).toBe(true);
});

test("leaves blogs of suspended and limited accounts hidden in doctor", async () => {
  const site = await startStaffedSite();
  const { testSite, mona, ana, ben } = site;
  for (const author of [ana, ben]) await author.api.blogs.create.mutate(aBlog());
  await mona.api.moderation.suspend.mutate({ userId: ana.me.id, suspended: true, reason: "Spam." });
  await mona.api.moderation.limit.mutate({ userId: ben.me.id, limited: true });
  const publicBlogs = () => testSite.rows("select id from blogs where is_public = 1");
  await until(() => publicBlogs().length === 0, "the visibility of both");
  const { recounted } = (await runCommand(testSite, "doctor")).json as { recounted: Record<string, number> };
  expect(recounted["blogs.is_public"]).toBe(0);
  expect(publicBlogs()).toEqual([]);
});

test(
  "rebuilds derived texts and the search index beside the running server",
  { tags: ["more"] },
  async () => {
    await using testSite = await startTestSite();
    const ana = await testSite.createAccount("Ana");
    const blog = await ana.api.blogs.create.mutate(aBlog({ document: paragraphs("Owls, mostly.") }));
    // Has no derived text.
    await ana.api.blogs.create.mutate(aBlog({ draft: true }));
    const derivedColumns = () =>
      testSite.rows("select id, html, text, excerpt, words, reading_minutes from blogs order by seq");
    const expectedColumns = derivedColumns();
    const page = followBlog(testSite.browser(), blog.id);
    await page.waitForStart();
    await testSite.write(async (tx) => {
      await execute(
        tx,
        sql`update blogs set html = '<p>Mice</p>', text = 'mice', excerpt = '', words = 9 where draft = 0`,
      );
      await execute(tx, removeFromIndex("people"));
      await execute(tx, removeFromIndex("blogs"));
    });
    expect((await runCommand(testSite, "rebuild")).json).toEqual({
      blogs: 1,
      entries: 0,
      changed: 1,
      people: 1,
      problems: [],
      resumed: false,
    });
    expect(derivedColumns()).toEqual(expectedColumns);
    await page.waitFor("blog.edited");
    expect(testSite.rows(indexedWith("blogs", "owls"))).toHaveLength(1);
    expect(testSite.rows(indexedWith("people", "ana"))).toHaveLength(1);
    expect((await runCommand(testSite, "rebuild")).json).toMatchObject({
      blogs: 1,
      changed: 0,
      resumed: false,
    });
  },
);

test("rebuilds entries of live blogs, and updates open pages of those that changed", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const blog = await createLiveBlog(ana);
  const heading = { type: "heading", attrs: { level: 2 }, content: [{ type: "text", text: "Owls" }] };
  const document = { type: "doc", content: [heading] };
  const posted: string[] = [];
  for (let count = 0; count < 4; count++) posted.push((await postEntry(ana, blog, { document })).id);
  const [changed, withdrawn, kept, unreadable] = posted as [string, string, string, string];
  await ana.api.blogs.withdrawEntry.mutate({ id: withdrawn, withdrawn: true });
  const derivedColumns = () => testSite.rows("select id, html, text from entries order by seq");
  const expectedColumns = derivedColumns();
  await testSite.write(async (tx) => {
    await execute(tx, sql`update entries set html = '<p>Mice</p>' where id in (${changed}, ${withdrawn})`);
    await execute(
      tx,
      sql`update entries set document = '{"type":"doc","content":[{"type":"of-a-later-version"}]}'
        where id = ${unreadable}`,
    );
    await execute(tx, removeFromIndex("blogs", "number < 0"));
  });
  const page = followBlog(testSite.browser(), blog.id);
  await page.waitForStart();
  const { services } = testSite.app;
  const result = await rebuild(services);
  expect(result).toMatchObject({ entries: 4, changed: 2 });
  expect(result.problems).toEqual([{ blogId: blog.id, entryId: unreadable, problem: expect.any(String) }]);
  expect(derivedColumns()).toEqual(expectedColumns);
  // The withdrawn one is not in it.
  expect(testSite.rows(indexedWith("blogs", "owls", "number < 0"))).toHaveLength(3);
  await ana.api.blogs.likeEntry.mutate({ id: kept, liked: true });
  await page.waitFor("entry.liked");
  expect(page.events("entry.edited").map(({ entry }) => entry.id)).toEqual([changed]);
  expect(await rebuild(services)).toMatchObject({ entries: 4, changed: 0, resumed: false });
});

test("resumes a rebuild between entries", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const blog = await createLiveBlog(ana);
  for (let count = 0; count < 3; count++) await postEntry(ana, blog);
  await testSite.write(async (tx) => execute(tx, sql`update entries set html = 'wrong'`));
  const { services } = testSite.app;
  const abort = new AbortController();
  const rebuilding = rebuild(services, {
    signal: abort.signal,
    onProgress: (_done, _of, what) => {
      if (what === "entries") abort.abort(new Error("Enough."));
    },
  });
  await expect(rebuilding).rejects.toThrow("Enough.");
  expect(await rebuild(services)).toMatchObject({ resumed: true, blogs: 0, entries: 2, changed: 2 });
});

test("resumes a stopped rebuild, and leaves documents that it cannot read as they are", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  for (let count = 0; count < 3; count++) await ana.api.blogs.create.mutate(aBlog());
  const unreadable = '{"type":"doc","content":[{"type":"of-a-later-version"}]}';
  await testSite.write(async (tx) => {
    await execute(tx, sql`update blogs set html = 'wrong'`);
    await execute(tx, sql`update blogs set document = ${unreadable} where seq = 3`);
  });
  const services = await openServicesForCommand(environmentOf(testSite));
  const abort = new AbortController();
  const rebuilding = rebuild(services, {
    signal: abort.signal,
    onProgress: () => abort.abort(new Error("Enough.")),
  });
  await expect(rebuilding).rejects.toThrow("Enough.");
  expect(testSite.rows("select seq from blogs where html = 'wrong'")).toHaveLength(2);
  const result = await rebuild(services);
  expect(result).toMatchObject({
    resumed: true,
    blogs: 2,
    changed: 1,
    problems: [{ problem: expect.any(String) }],
  });
  expect(testSite.rows("select seq from blogs where html = 'wrong'")).toEqual([{ seq: 3 }]);
  await services.workers.close();
  await services.readers.close();
  await services.database.close();
});

test("refuses every command in a folder without a site, and creates nothing there", async () => {
  await using empty = await createFolder({});
  const dataDir = path.join(empty.folder, "none");
  const refused = {
    code: 1,
    error: isPostgres
      ? "There is no site in the database of DATABASE_URL. Start the server once."
      : `There is no database ${dataDir}/reprise.db. Set DATA_DIR to the site’s folder.`,
  };
  // The database in which PostgreSQL's own tools begin.
  const url = process.env.DATABASE_URL?.replace("/reprise_template?", "/postgres?");
  const settings: Record<string, string> = url === undefined ? {} : { DATABASE_URL: url };
  // They need no site, or say it in words of their own.
  const others = [
    "restore",
    "user add",
    "move-to-postgres",
    "move-to-sqlite",
    ...(isPostgres ? ["backup"] : []),
  ];
  for (const args of isPostgres ? [["doctor"]] : [["doctor"], ["backup"]])
    expect(await reprise(dataDir, args, settings)).toMatchObject(refused);
  const names = [...(await usage()).matchAll(/^ {2}([a-z\d-]+(?: [a-z\d-]+)*)/gm)].map(
    ([, name]) => name ?? "",
  );
  expect(names.length).toBeGreaterThan(15);
  const words = (name: string) => ({ "jobs retry": [], export: [], "import undo": ["1"] })[name] ?? ["ana"];
  vi.stubEnv("DATA_DIR", dataDir);
  vi.stubEnv("DATABASE_URL", url);
  try {
    for (const name of names.filter((each) => !others.includes(each))) {
      const command = await findCommand(name.split(" "));
      const options = { author: "ana", all: true, site: true } as never;
      const signal = () => new AbortController().signal;
      const answer = command?.run({ words: words(name), options, progress: () => undefined, signal });
      await expect(answer, name).rejects.toThrow(refused.error);
    }
  } finally {
    vi.unstubAllEnvs();
  }
  expect(await readdir(empty.folder)).toEqual([]);
});
