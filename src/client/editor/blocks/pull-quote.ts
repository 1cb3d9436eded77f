import { schema } from "../../../shared/document/schema.ts";
import type { EditorBlock } from "../block.ts";
import { toggleBox, wrapRule } from "../block-rules.ts";

const type = schema.nodes.pull_quote;

export const pullQuoteBlock: EditorBlock = {
  rules: [wrapRule(/^\s*>>\s$/, type)],
  items: [
    {
      name: "Pull quote",
      keywords: "big stand out",
      icon: "M4 4h16M4 20h16M11 8.5c-2 .4-3 1.7-3 3.8v2.7h3v-3H9.5M16.5 8.5c-2 .4-3 1.7-3 3.8v2.7h3v-3H15",
      command: toggleBox(type),
    },
  ],
};
