import { DomHandler, DomUtils, ElementType, Parser } from "htmlparser2";
import { DocumentError } from "../../../shared/document/document-error.ts";
import { htmlLimits as limits } from "../../../shared/document/limits.ts";
import { escapeHtml } from "../../../shared/document/to-html.ts";

/* Other programs' HTML as a mutable tree. The document's schema decides later what remains. */

export type Tree = ReturnType<typeof DomUtils.getElementsByTagName>[number]["parent"] & object;
export type Element = ReturnType<typeof DomUtils.getElementsByTagName>[number];
type Child = Element["children"][number];

/** Throws `DocumentError` when it is too long, too deep or has too many elements. */
export function readHtml(html: string): Tree {
  if (html.length > limits.length)
    throw new DocumentError(
      `This text is too long: at most ${limits.length.toLocaleString("en")} characters of HTML can be read.`,
    );
  const handler = new LimitedDomHandler();
  new Parser(handler, { decodeEntities: true }).end(html);
  return handler.root;
}

class LimitedDomHandler extends DomHandler {
  #depth = 0;
  #pieces = 0;

  override onopentag(name: string, attributes: Record<string, string>): void {
    if (++this.#depth > limits.depth)
      throw new DocumentError(
        `This text is nested too deeply: at most ${limits.depth} elements can be inside each other.`,
      );
    if (++this.#pieces > limits.pieces)
      throw new DocumentError(
        `This text has too many tags in it: at most ${limits.pieces.toLocaleString("en")} can be read.`,
      );
    super.onopentag(name, attributes);
  }

  override onclosetag(): void {
    this.#depth--;
    super.onclosetag();
  }
}

/** Serializes the content of a tree. */
export const writeHtml = (tree: Tree | Element): string =>
  DomUtils.getInnerHTML(tree, { encodeEntities: "utf8" });

/** Returns elements in document order, collected before any change. */
export const elements = (tree: Tree | Element, fits: (element: Element) => boolean): Element[] =>
  DomUtils.filter((node) => isElement(node) && fits(node), tree.children).filter(isElement);

export const named = (tree: Tree | Element, ...names: string[]): Element[] =>
  elements(tree, ({ name }) => names.includes(name));

export const firstNamed = (tree: Tree | Element, ...names: string[]): Element | undefined =>
  DomUtils.findOne(({ name }) => names.includes(name), tree.children, true) ?? undefined;

export const withClass = (tree: Tree | Element, ...classes: string[]): Element[] =>
  elements(tree, (element) => classes.some((name) => hasClass(element, name)));

export const hasClass = ({ attribs }: Element, name: string): boolean => {
  const { class: className } = attribs;
  return className !== undefined && className.includes(name) && className.split(/\s+/).includes(name);
};

/**
 * Yields the elements still in the tree when their turn comes. Of nested matches only the outermost is processed, so that time
 * stays linear.
 */
export function* remainingIn(tree: Tree, matches: Element[]): Generator<Element> {
  for (const element of matches) {
    let node: unknown = element;
    while (node && node !== tree) node = (node as Element).parent;
    if (node) yield element;
  }
}

export const isElement = (node: unknown): node is Element => ElementType.isTag(node as Child);

export const isComment = (node: Child): boolean => node.type === ElementType.ElementType.Comment;

export const isText = (node: Child): boolean => node.type === ElementType.ElementType.Text;

export const allTextIn = (tree: Tree | Element): string => DomUtils.textContent(tree);

/** Returns the visible text on one line. */
export const textIn = (tree: Tree | Element): string => allTextIn(tree).replace(/\s+/g, " ").trim();

/** Replaces an element with HTML, or removes it. */
export function replace(element: Element | Child, html = ""): void {
  const { parent } = element;
  if (!parent) return;
  const index = indexInSiblings(element, parent.children);
  const pieces = html ? readHtml(html).children : [];
  for (const piece of pieces) piece.parent = parent;
  parent.children.splice(index, 1, ...pieces);
  element.parent = null;
}

/** The last index per sibling list, near which the next search starts. */
const lastIndexes = new WeakMap<object, number>();

/** Returns the index among siblings. */
function indexInSiblings(element: Element | Child, siblings: Child[]): number {
  const from = Math.max(0, (lastIndexes.get(siblings) ?? 0) - 1);
  const nearbyIndex = siblings.indexOf(element, from);
  const index = nearbyIndex < 0 ? siblings.indexOf(element) : nearbyIndex;
  lastIndexes.set(siblings, index);
  return index;
}

/** Turns an element into a pull quote. */
export function pullQuote(element: Element): void {
  element.name = "blockquote";
  element.attribs = { class: "pull-quote" };
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

export { escapeHtml };
