import type { Command } from "prosemirror-state";
import { schema } from "../../../shared/document/schema.ts";
import type { EditorBlock, Tool } from "../block.ts";
import { toggleBox, wrapRule } from "../block-rules.ts";

const type = schema.nodes.blockquote;

export const toggleBlockquote: Command = toggleBox(type);

export const quoteTool: Tool = {
  name: "Blockquote",
  icon: "M10 7.5C6.5 8 5 10 5 13.5V17h5v-5H7.5M19 7.5c-3.5.5-5 2.5-5 6V17h5v-5h-2.5",
  keys: "Mod-Shift-9",
  command: toggleBlockquote,
  pressed: (facts) => facts.blockquote,
};

export const quoteBlock: EditorBlock = {
  keys: { "Mod-Shift-9": toggleBlockquote },
  rules: [wrapRule(/^\s*>\s$/, type)],
  items: [{ ...quoteTool, keywords: "quote citation" }],
};
