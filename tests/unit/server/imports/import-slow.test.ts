import { expect, test } from "vitest";
import { parseHtml } from "../../../../src/server/text/parse-html.ts";
import { AddressBook } from "../../../../src/server/imports/address-book.ts";
import { replaceCards } from "../../../../src/server/imports/ghost/cards.ts";
import { FrontMatterError, readPost } from "../../../../src/server/imports/markdown/front-matter.ts";
import { siteOf } from "../../../../src/server/imports/markdown/site.ts";
import { convertTags, withoutImports } from "../../../../src/server/imports/markdown/template-tags.ts";
import { openMarkdown } from "../../../../src/server/imports/markdown/source.ts";
import { openMedium } from "../../../../src/server/imports/medium/source.ts";
import { decodedPath } from "../../../../src/server/imports/reading/sibling-files.ts";
import { tidy } from "../../../../src/server/imports/reading/tidy.ts";
import { parsedDate } from "../../../../src/server/imports/reading/dates.ts";
import type { Files } from "../../../../src/server/imports/source.ts";
import { simplifyWidgets } from "../../../../src/server/imports/substack/widgets.ts";
import { mendPost } from "../../../../src/server/imports/mend-post.ts";
import { fillBlocks } from "../../../../src/server/imports/wordpress/blocks.ts";
import { convertShortcodes as withoutWordPressCodes } from "../../../../src/server/imports/wordpress/shortcodes.ts";
import { openWordPress } from "../../../../src/server/imports/wordpress/source.ts";
import { documentToHtml } from "../../../../src/shared/document/to-html.ts";
import { readSource, filesOf } from "../../../support/exports/files.ts";
import { wordPressExport } from "../../../support/exports/wordpress.ts";

/* Files that are made to be slow: each of these took seconds to hours with a regular expression that backtracks. */

const length = 100_000;
const repeated = (piece: string) => piece.repeat(Math.ceil(length / piece.length));
/** Returns milliseconds of processor time, whatever else the machine does. */
const cpuTimeOf = async (work: () => unknown): Promise<number> => {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
};
const maxMs = 1_000;

test.each([
  ..."{{% a |{{< a |{{<|{{%/|{{< ref a |{{< ref |{% highlight a %} |{% highlight a |{{< highlight a >}} |{{< highlight a ".split(
    "|",
  ),
  ..."{{ a::b(|{{ a(|{{ 'a|{{ 'a' | |{% include a |{% a |{% |}}|%}|{{|![|![a](b){|{:|` ".split(/\|(?! )/),
  ..."{% comment %}|{% # |{{< comment >}}|{# |{#a |{/* |*/}{/*|{ |<!-- {|{::comment}|{% raw %}|{% if |`a|a `` `".split(
    "|",
  ),
  "```\n",
  "~~~~\n~~~\n",
])("reads a text of repeated %s within a second", async (piece) => {
  expect(await cpuTimeOf(() => convertTags(repeated(piece)))).toBeLessThan(maxMs);
});

test.each([
  ["{{< ", " ", ""],
  ["{{< a", " ", ">"],
  ["{{< ref ", "a", ""],
  ["{{< ", "a", "\n>}}"],
  ["{% include ", "a", ""],
  ["{% ", "a", ""],
  ["{% highlight ", "a", ""],
  ["", "`", "a"],
  ["{{</*", "*", ""],
  ["# {#a", " ", "x"],
  ["# ", "} ", "x"],
  ["", "{: .a ", "}"],
  ["", "](", ")"],
])("reads a text with a long run within a second: %j, %j, %j", async (start, run, end) => {
  const text = start + run.repeat(length) + end;
  expect(await cpuTimeOf(() => convertTags(text))).toBeLessThan(maxMs);
});

