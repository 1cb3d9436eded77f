import { firstNamed, isElement, readHtml, tag, writeHtml, type Element } from "../reading/html.ts";
import { isRow, trimmedText, short, type Row } from "../reading/values.ts";

/** A post's overrides of a reusable block, by inner block name. */
export class Overrides {
  readonly #rows: Row;
  readonly #waiting: Set<string>;
  readonly #left: Set<string>;

  constructor(content: unknown) {
    this.#rows = isRow(content) ? content : {};
    this.#waiting = new Set(Object.keys(this.#rows));
    this.#left = new Set(this.#waiting);
  }

  /** Returns null without an override. Applies each once. */
  apply(html: string, { metadata }: Row): string | null {
    if (this.#waiting.size === 0 || !isRow(metadata) || !isRow(metadata.bindings)) return null;
    const name = trimmedText(metadata.name) ?? "";
    if (!this.#waiting.delete(name)) return null;
    const own = this.#rows[name];
    const tree = readHtml(html);
    const all = isRow(own) ? Object.entries(own) : [];
    const refused = all.filter(([key, value]) => !put(tree, key, value));
    if (refused.length === 0) this.#left.delete(name);
    return writeHtml(tree);
  }

  /** Reports unused overrides. */
  reportUnused(tell: (problem: string) => void): void {
    if (this.#left.size > 0)
      tell(`Skipped its changes to a shared part: ${short([...this.#left].join(", "))}`);
  }
}

/** Applies one value; false when its key is unknown. */
function put(tree: ReturnType<typeof readHtml>, key: string, value: unknown): boolean {
  // Link targets and picture IDs are not kept anyway.
  if (["id", "rel", "linkTarget"].includes(key)) return true;
  if (typeof value !== "string") return false;
  const first = tree.children.find(isElement);
  const link = firstNamed(tree, "a");
  const image = firstNamed(tree, "img");
  if (key === "content") return fill(first, value);
  if (key === "text") return fill(link, value);
  if (key === "caption") {
    const caption = firstNamed(tree, "figcaption");
    return caption ? fill(caption, value) : fill(first, tag("figcaption", {}, value), first?.children);
  }
  const holder = key === "alt" ? image : ["url", "title"].includes(key) ? (image ?? link) : undefined;
  if (!holder) return false;
  holder.attribs[key !== "url" ? key : holder === image ? "src" : "href"] = value;
  return true;
}

function fill(element: Element | undefined, html: string, before: Element["children"] = []): boolean {
  if (!element) return false;
  const inner = readHtml(html).children;
  for (const piece of inner) piece.parent = element;
  element.children = [...before, ...inner];
  return true;
}
