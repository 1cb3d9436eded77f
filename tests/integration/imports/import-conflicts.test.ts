import { monitorEventLoopDelay } from "node:perf_hooks";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { execute } from "../../../src/server/database/connection.ts";
import { importingAs } from "../../../src/server/accounts/acting-as.ts";
import { openFiles } from "../../../src/server/imports/files/open.ts";
import { openAsKind } from "../../../src/server/imports/kinds.ts";
import {
  beginRun,
  executeRun,
  changeRunAndPublish,
  undoRun,
} from "../../../src/server/imports/import-runs.ts";
import { jsonFieldSql } from "../../support/json-field.ts";
import { reprise } from "../../support/command.ts";
import { createFolder } from "../../support/import-folder.ts";
import { importMarkdown } from "../../support/import-markdown.ts";
import { aComment, startTestSite, type SignedInBrowser, type TestSite } from "../../support/test-site.ts";
import { buildZip } from "../../support/zip.ts";

const post = (title: string, body: string, date = "2020-01-02") =>
  `---\ntitle: ${title}\ndate: ${date}\n---\n${body}\n`;
const contextOf = (testSite: TestSite, { me }: SignedInBrowser, isLocal = true) =>
  importingAs(testSite.app.services, me.id, { isLocal, fetch: false });
const blogTexts = (testSite: TestSite) =>
  testSite
    .rows<{ title: string; html: string }>("select title, html from blogs order by title, html")
    .map(({ title, html }) => `${title}: ${html.replaceAll(/<[^>]*>/g, "")}`);
const idOf = (testSite: TestSite, title: string) =>
  testSite.rows<{ id: string }>(
    `select id from blogs left join drafts on blog_id = id where coalesce(${jsonFieldSql("fields", "title")}, title) = '${title}'`,
  )[0]?.id ?? "";

/** Imports a folder or a ZIP as a run of `person`. Calls `duringImport` before the first picture of a post is read. */
async function runImport(
  testSite: TestSite,
  person: SignedInBrowser,
  file: string,
  { name = file, isLocal = true, duringImport = async (_runId: string): Promise<unknown> => undefined } = {},
) {
  const runInput = { authorId: person.me.id, kind: "markdown", name, local: true, options: {} };
  const id = await beginRun(testSite.app.services, { ...runInput, state: "running" });
  const source = await openAsKind("markdown", await openFiles(file));
  const original = source.file.bind(source);
  let isFirst = true;
  source.file = async (...fileArgs) => {
    if (isFirst) {
      isFirst = false;
      await duringImport(id);
    }
    return original(...fileArgs);
  };
  try {
    return {
      id,
      report: await executeRun(contextOf(testSite, person, isLocal), { ...runInput, id }, source),
    };
  } finally {
    await source.close();
  }
}

test("imports equally named files of two folders as two blogs, and each run finds its own again", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  await using cookingFolder = await createFolder({ "hello.md": post("Hello", "Soup.") });
  await using travelFolder = await createFolder({ "hello.md": post("Hello", "Trains.", "2021-05-06") });
  await runImport(testSite, ana, cookingFolder.folder);
  expect((await runImport(testSite, ana, travelFolder.folder)).report).toMatchObject({
    imported: 1,
    changed: 0,
  });
  expect(blogTexts(testSite)).toEqual(["Hello: Soup.", "Hello: Trains."]);
  await cookingFolder.put("hello.md", post("Hello", "Soup and bread."));
  await travelFolder.put("hello.md", post("Hello", "Night trains.", "2021-05-06"));
  for (const { folder } of [cookingFolder, travelFolder])
    expect((await runImport(testSite, ana, folder)).report).toMatchObject({ imported: 0, changed: 1 });
  expect(blogTexts(testSite)).toEqual(["Hello: Night trains.", "Hello: Soup and bread."]);
});

