import { expect, test } from "vitest";
import { followTopics, startTestSite, until } from "../../support/test-site.ts";
import { aBlog } from "../../support/sample-content.ts";

const textNode = (text: string) => ({ type: "text", text });
const paragraphOf = (...content: unknown[]) => ({ type: "paragraph", content });
const inline = (tex: string) => ({ type: "formula", attrs: { tex } });
const block = (tex: string) => ({ type: "formula_block", content: [textNode(tex)] });
const documentOf = (...content: unknown[]) => ({ type: "doc", content });
const frac = String.raw`\frac{owl}{bat}`;

test("renders formulas as MathML in a page and an update of it, and a wrong one as its source with the reason", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const blog = aBlog({
    document: documentOf(
      paragraphOf(textNode("so "), inline("x^2")),
      block(frac),
      block(String.raw`\owl<b>`),
    ),
  });
  const { slug } = await ana.api.blogs.create.mutate(blog);
  const eve = testSite.browser();
  let page = "";
  // A busy server may send the sources first.
  await until(async () => (page = await (await eve.fetch(`/blog/${slug}`)).text()).includes("<mfrac>"));
  expect(page).toContain('<span class="ql-formula"><math><semantics><msup><mi>x</mi>');
  expect(page).toMatch(/<div class="formula" [^<>]*><math display="block"/);
  expect(page).toMatch(/<code class="formula-wrong" title="Unsupported[^"]*\\owl">\\owl&lt;b&gt;<\/code>/);
  const before = await eve.api.blogs.bySlug.query({ slug });
  const stream = followTopics(eve, [`blog:${blog.id}`]);
  await stream.waitForStart();
  const changedDocument = documentOf(
    paragraphOf(textNode("so "), inline("y^3")),
    block(frac),
    block(String.raw`\owl<b>`),
  );
  await ana.api.blogs.update.mutate({ ...blog, etag: 1, document: changedDocument });
  await stream.waitFor("blog.edited");
  const { text } = stream.events("blog.edited")[0]!;
  expect(text).toMatchObject({ from: before.digest });
  const newBlocks = text!.blocks!.filter((one) => typeof one === "string");
  expect(newBlocks).toEqual([expect.stringContaining("<msup><mi>y</mi>")]);
});

test("returns the source of formulas from the API, feeds, exports and search", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const blog = aBlog({ document: documentOf(paragraphOf(textNode("so "), inline("owlsum^2")), block(frac)) });
  const { slug } = await ana.api.blogs.create.mutate(blog);
  const get = async (path: string) => (await testSite.browser().fetch(path)).text();
  await get(`/blog/${slug}`);
  expect(
    (JSON.parse(await get(`/api/v1/blogs/${blog.id}`)) as { blog: { content: string } }).blog.content,
  ).toContain('<span class="ql-formula" data-value="owlsum^2">owlsum^2</span>');
  expect(await get(`/blog/${slug}.md`)).toContain(`so $owlsum^2$\n\n$$\n${frac}\n$$\n`);
  expect(await get("/feed.xml")).toContain("<code>owlsum^2</code>");
  expect(await get(`/blog/${slug}.html`)).toContain(`<pre class="formula">${frac}`);
  for (const path of [`/api/v1/blogs/${blog.id}`, "/feed.xml", `/blog/${slug}.md`])
    expect(await get(path), path).not.toContain("<math");
  const results = await testSite.browser().api.blogs.search.query({ query: "owlsum" });
  expect(JSON.stringify(results)).toContain(blog.id);
});

test("limits the time and the size of rendering hostile formulas", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const formulas = Array.from(
    { length: 40 },
    (_, index) => `\\def\\a{${"x".repeat(1_400)}${index}}${String.raw`\a`.repeat(200)}`,
  );
  const blog = aBlog({ document: documentOf(...formulas.map(block), paragraphOf(textNode("The end."))) });
  const { slug } = await ana.api.blogs.create.mutate(blog);
  const startTime = performance.now();
  const text = await (await testSite.browser().fetch(`/blog/${slug}`)).text();
  expect(performance.now() - startTime).toBeLessThan(5_000);
  expect(text).toContain("The end.");
  expect(text.length).toBeLessThan(1_000_000);
});
