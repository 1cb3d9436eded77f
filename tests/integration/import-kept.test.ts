import { monitorEventLoopDelay } from "node:perf_hooks";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { importingAs } from "../../src/server/acting.ts";
import { openFiles } from "../../src/server/imports/files/open.ts";
import { importMarkdown } from "../../src/server/imports/import-folder.ts";
import { sourceOf } from "../../src/server/imports/kinds.ts";
import { beginRun, carryOut, changeTold, undoRun } from "../../src/server/imports/runs.ts";
import { reprise } from "../support/command.ts";
import { folderOf } from "../support/import-folder.ts";
import { aComment, startTown, type Resident, type Town } from "../support/town.ts";
import { zipOf } from "../support/zip.ts";

const post = (title: string, body: string, date = "2020-01-02") =>
  `---\ntitle: ${title}\ndate: ${date}\n---\n${body}\n`;
const contextOf = (town: Town, { me }: Resident, isLocal = true) =>
  importingAs(town.app.parts, me.id, { isLocal, fetch: false });
const blogsOf = (town: Town) =>
  town
    .rows<{ title: string; html: string }>("select title, html from blogs order by title, html")
    .map(({ title, html }) => `${title}: ${html.replaceAll(/<[^>]*>/g, "")}`);
const idOf = (town: Town, title: string) =>
  town.rows<{ id: string }>(`select id from blogs where title = '${title}'`)[0]?.id ?? "";

/** Imports a folder or a ZIP as one of somebody's imports. `meanwhile` happens where the first picture of a post is read. */
async function bring(
  town: Town,
  who: Resident,
  file: string,
  { name = file, isLocal = true, meanwhile = async (_runId: string): Promise<unknown> => undefined } = {},
) {
  const asked = { authorId: who.me.id, kind: "markdown", name, local: true, options: {} };
  const id = await beginRun(town.app.parts, { ...asked, state: "running" });
  const source = await sourceOf("markdown", await openFiles(file));
  const read = source.file.bind(source);
  let isFirst = true;
  source.file = async (...asks) => {
    if (isFirst) {
      isFirst = false;
      await meanwhile(id);
    }
    return read(...asks);
  };
  try {
    return { id, report: await carryOut(contextOf(town, who, isLocal), { ...asked, id }, source) };
  } finally {
    await source.close();
  }
}

test("two folders that have a file of one name are two blogs, and each import finds its own again", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  await using cooking = await folderOf({ "hello.md": post("Hello", "Soup.") });
  await using travel = await folderOf({ "hello.md": post("Hello", "Trains.", "2021-05-06") });
  await bring(town, ana, cooking.folder);
  expect((await bring(town, ana, travel.folder)).report).toMatchObject({ imported: 1, changed: 0 });
  expect(blogsOf(town)).toEqual(["Hello: Soup.", "Hello: Trains."]);
  await cooking.put("hello.md", post("Hello", "Soup and bread."));
  await travel.put("hello.md", post("Hello", "Night trains.", "2021-05-06"));
  for (const { folder } of [cooking, travel])
    expect((await bring(town, ana, folder)).report).toMatchObject({ imported: 0, changed: 1 });
  expect(blogsOf(town)).toEqual(["Hello: Night trains.", "Hello: Soup and bread."]);
});

test("ZIPs are told apart by name and by what is in them, whatever date their names have", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const zip = (...texts: [title: string, body: string, date: string]) =>
    zipOf([{ name: "hello.md", bytes: post(...texts) }]);
  await using source = await folderOf({
    one: zip("Hello", "Soup.", "2020-01-02"),
    two: zip("Hello", "Trains.", "2020-01-03"),
    later: zip("Hello", "Night trains.", "2020-01-04"),
    other: zip("Good day", "Cats.", "2019-01-01"),
  });
  const from = async (file: string, name: string) =>
    (await bring(town, ana, `${source.folder}/${file}`, { name })).report;
  expect(await from("one", "cooking.zip")).toMatchObject({ imported: 1 });
  expect(await from("two", "travel.2026-11-01.zip")).toMatchObject({ imported: 1, changed: 0 });
  expect(await from("later", "travel.2026-12-01-10-20-30 (1).zip")).toMatchObject({
    imported: 0,
    changed: 1,
  });
  // One of the same name that says nothing of what the first said.
  expect(await from("other", "cooking.zip")).toMatchObject({ imported: 1, changed: 0 });
  expect(await from("other", "cooking.zip")).toMatchObject({ imported: 0, before: 1 });
  expect(blogsOf(town)).toEqual(["Good day: Cats.", "Hello: Night trains.", "Hello: Soup."]);
});

test("what came in without a record of where from is found by its title or date, and else not written over", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  await using first = await folderOf({ "a.md": post("A", "One."), "b.md": post("B", "One.") });
  await importMarkdown(contextOf(town, ana), first.folder);
  await using second = await folderOf({
    "a.md": post("A", "Two.", "2020-02-03"),
    "b.md": post("Else", "Two.", "2020-02-03"),
  });
  expect((await bring(town, ana, second.folder)).report).toMatchObject({ imported: 1, changed: 1 });
  expect(blogsOf(town)).toEqual(["A: Two.", "B: One.", "Else: Two."]);
});

test("an edit that is made while an import runs stays", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  await using source = await folderOf({ "a.md": post("A", "One.") });
  await bring(town, ana, source.folder);
  const id = idOf(town, "A");
  await source.put("a.md", post("A", "Two. ![p](p.png)"));
  const { report } = await bring(town, ana, source.folder, {
    meanwhile: () => ana.api.blogs.update.mutate({ id, title: "Mine" }),
  });
  expect(report).toMatchObject({ changed: 0, problems: [] });
  expect(report.kept).toEqual([{ file: "a.md", reason: expect.stringContaining("edited here") }]);
  expect(blogsOf(town)).toEqual(["Mine: One."]);
});

