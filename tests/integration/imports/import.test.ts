import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { symlink, truncate } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";
import { expect, test } from "vitest";
import { actingAs } from "../../../src/server/accounts/acting-as.ts";
import { jsonFieldSql } from "../../support/json-field.ts";
import { createFolder } from "../../support/import-folder.ts";
import { importMarkdown } from "../../support/import-markdown.ts";
import { paint } from "../../support/pictures.ts";
import { environmentOf } from "../../support/second-database.ts";
import { followTopic, startTestSite, type TestSite } from "../../support/test-site.ts";

const run = promisify(execFile);
const realBlog = path.resolve(import.meta.dirname, "../../../../shared/data/rust-blog");

const createAnaAndContext = async (testSite: TestSite) => {
  const ana = await testSite.createAccount("Ana");
  return { ana, ctx: actingAs(testSite.app.services, ana.me.id) };
};
const post = (title: string, body = "Words.") =>
  `+++\ntitle = "${title}"\npath = "2016/09/29/${title}"\n+++\n\n${body}\n`;
const png = () =>
  sharp({ create: { width: 300, height: 200, channels: 3, background: "#c8401f" } })
    .png()
    .toBuffer();

test("uses the picture that a post names as its cover, and imports posts for followers as private", async () => {
  await using testSite = await startTestSite();
  const { ana, ctx } = await createAnaAndContext(testSite);
  await using source = await createFolder({
    "a.md": "---\ntitle: With a cover\ndate: 2020-02-03\ncover: pictures/square.png\n---\nWords.\n",
    "b.md": "---\ntitle: Without\ndate: 2020-02-02\nimage: pictures/none.png\n---\nWords.\n",
    "c.md": "---\ntitle: By its bytes\ndate: 2020-02-01\nimage: pictures/moving.gif\n---\nWords.\n",
    "d.md":
      "---\ntitle: From elsewhere\ndate: 2020-01-31\ncover: { image: https://example.org/a.png }\nvisibility: followers\n---\nWords.\n",
    "pictures/square.png": await png(),
    "pictures/moving.gif": await paint(60, 40, "gif"),
  });
  const dayLater = 24 * 60 * 60 * 1000;
  const summary = await importMarkdown(ctx, source.folder, { dateOffsetMs: dayLater });
  expect(summary).toMatchObject({ imported: 4, pictures: 1, drafts: [] });
  expect(summary.problems.map(({ file }) => file)).toEqual(["b.md", "c.md", "d.md"]);
  const { blogs } = await ana.api.blogs.mine.query({});
  expect(
    blogs.map(({ title, publishedAt, cover, private: isPrivate }) => [
      title,
      publishedAt.slice(0, 10),
      cover?.width ?? null,
      isPrivate,
    ]),
  ).toEqual([
    ["With a cover", "2020-02-04", 300, false],
    ["Without", "2020-02-03", null, false],
    ["By its bytes", "2020-02-02", null, false],
    ["From elsewhere", "2020-02-01", null, true],
  ]);
});

test("imports a folder with its dates, tags and pictures, and nothing more a second time", async () => {
  await using testSite = await startTestSite();
  const { ana, ctx } = await createAnaAndContext(testSite);
  await using source = await createFolder({
    "first.md": post("first", "![A square](pictures/square.png)\n\n```rust\nfn main() {}\n```"),
    "pictures/square.png": await png(),
    "deep/second.md":
      '---\ntitle: Second\ndate: 2020-02-03\ntags: [Cooking, "Slow Food"]\ndescription: About soup.\n---\n# Soup\n',
    "2019-05-06-third.md": "---\ntitle: Third\ndraft: true\n---\nNot yet.\n",
  });
  const summary = await importMarkdown(ctx, source.folder);
  expect(summary).toMatchObject({ found: 3, imported: 3, before: 0, pictures: 1, problems: [], leftOut: [] });
  expect(summary.drafts).toEqual([{ file: "2019-05-06-third.md", reason: "draft: true" }]);
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
  expect((await testSite.browser().fetch(src ?? "")).status).toBe(200);
  expect(first.html).toContain('data-language="rust"');

  expect(await importMarkdown(ctx, source.folder)).toMatchObject({
    imported: 0,
    before: 3,
    pictures: 0,
    problems: [],
  });
  expect((await ana.api.blogs.mine.query({})).blogs).toHaveLength(3);
});

