import { parseHTML } from "linkedom";
import { expect, test } from "vitest";
import { writeExport } from "../../../src/server/exports/write.ts";
import { markdownToDocument } from "../../../src/server/imports/markdown/markdown.ts";
import { insertEntriesSql, runStatements } from "../../support/bulk-rows.ts";
import { createFolder } from "../../support/import-folder.ts";
import { addCoAuthor, createLiveBlog, postEntry } from "../../support/live-blogs.ts";
import { upload } from "../../support/pictures.ts";
import { siteWith } from "../../support/site-with.ts";
import { aBlog, paragraphs, type TestSite } from "../../support/test-site.ts";
import { unzip } from "../../support/unzip.ts";

/** Exports an account, and returns its files. */
async function exported(testSite: TestSite, account: string) {
  await using temporary = await createFolder({});
  const to = `${temporary.folder}/export.zip`;
  await writeExport(testSite.app.services, { account, to, program: "0" });
  const files = await unzip(to);
  const text = (name: string) => files.get(name)?.toString("utf8") ?? "";
  return { files, text, json: (name: string) => JSON.parse(text(name)) };
}

/** A live blog that has ended, with entries of its author and of a co-author, and a withdrawn one. */
async function startLiveSite() {
  const [testSite, ana, ben] = await siteWith("Ana", "Ben");
  const blog = await createLiveBlog(ana, { title: "Owls", slug: "owls" });
  await addCoAuthor(ana, blog, ben);
  const picture = await upload(ben);
  const document = {
    type: "doc",
    content: [
      ...paragraphs("A *bat*.").content,
      { type: "paragraph", content: [{ type: "image", attrs: { src: picture.src, alt: "A bat" } }] },
    ],
  };
  const late = await postEntry(ben, blog, { at: "2026-03-01T20:15:00Z", isKey: true, document });
  const early = await postEntry(ana, blog, { at: "2026-03-01T19:00:00Z", title: "Dusk & dew" });
  const hidden = await upload(ben);
  const withdrawn = await postEntry(ana, blog, {
    title: "A mistake",
    document: { type: "doc", content: [{ type: "paragraph", content: [{ type: "image", attrs: hidden }] }] },
  });
  await ana.api.blogs.withdrawEntry.mutate({ id: withdrawn.id, withdrawn: true });
  await ana.api.blogs.setSummary.mutate({ id: blog.id, summary: ["Owls # call.", "Bats fly."] });
  await ana.api.blogs.setLive.mutate({ id: blog.id, live: false });
  return { testSite, ana, ben, blog, early, late, picture };
}

test("exports a live blog's state and its entries, oldest first, without withdrawn ones", async () => {
  const { testSite, ana, ben, blog, early, late, picture } = await startLiveSite();
  await ana.api.blogs.create.mutate(aBlog({ slug: "plain" }));
  const { files, json } = await exported(testSite, ana.me.id);
  const { live } = await ana.api.blogs.bySlug.query({ slug: blog.slug });
  expect(live).toMatchObject({ ended: expect.any(String), summary: ["Owls # call.", "Bats fly."] });
  expect(json("blogs.json").map((row: { live: unknown }) => row.live)).toEqual([live, null]);
  expect([...files.keys()].filter((name) => name.startsWith("entries/"))).toEqual(["entries/owls.json"]);
  const account = (person: typeof ana) => ({
    id: person.me.id,
    username: person.me.username,
    name: person.me.name,
  });
  const [first, second, ...others] = json("entries/owls.json");
  expect(others).toEqual([]);
  expect(first).toEqual({
    id: early.id,
    at: early.at,
    author: account(ana),
    title: "Dusk & dew",
    key: false,
    createdAt: expect.any(String),
    editedAt: null,
    likes: 0,
    document: expect.objectContaining({ type: "doc" }),
  });
  expect(second).toMatchObject({ id: late.id, author: account(ben), title: "", key: true });
  expect(JSON.stringify(second.document)).toContain(`"src":"../media/${picture.id}.webp"`);
  expect(json("media.json").map(({ id }: { id: string }) => id)).toEqual([picture.id]);
  expect(files.has(`media/${picture.id}.webp`)).toBe(true);
  // The co-author has another blog's text in no file of theirs.
  expect([...(await exported(testSite, ben.me.id)).files.keys()].join()).not.toContain("owls");
});

