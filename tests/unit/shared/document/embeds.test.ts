import { expect, test } from "vitest";
import { parseHtml } from "../../../../src/server/text/parse-html.ts";
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
  const documentFrom = async (markdown: string) => (await markdownToDocument(markdown)).document;
  const card = { type: "embed", attrs: { href: video, title: "", author: "", text: "" } };
  expect((await documentFrom(`a\n\n${video}\n\nb`)).content?.[1]).toEqual(card);
  expect((await documentFrom(`<${video}>`)).content).toEqual([card]);
  for (const address of [
    `See ${video}`,
    `[Owls](${video})`,
    `[${video}](${video})`,
    `\`${video}\``,
    `- ${video}`,
  ])
    expect(JSON.stringify(await documentFrom(address)), address).not.toContain('"embed"');
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
const ownAddress = `${site}/blog/owls-at-night-k3m9xq`;

test("has a card for the plain address of a blog, on its own site only", () => {
  expect(blogAt(ownAddress, site)).toBe("owls-at-night-k3m9xq");
  expect(blogAt("http://localhost:3000/blog/owls", "http://localhost:3000")).toBe("owls");
  expect(hasCard(ownAddress, "https://other.example")).toBe(false);
  expect(blogAt("/blog/owls", site)).toBe("owls");
  for (const address of [
    `${ownAddress}/`,
    `${ownAddress}?comments`,
    `${ownAddress}#comments`,
    `${site}/blog/`,
    `${site}/blog/a b`,
    `${site}/blog/-a`,
    `${site}/blog/A`,
    `${site}/blog/a.md`,
    `${site}/blog/${"a".repeat(201)}`,
    `${site}/edit/a`,
    `${site}.evil.example/blog/a`,
    "https://ana@reprise.example/blog/a",
    "//reprise.example/blog/a",
    5,
  ])
    expect(hasCard(address, site), String(address)).toBe(false);
});

test("stores the address alone of a blog of the site, whatever words come with it", async () => {
  const words = { title: "Owls", author: "Ana", text: "What one hears." };
  const document = documentOf({ type: "embed", attrs: { href: ownAddress, ...words } });
  const bareAttrs = { href: ownAddress, title: "", author: "", text: "" };
  expect(document.content).toEqual([{ type: "embed", attrs: bareAttrs }]);
  const html = documentToHtml(document, { origin: site });
  expect(html).toBe(
    `<figure class="embed" data-href="${ownAddress}" data-blog="owls-at-night-k3m9xq"><a href="${ownAddress}">${ownAddress}</a></figure>`,
  );
  expect(await parseHtml(html)).toEqual(document);
  expect(
    await parseHtml(`<figure class="embed" data-href="${ownAddress}" data-title="Owls"></figure>`),
  ).toEqual(document);
  expect(documentToText(document)).toBe(ownAddress);
  // On another site it is an ordinary link.
  expect(documentToHtml(document, { origin: "https://other.example" })).toBe(
    `<figure class="embed" data-href="${ownAddress}"><a href="${ownAddress}" rel="nofollow noopener ugc">${ownAddress}</a></figure>`,
  );
});

test("reads and writes a blog's address alone on a line of Markdown as a card, on its own site only", async () => {
  const documentFrom = async (markdown: string, origin?: string) =>
    (await markdownToDocument(markdown, { origin })).document;
  const document = documentOf({ type: "embed", attrs: { href: ownAddress } });
  expect(await documentFrom(ownAddress, site)).toEqual(document);
  expect(await documentFrom(`<${ownAddress}>`, site)).toEqual(document);
  for (const origin of [undefined, "", "https://other.example"])
    expect(JSON.stringify(await documentFrom(ownAddress, origin)), origin).not.toContain('"embed"');
  expect(await documentFrom(`See ${ownAddress}`, site)).not.toEqual(document);
  expect(await roundTripMarkdown(document, { origin: site })).toBe(`<${ownAddress}>\n`);
  const crossSite = await roundTripMarkdown(document, { origin: "https://other.example" });
  expect(await documentFrom(crossSite, "https://other.example")).toEqual(document);
  const line = await documentFrom(`See ${ownAddress}`, site);
  expect(await documentFrom(await roundTripMarkdown(line, { origin: site }), site)).toEqual(line);
});
