import { elements, isElement, isText, linkLine, replace, type Element, type Tree } from "../reading/html.ts";
import { absolute } from "../reading/tidy.ts";
import { trimmedText, short } from "../reading/values.ts";
import { attrsOf } from "./widgets.ts";

/** Visible without text. */
const seen = new Set(["img", "iframe", "video", "audio", "object", "embed", "hr"]);

/** Replaces unknown widgets that are empty without their site's script with a link, or reports them. */
export function replaceEmptyWidgets(tree: Tree, tell: (problem: string) => void): void {
  const full = new Set<unknown>();
  const pending = [...tree.children];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (isText(node) ? (node as { data?: string }).data?.trim() : isElement(node) && seen.has(node.name))
      // Ancestors of a full element are already marked.
      for (let at: unknown = node; at && !full.has(at); at = (at as Element).parent) full.add(at);
    if ("children" in node) pending.push(...node.children);
  }
  const placed = new Set<unknown>();
  for (const widget of elements(tree, (element) => "data-attrs" in element.attribs && !full.has(element))) {
    let around: unknown = widget.parent;
    while (around && !placed.has(around)) around = (around as Element).parent;
    // Already replaced with an outer widget.
    if (around) continue;
    placed.add(widget);
    const attrs = attrsOf(widget);
    const href = absolute(trimmedText(attrs.url) ?? "");
    if (!href) tell(`Skipped a part of unknown type: ${short(widget.attribs.class ?? widget.name, 60)}`);
    replace(widget, href ? linkLine(href, trimmedText(attrs.title) ?? href) : "");
  }
}
