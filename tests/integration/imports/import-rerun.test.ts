import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { actingAs } from "../../../src/server/accounts/acting-as.ts";
import { importingAs } from "../../../src/server/accounts/acting-as.ts";
import {
  beginRun,
  executeRun,
  changeRunAndPublish,
  undoRun,
} from "../../../src/server/imports/import-runs.ts";
import { Folder } from "../../../src/server/imports/files/folder.ts";
import { openMarkdown } from "../../../src/server/imports/markdown/source.ts";
import { createFolder } from "../../support/import-folder.ts";
import { importMarkdown } from "../../support/import-markdown.ts";
import { paint } from "../../support/pictures.ts";
import { environmentOf } from "../../support/second-database.ts";
import { startTestSite, type TestSite } from "../../support/test-site.ts";
import { buildZip } from "../../support/zip.ts";

const run = promisify(execFile);
const createAnaAndContext = async (testSite: TestSite) => {
  const ana = await testSite.createAccount("Ana");
  return { ana, ctx: actingAs(testSite.app.services, ana.me.id) };
};
const post = (title: string, body = "Words.", more = "") =>
  `---\ntitle: ${title}\ndate: 2020-01-02\n${more}---\n${body}\n`;
interface Row {
  title: string;
  slug: string;
  html: string;
  id: string;
}
const blogsOf = (testSite: TestSite) =>
  Object.fromEntries(
    testSite.rows<Row>("select id, title, slug, html from blogs").map((row) => [row.title, row]),
  );

test("a second run updates only posts that changed in the source, and keeps those edited or deleted here", async () => {
  await using testSite = await startTestSite();
  const { ana, ctx } = await createAnaAndContext(testSite);
  await using source = await createFolder({
    "same.md": post("Same"),
    "changed.md": post("Changed"),
    "edited.md": post("Edited"),
    "deleted.md": post("Deleted"),
    "picture.md": post("Picture", "![p](late.png)"),
  });
  await importMarkdown(ctx, source.folder);
  const before = blogsOf(testSite);
  await ana.api.blogs.update.mutate({ id: before.Edited?.id ?? "", title: "Edited here" });
  await ana.api.blogs.remove.mutate({ id: before.Deleted?.id ?? "" });
  await source.put("changed.md", post("Changed", "Other words.").replace("2020-01-02", "2019-05-06"));
  await source.put("edited.md", post("Edited", "Other words."));
  await source.put("late.png", await paint(30, 20, "png"));

  const second = await importMarkdown(ctx, source.folder);
  expect(second).toMatchObject({ found: 5, imported: 0, changed: 2, before: 1, pictures: 1, problems: [] });
  expect(second.kept).toEqual([
    { file: "deleted.md", reason: expect.stringContaining("deleted here") },
    { file: "edited.md", reason: expect.stringContaining("edited here") },
  ]);
  const after = blogsOf(testSite);
  expect(after.Changed).toMatchObject({ id: before.Changed?.id, slug: before.Changed?.slug });
  expect(after.Changed?.html).toContain("Other words.");
  expect(after.Picture?.html).toContain("<img");
  expect(after["Edited here"]?.html).toContain("<p>Words.</p>");
  expect(after.Deleted).toBeUndefined();
  const [row] = testSite.rows<{ at: number }>("select published_at as at from blogs where title = 'Changed'");
  expect(new Date(row?.at ?? 0).toISOString().slice(0, 10)).toBe("2019-05-06");

  const third = await importMarkdown(ctx, source.folder, { again: true });
  expect(third).toMatchObject({ imported: 1, changed: 0, before: 3 });
  expect(third.kept.map(({ file }) => file)).toEqual(["edited.md"]);
  expect(blogsOf(testSite).Deleted?.html).toContain("Words.");
  expect((await importMarkdown(ctx, source.folder)).kept).toHaveLength(1);
});

