import fc from "fast-check";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { colorCode } from "../../../../src/server/text/color-code.ts";
import { renderedHtml, isColored } from "../../../../src/server/text/render-html.ts";
import { ThreadPool } from "../../../../src/server/workers/pool.ts";
import { tasks } from "../../../../src/server/workers/tasks.ts";
import { blocksOf } from "../../../../src/shared/document/top-level-blocks.ts";
import { languages } from "../../../../src/shared/document/code-languages.ts";
import { escapeHtml } from "../../../../src/shared/document/html-tags.ts";
import { until } from "../../../support/until.ts";

const offeredLanguages = languages.flatMap(([, language]) => language ?? []);
const plain = (html: string) => html.replace(/<\/?span[^>]*>/g, "");

test("colours the code of each language on offer", async () => {
  const samples: Record<string, string> = {
    css: "a { color: red }",
    html: "<b class='x'>",
    json: '{"a": 1}',
  };
  for (const language of offeredLanguages) {
    const html = escapeHtml(samples[language] ?? 'if (x) return "owls"; # select 1 from x\n- a: 1');
    expect(await colorCode({ language, html }), language).toContain('<span class="code-');
  }
});

test("loads a rare language by its name, leaves an unknown one plain, and loads nothing else by a name", async () => {
  expect(await colorCode({ language: "haskell", html: "where x = 1" })).toContain("code-");
  for (const language of ["klingon", "../core", "..", "node:fs", "constructor", "__proto__"])
    expect(await colorCode({ language, html: "x = 1" }), language).toBeNull();
});

test("keeps the text of any code, and adds the site's classes alone", async () => {
  const pieces = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.constantFrom(
      '"',
      "'",
      "`",
      "${",
      "}",
      "/*",
      "*/",
      "//",
      "<script>",
      "</span>",
      "&amp;",
      "&#39;",
      "\n",
      "if ",
      "<!--",
      "\\",
    ),
  );
  const arbitraryCode = fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(""));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...offeredLanguages), arbitraryCode, async (language, text) => {
      const html = escapeHtml(text);
      const colored = (await colorCode({ language, html })) ?? html;
      expect(plain(colored)).toBe(html);
      for (const [tag] of colored.matchAll(/<[^>]*>/g))
        expect(tag).toMatch(/^(<\/span>|<span class="code-[a-z]+">)$/);
      expect(colored.match(/<span/g)?.length).toBe(colored.match(/<\/span>/g)?.length);
    }),
    { numRuns: 200 },
  );
});

const pre = (language: string | null, code: string) =>
  `<pre class="ql-syntax" spellcheck="false"${language ? ` data-language="${language}"` : ""}>${escapeHtml(code)}\n</pre>`;

/** Waits for the colours: on a busy machine the first requests get plain code. */
async function untilColored(workers: ThreadPool, html: string): Promise<string> {
  let rendered = "";
  await until(
    async () => (rendered = await renderedHtml(workers, html)).includes("code-word") && isColored(html),
  );
  return rendered;
}

test("renders the pieces that there was no time for on the next requests", async () => {
  const pieces = ["a^1", "a^2", "a^3"].map((html) => ({ language: "", html, formula: "block" as const }));
  expect(await tasks.drawPieces({ pieces, patience: -1 })).toHaveLength(1);
  const impatientPool = {
    run: (_name: string, input: object) => tasks.drawPieces({ pieces, ...input, patience: -1 }),
  };
  const workers = impatientPool as unknown as ThreadPool;
  const html = pieces.map((piece) => `<pre class="formula">${piece.html}\n</pre>`).join("");
  const formulaCounts: number[] = [];
  for (let page = 0; page < 3; page++)
    formulaCounts.push((await renderedHtml(workers, html)).split("<math").length - 1);
  expect([formulaCounts, isColored(html)]).toEqual([[1, 2, 3], true]);
});

test("renders a text block by block, each as it is rendered alone", async () => {
  const workers = new ThreadPool();
  const blocks = [
    "<p>Owls.</p>",
    pre("javascript", "const owls = 3; // three"),
    `<ul><li><p>In a list</p>${pre("python", "def owl(): pass")}</li></ul>`,
    "<hr>",
    pre(null, "plain <b>"),
    '<h2 id="x">عنوان</h2>',
  ];
  const wholeHtml = await untilColored(workers, blocks.join(""));
  const separateBlocks = await Promise.all(blocks.map(async (block) => renderedHtml(workers, block)));
  expect(blocksOf(wholeHtml)).toEqual(separateBlocks);
  expect(separateBlocks[0]).toBe('<p dir="auto">Owls.</p>');
  expect(separateBlocks[1]).toContain("<span>JavaScript</span>");
  expect(separateBlocks[1]).toContain('<span class="code-word">const</span>');
  expect(separateBlocks[2]).toMatch(/^<ul dir="auto"><li><p>In a list<\/p><div class="code" dir="ltr">/);
  expect(separateBlocks[2]).toContain('<span class="code-word">def</span>');
  expect(separateBlocks[3]).toBe("<hr>");
  expect(separateBlocks[4]).not.toMatch(/<span/);
  expect(wholeHtml).not.toContain("style=");
  await workers.close();
});

test("leaves long code plain, and all code when no thread answers", async () => {
  const workers = new ThreadPool();
  const longCode = pre("javascript", "const owls = 3;\n".repeat(800));
  expect(await renderedHtml(workers, longCode)).not.toContain("code-word");
  const many = Array.from({ length: 12 }, (_, at) => pre("javascript", `const a${at} = 3;\n`.repeat(500)));
  const rendered = blocksOf(await untilColored(workers, many.join("")));
  expect(rendered[0]).toContain("code-word");
  expect(rendered.at(-1)).not.toContain("code-word");
  const all = blocksOf(await untilColored(workers, [...many, "<p>Owls.</p>".repeat(20_000)].join("")));
  expect(all.slice(0, 12)).toEqual(rendered);
  expect(all.at(-1)).toBe('<p dir="auto">Owls.</p>');
  await workers.close();
  const short = pre("javascript", "const never = 'seen before';");
  expect(await renderedHtml(workers, short)).toContain(escapeHtml("const never = 'seen before';"));
});

test("the colours of code have enough contrast, in light and dark mode", () => {
  const theme = readFileSync("src/client/ui/theme.css", "utf8");
  const pair = (name: string) =>
    new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(theme)!.slice(1);
  const paper = pair("paper-sunk");
  for (const ink of [
    "code-word",
    "code-text",
    "code-value",
    "code-name",
    "code-part",
    "ink-muted",
    "success",
    "danger",
  ])
    for (const [at, color] of pair(ink).entries())
      expect(contrast(color, paper[at]!), `${ink} ${at}`).toBeGreaterThanOrEqual(4.5);
});

function contrast(one: string, other: string): number {
  const light = (color: string) => {
    const [red, green, blue] = [1, 3, 5].map((at) => {
      const part = parseInt(color.slice(at, at + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
  };
  const [dark, bright] = [light(one), light(other)].toSorted((a, b) => a - b);
  return (bright! + 0.05) / (dark! + 0.05);
}
