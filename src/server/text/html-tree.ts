import { Parser } from "htmlparser2";
import { DocumentError } from "../../shared/document/document-error.ts";
import { htmlLimits as limits } from "../../shared/document/limits.ts";
import { escapeHtml } from "../../shared/document/html-tags.ts";

/* As much of the DOM as straightening (shared/document/dom.ts), ProseMirror's parser and the imports need. A full DOM takes
 * seconds for tens of thousands of elements. */

abstract class TreeNode {
  abstract readonly nodeType: number;
  abstract readonly nodeName: string;
  nodeValue: string | null = null;
  readonly ownerDocument = maker;
  parentNode: TreeNode | null = null;
  previousSibling: TreeNode | null = null;
  nextSibling: TreeNode | null = null;
  firstChild: TreeNode | null = null;
  lastChild: TreeNode | null = null;

  appendChild<N extends TreeNode>(node: N): N {
    return this.insertBefore(node, null);
  }

  insertBefore<N extends TreeNode>(node: N, next: TreeNode | null): N {
    if ((node as TreeNode) === next) return node;
    node.remove();
    const previous = next ? next.previousSibling : this.lastChild;
    node.parentNode = this;
    node.previousSibling = previous;
    node.nextSibling = next;
    if (previous) previous.nextSibling = node;
    else this.firstChild = node;
    if (next) next.previousSibling = node;
    else this.lastChild = node;
    return node;
  }

  removeChild<N extends TreeNode>(node: N): N {
    node.remove();
    return node;
  }

  replaceChild<N extends TreeNode>(node: TreeNode, old: N): N {
    this.insertBefore(node, old);
    return this.removeChild(old);
  }

  remove(): void {
    const { parentNode: parent, previousSibling: previous, nextSibling: next } = this;
    if (!parent) return;
    if (previous) previous.nextSibling = next;
    else parent.firstChild = next;
    if (next) next.previousSibling = previous;
    else parent.lastChild = previous;
    this.parentNode = this.previousSibling = this.nextSibling = null;
  }
}

class TreeText extends TreeNode {
  override readonly nodeType = 3;
  override readonly nodeName = "#text";
  override nodeValue: string;

  constructor(text: string) {
    super();
    this.nodeValue = text;
  }
}

class TreeComment extends TreeNode {
  override readonly nodeType = 8;
  override readonly nodeName = "#comment";
  override nodeValue: string;

  constructor(text: string) {
    super();
    this.nodeValue = text;
  }
}

class TreeRoot extends TreeNode {
  override readonly nodeType = 11;
  override readonly nodeName = "#document-fragment";
}

class TreeElement extends TreeNode {
  override readonly nodeType = 1;
  override readonly nodeName: string;
  readonly #attributes = new Map<string, string>();
  #style: Style | undefined;

  constructor(tag: string) {
    super();
    this.nodeName = tag.toUpperCase();
  }

  get tagName(): string {
    return this.nodeName;
  }

  get firstElementChild(): TreeElement | null {
    let child = this.firstChild;
    while (child && !(child instanceof TreeElement)) child = child.nextSibling;
    return child;
  }

  set textContent(text: string) {
    while (this.firstChild) this.firstChild.remove();
    if (text) this.appendChild(new TreeText(text));
  }

