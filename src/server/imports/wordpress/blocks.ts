import { noteKeyOf } from "../../../shared/document/note-keys.ts";
import {
  type Element,
  escapeHtml,
  isElement,
  isText,
  linkLine,
  named,
  pullQuote,
  readHtml,
  stillIn,
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

/** What WordPress's pages do with its HTML: addresses that stand alone are embedded, notes are numbers set high. */
export function plainBlocks(tree: Tree): void {
  const items = named(tree, "li");
  const keys = new Set(items.map(({ attribs }) => attribs["data-note"]));
  for (const sign of stillIn(
    tree,
    elements(tree, ({ name, attribs }) => name === "sup" && "data-fn" in attribs),
  )) {
    const note = noteKeyOf(sign.attribs["data-fn"] ?? "");
    const isThere = note !== null && keys.has(note);
    replace(
      sign,
      isThere
        ? tag("sup", { class: "footnote-ref", "data-note": note }, "")
        : tag("sup", {}, escapeHtml(textIn(sign))),
    );
  }
  const ids = new Set(items.flatMap(({ attribs }) => attribs.id ?? []));
  for (const anchor of named(tree, "a")) {
    // To a note below the text, and back from it: of notes that are items of a list the document's parser makes its own.
    if (ids.has(anchor.attribs.href?.slice(1) ?? "") || isWithinItem(anchor)) continue;
    if (/^#(?:fn|_?ftn|footnote|easy-footnote|_edn)/i.test(anchor.attribs.href ?? "")) unwrap(anchor);
  }
  for (const figure of withClass(tree, "wp-block-pullquote"))
    for (const quote of named(figure, "blockquote")) pullQuote(quote);
  for (const line of named(tree, "p", "div")) {
    const [only] = line.children;
    if (line.children.length !== 1 || !only || !isText(only)) continue;
    const address = textIn(line);
    if (/^https?:\/\/\S+$/i.test(address) && absolute(address)) replace(line, linkLine(address));
  }
}

function isWithinItem(anchor: Element): boolean {
  for (let at = anchor.parent; at; at = at.parent)
    if (isElement(at) && at.name === "li") return at.attribs.id !== undefined;
  return false;
}

/** HTML as the text that people read of it, its lines kept, its links' addresses behind them. */
export function asText(html: string): string {
  const tree = readHtml(html.replace(/\r\n?/g, "\n"));
  for (const anchor of stillIn(tree, named(tree, "a"))) {
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

/** A name or field that WordPress keeps escaped (`Arts &amp; Crafts`), as people read it, on one line. */
export const asName = (text: string): string =>
  textIn(readHtml(text.slice(0, 10_000).replaceAll("<", "&lt;")));