test("distinguishes ZIPs by their name and content, whatever date is in the name", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const zip = (...texts: [title: string, body: string, date: string]) =>
    buildZip([{ name: "hello.md", bytes: post(...texts) }]);
  await using source = await createFolder({
    one: zip("Hello", "Soup.", "2020-01-02"),
    two: zip("Hello", "Trains.", "2020-01-03"),
    later: zip("Hello", "Night trains.", "2020-01-04"),
    other: zip("Good day", "Cats.", "2019-01-01"),
  });
  const importFile = async (file: string, name: string) =>
    (await runImport(testSite, ana, `${source.folder}/${file}`, { name })).report;
  expect(await importFile("one", "cooking.zip")).toMatchObject({ imported: 1 });
  expect(await importFile("two", "travel.2026-11-01.zip")).toMatchObject({ imported: 1, changed: 0 });
  expect(await importFile("later", "travel.2026-12-01-10-20-30 (1).zip")).toMatchObject({
    imported: 0,
    changed: 1,
  });
  // A ZIP of the same name with none of the first one's posts.
  expect(await importFile("other", "cooking.zip")).toMatchObject({ imported: 1, changed: 0 });
  expect(await importFile("other", "cooking.zip")).toMatchObject({ imported: 0, before: 1 });
  expect(blogTexts(testSite)).toEqual(["Good day: Cats.", "Hello: Night trains.", "Hello: Soup."]);
});

test("matches blogs imported without a recorded source by title or date, and overwrites no others", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  await using first = await createFolder({ "a.md": post("A", "One."), "b.md": post("B", "One.") });
  await importMarkdown(contextOf(testSite, ana), first.folder);
  await using second = await createFolder({
    "a.md": post("A", "Two.", "2020-02-03"),
    "b.md": post("Else", "Two.", "2020-02-03"),
  });
  expect((await runImport(testSite, ana, second.folder)).report).toMatchObject({ imported: 1, changed: 1 });
  expect(blogTexts(testSite)).toEqual(["A: Two.", "B: One.", "Else: Two."]);
});

test("keeps an edit made while an import runs", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  await using source = await createFolder({ "a.md": post("A", "One.") });
  await runImport(testSite, ana, source.folder);
  const id = idOf(testSite, "A");
  await source.put("a.md", post("A", "Two. ![p](p.png)"));
  const { report } = await runImport(testSite, ana, source.folder, {
    duringImport: () => ana.api.blogs.update.mutate({ id, title: "Mine" }),
  });
  expect(report).toMatchObject({ changed: 0, problems: [] });
  expect(report.kept).toEqual([{ file: "a.md", reason: expect.stringContaining("edited here") }]);
  expect(blogTexts(testSite)).toEqual(["Mine: One."]);
});

test("keeps a draft imported before versions were stored, and edited and published here since", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  await using source = await createFolder({
    "a.md": post("A", "One.").replace("date:", "draft: true\ndate:"),
  });
  await runImport(testSite, ana, source.folder);
  await testSite.write(async (tx) => execute(tx, sql`update imports set etag = null, hash = null`));
  await ana.api.blogs.update.mutate({ id: idOf(testSite, "A"), title: "Mine", draft: false });
  const { report } = await runImport(testSite, ana, source.folder);
  expect(report.kept).toEqual([{ file: "a.md", reason: expect.stringContaining("edited here") }]);
  expect(testSite.rows("select title, draft from blogs")).toEqual([{ title: "Mine", draft: 0 }]);
});

test("undoing an import keeps posts that others have commented on", async () => {
  await using testSite = await startTestSite();
  const [ana, ben] = [await testSite.createAccount("Ana"), await testSite.createAccount("Ben")];
  await using source = await createFolder({ "a.md": post("A", "One."), "b.md": post("B", "One.") });
  const { id } = await runImport(testSite, ana, source.folder);
  await ana.api.comments.create.mutate(aComment({ id: idOf(testSite, "A") }));
  await ben.api.comments.create.mutate(aComment({ id: idOf(testSite, "B") }));
  const run = { id, authorId: ana.me.id };
  await changeRunAndPublish(testSite.app.services, run, { state: "undoing" }, ["done"]);
  const { removed, report } = await undoRun(testSite.app.services, run);
  expect(removed).toBe(1);
  expect(report.kept).toEqual([
    { file: "B", reason: expect.stringContaining("others have commented on it") },
  ]);
  expect(blogTexts(testSite)).toEqual(["B: One."]);
});

