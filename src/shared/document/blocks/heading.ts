import type { Block } from "../block.ts";
import { openTag } from "../html-tags.ts";
import { hasBreak, isPlainText } from "../markdown-signs.ts";
import { textBlockAttributes, textBlockAttrs, textBlockRules } from "../text-blocks.ts";
import { isWhole } from "../values.ts";

export const headingBlock = {
  nodes: {
    heading: {
      group: "block",
      content: "inline*",
      defining: true,
      attrs: { level: { default: 1, validate: isWhole(1, 6) }, ...textBlockAttrs },
      parseDOM: [1, 2, 3, 4, 5, 6].flatMap((level) => textBlockRules(`h${level}`, { level })),
      toDOM: (node) => [`h${Number(node.attrs.level)}`, textBlockAttributes(node), 0],
      html: {
        attributes: (node, { options, idFor }) =>
          options.headingIds === false ? {} : { id: idFor(node.textContent) },
        // Empty and hidden, so that it is neither copied nor read aloud with the heading.
        after: (_node, { options }, { id }) =>
          options.headingLinks && typeof id === "string"
            ? `${openTag("a", { class: "heading-link", href: `#${id}`, "aria-hidden": "true", tabindex: "-1" })}</a>`
            : "",
      },
      markdown: (node, out) =>
        isPlainText(node) && !hasBreak(node)
          ? `${"#".repeat(Number(node.attrs.level))} ${out.line(node).replace(/(#+)$/, "\\$1")}`
          : null,
    },
  },
} satisfies Block;
