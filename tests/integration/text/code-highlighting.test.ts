import { expect, test } from "vitest";
import { followTopics, startTestSite, until } from "../../support/test-site.ts";
import { aBlog } from "../../support/sample-content.ts";

const code = (text: string, language: string | null = "javascript") => ({
  type: "code_block",
  attrs: { language },
  content: [{ type: "text", text }],
});
const paragraphOf = (text: string) => ({ type: "paragraph", content: [{ type: "text", text }] });
const documentOf = (...content: unknown[]) => ({ type: "doc", content });

test("highlights code in a page, its preview and an update of an open page, with the same blocks", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const blog = aBlog({
    document: documentOf(paragraphOf("Look:"), code("const owls = 3;"), paragraphOf("Owls.")),
  });
  const { slug } = await ana.api.blogs.create.mutate(blog);
  const eve = testSite.browser();
  let html = "";
  // A busy server may render without highlighting first.
  await until(async () => (html = await (await eve.fetch(`/blog/${slug}`)).text()).includes("code-word"));
  expect(html).toContain('<div class="code" dir="ltr"><div class="code-head"><span>JavaScript</span>');
  expect(html).toContain('<span class="code-word">const</span>');
  expect(html).toContain('<p dir="auto">Look:</p>');
  const before = await eve.api.blogs.bySlug.query({ slug });
  expect(html).toContain(before.html);
  const page = followTopics(eve, [`blog:${blog.id}`]);
  await page.waitForStart();
  const changedDocument = documentOf(
    paragraphOf("Look:"),
    code('const bats = "many";'),
    paragraphOf("Owls."),
  );
  await ana.api.blogs.update.mutate({ ...blog, etag: 1, document: changedDocument });
  await page.waitFor("blog.edited");
  const after = await eve.api.blogs.bySlug.query({ slug });
  const { text } = page.events("blog.edited")[0]!;
  expect(text).toMatchObject({ from: before.digest, to: after.digest });
  const newBlocks = text!.blocks!.filter((block) => typeof block === "string");
  expect(newBlocks).toHaveLength(1);
  expect(newBlocks[0]).toContain('<span class="code-text">&quot;many&quot;</span>');
  expect(after.html).toContain(newBlocks[0]);
  expect(await eve.api.blogs.bySlug.query({ slug, has: before.digest })).toMatchObject({
    html: "",
    change: text,
  });
  const preview = await (await ana.fetch(`/edit/${blog.id}/preview`)).text();
  expect(preview).toContain('<span class="code-word">const</span>');
});

test("returns code as it is stored from the API, feeds and exports", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const blog = aBlog({ document: documentOf(code("const owls = 3;")) });
  const { slug } = await ana.api.blogs.create.mutate(blog);
  await testSite.browser().fetch(`/blog/${slug}`);
  for (const address of [`/api/v1/blogs/${blog.id}`, "/feed.xml", `/blog/${slug}.md`, `/blog/${slug}.html`]) {
    const answer = await testSite.browser().fetch(address);
    const text = await answer.text();
    expect(answer.status, address).toBe(200);
    expect(text, address).toContain("const owls = 3;");
    expect(text, address).not.toContain("code-");
    expect(text, address).not.toContain('dir="auto"');
  }
});

test("limits the time to render hostile code, and shows its text", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const hostile = [
    ["markdown", "*_".repeat(4_500)],
    ["html", "<".repeat(9_000)],
    ["javascript", "0x".repeat(4_900)],
    ["php", "<?php A1".repeat(1_200)],
    ["perl", "s{".repeat(4_500)],
    ["cpp", "a<".repeat(4_500)],
  ] as const;
  const blog = aBlog({
    document: documentOf(...hostile.slice(0, 5).map(([language, text]) => code(text, language))),
  });
  const { slug } = await ana.api.blogs.create.mutate(blog);
  const startTime = performance.now();
  const text = await (await testSite.browser().fetch(`/blog/${slug}`)).text();
  expect(performance.now() - startTime).toBeLessThan(5_000);
  expect(text.replace(/<\/?span[^>]*>/g, "")).toContain("*_".repeat(4_500));
  expect(text).not.toContain("<?php");
});
