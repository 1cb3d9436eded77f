import { expect, test } from "vitest";
import { followTopics, startTown, until } from "../support/town.ts";
import { aBlog } from "../support/writing.ts";

/* Code in an article has its colours in pages alone, and in what brings pages up to date. */

const code = (text: string, language: string | null = "javascript") => ({
  type: "code_block",
  attrs: { language },
  content: [{ type: "text", text }],
});
const said = (text: string) => ({ type: "paragraph", content: [{ type: "text", text }] });
const documentOf = (...content: unknown[]) => ({ type: "doc", content });

test("a page has code in colours, and so has an update of an open page, made of the same blocks", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const blog = aBlog({ document: documentOf(said("Look:"), code("const owls = 3;"), said("Owls.")) });
  const { slug } = await ana.api.blogs.create.mutate(blog);
  const eve = town.browser();
  let drawn = "";
  // On a busy machine the first who ask have it plain.
  await until(async () => (drawn = await (await eve.fetch(`/blog/${slug}`)).text()).includes("code-word"));
  expect(drawn).toContain('<div class="code" dir="ltr"><div class="code-head"><span>JavaScript</span>');
  expect(drawn).toContain('<span class="code-word">const</span>');
  expect(drawn).toContain('<p dir="auto">Look:</p>');
  const before = await eve.api.blogs.bySlug.query({ slug });
  expect(drawn).toContain(before.html);
  const page = followTopics(eve, [`blog:${blog.id}`]);
  await page.live();
  const changed = documentOf(said("Look:"), code('const bats = "many";'), said("Owls."));
  await ana.api.blogs.update.mutate({ ...blog, version: 1, document: changed });
  await page.heard("blog.edited");
  const after = await eve.api.blogs.bySlug.query({ slug });
  const { text } = page.events("blog.edited")[0]!;
  expect(text).toMatchObject({ from: before.digest, to: after.digest });
  const fresh = text!.blocks!.filter((one) => typeof one === "string");
  expect(fresh).toHaveLength(1);
  expect(fresh[0]).toContain('<span class="code-text">&quot;many&quot;</span>');
  expect(after.html).toContain(fresh[0]);
  expect(await eve.api.blogs.bySlug.query({ slug, has: before.digest })).toMatchObject({
    html: "",
    change: text,
  });
  const preview = await (await ana.fetch(`/edit/${blog.id}/preview`)).text();
  expect(preview).toContain('<span class="code-word">const</span>');
});

test("the API, feeds and exports have code as it is stored", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const blog = aBlog({ document: documentOf(code("const owls = 3;")) });
  const { slug } = await ana.api.blogs.create.mutate(blog);
  await town.browser().fetch(`/blog/${slug}`);
  for (const address of [`/api/v1/blogs/${blog.id}`, "/feed.xml", `/blog/${slug}.md`, `/blog/${slug}.html`]) {
    const answer = await town.browser().fetch(address);
    const text = await answer.text();
    expect(answer.status, address).toBe(200);
    expect(text, address).toContain("const owls = 3;");
    expect(text, address).not.toContain("code-");
    expect(text, address).not.toContain('dir="auto"');
  }
});

test("hostile code costs a page a second at most, and no other page anything; what it says is there", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
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
  const began = performance.now();
  const text = await (await town.browser().fetch(`/blog/${slug}`)).text();
  expect(performance.now() - began).toBeLessThan(5_000);
  expect(text.replace(/<\/?span[^>]*>/g, "")).toContain("*_".repeat(4_500));
  expect(text).not.toContain("<?php");
});
