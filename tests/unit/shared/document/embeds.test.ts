import { expect, test } from "vitest";
import { parseHtml } from "../../../../src/server/blogs/parse-html.ts";
import { roundTripMarkdown } from "../../../../src/server/exports/markdown.ts";
import { markdownToDocument } from "../../../../src/server/imports/markdown/markdown.ts";
import { checkDocument } from "../../../../src/shared/document/check.ts";
import { blogAt, embeddable, hasCard } from "../../../../src/shared/document/embeds.ts";
import type { DocumentJson, NodeJson } from "../../../../src/shared/document/schema.ts";
import { documentToHtml } from "../../../../src/shared/document/to-html.ts";
import { documentToMarkdown } from "../../../../src/shared/document/to-markdown.ts";
import { documentToText } from "../../../../src/shared/document/to-text.ts";

function documentOf(...content: NodeJson[]): DocumentJson {
  const checked = checkDocument({ type: "doc", content });
  if (!checked.ok) throw new Error(checked.reason);
  return checked.document;
}

const video = "https://www.youtube.com/watch?v=aaaaaaaaaaa";

test.each([
  [video, "youtube"],
  ["https://m.youtube.com/watch?t=5&v=aaaaaaaaaaa", "youtube"],
  ["https://youtu.be/aaaaaaaaaaa?si=x", "youtube"],
  ["https://www.youtube.com/shorts/aaaaaaaaaaa", "youtube"],
  ["https://vimeo.com/12345", "vimeo"],
  ["https://bsky.app/profile/ana.example/post/3kabc", "bluesky"],
  ["https://gist.github.com/ana/0123456789abcdef0123", "gist"],
  ["https://owls.example/@ana/123456789012345678", "mastodon"],
  ["https://owls.example/@ana@bats.example/123456789012345678", "mastodon"],
])("has a card for %s", (href, kind) => {
  expect(embeddable(href)).toMatchObject({ kind });
});

test.each([
  "https://www.youtube.com/",
  "https://www.youtube.com/watch?v=a",
  'https://www.youtube.com/watch?v=aaaaaaaaaaa"onload="x',
  "https://youtube.com.example.org/watch?v=aaaaaaaaaaa",
  "https://ana@youtu.be/aaaaaaaaaaa",
  "https://owls.example:22/@ana/123456789012345678",
  "http://youtu.be/aaaaaaaaaaa",
  "//youtu.be/aaaaaaaaaaa",
  "https://medium.com/@ana/owls-at-night-0123456789ab",
  "https://owls.example/@ana",
  `https://youtu.be/aaaaaaaaaaa?${"x".repeat(2_048)}`,
  5,
])("has no card for %s", (href) => {
  expect(embeddable(href)).toBeNull();
});

test("reads a line of Markdown that is only an address as a card without words, and writes it as the address", async () => {
  const of = async (markdown: string) => (await markdownToDocument(markdown)).document;
  const card = { type: "embed", attrs: { href: video, title: "", author: "", text: "" } };
  expect((await of(`a\n\n${video}\n\nb`)).content?.[1]).toEqual(card);
  expect((await of(`<${video}>`)).content).toEqual([card]);
  for (const other of [
    `See ${video}`,
    `[Owls](${video})`,
    `[${video}](${video})`,
    `\`${video}\``,
    `- ${video}`,
  ])
    expect(JSON.stringify(await of(other)), other).not.toContain('"embed"');
  const document = documentOf(card);
  expect(documentToMarkdown(document)).toBe(`<${video}>\n`);
});

test("writes the title, text and author of a card as HTML that parses back to the same card", async () => {
  const attrs = { href: video, title: "Owls", author: "Ana", text: "What one hears." };
  const document = documentOf({ type: "embed", attrs });
  const html = documentToHtml(document);
  expect(html).toContain(
    "<strong>Owls</strong><span>What one hears.</span><small>Ana · YouTube</small></a></figure>",
  );
  expect(await parseHtml(html)).toEqual(document);
  expect(await parseHtml(`<div>${html}</div>`)).toEqual(document);
  expect(documentToText(document)).toBe("Owls\nWhat one hears.\nAna");
});

const site = "https://reprise.example";
const own = `${site}/blog/owls-at-night-k3m9xq`;

test("has a card for the plain address of a blog, on its own site only", () => {
  expect(blogAt(own, site)).toBe("owls-at-night-k3m9xq");
  expect(blogAt("http://localhost:3000/blog/owls", "http://localhost:3000")).toBe("owls");
  expect(hasCard(own, "https://other.example")).toBe(false);
  for (const other of [
    `${own}/`,
    `${own}?comments`,
    `${own}#comments`,
    `${site}/blog/`,
    `${site}/blog/a b`,
    `${site}/blog/-a`,
    `${site}/blog/A`,
    `${site}/blog/a.md`,
    `${site}/blog/${"a".repeat(201)}`,
    `${site}/edit/a`,
    `${site}.evil.example/blog/a`,
    "https://ana@reprise.example/blog/a",
    "/blog/a",
    "//reprise.example/blog/a",
    5,
  ])
    expect(hasCard(other, site), String(other)).toBe(false);
});

test("stores the address alone of a blog of the site, whatever words come with it", async () => {
  const words = { title: "Owls", author: "Ana", text: "What one hears." };
  const document = documentOf({ type: "embed", attrs: { href: own, ...words } });
  const bare = { href: own, title: "", author: "", text: "" };
  expect(document.content).toEqual([{ type: "embed", attrs: bare }]);
  const html = documentToHtml(document, { origin: site });
  expect(html).toBe(
    `<figure class="embed" data-href="${own}" data-blog="owls-at-night-k3m9xq"><a href="${own}">${own}</a></figure>`,
  );
  expect(await parseHtml(html)).toEqual(document);
  expect(await parseHtml(`<figure class="embed" data-href="${own}" data-title="Owls"></figure>`)).toEqual(
    document,
  );
  expect(documentToText(document)).toBe(own);
  // On another site it is an ordinary link.
  expect(documentToHtml(document, { origin: "https://other.example" })).toBe(
    `<figure class="embed" data-href="${own}"><a href="${own}" rel="nofollow noopener ugc">${own}</a></figure>`,
  );
});

test("reads and writes a blog's address alone on a line of Markdown as a card, on its own site only", async () => {
  const of = async (markdown: string, origin?: string) =>
    (await markdownToDocument(markdown, { origin })).document;
  const document = documentOf({ type: "embed", attrs: { href: own } });
  expect(await of(own, site)).toEqual(document);
  expect(await of(`<${own}>`, site)).toEqual(document);
  for (const origin of [undefined, "", "https://other.example"])
    expect(JSON.stringify(await of(own, origin)), origin).not.toContain('"embed"');
  expect(await of(`See ${own}`, site)).not.toEqual(document);
  expect(await roundTripMarkdown(document, { origin: site })).toBe(`<${own}>\n`);
  const elsewhere = await roundTripMarkdown(document, { origin: "https://other.example" });
  expect(await of(elsewhere, "https://other.example")).toEqual(document);
  const line = await of(`See ${own}`, site);
  expect(await of(await roundTripMarkdown(line, { origin: site }), site)).toEqual(line);
});
