import { toNoteKey } from "../../../shared/document/note-keys.ts";
import {
  type Element,
  escapeHtml,
  isElement,
  isText,
  linkLine,
  named,
  pullQuote,
  readHtml,
  remainingIn,
  replace,
  tag,
  textIn,
  type Tree,
  unwrap,
  withClass,
  allTextIn,
  elements,
} from "../reading/html.ts";
import { absolute } from "../reading/tidy.ts";

/** Turns lone addresses into embeds, superscript numbers into notes. */
export function simplifyBlocks(tree: Tree): void {
  const items = named(tree, "li");
  const keys = new Set(items.map(({ attribs }) => attribs["data-note"]));
  for (const reference of remainingIn(
    tree,
    elements(tree, ({ name, attribs }) => name === "sup" && "data-fn" in attribs),
  )) {
    const note = toNoteKey(reference.attribs["data-fn"] ?? "");
    const hasNote = note !== null && keys.has(note);
    replace(
      reference,
      hasNote
        ? tag("sup", { class: "footnote-ref", "data-note": note }, "")
        : tag("sup", {}, escapeHtml(textIn(reference))),
    );
  }
  const ids = new Set(items.flatMap(({ attribs }) => attribs.id ?? []));
  for (const anchor of named(tree, "a")) {
    // Notes that are list items are left to the document's parser.
    if (ids.has(anchor.attribs.href?.slice(1) ?? "") || isWithinItem(anchor)) continue;
    if (/^#(?:fn|_?ftn|footnote|easy-footnote|_edn)/i.test(anchor.attribs.href ?? "")) unwrap(anchor);
  }
  for (const figure of withClass(tree, "wp-block-pullquote"))
    for (const quote of named(figure, "blockquote")) pullQuote(quote);
  for (const line of named(tree, "p", "div")) {
    const [onlyChild] = line.children;
    if (line.children.length !== 1 || !onlyChild || !isText(onlyChild)) continue;
    const address = textIn(line);
    if (/^https?:\/\/\S+$/i.test(address) && absolute(address)) replace(line, linkLine(address));
  }
}

function isWithinItem(anchor: Element): boolean {
  for (let ancestor = anchor.parent; ancestor; ancestor = ancestor.parent)
    if (isElement(ancestor) && ancestor.name === "li") return ancestor.attribs.id !== undefined;
  return false;
}

/** Keeps line breaks; link addresses follow in parentheses. */
export function htmlToText(html: string): string {
  const tree = readHtml(html.replace(/\r\n?/g, "\n"));
  for (const anchor of remainingIn(tree, named(tree, "a"))) {
    const { href = "" } = anchor.attribs;
    const words = textIn(anchor);
    if (absolute(href) && words !== href) replace(anchor, escapeHtml(`${words} (${href})`.trim()));
  }
  for (const line of named(tree, "br")) replace(line, "\n");
  for (const block of named(tree, "p", "div", "li", "blockquote", "pre"))
    block.children.push(...readHtml("\n\n").children);
  return allTextIn(tree)
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** Unescapes a name (`Arts &amp; Crafts`) to one line of text. */
export const unescapedName = (text: string): string =>
  textIn(readHtml(text.slice(0, 10_000).replaceAll("<", "&lt;")));