test("links between posts, to headings and to the old site lead to the new addresses; others are reported", async () => {
  await using testSite = await startTestSite();
  const { ctx } = await createAnaAndContext(testSite);
  await using source = await createFolder({
    "config.toml": 'baseURL = "https://old.example/"\n',
    "content/posts/a.md": post(
      "A",
      [
        "[beside](b.md)",
        "[beside with a heading](./b.md#what-is-new)",
        "[within](#my-heading)",
        "[nowhere within](#no-such)",
        "[root](/posts/b/)",
        "[old](https://old.example/posts/b/)",
        "[zola](@/posts/b.md)",
        '[hugo]({{< ref "b.md" >}})',
        '[hugo too]({{% relref "/posts/b.md#what-is-new" %}})',
        "[bundle](../bundle/)",
        "[alias](/2019/old-name.html)",
        "[gone](/posts/nowhere/)",
        "[file](notes.txt)",
        "[elsewhere](https://example.org/posts/b/)",
        "[whole](https://was.example/2019/05/old-name.html#what-is-new)",
        "[not whole](https://was.example/2019/05/other.html)",
        "\n## My heading!",
      ].join("\n\n"),
    ),
    "content/posts/b.md": post(
      "B",
      "## What is new?",
      "aliases: [/2019/old-name.html, /2019/05/old-name.html]\nslug: bee\n",
    ),
    "content/bundle/index.md": post("Bundle", "[up](../posts/a)"),
  });
  const report = await importMarkdown(ctx, source.folder);
  const { A, B, Bundle } = blogsOf(testSite);
  expect(B?.slug).toBe("bee");
  const addressOf = (slug = "") => `/blog/${slug}`;
  const hrefs = [...(A?.html ?? "").matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
  expect(hrefs).toEqual([
    addressOf("bee"),
    addressOf("bee#h-what-is-new"),
    addressOf(`${A?.slug}#h-my-heading`),
    ...Array.from({ length: 4 }, () => addressOf("bee")),
    addressOf("bee#h-what-is-new"),
    addressOf(Bundle?.slug),
    addressOf("bee"),
    "https://old.example/posts/nowhere/",
    "https://example.org/posts/b/",
    addressOf("bee#h-what-is-new"),
    "https://was.example/2019/05/other.html",
    // The heading's link to itself.
    "#h-my-heading",
  ]);
  expect(A?.html).toContain('id="h-my-heading"');
  expect(Bundle?.html).toContain(`href="${addressOf(A?.slug)}"`);
  expect(report.problems).toEqual([
    {
      file: "content/posts/a.md",
      problem: "Only the text of 2 links was kept: #no-such, notes.txt.",
    },
    { file: "content/posts/a.md", problem: expect.stringContaining("/posts/nowhere/") },
  ]);
  for (const address of ["/posts/bee", "/2019/old-name.html"]) {
    const answer = await testSite.browser().fetch(address, { redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([301, "/blog/bee"]);
  }
  // Unresolved links are tried again, which changes no post.
  expect(await importMarkdown(ctx, source.folder)).toMatchObject({ changed: 0, before: 3 });
});

test("undoes a whole import except posts edited here, and can import it again", async () => {
  await using testSite = await startTestSite();
  const { ana } = await createAnaAndContext(testSite);
  const { services } = testSite.app;
  await using source = await createFolder({
    "a.md": post("A"),
    "b.md": post("B", "![p](p.png)"),
    "c.md": post("C"),
    "p.png": await paint(30, 20, "png"),
  });
  const ctx = importingAs(services, ana.me.id, { isLocal: true, fetch: false });
  const runInput = { authorId: ana.me.id, kind: "markdown", name: "x", local: true, options: {} };
  const startImport = async () => {
    const id = await beginRun(services, { ...runInput, state: "running" });
    const markdown = await openMarkdown(await Folder.at(source.folder));
    return { id, report: await executeRun(ctx, { ...runInput, id }, markdown) };
  };
  const first = await startImport();
  expect(first.report).toMatchObject({ imported: 3 });
  await ana.api.blogs.update.mutate({ id: blogsOf(testSite).C?.id ?? "", title: "Mine now" });
  await changeRunAndPublish(services, { id: first.id, authorId: ana.me.id }, { state: "undoing" }, ["done"]);
  const undoResult = await undoRun(services, { id: first.id, authorId: ana.me.id });
  expect(undoResult).toMatchObject({ removed: 2, report: { kept: [{ file: "Mine now" }] } });
  expect(Object.keys(blogsOf(testSite))).toEqual(["Mine now"]);
  expect((await startImport()).report).toMatchObject({ imported: 2, before: 1 });
});

test("reports posts with the same address, and skips one with the same name", async () => {
  await using testSite = await startTestSite();
  const { ctx } = await createAnaAndContext(testSite);
  await using source = await createFolder({
    "a.md": post("One", "Words.", "slug: same\n"),
    "b.md": post("Two", "Words.", "slug: same\n"),
    "c.md": post("Three", "Words.", "path: /x\n"),
    "d.md": post("Four", "Words.", "path: /x\n"),
  });
  const report = await importMarkdown(ctx, source.folder);
  expect(report).toMatchObject({ found: 4, imported: 3 });
  expect(report.problems).toEqual([
    { file: "b.md", problem: expect.stringMatching(/address same is in use here, so it got same-\w{6}/) },
    { file: "b.md", problem: expect.stringContaining("already in use: /same") },
    { file: "d.md", problem: expect.stringContaining("another post has the same name") },
  ]);
});

test(
  "the command imports a ZIP, maps authors, has a dry run, lists imports and undoes them",
  { tags: ["more"] },
  async () => {
    await using testSite = await startTestSite();
    const { ana } = await createAnaAndContext(testSite);
    const ben = await testSite.createAccount("Ben");
    await using source = await createFolder({
      "site.zip": buildZip([
        { name: "a.md", bytes: post("By Ben", "[b](b.md)", "author: Benjamin B.\n") },
        { name: "b.md", bytes: post("By nobody") },
        { name: "../c.md", bytes: post("Outside") },
      ]),
    });
    const map = path.join(source.folder, "authors.csv");
    await writeFile(map, `"Benjamin B.",${ben.me.username}\n`);
    const reprise = (...args: string[]) =>
      run(process.execPath, ["src/server/reprise.ts", ...args], {
        env: environmentOf(testSite),
      });
    const zip = path.join(source.folder, "site.zip");
    const args = ["import", "markdown", zip, "--author", ana.me.username, "--map-authors", map];
    expect((await reprise(...args, "--dry-run")).stdout).toContain("Would import 2 blogs");
    expect(blogsOf(testSite)).toEqual({});
    const { stdout } = await reprise(...args);
    expect(stdout).toContain("Imported 2 blogs with 0 pictures");
    expect(stdout).toContain("../c.md: its path contains “..”");
    expect(
      testSite.rows("select title, username from blogs join users on users.id = author_id order by title"),
    ).toEqual([
      { title: "By Ben", username: ben.me.username },
      { title: "By nobody", username: ana.me.username },
    ]);
    const [, id = ""] = /import undo (\S+)/.exec(stdout) ?? [];
    expect((await reprise("import", "list")).stdout).toContain(id);
    expect((await reprise("import", "undo", id)).stdout).toContain("Deleted 2 blogs.");
    expect(blogsOf(testSite)).toEqual({});
    await writeFile(map, "Somebody,nobody-here\n");
    await expect(reprise(...args)).rejects.toMatchObject({
      stderr: expect.stringContaining("nobody-here, but there is no account with that username"),
    });
    await writeFile(map, `Benjamin B.,${ben.me.username}\n\n{ "Somebody": "nobody-here" }\n`);
    await expect(reprise(...args)).rejects.toMatchObject({
      stderr: expect.stringMatching(/Line 3 of .* isn’t an author, a comma and a username/),
    });
    await expect(reprise("import", "markdown", map, "--author", ana.me.username)).rejects.toMatchObject({
      stderr: expect.stringContaining("no Markdown files"),
    });
  },
);
