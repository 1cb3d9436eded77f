import type { Block } from "../block.ts";
import { elementsNamed, hasClass, rename } from "../dom.ts";

/** A sentence of the text that stands out. */
export const pullQuoteBlock = {
  nodes: {
    pull_quote: {
      group: "block",
      content: "block+",
      defining: true,
      parseDOM: [
        { tag: "blockquote", priority: 60, getAttrs: (dom) => (hasClass(dom, "pull-quote") ? {} : false) },
      ],
      toDOM: () => ["blockquote", { class: "pull-quote" }, 0],
    },
  },
  straighten: straightenPullQuotes,
} satisfies Block;

/** Reads the pull quotes of Substack, WordPress and Medium. */
function straightenPullQuotes(root: Node): void {
  // From the inside out.
  for (const element of elementsNamed(root, "div", "figure", "blockquote").toReversed()) {
    const quotes = hasClass(element, "pullquote")
      ? [rename(element, "blockquote")]
      : hasClass(element, "wp-block-pullquote")
        ? elementsNamed(element, "blockquote")
        : hasClass(element, "graf--pullquote")
          ? [element]
          : [];
    for (const quote of quotes) quote.setAttribute("class", "pull-quote");
  }
}
