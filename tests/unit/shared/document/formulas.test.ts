import { describe, expect, test } from "vitest";
import { parseHtml } from "../../../../src/server/text/parse-html.ts";
import { markdownToDocument } from "../../../../src/server/imports/markdown/markdown.ts";
import { checkDocument } from "../../../../src/shared/document/check.ts";
import { renderFormula } from "../../../../src/shared/document/render-formula.ts";
import type { DocumentJson, NodeJson } from "../../../../src/shared/document/schema.ts";
import { documentToHtml } from "../../../../src/shared/document/to-html.ts";
import { documentToMarkdown } from "../../../../src/shared/document/to-markdown.ts";
import { documentToText } from "../../../../src/shared/document/to-text.ts";

const inline = (tex: string): NodeJson => ({ type: "formula", attrs: { tex } });
const block = (tex: string): NodeJson => ({ type: "formula_block", content: [{ type: "text", text: tex }] });
const textNode = (text: string): NodeJson => ({ type: "text", text });
const line = (...content: NodeJson[]): NodeJson => ({ type: "paragraph", content });

function documentOf(...content: NodeJson[]): DocumentJson {
  const checked = checkDocument({ type: "doc", content });
  if (!checked.ok) throw new Error(checked.reason);
  return checked.document;
}
const kindsIn = (node: NodeJson): string[] => [node.type, ...(node.content ?? []).flatMap(kindsIn)];
/** Returns the formulas of a document; those in blocks start with an equals sign. */
const found = (node: NodeJson): string[] =>
  node.type === "formula"
    ? [String(node.attrs?.tex)]
    : node.type === "formula_block"
      ? [`= ${node.content?.[0]?.text ?? ""}`]
      : (node.content ?? []).flatMap(found);
const ofMarkdown = async (markdown: string) => found((await markdownToDocument(markdown)).document);
const ofHtml = async (html: string) => found(await parseHtml(html));

