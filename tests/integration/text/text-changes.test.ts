import { expect, test } from "vitest";
import type { TextChange } from "../../../src/shared/blogs.ts";
import { blocksOf } from "../../../src/shared/document/top-level-blocks.ts";
import { ApiClient } from "../../support/api-client.ts";
import { followTopics, startTestSite } from "../../support/test-site.ts";
import { aBlog, documentAt, paragraphs } from "../../support/sample-content.ts";

const lines = (count: number) =>
  Array.from({ length: count }, (_, index) => `Line ${index}: ${"owls call, and one answers. ".repeat(9)}`);

/** Returns what a page with `before` shows after the change. */
function applyChange(before: string, { blocks }: TextChange): string {
  const oldBlocks = blocksOf(before);
  return blocks!
    .map((block) => (typeof block === "string" ? block : oldBlocks.slice(block[0], block[0] + block[1])))
    .flat()
    .join("");
}

test("sends only the changed blocks of a long blog to open pages and on request", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const text = lines(433);
  const blog = aBlog({ document: paragraphs(...text) });
  const { slug } = await ana.api.blogs.create.mutate(blog);
  const eve = testSite.browser().api;
  const before = await eve.blogs.bySlug.query({ slug });
  const page = followTopics(testSite.browser(), [`blog:${blog.id}`]);
  await page.waitForStart();
  const newText = [
    ...text.slice(0, 100),
    "A new one.",
    ...text.slice(100, 200),
    "Line 200, anew.",
    ...text.slice(201, 400),
    ...text.slice(402),
  ];
  await ana.api.blogs.update.mutate({ ...blog, etag: 1, document: paragraphs(...newText) });
  await page.waitFor("blog.edited");
  const after = await eve.blogs.bySlug.query({ slug });
  const { text: change } = page.events("blog.edited")[0]!;
  expect(change).toMatchObject({ from: before.digest, to: after.digest });
  expect(JSON.stringify(change).length).toBeLessThan(300);
  expect(applyChange(before.html, change!)).toBe(after.html);
  const response = await eve.blogs.bySlug.query({ slug, has: before.digest });
  expect(response).toMatchObject({ html: "", digest: after.digest, change });
  expect(await eve.blogs.bySlug.query({ slug, has: after.digest })).toMatchObject({
    html: "",
    change: { blocks: null },
  });
  // For an unknown digest the whole text is returned.
  expect(await eve.blogs.bySlug.query({ slug, has: "another one" })).toMatchObject({ html: after.html });
});

test("shows a footnote without its reference to authors alone until the reference is back", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const textWith = (...more: object[]) => ({
    type: "doc",
    content: [
      { type: "paragraph", content: [{ type: "text", text: "Owls call." }, ...more] },
      {
        type: "footnotes",
        content: [{ type: "footnote", attrs: { note: "n1" }, content: paragraphs("A secret.").content }],
      },
    ],
  });
  const reference = { type: "footnote_ref", attrs: { note: "n1" } };
  const blog = aBlog({ description: "", document: textWith(reference) });
  const { slug } = await ana.api.blogs.create.mutate(blog);
  const eve = testSite.browser().api;
  const [api, anaClient] = [new ApiClient(testSite), await ApiClient.of(testSite, ana)];
  const showsSecret = async () => {
    const { body } = await api.call("GET", `/blogs/${blog.id}`);
    const markdown = await (await fetch(`${testSite.url}/blog/${slug}.md`)).text();
    const page = await eve.blogs.bySlug.query({ slug });
    const results = [page.html, body.blog.content, markdown].map((text: string) =>
      text.includes("A secret."),
    );
    return new Set(results).size === 1 ? results[0] : results;
  };
  const countResults = async () => (await eve.blogs.search.query({ query: "secret" })).blogs.length;
  expect([await showsSecret(), await countResults()]).toEqual([true, 1]);
  await ana.api.blogs.update.mutate({ ...blog, etag: 1, document: textWith() });
  expect([await showsSecret(), await countResults()]).toEqual([false, 0]);
  expect(JSON.stringify(await documentAt(ana, slug))).toContain("A secret.");
  // A client of hers that sends the content back loses nothing.
  expect((await anaClient.call("GET", `/blogs/${blog.id}`)).body.blog.content).toContain("A secret.");
  await ana.api.blogs.update.mutate({ ...blog, etag: 2, document: textWith(reference) });
  expect([await showsSecret(), await countResults()]).toEqual([true, 1]);
});

test("includes no deleted text in later changes, live or on request", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const blog = aBlog({ document: paragraphs("Owls.", "A secret.", "Crows.") });
  const { slug } = await ana.api.blogs.create.mutate(blog);
  const eve = testSite.browser().api;
  const first = await eve.blogs.bySlug.query({ slug });
  await ana.api.blogs.update.mutate({
    ...blog,
    etag: 1,
    document: paragraphs("Owls.", "A secret, told.", "Crows."),
  });
  await ana.api.blogs.update.mutate({ ...blog, etag: 2, document: paragraphs("Owls.", "Crows.") });
  const stream = followTopics(testSite.browser(), [`blog:${blog.id}`], first.cursor);
  await stream.waitFor("blog.edited");
  expect(JSON.stringify(stream.events("blog.edited"))).not.toContain("secret");
  expect(stream.events("blog.edited").at(-1)!.text!.blocks).toEqual([
    [0, 1],
    [2, 1],
  ]);
  expect(JSON.stringify(await eve.blogs.bySlug.query({ slug, has: first.digest }))).not.toContain("secret");
});

test("computes correct changes for reordered and entirely different texts", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const blog = aBlog({ document: paragraphs(...lines(300)) });
  const { slug } = await ana.api.blogs.create.mutate(blog);
  const eve = testSite.browser().api;
  let etag = 1;
  for (const text of [lines(300).toReversed(), lines(5), ["", "", "Owls.", ""], ["Owls."], lines(40)]) {
    const before = await eve.blogs.bySlug.query({ slug });
    await ana.api.blogs.update.mutate({ ...blog, etag: etag++, document: paragraphs(...text) });
    const after = await eve.blogs.bySlug.query({ slug });
    const { change } = await eve.blogs.bySlug.query({ slug, has: before.digest });
    expect(applyChange(before.html, change!)).toBe(after.html);
  }
});
