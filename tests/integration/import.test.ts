import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";
import { expect, test } from "vitest";
import { importMarkdown } from "../../src/server/commands/import-markdown.ts";
import { actingAs } from "../../src/server/commands/parts.ts";
import { listen, startTown, type Town } from "../support/town.ts";

const run = promisify(execFile);
const realBlog = path.resolve(import.meta.dirname, "../../../shared/data/rust-blog");

/** A folder of files, gone with the test. */
async function folderOf(
  files: Record<string, string | Buffer>,
): Promise<{ folder: string } & AsyncDisposable> {
  const folder = await mkdtemp(path.join(tmpdir(), "reprise-import-"));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), content);
  }
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

const asAna = async (town: Town) => {
  const ana = await town.resident("Ana");
  return { ana, ctx: actingAs(town.app.parts, { id: ana.me.id }) };
};
const post = (title: string, body = "Words.") =>
  `+++\ntitle = "${title}"\npath = "2016/09/29/${title}"\n+++\n\n${body}\n`;
const png = () =>
  sharp({ create: { width: 300, height: 200, channels: 3, background: "#c8401f" } })
    .png()
    .toBuffer();

test("a folder comes in with its dates, tags and pictures, and a second time nothing does", async () => {
  await using town = await startTown();
  const { ana, ctx } = await asAna(town);
  await using source = await folderOf({
    "first.md": post("first", "![A square](pictures/square.png)\n\n```rust\nfn main() {}\n```"),
    "pictures/square.png": await png(),
    "deep/second.md":
      '---\ntitle: Second\ndate: 2020-02-03\ntags: [Cooking, "Slow Food"]\ndescription: About soup.\n---\n# Soup\n',
    "2019-05-06-third.md": "---\ntitle: Third\ndraft: true\n---\nNot yet.\n",
  });
  const summary = await importMarkdown(ctx, source.folder);
  expect(summary).toMatchObject({ found: 3, imported: 3, before: 0, pictures: 1, problems: [] });
  const { blogs } = await ana.api.blogs.mine.query({});
  expect(
    blogs.map(({ title, publishedAt, tags, draft }) => [title, publishedAt.slice(0, 10), tags, draft]),
  ).toEqual([
    ["Second", "2020-02-03", ["cooking", "slow-food"], false],
    ["Third", "2019-05-06", [], true],
    ["first", "2016-09-29", [], false],
  ]);
  const first = await ana.api.blogs.bySlug.query({ slug: blogs[2]?.slug ?? "" });
  const src = /src="(\/media\/[^"]+)"/.exec(first.html)?.[1];
  expect((await town.browser().fetch(src ?? "")).status).toBe(200);
  expect(first.html).toContain('data-language="rust"');

  expect(await importMarkdown(ctx, source.folder)).toMatchObject({
    imported: 0,
    before: 3,
    pictures: 0,
    problems: [],
  });
  expect((await ana.api.blogs.mine.query({})).blogs).toHaveLength(3);
});