test("an import that is undone while it runs writes no more, and no command undoes it while its process lives", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  await using source = await createFolder({ "a.md": post("A", "One. ![p](p.png)") });
  const { services } = testSite.app;
  let runId = "";
  const importing = runImport(testSite, ana, source.folder, {
    duringImport: async (id) => {
      runId = id;
      const run = { id, authorId: ana.me.id };
      await changeRunAndPublish(services, run, { options: { pid: process.pid } }, ["running"]);
      const result = await reprise(testSite.config.dataDir, ["import", "undo", id]);
      expect(result).toMatchObject({ code: 1, error: expect.stringContaining(`(${process.pid})`) });
      await changeRunAndPublish(services, run, { state: "undoing" }, ["running"]);
      await undoRun(services, run);
    },
  });
  await expect(importing).rejects.toThrow("Stopped.");
  expect(blogTexts(testSite)).toEqual([]);
  expect(testSite.rows(`select state from import_runs where id = '${runId}'`)).toEqual([{ state: "undone" }]);
});

test("resumes an import without progress for ten minutes, even if its process id is in use again", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const { services } = testSite.app;
  const runInput = {
    authorId: ana.me.id,
    kind: "markdown",
    name: "x",
    local: true,
    state: "running",
    // The parent of this process: another one that lives.
    options: { pid: process.ppid },
  } as const;
  const id = await beginRun(services, runInput);
  await expect(beginRun(services, runInput)).rejects.toThrow("Another process");
  await testSite.write(
    async (tx) => await execute(tx, sql`update import_runs set changed_at = ${Date.now() - 601_000}`),
  );
  expect(await beginRun(services, runInput)).toBe(id);
});

test("imports a post once when two imports of it run at once", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  await using source = await createFolder({ "a.md": post("A", "One. ![p](p.png)") });
  const { report } = await runImport(testSite, ana, source.folder, {
    duringImport: () => importMarkdown(contextOf(testSite, ana), source.folder),
  });
  expect(report).toMatchObject({ imported: 0, before: 1, kept: [] });
  expect(report.problems.map(({ problem }) => problem)).toEqual([expect.stringContaining("picture p.png")]);
  expect(blogTexts(testSite)).toHaveLength(1);
});

test("keeps a published post when its source now has more links than a new account may use", async () => {
  await using testSite = await startTestSite({ RATE_LIMIT: "on" });
  const boss = await testSite.createAccount("Boss");
  const ana = await testSite.createAccount("Ana");
  await boss.api.administration.setSite.mutate({ firstDayBlogs: "3" });
  await using source = await createFolder({ "a.md": post("A", "One.") });
  const name = "a.zip";
  await runImport(testSite, ana, source.folder, { name, isLocal: false });
  const links = Array.from({ length: 9 }, (_, index) => `[${index}](https://example.org/${index})`);
  await source.put("a.md", post("A", links.join(" ")));
  const { report } = await runImport(testSite, ana, source.folder, { name, isLocal: false });
  expect(report.kept).toEqual([{ file: "a.md", reason: expect.stringContaining("first day") }]);
  expect(testSite.rows("select title, draft from blogs")).toEqual([{ title: "A", draft: 0 }]);
});

test("reads a post with thousands of links and hundreds of old addresses without blocking the site", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const all = (count: number, one: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => one(index));
  await using source = await createFolder({
    "a.md": post("A", all(2_000, (index) => `[${index}](nowhere-${index})`).join(" ")).replace(
      "date:",
      `aliases: [${all(500, (index) => `/at-${index}/a/`).join(", ")}]\ndate:`,
    ),
  });
  const delays = monitorEventLoopDelay({ resolution: 5 });
  delays.enable();
  const { report } = await runImport(testSite, ana, source.folder);
  delays.disable();
  expect(delays.max / 1e6).toBeLessThan(1_000);
  expect(report.problems.map(({ problem }) => problem)).toContainEqual(
    expect.stringMatching(/Kept the first 50 of 50\d old addresses/),
  );
  expect(testSite.rows("select count(*) as count from aliases")).toEqual([{ count: 50 }]);
});
