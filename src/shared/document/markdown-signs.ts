import type { Node } from "prosemirror-model";
import { openTag, type Attributes } from "./html-tags.ts";

/** Escapes what would begin an emphasis, link, code, entity, tag, URL or shortcode of a site generator. */
export const escaped = (text: string): string =>
  text
    .replace(/[\\`*[\]<~|]/g, "\\$&")
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\_")
    .replace(/&(?=#?\w+;)/g, "\\&")
    .replace(/:(?=\/\/)|(?<=mailto):/gi, "\\:")
    .replace(/\b(www)\./gi, "$1\\.")
    // At the beginning of a piece: after a picture it would be its attributes.
    .replace(/\{(?=[{%:#.]|[ \t]*[\w-]+=)|^\{/g, "&#123;")
    .replace(/:(?=::)|=(?=\d+x\d*\))/g, "\\$&");

/** Escapes shortcodes, pictures and tasks that site generators would find in HTML. */
export const escapeShortcodes = (html: string): string =>
  html.replace(
    /\{(?=[{%:#.]|[ \t]*[\w-]+=)|!(?=\[)|\[(?=[ xX]\])|:(?=::)|=(?=\d+x\d*\))/g,
    (sign) => `&#${sign.charCodeAt(0)};`,
  );

/** What site generators would replace in code that they do not recognize. */
export const changedByGenerators = /\{(?:[{%:#.]|[ \t]*[\w-]+=)|!\[|:::|=\d+x|[-*+.)]\s+\[[ xX]\]/;
/** What they would replace even in code. */
export const changedInCode = /\{(?:\{[<%]|%-?)\s*highlight/;

/** Escapes what would make a line another block. */
export const escapeLineStart = (line: string): string =>
  line.replace(/^(\d{1,9})([.)])(?=\s|$)/, "$1\\$2").replace(/^(?:[#>+=:]|-(?=\s|-|$))/, "\\$&");

/** Escapes dollars. A single one in a block is a price and needs no escape. */
export const withoutFormulas = (text: string): string => text.replace(/\$/g, "\\$");

/** Writes the sign of a quotation before each line. */
export const quoted = (text: string): string => text.replace(/^/gm, "> ").replace(/^> $/gm, ">");

/** Indents all lines but the first. */
export const indented = (text: string, by: string): string => text.replace(/\n(?=[^\n])/g, `\n${by}`);

/** Returns a start tag without those attributes that are null. */
export const htmlTag = (name: string, attributes: Attributes): string =>
  escapeShortcodes(openTag(name, attributes));

export const hasBreak = (block: Node): boolean =>
  block.children.some(({ type }) => type.name === "hard_break");

/** Whether a block has neither alignment nor indentation. */
export const isPlainBlock = ({ attrs }: Node): boolean =>
  (attrs.align ?? null) === null && (attrs.indent ?? 0) === 0;

/** Whether there are spaces that Markdown would collapse. */
export function hasCollapsibleSpaces(block: Node): boolean {
  const text = block.textBetween(0, block.content.size, null, (leaf) =>
    leaf.type.name === "hard_break" ? "\n" : "\ufffc",
  );
  return /^\s|\s$|[ \t\u2028\u2029]{2}|[\t\v\f\u0085]|\n\s|\s\n/.test(text);
}

/** Whether a text block can be a line of Markdown. */
export const isPlainText = (block: Node): boolean =>
  isPlainBlock(block) && block.childCount > 0 && !hasCollapsibleSpaces(block);
