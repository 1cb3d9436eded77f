import { firstNamed, isElement, readHtml, tag, writeHtml, type Element } from "../reading/html.ts";
import { isRow, trimmedText, short, type Row } from "../reading/values.ts";

/** A post's overrides of a reusable block, by inner block name. */
export class Overrides {
  readonly #rows: Row;
  readonly #pending: Set<string>;
  readonly #unused: Set<string>;

  constructor(content: unknown) {
    this.#rows = isRow(content) ? content : {};
    this.#pending = new Set(Object.keys(this.#rows));
    this.#unused = new Set(this.#pending);
  }

  /** Returns null without an override. Applies each once. */
  apply(html: string, { metadata }: Row): string | null {
    if (this.#pending.size === 0 || !isRow(metadata) || !isRow(metadata.bindings)) return null;
    const name = trimmedText(metadata.name) ?? "";
    if (!this.#pending.delete(name)) return null;
    const fields = this.#rows[name];
    const tree = readHtml(html);
    const entries = isRow(fields) ? Object.entries(fields) : [];
    const rejected = entries.filter(([key, value]) => !applyField(tree, key, value));
    if (rejected.length === 0) this.#unused.delete(name);
    return writeHtml(tree);
  }

  /** Reports unused overrides. */
  reportUnused(reportProblem: (problem: string) => void): void {
    if (this.#unused.size > 0)
      reportProblem(`Skipped its changes to a shared part: ${short([...this.#unused].join(", "))}`);
  }
}

/** Applies one value; false when its key is unknown. */
function applyField(tree: ReturnType<typeof readHtml>, key: string, value: unknown): boolean {
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
  const target = key === "alt" ? image : ["url", "title"].includes(key) ? (image ?? link) : undefined;
  if (!target) return false;
  target.attribs[key !== "url" ? key : target === image ? "src" : "href"] = value;
  return true;
}

function fill(element: Element | undefined, html: string, before: Element["children"] = []): boolean {
  if (!element) return false;
  const inner = readHtml(html).children;
  for (const piece of inner) piece.parent = element;
  element.children = [...before, ...inner];
  return true;
}