test("reports files and pictures that cannot be imported with the reason, and imports the rest", async () => {
  await using testSite = await startTestSite();
  const { ana, ctx } = await createAnaAndContext(testSite);
  await using source = await createFolder({
    "a-good-one.md": post("a-good-one"),
    "broken-toml.md": '+++\ntitle = "unclosed\n+++\n\nText.\n',
    "no-title.md": "Just text.\n",
    "missing-picture.md": post("missing-picture", "Before ![gone](nowhere.png) after."),
    "outside.md": post("outside", "![secret](../../../../etc/passwd)"),
    "no-picture.md": post("no-picture", "![text](a-good-one.md)"),
    "empty.md": "",
    "latin.md": Buffer.from("# Caf\xe9\n", "latin1"),
    "utf-16.md": Buffer.from("\ufeff# A title\n", "utf16le"),
    "invisible.md": '---\ntitle: "\u200b\u200b"\n---\nText.\n',
    "control.md": '---\ntitle: "a\\x07bell"\n---\nText.\n',
    "marks.md": `---\ntitle: a${"\u0301".repeat(40)}\n---\nText.\n`,
    "undated.md": "---\ntitle: Undated\ndate: someday\n---\nText.\n",
    "old.md": "---\ntitle: Old\ndate: 1861-04-12\n---\nText.\n",
    "tagged.md": `---\ntitle: Tags\ntags: [${Array.from({ length: 12 }, (_, index) => `tag${index}`).join(", ")}, ${"x".repeat(31)}]\n---\nText.\n`,
    "large.md": "",
    "large.png": "",
    "with-large.md": post("with-large", "![large](large.png)"),
    "long-title.md": `---\ntitle: ${"word ".repeat(60)}\n---\nText.\n`,
    "deep.md": post("deep", `${"> ".repeat(500)}deep`),
  });
  for (const name of ["large.md", "large.png"])
    await truncate(path.join(source.folder, name), 50 * 1024 * 1024);
  const summary = await importMarkdown(ctx, source.folder);
  const problemsByFile: Record<string, string> = {};
  for (const { file, problem } of summary.problems)
    problemsByFile[file] = problemsByFile[file] ? `${problemsByFile[file]}\n${problem}` : problem;
  expect(problemsByFile["broken-toml.md"]).toMatch(/line \d|front matter/i);
  expect(problemsByFile["no-title.md"]).toContain("It has no title.");
  expect(problemsByFile["empty.md"]).toBe("It is empty.");
  expect(problemsByFile["latin.md"]).toContain("not UTF-8");
  expect(problemsByFile["utf-16.md"]).toBeUndefined();
  expect(problemsByFile["invisible.md"]).toBe("It has no title.");
  expect(problemsByFile["control.md"]).toBe("Removed control characters from its title.");
  expect(problemsByFile["marks.md"]).toBe("Removed most accents of a letter from its title.");
  expect(problemsByFile["undated.md"]).toContain("date");
  expect(problemsByFile["long-title.md"]).toBe("Its title has 299 characters and was cut to 150.");
  expect(problemsByFile["tagged.md"]).toContain("Kept the first 10 of 12 tags, without tag10, tag11");
  expect(problemsByFile["tagged.md"]).toContain("Skipped a tag");
  for (const { problem } of summary.problems) expect(problem).not.toMatch(/\n|[{}]|    at |Zod|ENO|Error/);
  expect(problemsByFile["missing-picture.md"]).toContain("nowhere.png couldn’t be imported: file not found");
  expect(problemsByFile["outside.md"]).toContain("outside the folder");
  expect(problemsByFile["no-picture.md"]).toContain("couldn’t be imported");
  expect(problemsByFile["large.md"]).toContain("50.0 MB");
  expect(problemsByFile["with-large.md"]).toContain("50.0 MB");
  expect(problemsByFile["deep.md"]).toMatch(/deep/);
  expect(Object.keys(problemsByFile)).not.toContain("a-good-one.md");
  // From the store: a page lists only six.
  const blogs = testSite.rows<{ title: string; slug: string; tags: string }>(
    `select coalesce(${jsonFieldSql("fields", "title")}, title) as title, slug, coalesce(${jsonFieldSql("fields", "tags")}, tags) as tags from blogs left join drafts on blog_id = id`,
  );
  expect(blogs.map(({ title }) => title)).toEqual(
    expect.arrayContaining(["a-good-one", "missing-picture", "outside", "abell", "Undated"]),
  );
  expect(blogs).toContainEqual({ title: "(Untitled)", slug: "no-title", tags: "[]" });
  expect(blogs.every(({ title }) => title.length <= 150)).toBe(true);
  const importedBlog = await ana.api.blogs.bySlug.query({
    slug: blogs.find(({ title }) => title === "missing-picture")?.slug ?? "",
  });
  expect(importedBlog.html).toContain("gone");
});

