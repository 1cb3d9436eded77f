import type { Block } from "../block.ts";

export const dividerBlock = {
  nodes: {
    horizontal_rule: {
      group: "block",
      parseDOM: [{ tag: "hr" }],
      toDOM: () => ["hr"],
      markdown: () => "---",
      text: () => "\n",
    },
  },
} satisfies Block;