const emptyLines = "\n".repeat(length / 2);
test.each([
  ["empty lines in front matter", `---${emptyLines}---\n`],
  ["empty lines before it", `${emptyLines}x`],
  ["empty lines behind what may be front matter", `---\n${emptyLines}`],
  ["a heading with a long gap", `# a${" ".repeat(length)}b`],
  ["a heading with many signs", `# a${" #".repeat(length / 2)}b`],
  ["a heading of signs alone", `# ${"#".repeat(length)}`],
  ["blanks", " ".repeat(length)],
  ["a line before the text", `a: b${" ".repeat(length)}c`],
  ["lines before the text", "a: b\n".repeat(length / 5)],
  ["blanks at the ends of lines", "\n  a".repeat(length / 4)],
])("%s: reads the post within a second", async (_, text) => {
  expect(await cpuTimeOf(() => readPost(text))).toBeLessThan(maxMs);
});

test("finds the start of an MDX file within a second", async () => {
  for (const piece of ["import a\n\n", "import 'a'\n\n", "export const \n\n", "\n \n"])
    expect(await cpuTimeOf(() => withoutImports(repeated(piece)))).toBeLessThan(maxMs);
});

test("reads five thousand fields of front matter within four seconds, and refuses more than 50,000 characters", async () => {
  const fields = Array.from({ length: 5_000 }, (_, at) => `${at}: 1`).join("\n");
  let post: ReturnType<typeof readPost> | undefined;
  expect(await cpuTimeOf(() => (post = readPost(`---\n${fields}\n---\nText`)))).toBeLessThan(4 * maxMs);
  expect(Object.keys(post?.fields ?? {})).toHaveLength(5_000);
  expect(() => readPost(`---\n${`${fields}\n`.repeat(2)}---\nText`)).toThrow("more than 50,000 characters");
});

test("refuses front matter with a duplicate field, whichever of the two hides the post", () => {
  for (const text of ["draft: true\ndraft: false", "a: 1\nextra:\n  draft: true\n  draft: false"])
    expect(() => readPost(`---\n${text}\n---\nText`)).toThrow(
      new FrontMatterError("The front matter has “draft” twice", null),
    );
});

test("reports the first of thousands of errors in one line within three seconds", async () => {
  const text = `---\na: [${",".repeat(20_000)}]\n---\nText`;
  const error = "The front matter is not valid YAML: Unexpected , in flow sequence (line 2)";
  expect(await cpuTimeOf(() => expect(() => readPost(text)).toThrow(error))).toBeLessThan(3 * maxMs);
});

test("refuses fields nested without end", () => {
  for (const text of ["a: " + "[".repeat(40_000), "a: " + "[".repeat(20_000) + "]".repeat(20_000)])
    expect(() => readPost(`---\n${text}\n---\nText`)).toThrow(FrontMatterError);
  expect(() => readPost(`+++\na = ${"[".repeat(20_000)}${"]".repeat(20_000)}\n+++\nText`)).toThrow(
    FrontMatterError,
  );
});

test("reads the settings of a site within a second", async () => {
  const settings = `${"\n".repeat(length)}baseURL = "https://old.example/notes"\n`;
  let origins: string[] = [];
  const work = async () => ({ origins } = await siteOf(filesOf({ "hugo.toml": settings }), "", []));
  expect(await cpuTimeOf(work)).toBeLessThan(maxMs);
  expect(origins).toEqual(["https://old.example"]);
});

test("repeats a gallery only as often as a text has room for", () => {
  const own = Array.from({ length: 3_000 }, (_, at) => String(at));
  const attachments = new Map(
    own.map((id) => [id, { url: `https://old.example/${id}.png`, alt: "", caption: "" }]),
  );
  const messages: string[] = [];
  const context = {
    attachments,
    attachedIds: own,
    reportProblem: (line: string) => void messages.push(line),
    hide: () => undefined,
  };
  const html = withoutWordPressCodes("[gallery] ".repeat(500), context);
  expect(html.length).toBeGreaterThan(500_000);
  expect(html.length).toBeLessThan(2_100_000);
  expect(html.match(/<img/g)?.length).toBeGreaterThanOrEqual(3_000);
  expect(html).toMatch(/\[gallery\] $/);
  expect(messages).toEqual([
    "Kept shortcodes from here on as text, since their content is too long: [gallery]",
  ]);
});