test("imports posts that are not clearly public as drafts, and skips files that are no posts, with reasons", async () => {
  await using testSite = await startTestSite();
  const { ana, ctx } = await createAnaAndContext(testSite);
  const titled = (title: string, ...fields: string[]) =>
    `---\n${[`title: ${title}`, ...fields].join("\n")}\n---\nText.\n`;
  await using source = await createFolder({
    "plain.md": titled("Plain"),
    "_drafts/idea.md": titled("Idea"),
    "posts/_hidden.md": titled("Hidden"),
    "unlisted.md": titled("Unlisted", "unlisted: true"),
    "unpublished.md": titled("Unpublished", "published: false"),
    "ahead.md": titled("Ahead", "date: 2999-01-01"),
    "2998-01-01-named.md": titled("Named"),
    "expired.md": titled("Expired", "expiryDate: 2020-01-01"),
    "secret/_index.md": titled("Section", "draft: true"),
    "secret/deep/inside.md": titled("Inside"),
    "README.md": titled("Read me"),
    "LICENSE.md": titled("Licence"),
    "about.md": titled("About"),
    "vendor/theme/post.md": titled("Of others"),
    "node_modules/a/README.md": "# A\n",
    ".obsidian/note.md": titled("Note"),
    "_includes/part.md": titled("Part"),
  });
  const before = Date.now();
  const summary = await importMarkdown(ctx, source.folder);
  expect(summary.problems).toEqual([]);
  const rows = testSite.rows<{ title: string; draft: number; at: number }>(
    `select coalesce(${jsonFieldSql("fields", "title")}, title) as title, draft, published_at as at
       from blogs left join drafts on blog_id = id order by 1`,
  );
  expect(rows.filter(({ draft }) => !draft).map(({ title }) => title)).toEqual(["Plain"]);
  expect(rows.filter(({ draft }) => draft).map(({ title }) => title)).toEqual([
    "Ahead",
    "Expired",
    "Hidden",
    "Idea",
    "Inside",
    "Named",
    "Unlisted",
    "Unpublished",
  ]);
  for (const { at } of rows) expect(at).toBeLessThanOrEqual(Date.now());
  expect(rows.find(({ title }) => title === "Ahead")?.at).toBeGreaterThanOrEqual(before);
  expect(Object.fromEntries(summary.drafts.map(({ file, reason }) => [file, reason]))).toEqual({
    "2998-01-01-named.md": "its date is in the future",
    "_drafts/idea.md": "it is in _drafts",
    "ahead.md": "its date is in the future (2999-01-01)",
    "expired.md": "it expired on 2020-01-01",
    "posts/_hidden.md": "its name begins with _",
    "secret/deep/inside.md": "it is in secret",
    "unlisted.md": "unlisted: true",
    "unpublished.md": "published: false",
  });
  expect(summary.leftOut.map(({ file }) => file).sort()).toEqual([
    ".obsidian/",
    "LICENSE.md",
    "README.md",
    "_includes/",
    "about.md",
    "node_modules/",
    "secret/_index.md",
    "vendor/",
  ]);
  expect((await ana.api.blogs.stats.query()).blogs).toBe(9);
  const { blogs } = await testSite.browser().api.blogs.list.query({});
  expect(blogs.map(({ title }) => title)).toEqual(["Plain"]);
});

