import { elements, isElement, isText, linkLine, replace, type Element, type Tree } from "../reading/html.ts";
import { absolute } from "../reading/tidy.ts";
import { said, short } from "../reading/values.ts";
import { attrsOf } from "./widgets.ts";

/** What is seen without a word in it. */
const seen = new Set(["img", "iframe", "video", "audio", "object", "embed", "hr"]);

/** Widgets that nothing is known of and that show nothing without the script of their site: the address that they have, or a line. */
export function placeEmptyWidgets(tree: Tree, tell: (problem: string) => void): void {
  const full = new Set<unknown>();
  const pending = [...tree.children];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (isText(node) ? (node as { data?: string }).data?.trim() : isElement(node) && seen.has(node.name))
      // Those around it are known to be full from the first that is.
      for (let at: unknown = node; at && !full.has(at); at = (at as Element).parent) full.add(at);
    if ("children" in node) pending.push(...node.children);
  }
  const placed = new Set<unknown>();
  for (const widget of elements(tree, (element) => "data-attrs" in element.attribs && !full.has(element))) {
    let around: unknown = widget.parent;
    while (around && !placed.has(around)) around = (around as Element).parent;
    // With the one that it stands in it is gone already.
    if (around) continue;
    placed.add(widget);
    const attrs = attrsOf(widget);
    const href = absolute(said(attrs.url) ?? "");
    if (!href) tell(`Skipped a part of unknown type: ${short(widget.attribs.class ?? widget.name, 60)}`);
    replace(widget, href ? linkLine(href, said(attrs.title) ?? href) : "");
  }
}
