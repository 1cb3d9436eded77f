import { expect, test } from "vitest";
import { openAsKind } from "../../../../src/server/imports/kinds.ts";
import { ghostExport } from "../../../support/exports/ghost.ts";
import { filesOf, readSource } from "../../../support/exports/files.ts";
import { mediumStory } from "../../../support/exports/medium.ts";
import { postsCsv } from "../../../support/exports/substack.ts";
import { wordPressExport } from "../../../support/exports/wordpress.ts";

/* Each format is decoded by what it is, whatever encoding its texts mention. */

const quotes = ["<meta charset=windows-1252>", "<?xml version='1.0' encoding='windows-1252'?>"];

/** XML without a declaration is UTF-8. The first item comes early. */
const withoutDeclaration = (xml: string): string =>
  xml.replace(/^<\?xml.*?\?>\s*/, "").replace(/(<channel>)[^]*?(?=<item>)/, "$1");

const importsOf = (title: string, escapedTitle: string): [string, Record<string, string>][] => [
  [
    "reprise",
    {
      "export.json": JSON.stringify({ format: "reprise-export", version: 1, site: { name: title } }),
      "index.html": "<p>",
      "blogs.json": JSON.stringify([{ id: "1", name: "a", title, visibility: "public" }]),
      "comments.json": JSON.stringify([
        { id: "2", blog: "1", text: title, createdAt: "2020-01-02T03:04:05.678Z", author: { name: "Ana" } },
      ]),
      "blogs/a.json": JSON.stringify({
        document: {
          type: "doc",
          content: [{ type: "code_block", content: [{ type: "text", text: title }] }],
        },
      }),
    },
  ],
  ["ghost", { "a.json": ghostExport([{ id: "1", title, html: `<p>${escapedTitle}</p>` }]) }],
  [
    "substack",
    { "posts.csv": postsCsv([{ post_id: "1.a", title }]), "posts/1.a.html": `<p title="${title}">Café</p>` },
  ],
  ["medium", { "posts/a-1.html": mediumStory({ title, body: `<p>${escapedTitle}</p>` }) }],
  ["wordpress", { "a.xml": withoutDeclaration(wordPressExport([{ title, content: title }])) }],
  ["markdown", { "a.md": `---\ntitle: "${title}"\n---\n\n${escapedTitle}\n` }],
];

for (const quote of quotes)
  for (const [kind, contents] of importsOf(`${quote} Café`, `&lt;${quote.slice(1, -1)}&gt; Café`))
    test(`reads ${kind} as UTF-8 though its texts quote ${quote}`, async () => {
      const { posts } = await readSource(await openAsKind(kind, filesOf(contents)));
      const [post] = Object.values(posts);
      expect(post?.title).toContain("Café");
      expect(JSON.stringify(post?.body)).toContain("Café");
      if (kind === "reprise") expect(post?.comments?.[0]?.text).toBe(`${quote} Café`);
    });

test("reads an HTML page in the encoding that its head declares", async () => {
  const page = mediumStory({ title: "Café", body: "<p>Words</p>" }).replace(
    /charset="?utf-8/i,
    "charset=windows-1252",
  );
  const files = filesOf({ "posts/a-1.html": Buffer.from(page, "latin1") });
  const { posts } = await readSource(await openAsKind("medium", files));
  expect(Object.values(posts)[0]?.title).toBe("Café");
});
