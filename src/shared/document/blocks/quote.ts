import type { Block } from "../block.ts";
import {
  childrenOf,
  elementsNamed,
  hasClass,
  isBlock,
  moveContent,
  moveFormats,
  nextShown,
  wrapRun,
} from "../dom.ts";
import { quoted } from "../markdown-signs.ts";

export const quoteBlock = {
  nodes: {
    blockquote: {
      group: "block",
      content: "block+",
      defining: true,
      parseDOM: [{ tag: "blockquote" }],
      toDOM: () => ["blockquote", 0],
      markdown: (node, out) => quoted(out.within().blocks(node)),
    },
  },
  straighten: joinQuotes,
} satisfies Block;

/** Joins the lines of a quotation, each of which Quill writes as a blockquote without paragraphs. */
function joinQuotes(root: Node): void {
  const lines = new Set<Node>();
  for (const element of elementsNamed(root, "blockquote")) {
    const children = childrenOf(element);
    if (children.length === 0 || children.some(isBlock) || hasClass(element, "pull-quote")) continue;
    moveFormats(element, wrapRun(children, "p"));
    lines.add(element);
  }
  for (const element of lines) {
    for (let next = nextShown(element); next && lines.has(next); next = nextShown(element)) {
      moveContent(next, element);
      // Including blanks between the two: else every search would pass them again.
      while (element.nextSibling && element.nextSibling !== next) element.nextSibling.remove();
      element.nextSibling?.remove();
      lines.delete(next);
    }
  }
}
