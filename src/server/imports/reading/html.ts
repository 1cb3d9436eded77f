import { elementsIn, hasClass, textOf } from "../../../shared/document/dom.ts";
import { htmlLimits as limits } from "../../../shared/document/limits.ts";
import { escapeHtml } from "../../../shared/document/html-tags.ts";
import { readTree, tooLongHtml } from "../../text/html-tree.ts";

/* Other programs' HTML as a tree to change, and pieces of HTML to put into it. The document's schema decides later what remains. */

/** Throws `DocumentError` when it is too long, too deep or has too many elements. */
export function readHtml(html: string): Node {
  if (html.length > limits.length) throw tooLongHtml();
  return readTree(html);
}

/** Returns elements in document order, collected before any change. */
export const elements = (tree: Node, fits: (element: Element) => boolean): Element[] =>
  [...elementsIn(tree)].filter(fits);

export const withClass = (tree: Node, ...classes: string[]): Element[] =>
  elements(tree, (element) => classes.some((name) => hasClass(element, name)));

/** Returns an attribute's value; empty if the element or the attribute is missing. */
export const attribute = (element: Element | undefined, name: string): string =>
  element?.getAttribute(name) ?? "";

/**
 * Yields the elements still in the tree when their turn comes. Of nested matches only the outermost is processed, so that time
 * stays linear.
 */
export function* remainingIn(tree: Node, matches: Element[]): Generator<Element> {
  for (const element of matches) {
    let node: Node | null = element;
    while (node && node !== tree) node = node.parentNode;
    if (node) yield element;
  }
}

/** Returns the visible text on one line. */
export const textIn = (tree: Node): string => textOf(tree).replace(/\s+/g, " ").trim();

/** Puts HTML into an element, before one of its nodes or at its end. */
export function insert(parent: Node, html: string, before: Node | null = null): void {
  const pieces = readHtml(html);
  while (pieces.firstChild) parent.insertBefore(pieces.firstChild, before);
}

/** Replaces an element with HTML, or removes it. */
export function replace(element: Element, html = ""): void {
  if (element.parentNode && html) insert(element.parentNode, html, element);
  element.remove();
}

/** Returns an element without empty attributes. `inner` is HTML, values are text. */
export function tag(name: string, attributes: Record<string, unknown> = {}, inner?: string): string {
  const attributeTexts = Object.entries(attributes)
    .filter(([, value]) => value !== undefined && value !== null && value !== "" && typeof value !== "object")
    .map(([key, value]) => ` ${key}="${escapeHtml(String(value))}"`);
  return `<${name}${attributeTexts.join("")}>${inner === undefined ? "" : `${inner}</${name}>`}`;
}

/** Replaces an embed. */
export const linkLine = (href: string, text = href, more = ""): string =>
  tag("p", {}, tag("a", { href }, escapeHtml(text)) + (more && `<br>${escapeHtml(more)}`));

/** `caption` is HTML. */
export function figure(
  picture: { src: string; alt?: unknown; title?: unknown; width?: unknown; height?: unknown; href?: unknown },
  caption = "",
): string {
  const { href, ...attributes } = picture;
  const image = tag("img", attributes);
  return tag(
    "figure",
    {},
    (href ? tag("a", { href }, image) : image) + (caption && tag("figcaption", {}, caption)),
  );
}