test("reads nothing outside the folder, whatever links lead there", async () => {
  await using testSite = await startTestSite();
  const { ctx } = await createAnaAndContext(testSite);
  await using outside = await createFolder({ "secret.md": post("secret"), "secret.png": await png() });
  await using source = await createFolder({
    "pictures/inside.png": await png(),
    "a.md": post(
      "a",
      [
        `![one](${outside.folder}/secret.png)`,
        `![two](../${path.basename(outside.folder)}/secret.png)`,
        "![three](linked.png)",
        "![four](linked/secret.png)",
        "![five](%2e%2e/secret.png)",
        "![six](around.png)",
        "![seven](pictures)",
        "![eight](%00.png)",
        "![nine](loop.png)",
        "![ten](/pictures/inside.png)",
      ].join("\n\n"),
    ),
  });
  const link = (target: string, name: string) => symlink(target, path.join(source.folder, name));
  await link(path.join(outside.folder, "secret.md"), "linked.md");
  await link(outside.folder, "linked");
  await link(path.join(outside.folder, "secret.png"), "linked.png");
  await link("pictures/inside.png", "around.png");
  await link("loop.png", "loop.png");
  const summary = await importMarkdown(ctx, source.folder);
  // The picture by its path from the top folder, and the one by a link that stays within.
  expect(summary).toMatchObject({ found: 1, imported: 1, pictures: 2 });
  expect(summary.leftOut.map(({ file }) => file).sort()).toEqual(["linked", "linked.md"]);
  const problems = summary.problems.map(({ problem }) => problem);
  expect(problems).toHaveLength(8);
  for (const name of ["/secret.png", "linked.png", "linked/secret.png"])
    expect(problems.join("\n")).toContain(name);
  expect(problems.filter((problem) => problem.includes("outside the folder")).length).toBeGreaterThanOrEqual(
    3,
  );
  for (const problem of problems) expect(problem).not.toMatch(/ENO|ELOOP|ERR_|\/etc/);

  // The folder itself may be a symbolic link.
  await link(source.folder, "again");
  expect(await importMarkdown(ctx, path.join(source.folder, "again"))).toMatchObject({
    imported: 0,
    before: 1,
  });
});

test(
  "the command, run beside the server, updates open lists and reports its result",
  { tags: ["more"] },
  async () => {
    await using testSite = await startTestSite();
    const { ana } = await createAnaAndContext(testSite);
    await using source = await createFolder({ "first.md": post("first") });
    const guest = testSite.browser();
    const { cursor } = await guest.api.blogs.list.query({});
    const stream = followTopic(guest, "feed", cursor);
    await stream.waitForStart();
    const command = [
      "src/server/reprise.ts",
      "import",
      "markdown",
      source.folder,
      "--author",
      ana.me.username,
    ];
    const { stdout } = await run(process.execPath, command, {
      env: environmentOf(testSite),
    });
    expect(stdout).toContain("Imported 1 blog with 0 pictures");
    await stream.waitFor("blog.published");
    stream.stop();

    const unknownAuthor = await run(process.execPath, [...command.slice(0, -1), "nobody"], {
      env: environmentOf(testSite),
    }).catch((error: unknown) => error);
    expect(unknownAuthor).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("no account with the username nobody"),
    });
  },
);

test.skipIf(!existsSync(realBlog))(
  "imports all 123 posts of a real blog with their dates, pictures, links and old addresses",
  { tags: ["more"] },
  async () => {
    await using testSite = await startTestSite();
    const { ana, ctx } = await createAnaAndContext(testSite);
    const summary = await importMarkdown(ctx, realBlog);
    expect(summary).toMatchObject({ found: 123, imported: 123, pictures: 77 });
    expect(summary.leftOut).toEqual([{ file: "README.md", reason: "about the folder, not a post" }]);
    expect(summary.drafts).toEqual([]);
    const stats = await ana.api.blogs.stats.query();
    expect(stats.blogs).toBe(123);
    const rows = testSite.rows<{ slug: string; title: string; at: number; html: string }>(
      "select slug, title, published_at as at, html from blogs order by published_at",
    );
    expect(new Date(rows[0]?.at ?? 0).toISOString()).toBe("2014-09-15T00:00:00.000Z");
    const all = rows.map(({ html }) => html).join("\n");
    // Links between the posts lead to their new addresses; fewer than six have no target.
    const slugs = new Set(rows.map(({ slug }) => slug));
    const linkedSlugs = [...all.matchAll(/href="[^"]*\/blog\/([^"#]+)/g)].map(([, slug = ""]) => slug);
    const ownSlugs = linkedSlugs.filter((slug) => slugs.has(slug));
    expect(ownSlugs.length).toBeGreaterThan(50);
    expect(all).not.toContain("pending.invalid");
    const textOnlyProblems = summary.problems.filter(({ problem }) => /only the text was kept/.test(problem));
    expect(textOnlyProblems.length).toBeLessThan(6);
    const oldAddress = await testSite.browser().fetch("/2015/05/15/Rust-1.0.html", { redirect: "manual" });
    expect([
      oldAddress.status,
      slugs.has(oldAddress.headers.get("location")?.slice("/blog/".length) ?? ""),
    ]).toEqual([301, true]);
    const guest = testSite.browser();
    const page = await guest.fetch(`/blog/${rows.at(-1)?.slug}`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain(rows.at(-1)?.title);
    expect(await importMarkdown(ctx, realBlog)).toMatchObject({ imported: 0, before: 123 });
  },
);