  get style(): Style {
    return (this.#style ??= new Style(this.getAttribute("style") ?? ""));
  }

  getAttributeNames(): string[] {
    return [...this.#attributes.keys()];
  }

  getAttribute(name: string): string | null {
    return this.#attributes.get(name) ?? null;
  }

  hasAttribute(name: string): boolean {
    return this.#attributes.has(name);
  }

  setAttribute(name: string, value: string): void {
    this.#attributes.set(name, value);
    if (name === "style") this.#style = undefined;
  }

  removeAttribute(name: string): void {
    this.#attributes.delete(name);
    if (name === "style") this.#style = undefined;
  }

  /** Supports only lists of tag names, as the schema's rules use. */
  matches(selector: string): boolean {
    return selector === "*" || tagsOf(selector).has(this.nodeName);
  }
}

/** A style attribute as ProseMirror reads it. */
class Style {
  readonly #values = new Map<string, string>();

  constructor(text: string) {
    // A semicolon in brackets or quotes ends the value too early; ours have none.
    for (const declaration of text.split(";")) {
      const colon = declaration.indexOf(":");
      const name = declaration.slice(0, colon).trim().toLowerCase();
      if (colon > 0 && name) this.#values.set(name, declaration.slice(colon + 1).trim());
    }
  }

  get length(): number {
    return this.#values.size;
  }

  get whiteSpace(): string {
    return this.getPropertyValue("white-space");
  }

  getPropertyValue(name: string): string {
    return this.#values.get(name) ?? "";
  }
}

const maker = {
  createElement: (tag: string) => new TreeElement(tag),
  createTextNode: (text: string) => new TreeText(text),
};

const selectors = new Map<string, Set<string>>();

function tagsOf(selector: string): Set<string> {
  let tags = selectors.get(selector);
  if (!tags) selectors.set(selector, (tags = new Set(selector.toUpperCase().split(/,\s*/))));
  return tags;
}

/** Parses HTML into a tree. Enforces the limits while parsing: throws `DocumentError`. */
export function readTree(html: string): Node {
  const root = new TreeRoot();
  let at: TreeNode = root;
  let attributes: [name: string, value: string][] = [];
  let depth = 0;
  let steps = 0;
  const count = { pieces: 0, attributes: 0 };
  const step = () => {
    if (++count.pieces > limits.pieces)
      throw new DocumentError(
        `This text has too many tags in it: at most ${limits.pieces.toLocaleString("en")} can be read.`,
      );
    // Later passes walk from many nodes up to the root.
    if ((steps += depth) > limits.steps) throw tooDeep(limits.depth);
  };
  const parser = new Parser(
    {
      onattribute: (name, value) => {
        if (attributes.length >= limits.attributes || ++count.attributes > limits.pieces)
          throw new DocumentError("This text has an element with too many attributes.");
        attributes.push([name, value]);
      },
      onopentag: (name) => {
        step();
        if (++depth > limits.depth) throw tooDeep(limits.depth);
        const element = new TreeElement(name);
        // The first of duplicate attributes counts.
        for (const [key, value] of attributes)
          if (!element.hasAttribute(key)) element.setAttribute(key, value);
        attributes = [];
        at = at.appendChild(element);
      },
      onclosetag: () => {
        depth--;
        at = at.parentNode ?? root;
      },
      ontext: (text) => {
        const before = at.lastChild;
        // An entity arrives as a separate text.
        if (before instanceof TreeText) before.nodeValue += text;
        else {
          step();
          at.appendChild(new TreeText(text));
        }
      },
      oncomment: (text) => {
        step();
        at.appendChild(new TreeComment(text));
      },
    },
    { decodeEntities: true },
  );
  parser.end(html.replace(/\r\n?/g, "\n"));
  return root as unknown as Node;
}

export const tooLongHtml = (length: number = limits.length) =>
  new DocumentError(
    `This text is too long: at most ${length.toLocaleString("en")} characters of HTML can be read.`,
  );

const tooDeep = (depth: number) =>
  new DocumentError(`This text is nested too deeply. Up to ${depth} elements can be inside each other.`);

const voidTags = new Set("area base br col embed hr img input link meta source track wbr".split(" "));

/** Returns the content of a tree or element as HTML, without comments. */
export function writeTree(root: Node): string {
  const parts: string[] = [];
  const write = (parent: TreeNode): void => {
    for (let node = parent.firstChild; node; node = node.nextSibling) {
      if (node instanceof TreeText) parts.push(node.nodeValue.replace(/[&<>\u00a0]/g, textEntity));
      if (!(node instanceof TreeElement)) continue;
      const tag = node.nodeName.toLowerCase();
      parts.push(`<${tag}`);
      for (const name of node.getAttributeNames())
        parts.push(` ${name}="${escapeHtml(node.getAttribute(name)!)}"`);
      parts.push(">");
      if (voidTags.has(tag)) continue;
      write(node);
      parts.push(`</${tag}>`);
    }
  };
  write(root as unknown as TreeNode);
  return parts.join("");
}

/** Returns the entity of a character in text. */
const textEntity = (character: string): string => (character === "\u00a0" ? "&nbsp;" : escapeHtml(character));
