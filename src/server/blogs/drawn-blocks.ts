import { blocksOf } from "../../shared/document/blocks.ts";
import { languageName } from "../../shared/document/code-languages.ts";
import { escapeHtml } from "../../shared/document/to-html.ts";

/** What is drawn of a text: a block of code or a formula as HTML has it, with the characters that HTML has a use for written out. */
export interface Piece {
  html: string;
  language: string;
  /** A formula, and not code, that stands in a line or is a block. */
  formula?: "inline" | "block";
}

/** Characters of a block of code, and of all of a text, up to which it is drawn in colours: a grammar may take their square. */
const most = { block: 10_000, text: 60_000 };

/** The same of formulas: characters of one, of all in a text, and how many; and characters of MathML that all of them become. */
const mostFormulas = { one: 5_000, text: 60_000, count: 1_000, drawn: 2_000_000 };

const code = /<pre\b([^>]*)>([^<]*)<\/pre>/g;
/** Characters of a formula in a line beyond which it may be wider than a phone. */
const longLine = 30;
/** As the document's schema writes both kinds of formulas. */
const formula = /<(span class="ql-formula" data-value="[^"]*"|pre class="formula")>([^<]*)<\/(?:span|pre)>/g;
const formulaOf = (tag: string, html: string): Piece =>
  tag.startsWith("span")
    ? { language: "", html, formula: "inline" }
    : { language: "", html: html.trim(), formula: "block" };
const languageOf = (attributes: string): string => /\sdata-language="([^"]*)"/.exec(attributes)?.[1] ?? "";

/** What is drawn in a text's HTML: code in colours, formulas as MathML. */
export const piecesToDraw = (html: string): Piece[] => [...codeToColor(html), ...formulasIn(html)];

function formulasIn(html: string): Piece[] {
  let room = mostFormulas.text;
  const found: Piece[] = [];
  if (!html.includes('formula"')) return found;
  for (const [, tag = "", text = ""] of html.matchAll(formula)) {
    if (text.length > mostFormulas.one) continue;
    if ((room -= text.length) < 0 || found.length === mostFormulas.count) break;
    found.push(formulaOf(tag, text));
  }
  return found;
}

/** The blocks of code in a text's HTML that are drawn in colours. */
function codeToColor(html: string): Piece[] {
  let room = most.text;
  const blocks: Piece[] = [];
  if (!html.includes("<pre")) return blocks;
  for (const [, attributes = "", text = ""] of html.matchAll(code)) {
    const block = { language: languageOf(attributes), html: text };
    if (block.language !== "" && text.length <= most.block && (room -= text.length) >= 0) blocks.push(block);
  }
  return blocks;
}

/**
 * A text as pages draw it, made of its stored HTML block by block: each has a direction of its own, code its language, a button and
 * the colours that are asked for, formulas are drawn, and pictures that can be enlarged have a button for that.
 */
export function dress(html: string, drawn: (piece: Piece) => string | null | undefined): string {
  let room = mostFormulas.drawn;
  return (
    blocksOf(html)
      .map((block) =>
        (block.startsWith("<pre") ? block : block.replace(/^<(?!hr\b)[a-z]\w*/, '$& dir="auto"'))
          .replace(code, (whole, attributes: string, text: string) => {
            if (attributes === ' class="formula"') return whole;
            const language = languageOf(attributes);
            const label = language === "" ? "" : `<span>${escapeHtml(languageName(language))}</span>`;
            const inside = drawn({ language, html: text }) ?? text;
            return `<div class="code" dir="ltr"><div class="code-head">${label}<button type="button" class="code-copy" aria-label="Copy the code"></button></div><pre${attributes}>${inside}</pre></div>`;
          })
          .replace(formula, (whole, tag: string, text: string) => {
            const piece = formulaOf(tag, text);
            let inside = drawn(piece);
            if (!inside) return whole;
            if ((room -= inside.length) < 0)
              inside = undrawn(text, "The formulas of this text are too much to be drawn all of them.");
            return piece.formula === "inline"
              ? `<span class="ql-formula${text.length > longLine ? " formula-long" : ""}">${inside}</span>`
              : `<div class="formula" dir="ltr" role="group" aria-label="Formula">${inside}</div>`;
          }),
      )
      .join("")
      // Beside pictures that lead nowhere.
      .replace(
        /(<figure\b[^>]*>)(<img\b(?:"[^"]*"|[^">])*>)/g,
        (_all, open: string, picture: string) =>
          `${open}${picture}<button type="button" class="figure-open" aria-label="Enlarge the picture${saidOf(picture)}"></button>`,
      )
  );
}

/** A formula as its source, with why it is no more than that. */
export const undrawn = (html: string, reason: string): string =>
  `<code class="formula-wrong" title="${escapeHtml(reason)}">${html}</code>`;

/** What a picture shows, as its HTML has it. */
function saidOf(picture: string): string {
  const alt = / alt="([^"]*)"/.exec(picture)?.[1] ?? "";
  return alt === "" ? "" : `: ${alt}`;
}