test("parses a long invalid date and long titles for search engines within seconds", async () => {
  expect(await cpuTimeOf(() => expect(parsedDate("a".repeat(length))).toBeUndefined())).toBeLessThan(maxMs);
  expect(parsedDate("Thu, 02 Jan 2020 10:00:00 +0100 (Central European Time)")).toEqual(
    new Date("2020-01-02T09:00:00Z"),
  );
  const titleTemplate = `%%title%% ${" ".repeat(length)}%`;
  const meta = { _yoast_wpseo_title: titleTemplate, _yoast_wpseo_metadesc: titleTemplate };
  const xml = wordPressExport([{ slug: "one", title: "Moss", content: "Text", meta }]);
  const source = await openWordPress(filesOf({ "a.xml": xml }));
  let result: Awaited<ReturnType<typeof readSource>> | undefined;
  expect(await cpuTimeOf(async () => (result = await readSource(source)))).toBeLessThan(2 * maxMs);
  expect(result?.posts.one?.title).toBe("Moss");
});

test("reports a file whose reading fails unexpectedly, and imports the others", async () => {
  // A failing disk throws errors of its own.
  const failing = (files: Files, ending: string): Files => ({
    ...files,
    list: () => files.list(),
    stream: (name) => files.stream(name),
    close: () => files.close(),
    read: (name, bytes) =>
      name.endsWith(ending)
        ? Promise.reject(new RangeError("Invalid string length"))
        : files.read(name, bytes),
  });
  const line = "It can’t be imported: reading it failed (RangeError: Invalid string length)";
  const markdown = filesOf({ "a.md": "# A\n\nText", "b.md": "# B\n\nText", "c.md": "# C\n\nText" });
  const folder = await readSource(await openMarkdown(failing(markdown, "b.md")));
  expect(Object.keys(folder.posts)).toEqual(["a.md", "c.md"]);
  expect(folder.others).toEqual({ "b.md": line });
  const story = (title: string) =>
    `<article><h1 class="p-name">${title}</h1><section class="e-content"><h3>${title}</h3><p>Text</p></section></article>`;
  const medium = filesOf({
    "posts/2020-01-01_A-0123456789ab.html": story("A"),
    "posts/2020-01-02_B-0123456789ac.html": story("B"),
  });
  const stories = await readSource(await openMedium(failing(medium, "ac.html")));
  expect(Object.values(stories.posts).map(({ title }) => title)).toEqual(["A"]);
  expect(stories.others).toEqual({ "posts/2020-01-02_B-0123456789ac.html": line });
});

test("cuts an address of many question marks at the first one", async () => {
  const address = `https://old.example/a.png${"?".repeat(length)}\nx`;
  expect(await cpuTimeOf(() => expect(decodedPath(address)).toBe("https://old.example/a.png"))).toBeLessThan(
    maxMs,
  );
});

/** Returns HTML of one kind of element, nested a hundred times, over and over. */
const nested = (open: string, close: string) => {
  const unit = `${open.repeat(100)}x${close.repeat(100)}`;
  return unit.repeat(Math.ceil((4 * length) / unit.length));
};
const noop = () => undefined;
const plain = (html: string, first?: (tree: Node) => void) =>
  tidy(html, { reportProblem: noop, link: (href) => href, picture: (src) => src, ...(first && { first }) });
const substack = (tree: Node) => simplifyWidgets(tree, { reportProblem: noop, hide: noop });
const ghost = (tree: Node) => replaceCards(tree, { reportProblem: noop, hide: noop });

