import { readdir } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { storeAliases } from "../../../src/server/blogs/aliases.ts";
import { actingAs } from "../../../src/server/accounts/acting-as.ts";
import { openFiles } from "../../../src/server/imports/files/open.ts";
import { openAsKind } from "../../../src/server/imports/kinds.ts";
import { importFrom } from "../../../src/server/imports/import-posts.ts";
import { jsonFieldSql } from "../../support/json-field.ts";
import { reprise } from "../../support/command.ts";
import { readSource, filesOf } from "../../support/exports/files.ts";
import { createFolder } from "../../support/import-folder.ts";
import { paint, upload } from "../../support/pictures.ts";
import { aBlog, aComment, startTestSite, type TestSite } from "../../support/test-site.ts";

const everyNode = (src: string) => ({
  type: "doc",
  content: [
    {
      type: "heading",
      attrs: { level: 2, align: "center", indent: 1 },
      content: [{ type: "text", text: "Owls" }],
    },
    {
      type: "paragraph",
      content: [
        {
          type: "text",
          text: "Bold",
          marks: [{ type: "strong" }, { type: "color", attrs: { color: "#aa0000" } }],
        },
        { type: "hard_break" },
        {
          type: "text",
          text: "a link",
          marks: [{ type: "link", attrs: { href: "https://example.org/", title: "There" } }],
        },
        { type: "image", attrs: { src, alt: "An owl", title: null, width: 40, height: 30 } },
      ],
    },
    {
      type: "code_block",
      attrs: { language: "rust" },
      content: [{ type: "text", text: 'let a = "../media/x";\n\n' }],
    },
    {
      type: "ordered_list",
      attrs: { order: 3 },
      content: [
        { type: "list_item", content: [{ type: "paragraph", content: [{ type: "text", text: "three" }] }] },
      ],
    },
    { type: "blockquote", content: [{ type: "paragraph", content: [{ type: "text", text: "Hoo  hoo" }] }] },
    { type: "horizontal_rule" },
    {
      type: "table",
      content: [
        {
          type: "table_row",
          content: [
            {
              type: "table_header",
              attrs: { colspan: 2 },
              content: [{ type: "paragraph", content: [{ type: "text", text: "wide" }] }],
            },
          ],
        },
      ],
    },
  ],
});

/** Exports Ana's account with the command, and returns the path of the file. */
async function exportAccount(testSite: TestSite, folder: string): Promise<string> {
  const { code, error } = await reprise(testSite.config.dataDir, ["export", "ana", "--to", folder], {
    PUBLIC_URL: testSite.config.publicUrl,
  });
  expect({ code, error }).toEqual({ code: 0, error: "" });
  const [file = ""] = await readdir(folder);
  return path.join(folder, file);
}

async function importAccount(testSite: TestSite, file: string) {
  const ana = await testSite.createAccount("Ana");
  const source = await openAsKind("reprise", await openFiles(file));
  try {
    return { ana, report: await importFrom(actingAs(testSite.app.services, ana.me.id), source) };
  } finally {
    await source.close();
  }
}

/** The columns of each blog that another site must keep. */
const storedBlogs = (testSite: TestSite) =>
  testSite
    .rows<{ title: string; document: string; slug: string }>(
      `select coalesce(${jsonFieldSql("fields", "title")}, title) as title, coalesce(drafts.document, blogs.document) as document, fields,
         description, slug, draft, private, published_at, canonical_url, search_title, search_description, cover_focus
       from blogs left join drafts on blog_id = id order by 1`,
    )
    .map((row) => ({ ...row, document: row.document.replace(/\/media\/[\w.-]+/g, "/media/ID") }));

test("moves blogs to another site with their documents, pictures, addresses, dates and visibility", async () => {
  await using before = await startTestSite();
  await using after = await startTestSite();
  await using folder = await createFolder({});
  const ana = await before.createAccount("Ana");
  const image = await upload(ana, await paint(40, 30, "png"));
  const owlBlog = await ana.api.blogs.create.mutate(
    aBlog({
      title: "Owls",
      slug: "owls",
      document: everyNode(image.src),
      coverId: image.id,
      coverFocus: { x: 30, y: 20 },
      canonicalUrl: "https://example.org/owls",
      searchTitle: "All owls",
    }),
  );
  await ana.api.blogs.update.mutate({ id: owlBlog.id, slug: "barn-owls" });
  await before.write((tx) => storeAliases(tx, owlBlog.id, ["/2019/03/owls/"]));
  await ana.api.blogs.create.mutate(aBlog({ title: "A drawer", draft: true, slug: "drawer" }));
  await ana.api.blogs.create.mutate(aBlog({ title: "For friends", private: true, slug: "friends" }));

  const { report, ana: newAna } = await importAccount(after, await exportAccount(before, folder.folder));
  expect(report).toMatchObject({ imported: 3, pictures: 2, problems: [] });
  expect(report.drafts).toEqual([{ file: "blogs/drawer.json", reason: "it is a draft" }]);
  const [one, other] = [storedBlogs(before), storedBlogs(after)];
  // A draft's date is that of its last save.
  const withoutDraftDate = (blogs: typeof one) =>
    blogs.map((blog) => (blog.title === "A drawer" ? { ...blog, published_at: 0 } : blog));
  expect(withoutDraftDate(other)).toEqual(withoutDraftDate(one));
  for (const address of ["/2019/03/owls", "/blog/owls"]) {
    const answer = await after.browser().fetch(address, { redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([301, "/blog/barn-owls"]);
  }
  const { html } = await newAna.api.blogs.bySlug.query({ slug: "barn-owls" });
  const src = /<img src="(\/media\/[^"]+)"/.exec(html)?.[1] ?? "";
  expect((await after.browser().fetch(src)).status).toBe(200);
});

