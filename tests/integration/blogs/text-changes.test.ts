import { expect, test } from "vitest";
import type { TextChange } from "../../../src/shared/blogs.ts";
import { blocksOf } from "../../../src/shared/document/blocks.ts";
import { ApiClient } from "../../support/api-client.ts";
import { followTopics, startTestSite } from "../../support/test-site.ts";
import { aBlog, documentAt, paragraphs } from "../../support/sample-content.ts";

const lines = (count: number) =>
  Array.from({ length: count }, (_, at) => `Line ${at}: ${"owls call, and one answers. ".repeat(9)}`);

/** Returns what a page with `before` shows after the change. */
function applied(before: string, { blocks }: TextChange): string {
  const had = blocksOf(before);
  return blocks!
    .map((one) => (typeof one === "string" ? one : had.slice(one[0], one[0] + one[1])))
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
  await page.live();
  const now = [
    ...text.slice(0, 100),
    "A new one.",
    ...text.slice(100, 200),
    "Line 200, anew.",
    ...text.slice(201, 400),
    ...text.slice(402),
  ];
  await ana.api.blogs.update.mutate({ ...blog, version: 1, document: paragraphs(...now) });
  await page.heard("blog.edited");
  const after = await eve.blogs.bySlug.query({ slug });
  const { text: change } = page.events("blog.edited")[0]!;
  expect(change).toMatchObject({ from: before.digest, to: after.digest });
  expect(JSON.stringify(change).length).toBeLessThan(300);
  expect(applied(before.html, change!)).toBe(after.html);
  const asked = await eve.blogs.bySlug.query({ slug, has: before.digest });
  expect(asked).toMatchObject({ html: "", digest: after.digest, change });
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
  const sign = { type: "footnote_ref", attrs: { note: "n1" } };
  const blog = aBlog({ description: "", document: textWith(sign) });
  const { slug } = await ana.api.blogs.create.mutate(blog);
  const eve = testSite.browser().api;
  const [api, anas] = [new ApiClient(testSite), await ApiClient.of(testSite, ana)];
  const seen = async () => {
    const { body } = await api.call("GET", `/blogs/${blog.id}`);
    const file = await (await fetch(`${testSite.url}/blog/${slug}.md`)).text();
    const page = await eve.blogs.bySlug.query({ slug });
    const all = [page.html, body.blog.content, file].map((said: string) => said.includes("A secret."));
    return new Set(all).size === 1 ? all[0] : all;
  };
  const found = async () => (await eve.blogs.search.query({ query: "secret" })).blogs.length;
  expect([await seen(), await found()]).toEqual([true, 1]);
  await ana.api.blogs.update.mutate({ ...blog, version: 1, document: textWith() });
  expect([await seen(), await found()]).toEqual([false, 0]);
  expect(JSON.stringify(await documentAt(ana, slug))).toContain("A secret.");
  // A client of hers that sends the content back loses nothing.
  expect((await anas.call("GET", `/blogs/${blog.id}`)).body.blog.content).toContain("A secret.");
  await ana.api.blogs.update.mutate({ ...blog, version: 2, document: textWith(sign) });
  expect([await seen(), await found()]).toEqual([true, 1]);
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
    version: 1,
    document: paragraphs("Owls.", "A secret, told.", "Crows."),
  });
  await ana.api.blogs.update.mutate({ ...blog, version: 2, document: paragraphs("Owls.", "Crows.") });
  const back = followTopics(testSite.browser(), [`blog:${blog.id}`], first.cursor);
  await back.heard("blog.edited");
  expect(JSON.stringify(back.events("blog.edited"))).not.toContain("secret");
  expect(back.events("blog.edited").at(-1)!.text!.blocks).toEqual([
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
  let version = 1;
  for (const text of [lines(300).toReversed(), lines(5), ["", "", "Owls.", ""], ["Owls."], lines(40)]) {
    const before = await eve.blogs.bySlug.query({ slug });
    await ana.api.blogs.update.mutate({ ...blog, version: version++, document: paragraphs(...text) });
    const after = await eve.blogs.bySlug.query({ slug });
    const { change } = await eve.blogs.bySlug.query({ slug, has: before.digest });
    expect(applied(before.html, change!)).toBe(after.html);
  }
});
