import { elements, isElement, isText, linkLine, replace, type Element, type Tree } from "../reading/html.ts";
import { absolute } from "../reading/tidy.ts";
import { trimmedText, short } from "../reading/values.ts";
import { attrsOf } from "./widgets.ts";

/** Visible without text. */
const visibleElements = new Set(["img", "iframe", "video", "audio", "object", "embed", "hr"]);

/** Replaces unknown widgets that are empty without their site's script with a link, or reports them. */
export function replaceEmptyWidgets(tree: Tree, reportProblem: (problem: string) => void): void {
  const nonEmpty = new Set<unknown>();
  const pending = [...tree.children];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (
      isText(node)
        ? (node as { data?: string }).data?.trim()
        : isElement(node) && visibleElements.has(node.name)
    )
      // Ancestors of a full element are already marked.
      for (
        let ancestor: unknown = node;
        ancestor && !nonEmpty.has(ancestor);
        ancestor = (ancestor as Element).parent
      )
        nonEmpty.add(ancestor);
    if ("children" in node) pending.push(...node.children);
  }
  const replaced = new Set<unknown>();
  for (const widget of elements(
    tree,
    (element) => "data-attrs" in element.attribs && !nonEmpty.has(element),
  )) {
    let ancestor: unknown = widget.parent;
    while (ancestor && !replaced.has(ancestor)) ancestor = (ancestor as Element).parent;
    // Already replaced with an outer widget.
    if (ancestor) continue;
    replaced.add(widget);
    const attrs = attrsOf(widget);
    const href = absolute(trimmedText(attrs.url) ?? "");
    if (!href)
      reportProblem(`Skipped a part of unknown type: ${short(widget.attribs.class ?? widget.name, 60)}`);
    replace(widget, href ? linkLine(href, trimmedText(attrs.title) ?? href) : "");
  }
}