test("what can't be taken is told of by file and reason, and harms nothing else", async () => {
  await using town = await startTown();
  const { ana, ctx } = await asAna(town);
  await using source = await folderOf({
    "a-good-one.md": post("a-good-one"),
    "broken-toml.md": '+++\ntitle = "unclosed\n+++\n\nText.\n',
    "broken-yaml.md": "---\ntitle: [a\n---\nText.\n",
    "no-title.md": "Just text.\n",
    "missing-picture.md": post("missing-picture", "Before ![gone](nowhere.png) after."),
    "outside.md": post("outside", "![secret](../../../../etc/passwd)"),
    "no-picture.md": post("no-picture", "![text](a-good-one.md)"),
    "large.md": "",
    "large.png": "",
    "with-large.md": post("with-large", "![large](large.png)"),
    "long-title.md": `---\ntitle: ${"word ".repeat(60)}\n---\nText.\n`,
    "deep.md": post("deep", `${"> ".repeat(500)}deep`),
  });
  for (const name of ["large.md", "large.png"])
    await truncate(path.join(source.folder, name), 50 * 1024 * 1024);
  const summary = await importMarkdown(ctx, source.folder);
  const told = Object.fromEntries(summary.problems.map(({ file, problem }) => [file, problem]));
  expect(told["broken-toml.md"]).toMatch(/line \d|front matter/i);
  expect(told["broken-yaml.md"]).toMatch(/line \d|front matter/i);
  expect(told["no-title.md"]).toContain("title");
  expect(told["missing-picture.md"]).toContain("nowhere.png could not be taken: it is not there");
  expect(told["outside.md"]).toContain("outside the folder");
  expect(told["no-picture.md"]).toContain("could not be taken");
  expect(told["large.md"]).toContain("50.0 MB");
  expect(told["with-large.md"]).toContain("50.0 MB");
  expect(told["deep.md"]).toMatch(/deep/);
  expect(Object.keys(told)).not.toContain("a-good-one.md");
  const { blogs } = await ana.api.blogs.mine.query({});
  expect(blogs.map(({ title }) => title)).toEqual(
    expect.arrayContaining(["a-good-one", "missing-picture", "outside", "with-large"]),
  );
  expect(blogs.every(({ title }) => title.length <= 150)).toBe(true);
  const kept = await ana.api.blogs.bySlug.query({
    slug: blogs.find(({ title }) => title === "missing-picture")?.slug ?? "",
  });
  expect(kept.html).toContain("gone");
});

test("the command, run beside the server, reaches open lists and says what it did", async () => {
  await using town = await startTown();
  const { ana } = await asAna(town);
  await using source = await folderOf({ "first.md": post("first") });
  const guest = town.browser();
  const { cursor } = await guest.api.blogs.list.query({});
  const heard = listen(guest.api.blogs.feed, { since: cursor });
  const command = ["src/server/reprise.ts", "import", "markdown", source.folder, "--author", ana.me.username];
  const { stdout } = await run(process.execPath, command, {
    env: { ...process.env, DATA_DIR: town.config.dataDir },
  });
  expect(stdout).toContain("Imported 1 blog with 0 pictures");
  await heard.heard("blog.published");
  heard.stop();

  const nobody = await run(process.execPath, [...command.slice(0, -1), "nobody"], {
    env: { ...process.env, DATA_DIR: town.config.dataDir },
  }).catch((error: unknown) => error);
  expect(nobody).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("no account with the username nobody"),
  });
});

test.skipIf(!existsSync(realBlog))(
  "all 123 posts of a real blog come in, and are read as they were written",
  { timeout: 120_000 },
  async () => {
    await using town = await startTown();
    const { ana, ctx } = await asAna(town);
    const summary = await importMarkdown(ctx, realBlog);
    expect(summary).toMatchObject({ found: 124, imported: 123, pictures: 77 });
    expect(summary.problems.filter(({ problem }) => problem.includes("left out"))).toEqual([
      { file: "README.md", problem: expect.stringContaining("title") },
    ]);
    const sums = await ana.api.blogs.stats.query();
    expect(sums.blogs).toBe(123);
    const rows = town.rows<{ slug: string; title: string; at: number; html: string }>(
      "select slug, title, published_at as at, html from blogs order by published_at",
    );
    expect(new Date(rows[0]?.at ?? 0).toISOString()).toBe("2014-09-15T00:00:00.000Z");
    const all = rows.map(({ html }) => html).join("\n");
    expect(all).not.toMatch(/<script|javascript:|\son\w+=|data:image/i);
    const count = (pattern: RegExp) => all.match(pattern)?.length ?? 0;
    expect({
      languages: count(/data-language="rust"/g) > 100,
      tables: count(/<table/g),
      pictures: count(/<img/g),
    }).toEqual({ languages: true, tables: 8, pictures: 77 });
    const guest = town.browser();
    const page = await guest.fetch(`/blog/${rows.at(-1)?.slug}`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain(rows.at(-1)?.title);
    expect(await importMarkdown(ctx, realBlog)).toMatchObject({ imported: 0, before: 123 });
  },
);