test.each<[string, string, string, (tree: Node) => void]>([
  ["Substack's pullquotes", '<div class="pullquote">', "</div>", substack],
  ["Substack's notes", '<div class="footnote"><div class="footnote-content">', "</div></div>", substack],
  ["Substack's links", '<div class="mention-wrap">', "</div>", substack],
  ["Ghost's toggles", '<div class="kg-toggle-card"><div class="kg-toggle-content">', "</div></div>", ghost],
  ["Ghost's callouts", '<div class="kg-callout-card"><div class="kg-callout-text">', "</div></div>", ghost],
])("reads nested %s once, and keeps their words", async (_, open, close, first) => {
  const text = nested(open, close);
  // Compared with the same text where none of it means anything, so that the machine's speed counts for both.
  const plainTime = await cpuTimeOf(() => plain(text));
  let html = "";
  const time = await cpuTimeOf(() => (html = plain(text, first)));
  expect(time).toBeLessThan(10 * plainTime + maxMs);
  expect(html).toContain("x");
});

test("keeps nested pull quotes nested", async () => {
  const html = '<div class="pullquote"><p>a</p><div class="pullquote"><p>b</p></div></div>';
  expect(documentToHtml(await parseHtml(plain(html, substack)))).toBe(
    '<blockquote class="pull-quote"><p>a</p><blockquote class="pull-quote"><p>b</p></blockquote></blockquote>',
  );
});

test.each([
  ["a figure of many pictures", `<figure>${"<img src=a>".repeat(20_000)}</figure>`],
  ["pictures for those without scripts", "<img src=a><noscript><img src=b></noscript>".repeat(13_000)],
  ["drawings", "<svg></svg>".repeat(40_000)],
  ["wrappers of pictures", "<picture></picture>".repeat(40_000)],
])("reads %s side by side within three seconds", async (_, html) => {
  expect(await cpuTimeOf(() => plain(html, substack))).toBeLessThan(3 * maxMs);
});

test("stores and looks up a path of many slashes within a second", async () => {
  const slashes = `a${"/".repeat(length)}x`;
  const book = new AddressBook();
  const post = { file: slashes, paths: [slashes] };
  expect(await cpuTimeOf(() => book.add(post, "one"))).toBeLessThan(maxMs);
  expect(
    await cpuTimeOf(() => expect(book.find(`https://a.example/${slashes}`, post, [])).toBeNull()),
  ).toBeLessThan(maxMs);
});

test("cuts fields beyond their bounds, and reports each", () => {
  const found = mendPost({
    post: {
      source: "a",
      file: "a.md",
      title: "t".repeat(20_000),
      slug: "s".repeat(5_000),
      tags: Array.from({ length: 5_000 }, (_, at) => `tag-${at}`),
      body: { kind: "markdown", text: "" },
      hidden: null,
      paths: [`/${"p".repeat(5_000)}`, ...Array.from({ length: 60 }, (_, at) => `/${at}`)],
      authors: [],
      problems: Array.from({ length: 300 }, (_, at) => `Problem ${at}`),
    },
  });
  if (!("post" in found)) throw new Error("No post.");
  const { post } = found;
  expect([post.title.length, post.slug, post.tags.length, post.paths.length]).toEqual([
    10_000,
    undefined,
    500,
    50,
  ]);
  expect(post.problems).toHaveLength(100);
  expect(post.problems.at(-1)).toBe("And 206 more like this");
  expect(mendPost(found)).toEqual(found);
});

test("refuses shared blocks that take too long to fill in, even if they are empty", async () => {
  const empty = "<!-- wp:a/-->".repeat(7_600);
  for (const [text, notes] of [
    ['<!-- wp:block {"ref":1} /-->'.repeat(5_000), ""],
    ["<!-- wp:footnotes /-->".repeat(5_000), " ".repeat(1_000_000)],
  ] as const)
    expect(
      await cpuTimeOf(() => {
        const context = {
          shared: new Map([["1", empty]]),
          footnotes: notes,
          reportProblem: () => undefined,
          hide: () => undefined,
        };
        expect(() => fillBlocks(text, context)).toThrow("too long with its shared parts");
      }),
      // Without the limit this takes minutes.
    ).toBeLessThan(20 * maxMs);
});