describe("formulas in Markdown", () => {
  test.each([
    ["a $x^2$ b", ["x^2"]],
    ["($a_1$), $b$.", ["a_1", "b"]],
    [String.raw`**$\frac{1}{2}$**`, [String.raw`\frac{1}{2}`]],
    ["so $$E = mc^2$$ it is", ["E = mc^2"]],
    ["$$\nx\n$$", ["= x"]],
    ["$$x + y$$", ["= x + y"]],
    ["a\n$$\n\\begin{cases}a \\\\ b\\end{cases}\n$$\nb", [String.raw`= \begin{cases}a \\ b\end{cases}`]],
    ["- one\n\n  $$\n  x\n  $$", ["= x"]],
    ["```math\nx\ny\n```", ["= x\ny"]],
    [String.raw`$\frac{{ a }}{{b}}$`, [String.raw`\frac{{ a }}{{b}}`]],
    [String.raw`$\text{if } {{a}} > b$`, [String.raw`\text{if } {{a}} > b`]],
  ])("are read from %j", async (markdown, formulas) => {
    expect(await ofMarkdown(markdown)).toEqual(formulas);
  });

  test.each([
    "It costs $5 and $6.",
    "It costs $5/$6, or US$7 (AU$8).",
    "between $5-$6",
    "$HOME and $PATH, $HOME/$USER, $HOME:$PATH",
    "I have $20 in my bag and 30$ at home",
    "a $ b $ c",
    String.raw`\$x\$ and \$y$`,
    "`$x$` and `$$`",
    "$5 `a$`",
    "5$ or 6$",
    "$$",
    "$$\nnever closed",
    "[a $b](https://example.org/$c)",
    "https://example.org/?a=$b$",
  ])("are not read from %j, and no letter is lost", async (markdown) => {
    const { document } = await markdownToDocument(markdown);
    expect(found(document)).toEqual([]);
    expect(documentToText(document).replace(/[`\\]/g, "")).toBe(
      markdown.replace(/[`\\]|\[|\]\(.*/g, "").replace("\nnever", " never"),
    );
  });

  test("are written as most programs read them", () => {
    const document = documentOf(
      line(textNode("so "), inline("x^2"), textNode(" costs $5")),
      block("a\nb"),
      block("a\n\nb"),
    );
    expect(documentToMarkdown(document)).toBe(
      "so $x^2$ costs \\$5\n\n$$\na\nb\n$$\n\n```math\na\n\nb\n```\n",
    );
    expect(documentToMarkdown(documentOf(line(textNode("costs $5"))))).toBe("costs $5\n");
  });
});

describe("formulas in HTML", () => {
  test("are Quill's span in a line, and a block that keeps its lines; plain text has their source", async () => {
    const document = documentOf(line(textNode("so "), inline("a<b")), block("x\n  y"));
    const html = documentToHtml(document);
    expect(html).toBe(
      '<p>so <span class="ql-formula" data-value="a&lt;b">a&lt;b</span></p><pre class="formula">x\n  y\n</pre>',
    );
    expect(await parseHtml(html)).toEqual(document);
    expect(documentToText(document)).toBe("so a<b\nx\n  y");
    const quill =
      '<p>a <span class="ql-formula" data-value="e=mc^2">\ufeff<span contenteditable="false"><span class="katex"><span class="katex-mathml"><math><semantics><mrow><mi>e</mi></mrow><annotation encoding="application/x-tex">e=mc^2</annotation></semantics></math></span><span class="katex-html" aria-hidden="true">e=mc2</span></span></span>\ufeff</span> b</p>';
    expect(documentToText(await parseHtml(quill))).toBe("a e=mc^2 b");
    expect(await ofHtml(quill)).toEqual(["e=mc^2"]);
  });

  test.each([
    [
      "KaTeX",
      '<p>a <span class="katex"><span class="katex-mathml"><math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mi>x</mi><annotation encoding="application/x-tex">x</annotation></semantics></math></span><span class="katex-html" aria-hidden="true"><span>x</span></span></span> b</p>',
      ["x"],
      "a x b",
    ],
    [
      "a block of KaTeX's",
      '<span class="katex-display"><span class="katex"><span class="katex-mathml"><math display="block"><semantics><mi>x</mi><annotation encoding="application/x-tex">x</annotation></semantics></math></span><span class="katex-html">x</span></span></span>',
      ["= x"],
      "x",
    ],
    [
      "Wikipedia",
      '<p>a <span class="mwe-math-element"><span class="mwe-math-mathml-inline mwe-math-mathml-a11y" style="display: none;"><math alttext="{\\displaystyle x^{2}}"><mi>x</mi></math></span><img src="https://wikimedia.org/x.svg" class="mwe-math-fallback-image-inline" alt="{\\displaystyle x^{2}}"></span> b</p>',
      ["x^{2}"],
      "a x^{2} b",
    ],
    ["code of GitHub's", '<pre><code class="language-math">x\ny\n</code></pre>', ["= x\ny"], "x\ny"],
    ["GitHub", '<p>a <math-renderer class="js-inline-math">$x$</math-renderer></p>', ["x"], "a x"],
    ["what says no TeX, as text", "<p>a <math><mi>x</mi>\n<mo>=</mo><mn>1</mn></math> b</p>", [], "a x =1 b"],
    [
      "what says no TeX and is drawn beside it, once",
      '<p>a <span class="katex"><span class="katex-mathml"><math><mi>x</mi></math></span><span class="katex-html">x</span></span> b</p>',
      [],
      "a x b",
    ],
  ])("are read from %s", async (_of, html, formulas, text) => {
    const document = await parseHtml(html);
    expect(found(document)).toEqual(formulas);
    expect(documentToText(document)).toBe(text);
  });

  test("are read as their source when a page has rendered them", async () => {
    const rendered = renderFormula(String.raw`\frac{a}{b}`, true) as { mathml: string };
    const inLine = renderFormula("a<b", false) as { mathml: string };
    expect(
      await ofHtml(
        `<div class="formula" dir="ltr">${rendered.mathml}</div><p>a <span class="ql-formula">${inLine.mathml}</span></p>`,
      ),
    ).toEqual([String.raw`= \frac{a}{b}`, "a<b"]);
  });

  test("are not read from code in a language called math", async () => {
    const document = documentOf({
      type: "code_block",
      attrs: { language: "math" },
      content: [textNode("x")],
    });
    expect(await parseHtml(documentToHtml(document))).toEqual(document);
    expect((await markdownToDocument(documentToMarkdown(document))).document).toEqual(document);
  });
});

test("refuses a formula that is empty, on two lines or too long, and counts its letters", () => {
  for (const tex of ["", " x", "a\nb", "x".repeat(2_001), 5, null])
    expect(
      checkDocument({ type: "doc", content: [line({ type: "formula", attrs: { tex } })] }),
    ).toMatchObject({
      ok: false,
    });
  const many = Array.from({ length: 260 }, () => inline("x".repeat(2_000)));
  expect(checkDocument({ type: "doc", content: [line(...many)] })).toMatchObject({
    ok: false,
    reason: expect.stringContaining("too long") as string,
  });
  expect(kindsIn(documentOf(line(inline("x"))))).toEqual(["doc", "paragraph", "formula"]);
});

test("reads 300,000 spaces within a formula in linear time", async () => {
  const spaces = " ".repeat(300_000);
  const start = performance.now();
  expect(await ofMarkdown(`$$\nx${spaces}y\n$$`)).toHaveLength(1);
  expect(await ofMarkdown(`$$\nx${"\n".repeat(spaces.length)}y\n$$`)).toHaveLength(1);
  expect(
    await ofHtml(
      `<math display="block"><annotation encoding="application/x-tex">x${spaces}y</annotation></math>`,
    ),
  ).toHaveLength(1);
  // In quadratic time these take a minute.
  expect(performance.now() - start).toBeLessThan(10_000);
});

describe("rendering formulas", () => {
  const render = (tex: string) => renderFormula(tex, true);

  test("returns MathML with the TeX as its annotation", () => {
    expect(renderFormula("x^2", false)).toEqual({
      mathml: expect.stringMatching(
        /^<math><semantics><msup>.*<annotation encoding="application\/x-tex">x\^2<\/annotation>/,
      ) as string,
    });
    for (const tex of [
      String.raw`\begin{align}a&=b\\c&=d\end{align}`,
      `\\begin{pmatrix}${Array.from({ length: 30 }, () => "1&".repeat(29)).join("1\\\\")}\\end{pmatrix}`,
      String.raw`\newcommand\owl[2]{\begin{pmatrix}#1\\#2\end{pmatrix}}` + String.raw`\owl{a}{b}`.repeat(20),
      String.raw`\!\!\!\int\!\!\!\int x\hspace{-2em}y\raisebox{1em}{z}`,
    ])
      expect(render(tex), tex).toHaveProperty("mathml");
  });

  test.each([
    String.raw`\href{javascript:alert(1)}{x}`,
    String.raw`\url{https://example.org}`,
    String.raw`\ref{x}`,
    String.raw`\eqref{x}`,
    String.raw`\html{<b>}`,
    String.raw`\class{dialog}{x}`,
    String.raw`\id{x}{y}`,
    String.raw`\style{position:fixed}{x}`,
    String.raw`\data{a=b}{x}`,
    String.raw`\includegraphics{https://example.org/a.png}`,
    // Rendered over other parts of the page.
    String.raw`\kern-21em x`,
    String.raw`\!`.repeat(200) + "x",
    String.raw`\hskip-100000pt x`,
    String.raw`\raisebox{15em}{\raisebox{15em}{x}}`,
    String.raw`\lower100em x`,
    String.raw`\rule[-100em]{1em}{1em}`,
    String.raw`\def\arraystretch{1000}\begin{array}{c}a\\b\end{array}`,
    String.raw`\unknown`,
    String.raw`\frac{a}`,
    "{".repeat(4_000),
    "{".repeat(2_400) + "}".repeat(2_400),
    "x".repeat(5_001),
    " ",
  ])("refuses %j with a reason", (tex) => {
    const { wrong } = render(tex) as { wrong: string };
    expect(wrong).toMatch(/^[^\n<>]{10,200}$/);
  });

  test("is bounded in time and size, whatever is written", () => {
    const bombs = [
      String.raw`\def\a{\a\a}\a`,
      `\\def\\a{${"x".repeat(1_500)}}${String.raw`\a`.repeat(200)}`,
      String.raw`\def\a{xxxxxxxxxx}\def\b{\a\a\a\a\a\a\a\a\a\a}\def\c{\b\b\b\b\b\b\b\b\b\b}\c\c\c\c`,
      `\\newcommand{\\a}[1]{#1#1#1#1}${String.raw`\a{`.repeat(60)}x${"}".repeat(60)}`,
      `\\begin{matrix}${"&".repeat(4_900)}\\end{matrix}`,
      String.raw`\sqrt{`.repeat(700) + "}".repeat(700),
      String.raw`\rule{9999em}{9999em}`,
      `\\begin{array}{c}${"&".repeat(2_000)}${String.raw`\\`.repeat(1_400)}\\end{array}`,
      `\\def\\a{${"&".repeat(2_000)}}\\begin{matrix}${String.raw`\a`.repeat(40)}${String.raw`\\`.repeat(1_000)}\\end{matrix}`,
      `\\def\\a#1{${"#1".repeat(40)}}\\def\\b{\\a{${"x".repeat(2_400)}}}${String.raw`\b`.repeat(90)}`,
      "é".repeat(5_000),
    ];
    for (const bomb of bombs) {
      const start = performance.now();
      const result = render(bomb);
      expect(performance.now() - start).toBeLessThan(20_000);
      expect(JSON.stringify(result).length).toBeLessThan(2_500 + bomb.length * 110);
      expect(JSON.stringify(result)).not.toMatch(/="-?\d{3,}/);
    }
  });

  test("keeps the definitions of one formula out of another", () => {
    expect(render(String.raw`\gdef\owl{x}\owl`)).toHaveProperty("mathml");
    expect(render(String.raw`\owl`)).toHaveProperty("wrong");
  });
});