test("shows the entries below the text in the files to read", async () => {
  const { testSite, ana, picture } = await startLiveSite();
  const { text } = await exported(testSite, ana.me.id);
  const markdown = text("blogs/owls.md").split("---\n").at(-1)!;
  expect(markdown.replace(/\n+/g, "\n").trim().split("\n")).toEqual([
    "Owls, mostly.",
    "## Summary",
    expect.stringMatching(/^- Owls # call\.$/),
    "- Bats fly.",
    "## 2026-03-01 19:00 UTC · Dusk & dew",
    "An owl calls.",
    "## 2026-03-01 20:15 UTC",
    String.raw`A \*bat\*.`,
    expect.stringContaining(`../media/${picture.id}.webp`),
  ]);
  const { document } = await markdownToDocument(markdown, {
    resolveImage: (src) => ({ src: src.replace("..", ""), width: 0, height: 0 }),
  });
  expect(JSON.stringify(document)).toContain("A *bat*.");
  const page = parseHTML(text("blogs/owls.html")).document;
  const articles = [...page.querySelectorAll("article")].map((article) =>
    article.textContent.replace(/\s+/g, " ").trim(),
  );
  expect(articles).toEqual([
    "2026-03-01 19:00 UTC · Ana Dusk & dew An owl calls.",
    "2026-03-01 20:15 UTC · Ben · Key moment A *bat*.",
  ]);
  expect([...page.querySelectorAll("ul li")].map((point) => point.textContent)).toEqual([
    "Owls # call.",
    "Bats fly.",
  ]);
  expect(page.querySelector("article img")?.getAttribute("src")).toBe(`../media/${picture.id}.webp`);
  expect(text("blogs/owls.html").trimEnd().endsWith("</html>")).toBe(true);
});

test("has the notes of two entries apart from each other in Markdown", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const blog = await createLiveBlog(ana, { slug: "notes" });
  const noted = (note: string, words: string) => ({
    type: "doc",
    content: [
      {
        type: "paragraph",
        content: [
          { type: "text", text: words },
          { type: "footnote_ref", attrs: { note } },
        ],
      },
      {
        type: "footnotes",
        content: [{ type: "footnote", attrs: { note }, content: paragraphs(`Of ${words}`).content }],
      },
    ],
  });
  await postEntry(ana, blog, { document: noted("aaaaaa", "owls") });
  await postEntry(ana, blog, { document: noted("bbbbbb", "bats") });
  const { text } = await exported(testSite, ana.me.id);
  const markdown = text("blogs/notes.md");
  for (const words of ["Of owls", "Of bats"]) expect(markdown.split(words)).toHaveLength(2);
  expect(markdown).not.toContain("[^1]");
});

test.each([
  ["md", "text/markdown"],
  ["html", "text/html"],
])(
  "has the entries of a live blog in its %s file for readers, with absolute addresses",
  async (kind, type) => {
    const { testSite, picture } = await startLiveSite();
    const answer = await testSite.browser().fetch(`/blog/owls.${kind}`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, `${type}; charset=utf-8`]);
    const text = await answer.text();
    expect(text).toContain("2026-03-01 19:00 UTC");
    expect(text).toContain(`${testSite.config.publicUrl}/media/${picture.id}`);
    expect(text).not.toContain("A mistake");
  },
);

test("names no author of an entry whom a block hides", async () => {
  const { testSite, ana, ben } = await startLiveSite();
  const eve = await testSite.createAccount("Eve");
  await ben.api.social.block.mutate({ userId: eve.me.id, blocked: true });
  const page = async (browser: { fetch: typeof ana.fetch }) =>
    (await browser.fetch("/blog/owls.html")).text();
  expect(await page(eve)).toContain("UTC · Key moment");
  expect(await page(ana)).toContain("UTC · Ben · Key moment");
});

test("exports all entries of a long live blog", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const blog = await createLiveBlog(ana, { slug: "long" });
  const place = { blogId: blog.id, authorId: ana.me.id };
  await runStatements(testSite, insertEntriesSql(1, 97, place, { at: "1000 * (n / 30)" }));
  const { json, text } = await exported(testSite, ana.me.id);
  expect(json("entries/long.json").map(({ title }: { title: string }) => title)).toEqual(
    Array.from({ length: 97 }, (_, index) => `Number ${index}`),
  );
  expect(text("blogs/long.md").match(/^## 1970/gm)).toHaveLength(97);
});
