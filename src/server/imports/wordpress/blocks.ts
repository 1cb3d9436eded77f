import { DocumentError } from "../../../shared/document/document-error.ts";
import { htmlLimits as limits } from "../../../shared/document/limits.ts";
import { elementsNamed, isText, textOf } from "../../../shared/document/dom.ts";
import { escapeHtml } from "../../../shared/document/html-tags.ts";
import {
  attribute,
  figure,
  insert,
  linkLine,
  readHtml,
  remainingIn,
  replace,
  tag,
  textIn,
  withClass,
} from "../reading/html.ts";
import { absolute } from "../reading/tidy.ts";
import { isRow, list, parsedJson, short, trimmedText, type Row } from "../reading/values.ts";

/** The context of a text's blocks. */
export interface BlockContext {
  /** The post's footnotes field. */
  footnotes: string;
  /** Reusable blocks by ID. */
  shared: ReadonlyMap<string, string>;
  reportProblem: (problem: string) => void;
  hide: (reason: string) => void;
}

/** Whether the block editor wrote the text. */
export const hasBlocks = (text: string): boolean => text.includes("<!-- wp:");

const restrictedBlocks = /^(?:jetpack\/(?:paywall|subscriber)|premium-content\/)/;
const emptyBlocks = new Set("paragraph more nextpage spacer separator columns column group".split(" "));

/**
 * Fills blocks that have their content elsewhere in the export. Hides a text with a block that not everyone saw: it has a paywall,
 * or a setting of the editor or a plugin about its visibility.
 */
export function fillBlocks(text: string, context: BlockContext): string {
  const starts = /<!-- wp:/g;
  const parts: string[] = [];
  let [from, length] = [0, 0];
  for (let start = starts.exec(text); start; start = starts.exec(text)) {
    const end = text.indexOf("-->", starts.lastIndex);
    if (end < 0) break;
    const inner = text.slice(starts.lastIndex, end).trim();
    starts.lastIndex = end + 3;
    const [writtenName = ""] = inner.split(/\s/, 1);
    const name = writtenName.replace(/^core\//, "");
    if (restrictedBlocks.test(name)) context.hide("part of it is for members only");
    if (inner.includes('"blockVisibility"'))
      context.hide(`part of it was not shown to everyone (${short(name, 40)})`);
    if (!inner.endsWith("/")) continue;
    const json = parsedJson(inner.slice(writtenName.length, -1).trim());
    const attributes = isRow(json) ? json : {};
    const part =
      name === "footnotes"
        ? context.footnotes
        : name === "block"
          ? context.shared.get(trimmedText(attributes.ref) ?? "")
          : undefined;
    // Parts may be repeated thousands of times, and take time also where nothing of them remains.
    if ((length += part?.length ?? 0) > limits.length)
      throw new DocumentError("This text is too long with its shared parts.");
    const html = fillBlock(name, attributes, part, context);
    parts.push(text.slice(from, start.index), html);
    from = end + 3;
  }
  return parts.join("") + text.slice(from);
}

/** Returns a block's content; `part` is the text that it shows from elsewhere in the export. */
function fillBlock(name: string, attributes: Row, part: string | undefined, context: BlockContext): string {
  if (name === "footnotes") return notesOf(part ?? "");
  // Nested reusable blocks may be recursive.
  if (part !== undefined) return fillBlocks(part, { ...context, footnotes: "", shared: new Map() });
  const address = absolute(trimmedText(attributes.url) ?? trimmedText(attributes.src) ?? "");
  if (address) return linkLine(address);
  if (name === "block")
    context.reportProblem("Skipped a shared part: it is missing from the export or nested in another one");
  else if (!emptyBlocks.has(name)) context.reportProblem(`Skipped a dynamic block: ${short(name, 60)}`);
  return "";
}

function notesOf(field: string): string {
  const notes = list(parsedJson(field)).filter(isRow);
  if (notes.length === 0) return "";
  // As its pages have them.
  const items = notes.map(({ id, content }) => {
    const back = tag("a", { href: `#${trimmedText(id) ?? ""}-link` }, "↩");
    return tag("li", { id }, (typeof content === "string" ? content : "") + back);
  });
  return tag("ol", {}, items.join(""));
}

/** Makes embeds of lone addresses, and pictures of backgrounds. */
export function simplifyBlocks(tree: Node): void {
  for (const cover of withClass(
    tree,
    "wp-block-cover",
    "wp-block-cover-image",
    "wp-block-cover__image-background",
  )) {
    const style = attribute(cover, "style");
    const [, src] = /background-image\s?:\s?url\(\s?["']?([^()"']+)/i.exec(style) ?? [];
    if (src)
      insert(cover, figure({ src: src.trim(), alt: attribute(cover, "aria-label") }), cover.firstChild);
  }
  for (const button of withClass(tree, "wp-block-file__button"))
    if (button.parentNode && elementsNamed(button.parentNode, "a").length > 1) replace(button);
  for (const line of elementsNamed(tree, "p", "div")) {
    const { firstChild: onlyChild } = line;
    if (!isText(onlyChild) || onlyChild.nextSibling) continue;
    const address = textIn(line);
    if (/^https?:\/\/\S+$/i.test(address) && absolute(address)) replace(line, linkLine(address));
  }
}

/** Keeps line breaks; link addresses follow in parentheses. */
export function htmlToText(html: string): string {
  const tree = readHtml(html);
  for (const anchor of remainingIn(tree, elementsNamed(tree, "a"))) {
    const href = attribute(anchor, "href");
    const words = textIn(anchor);
    if (absolute(href) && words !== href) replace(anchor, escapeHtml(`${words} (${href})`.trim()));
  }
  for (const line of elementsNamed(tree, "br")) replace(line, "\n");
  for (const block of elementsNamed(tree, "p", "div", "li", "blockquote", "pre")) insert(block, "\n\n");
  return textOf(tree)
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** Unescapes a name (`Arts &amp; Crafts`) to one line of text. */
export const unescapedName = (text: string): string =>
  textIn(readHtml(text.slice(0, 10_000).replaceAll("<", "&lt;")));
