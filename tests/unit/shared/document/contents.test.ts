import { expect, test } from "vitest";
import { contentsOf } from "../../../../src/shared/document/contents.ts";
import { renderFormula } from "../../../../src/shared/document/render-formula.ts";

const linksOf = (html: string) =>
  [...html.matchAll(/<li( class="contents-inner")?><a href="#([^"]*)" dir="auto">(.*?)<\/a>/g)].map(
    ([, inner, id, text]) => `${inner ? "  " : ""}${id} ${text}`,
  );

test("lists the headings of the two highest levels of a long text", () => {
  const html = [
    '<p>Before.</p><h2 id="h-owls">Owls</h2><p>One hears them.</p>',
    '<h3 id="h-tawny-owls">Tawny <em>owls</em></h3><h4 id="h-of-no-account">Of no account</h4>',
    '<h2 id="h-owls-2">Owls</h2>',
  ].join("");
  expect(linksOf(contentsOf(html, 5))).toEqual(["h-owls Owls", "  h-tawny-owls Tawny owls", "h-owls-2 Owls"]);
  expect(contentsOf(html, 4)).toBe("");
});

test("keeps the text of a heading with markup, and leaves out empty headings and those without a link target", () => {
  const html = [
    '<h1 id="h-a">1 &lt; 2 &amp; <a href="https://example.org/?a>b" title="&quot;">so</a> on</h1>',
    '<h1>Nowhere</h1><h1 id="h-empty"><br></h1><h1 id="other">Other</h1>',
    '<h1 style="text-align: center" id="h-größe">Größe</h1>',
  ].join("");
  expect(linksOf(contentsOf(html, 9))).toEqual(["h-a 1 &lt; 2 &amp; so on", "h-größe Größe"]);
});

test("shows a formula in a heading as the heading does: rendered, or else its source", () => {
  const rendered = renderFormula("E=mc^2", false) as { mathml: string };
  const headings = (formulaHtml: string) =>
    `<h2 id="h-one">Of <span class="ql-formula">${formulaHtml}</span></h2><h2 id="h-two">${formulaHtml}</h2>`;
  const links = (formulaText: string) => [`h-one Of ${formulaText}`, `h-two ${formulaText}`];
  expect(linksOf(contentsOf(headings("E=mc^2"), 9))).toEqual(links("E=mc^2"));
  expect(linksOf(contentsOf(headings(rendered.mathml), 9))).toEqual(links(rendered.mathml));
});

test("lists nothing for one heading, and at most a hundred headings", () => {
  const headings = (count: number) =>
    Array.from({ length: count }, (_, at) => `<h2 id="h-${at}">${at}</h2>`).join("");
  expect(contentsOf(headings(1), 9)).toBe("");
  expect(contentsOf("", 9)).toBe("");
  expect(linksOf(contentsOf(headings(300), 9))).toHaveLength(100);
});
