import { calloutKind } from "./box-nodes.ts";
import {
  elementsNamed,
  firstShown,
  hasClass,
  isBlock,
  isElement,
  moveContent,
  ownerOf,
  rename,
  tagOf,
} from "./dom.ts";

/** Brings pull quotes, callouts and fold-outs into our form. Our callouts' labels are dropped: they are rendered from the kind. */
export function straightenBoxes(root: Node): void {
  setPullQuotes(root);
  for (const box of elementsNamed(root, "div", "aside")) {
    if (tagOf(box) === "aside" && hasClass(box, "callout")) {
      dropTitle(box, "callout-label");
      continue;
    }
    if (!hasClass(box, "markdown-alert")) continue;
    const kind = /(?:^|\s)markdown-alert-(\w+)/.exec(box.getAttribute("class") ?? "")?.[1];
    const callout = ownerOf(box).createElement("aside");
    callout.setAttribute("class", `callout callout-${calloutKind(kind)}`);
    moveContent(box, callout);
    box.parentNode?.replaceChild(callout, box);
    dropTitle(callout, "markdown-alert-title");
  }
  const summaries = new Map<Node, Element>();
  for (const summary of elementsNamed(root, "summary")) {
    const parent = summary.parentNode;
    if (!parent) continue;
    if (tagOf(parent) === "details" && !summaries.has(parent)) {
      summaries.set(parent, summary);
      unfoldBlocks(summary);
    } else rename(summary, "p"); // Not the first of its fold-out.
  }
  for (const fold of elementsNamed(root, "details")) {
    const summary = summaries.get(fold) ?? ownerOf(fold).createElement("summary");
    if (fold.firstChild !== summary) fold.insertBefore(summary, fold.firstChild);
  }
}

function dropTitle(box: Element, name: string): void {
  const first = firstShown(box);
  if (first && isElement(first) && hasClass(first, name)) first.remove();
}

/** The pull quotes of Substack, WordPress and Medium. */
function setPullQuotes(root: Node): void {
  // From the inside out.
  for (const box of elementsNamed(root, "div", "figure", "blockquote").toReversed()) {
    const quotes = hasClass(box, "pullquote")
      ? [rename(box, "blockquote")]
      : hasClass(box, "wp-block-pullquote")
        ? elementsNamed(box, "blockquote")
        : hasClass(box, "graf--pullquote")
          ? [box]
          : [];
    for (const quote of quotes) quote.setAttribute("class", "pull-quote");
  }
}

/** Replaces blocks in a summary or caption, which is one line of text, with their content. */
export function unfoldBlocks(summary: Element): void {
  for (let node = summary.firstChild; node;) {
    if (!isBlock(node)) {
      node = node.nextSibling;
      continue;
    }
    const first: ChildNode | null = node.firstChild;
    const next: ChildNode | null = node.nextSibling;
    // Keeps two lines apart.
    if (node.previousSibling && first) summary.insertBefore(ownerOf(summary).createTextNode(" "), node);
    while (node.firstChild) summary.insertBefore(node.firstChild, node);
    node.remove();
    node = first ?? next;
  }
}
