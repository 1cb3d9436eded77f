import { blocksOf } from "../../shared/document/top-level-blocks.ts";
import { languageName } from "../../shared/document/code-languages.ts";
import { rightToLeft } from "../../shared/document/right-to-left.ts";
import { escapeHtml } from "../../shared/document/html-tags.ts";

/** A code block or formula to render, as escaped HTML. */
export interface Piece {
  html: string;
  language: string;
  formula?: "inline" | "block";
}

/** The most characters of code to highlight per block and per text: a grammar may take quadratic time. */
const codeLimits = { block: 10_000, text: 60_000 };

/** Characters of one formula and of all, the number of formulas, and characters of their MathML. */
const mostFormulas = { one: 5_000, text: 60_000, count: 1_000, rendered: 2_000_000 };

const code = /<pre\b([^>]*)>([^<]*)<\/pre>/g;
/** Characters above which an inline formula may be wider than a phone. */
const longLine = 30;
/** Both kinds of formulas, as the document schema writes them. */
const formula = /<(span class="ql-formula" data-value="[^"]*"|pre class="formula")>([^<]*)<\/(?:span|pre)>/g;
const formulaOf = (tag: string, html: string): Piece =>
  tag.startsWith("span")
    ? { language: "", html, formula: "inline" }
    : { language: "", html: html.trim(), formula: "block" };
/** A picture, of a figure or in a line; or a link, heading or summary, whose pictures get no button. */
const pictureOrOther =
  /<(a|h[1-6]|summary)\b(?:"[^"]*"|[^">])*>[^]*?<\/\1>|(<figure\b[^>]*>)?(<img\b(?:"[^"]*"|[^">])*>)/g;
/** Pixels of an article's column: a smaller picture in a line is shown in full size. */
const columnWidth = 680;
const languageOf = (attributes: string): string => /\sdata-language="([^"]*)"/.exec(attributes)?.[1] ?? "";

export const piecesToRender = (html: string): Piece[] => [...codeToColor(html), ...formulasIn(html)];

function formulasIn(html: string): Piece[] {
  let room = mostFormulas.text;
  const formulas: Piece[] = [];
  if (!html.includes('formula"')) return formulas;
  for (const [, tag = "", text = ""] of html.matchAll(formula)) {
    if (text.length > mostFormulas.one) continue;
    if ((room -= text.length) < 0 || formulas.length === mostFormulas.count) break;
    formulas.push(formulaOf(tag, text));
  }
  return formulas;
}

function codeToColor(html: string): Piece[] {
  let room = codeLimits.text;
  const blocks: Piece[] = [];
  if (!html.includes("<pre")) return blocks;
  for (const [, attributes = "", text = ""] of html.matchAll(code)) {
    const block = { language: languageOf(attributes), html: text };
    if (block.language !== "" && text.length <= codeLimits.block && (room -= text.length) >= 0)
      blocks.push(block);
  }
  return blocks;
}

/**
 * Returns a text's HTML as pages show it: with text direction, code language and copy button, highlighting, rendered formulas
 * and enlarge buttons.
 */
export function renderBlocks(html: string, rendered: (piece: Piece) => string | null | undefined): string {
  let room = mostFormulas.rendered;
  return blocksOf(html)
    .map((block) =>
      (block.startsWith("<pre")
        ? block
        : withItemDirections(block).replace(/^<(?!hr\b)[a-z]\w*/, '$& dir="auto"')
      )
        // Otherwise its word would give the block its direction.
        .replaceAll('<p class="callout-label">', '<p class="callout-label" dir="ltr">')
        .replace(code, (match, attributes: string, text: string) => {
          if (attributes === ' class="formula"') return match;
          const language = languageOf(attributes);
          const label = language === "" ? "" : `<span>${escapeHtml(languageName(language))}</span>`;
          const content = rendered({ language, html: text }) ?? text;
          return `<div class="code" dir="ltr"><div class="code-head">${label}<button type="button" class="code-copy" aria-label="Copy the code"></button></div><pre${attributes}>${content}</pre></div>`;
        })
        .replace(formula, (match, tag: string, text: string) => {
          const piece = formulaOf(tag, text);
          let content = rendered(piece);
          if (!content) return match;
          if ((room -= content.length) < 0)
            content = unrenderedFormula(text, "This text has too many formulas to display them all.");
          return piece.formula === "inline"
            ? `<span class="ql-formula${text.length > longLine ? " formula-long" : ""}">${content}</span>`
            : `<div class="formula" dir="ltr" role="group" aria-label="Formula">${content}</div>`;
        }),
    )
    .join("")
    .replace(pictureOrOther, (match, _tag, figure: string | undefined, picture: string | undefined) => {
      if (!picture) return match;
      const button = `<button type="button" class="figure-open" aria-label="Enlarge the picture${labelSuffix(picture)}"></button>`;
      if (figure) return `${figure}${picture}${button}`;
      const width = Number(/ width="(\d+)"/.exec(picture)?.[1] ?? 0);
      return width > columnWidth ? `<span class="enlargeable">${picture}${button}</span>` : match;
    });
}

/** Gives the items of a list their own directions, but the first, which gives the list its. */
function withItemDirections(block: string): string {
  if (!/^<[uo]l\b/.test(block) || !rightToLeft.test(block)) return block;
  let isFirst = true;
  // Whole tags: `<li` can be in an attribute.
  return block.replace(/<([a-z]\w*)((?:"[^"]*"|[^">])*)>/g, (tag, name: string, attributes: string) => {
    if (name !== "li") return tag;
    const wasFirst = isFirst;
    isFirst = false;
    return wasFirst ? tag : `<li dir="auto"${attributes}>`;
  });
}

/** Returns the source of a formula with the reason why it is not rendered. */
export const unrenderedFormula = (html: string, reason: string): string =>
  `<code class="formula-wrong" title="${escapeHtml(reason)}">${html}</code>`;

function labelSuffix(picture: string): string {
  const alt = / alt="([^"]*)"/.exec(picture)?.[1] ?? "";
  return alt === "" ? "" : `: ${alt}`;
}