test("a draft that came in before versions were noted, and was edited and published here, stays", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  await using source = await folderOf({ "a.md": post("A", "One.").replace("date:", "draft: true\ndate:") });
  await bring(town, ana, source.folder);
  await town.write(async (tx) => tx.drizzle.run(sql`update imports set version = null, hash = null`));
  await ana.api.blogs.update.mutate({ id: idOf(town, "A"), title: "Mine", draft: false });
  const { report } = await bring(town, ana, source.folder);
  expect(report.kept).toEqual([{ file: "a.md", reason: expect.stringContaining("edited here") }]);
  expect(town.rows("select title, draft from blogs")).toEqual([{ title: "Mine", draft: 0 }]);
});

test("an import that is taken back leaves what others have answered", async () => {
  await using town = await startTown();
  const [ana, ben] = [await town.resident("Ana"), await town.resident("Ben")];
  await using source = await folderOf({ "a.md": post("A", "One."), "b.md": post("B", "One.") });
  const { id } = await bring(town, ana, source.folder);
  await ana.api.comments.create.mutate(aComment({ id: idOf(town, "A") }));
  await ben.api.comments.create.mutate(aComment({ id: idOf(town, "B") }));
  const run = { id, authorId: ana.me.id };
  await changeTold(town.app.parts, run, { state: "undoing" }, ["done"]);
  const { removed, report } = await undoRun(town.app.parts, run);
  expect(removed).toBe(1);
  expect(report.kept).toEqual([
    { file: "B", reason: expect.stringContaining("others have commented on it") },
  ]);
  expect(blogsOf(town)).toEqual(["B: One."]);
});

test("an import that is taken back beside itself writes nothing more, and none is while its process lives", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  await using source = await folderOf({ "a.md": post("A", "One. ![p](p.png)") });
  const { parts } = town.app;
  let runId = "";
  const bringing = bring(town, ana, source.folder, {
    meanwhile: async (id) => {
      runId = id;
      const run = { id, authorId: ana.me.id };
      await changeTold(parts, run, { options: { pid: process.pid } }, ["running"]);
      const refused = await reprise(town.config.dataDir, ["import", "undo", id]);
      expect(refused).toMatchObject({ code: 1, error: expect.stringContaining(`(${process.pid})`) });
      await changeTold(parts, run, { state: "undoing" }, ["running"]);
      await undoRun(parts, run);
    },
  });
  await expect(bringing).rejects.toThrow("Stopped.");
  expect(blogsOf(town)).toEqual([]);
  expect(town.rows(`select state from import_runs where id = '${runId}'`)).toEqual([{ state: "undone" }]);
});

test("an import that nothing was heard of for a minute goes on, whoever has its process's number now", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const { parts } = town.app;
  const asked = {
    authorId: ana.me.id,
    kind: "markdown",
    name: "x",
    local: true,
    state: "running",
    // Of another process that lives: the one that began this.
    options: { pid: process.ppid },
  } as const;
  const id = await beginRun(parts, asked);
  await expect(beginRun(parts, asked)).rejects.toThrow("Another process");
  await town.write(async (tx) =>
    tx.drizzle.run(sql`update import_runs set changed_at = ${Date.now() - 61_000}`),
  );
  expect(await beginRun(parts, asked)).toBe(id);
});

test("two imports of the same at once bring it in once", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  await using source = await folderOf({ "a.md": post("A", "One. ![p](p.png)") });
  const { report } = await bring(town, ana, source.folder, {
    meanwhile: () => importMarkdown(contextOf(town, ana), source.folder),
  });
  expect(report).toMatchObject({ imported: 0, before: 1, kept: [] });
  expect(report.problems.map(({ problem }) => problem)).toEqual([expect.stringContaining("picture p.png")]);
  expect(blogsOf(town)).toHaveLength(1);
});

test("what is published here stays so where its source now has more links than a first day has room for", async () => {
  await using town = await startTown({ RATE_LIMIT: "on" });
  const boss = await town.resident("Boss");
  const ana = await town.resident("Ana");
  await boss.api.moderation.setSite.mutate({ firstDayBlogs: "3" });
  await using source = await folderOf({ "a.md": post("A", "One.") });
  const name = "a.zip";
  await bring(town, ana, source.folder, { name, isLocal: false });
  const links = Array.from({ length: 9 }, (_, at) => `[${at}](https://example.org/${at})`);
  await source.put("a.md", post("A", links.join(" ")));
  const { report } = await bring(town, ana, source.folder, { name, isLocal: false });
  expect(report.kept).toEqual([{ file: "a.md", reason: expect.stringContaining("first day") }]);
  expect(town.rows("select title, draft from blogs")).toEqual([{ title: "A", draft: 0 }]);
});

test("a post that stood at many places and has many links is read without holding up the site", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const all = (count: number, one: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => one(at));
  await using source = await folderOf({
    "a.md": post("A", all(2_000, (at) => `[${at}](nowhere-${at})`).join(" ")).replace(
      "date:",
      `aliases: [${all(500, (at) => `/at-${at}/a/`).join(", ")}]\ndate:`,
    ),
  });
  const delays = monitorEventLoopDelay({ resolution: 5 });
  delays.enable();
  const { report } = await bring(town, ana, source.folder);
  delays.disable();
  expect(delays.max / 1e6).toBeLessThan(1_000);
  expect(report.problems.map(({ problem }) => problem)).toContainEqual(
    expect.stringMatching(/Kept the first 50 of 50\d old addresses/),
  );
  expect(town.rows("select count(*) as count from aliases")).toEqual([{ count: 50 }]);
});
