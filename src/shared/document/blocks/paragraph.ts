import type { Block } from "../block.ts";
import { isPlainText } from "../markdown-signs.ts";
import { textBlockAttributes, textBlockAttrs, textBlockRules } from "../text-blocks.ts";

// Elements whose content is not text to read.
const unread =
  "script, style, template, title, head, iframe, frame, frameset, object, embed, applet, noscript, noframes, noembed, svg, math, select, textarea, audio, video, canvas, xmp, plaintext, listing";

export const paragraphBlock = {
  nodes: {
    doc: { content: "block+" },

    paragraph: {
      group: "block",
      content: "inline*",
      attrs: textBlockAttrs,
      parseDOM: [{ tag: unread, ignore: true, priority: 90 }, ...textBlockRules("p")],
      toDOM: (node) => ["p", textBlockAttributes(node), 0],
      markdown: (node, out) => (isPlainText(node) ? out.line(node) : null),
    },
  },
} satisfies Block;