test("names what an account's import leaves out, and reads comments with their threads", async () => {
  await using testSite = await startTestSite();
  await using folder = await createFolder({});
  const [ana, ben] = [await testSite.createAccount("Ana"), await testSite.createAccount("Ben")];
  const owlBlog = await ana.api.blogs.create.mutate(aBlog({ title: "Owls", slug: "owls" }));
  const comment = await ben.api.comments.create.mutate(aComment(owlBlog, { text: "Hoo." }));
  await ana.api.comments.create.mutate(aComment(owlBlog, { parentId: comment.id, text: "Hoo to you." }));
  await ben.api.social.likeBlog.mutate({ blogId: owlBlog.id, liked: true });
  await ben.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  const source = await openAsKind("reprise", await openFiles(await exportAccount(testSite, folder.folder)));
  const { posts, others } = await readSource(source);
  await source.close();
  expect(posts["blogs/owls.json"]).toMatchObject({
    source: owlBlog.id,
    authors: [{ key: "ana", name: "Ana" }],
    comments: [
      { name: "Ben", text: "Hoo.", approved: true },
      { name: "Ana", text: "Hoo to you.", parent: comment.id },
    ],
  });
  expect(others["follows.json"]).toBe("follows: not imported");
  expect(others["accounts.json"]).toBe("accounts and settings: not imported");
});

test("refuses an invalid, unfinished, newer or hand-edited export with a reason", async () => {
  const head = {
    format: "reprise-export",
    version: 1,
    counts: { blogs: 2 },
    site: { url: "https://old.example" },
  };
  const exportFiles = (more: Record<string, string> = {}) => ({
    "x/export.json": JSON.stringify(head),
    "x/blogs.json":
      '[\n{"id":"1","slug":"a","name":"a","title":"A","visibility":"public","publishedAt":"2020-01-02T03:04:05.678Z"}\n]',
    "x/blogs/a.json": '{"id":"1","document":{"type":"doc","content":[{"type":"paragraph"}]}}',
    "x/index.html": "<p>",
    ...more,
  });
  const open = (contents: Record<string, string>) => openAsKind("reprise", filesOf(contents));
  await expect(open({ "a.txt": "" })).rejects.toThrow("no export.json found");
  await expect(open(exportFiles({ "x/export.json": "{}" }))).rejects.toThrow("not from an export");
  await expect(
    open(exportFiles({ "x/export.json": JSON.stringify({ ...head, version: 2 }) })),
  ).rejects.toThrow("Please upgrade");
  const { "x/index.html": _, ...withoutIndex } = exportFiles();
  await expect(open(withoutIndex)).rejects.toThrow("the export is incomplete");
  const readWith = async (more: Record<string, string>) => readSource(await open(exportFiles(more)));
  expect(Object.keys((await readWith({})).posts)).toEqual(["blogs/a.json"]);
  const deepNodes = `{"type":"blockquote","content":[`.repeat(50_000) + "]}".repeat(50_000);
  for (const [text, reason] of [
    ["{", "It can’t be imported: not valid JSON"],
    ['{"document":{"type":"doc","content":[{"type":"script"}]}}', "script"],
    [`{"document":{"type":"doc","content":[${deepNodes}]}}`, "nested too deeply"],
    [
      '{"document":{"type":"doc","content":[{"type":"paragraph","content":[{"type":"image","attrs":{"src":"javascript:1"}}]}]}}',
      "not allowed",
    ],
  ] as const)
    expect((await readWith({ "x/blogs/a.json": text })).others["blogs/a.json"]).toContain(reason);
  expect(
    (await readWith({ "x/blogs.json": '[{"id":"9","name":"../../etc/passwd","visibility":"public"}' }))
      .others,
  ).toMatchObject({
    "blogs/../../etc/passwd.json": "It can’t be imported: file not found",
    "x/blogs.json": expect.stringContaining("incomplete"),
  });
});
