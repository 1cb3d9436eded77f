import { redo, undo } from "prosemirror-history";
import type { Command } from "prosemirror-state";
import { schema } from "../../../shared/document/schema.ts";
import { cleanFormatting, indent, insertRule, toggleCodeBlock, toggleHeading } from "../commands.ts";
import { toggleBlockquote } from "../boxes.ts";
import { toggleList } from "../lists.ts";
import type { SelectionState, ToggledMark } from "../selection-state.ts";
import { toggle } from "../keys.ts";
import type { ToolIconName } from "./tool-icons.tsx";

export interface Tool {
  name: string;
  icon: ToolIconName;
  /** In prosemirror-keymap's notation; bound in keys.ts. */
  keys?: string;
  command: Command;
  /** Missing for a button without a state. */
  pressed?: (facts: SelectionState) => boolean;
  disabled?: (facts: SelectionState) => boolean;
}

const { nodes } = schema;
const noMarks = (facts: SelectionState) => !facts.canMark;
const mark = (name: string, type: ToggledMark, icon: ToolIconName, keys: string): Tool => ({
  name,
  icon,
  keys,
  command: toggle(type),
  pressed: (facts) => facts[type],
  disabled: noMarks,
});

export const tools = {
  undo: { name: "Undo", icon: "undo", keys: "Mod-z", command: undo, disabled: (facts) => !facts.canUndo },
  redo: {
    name: "Redo",
    icon: "redo",
    keys: "Mod-Shift-z",
    command: redo,
    disabled: (facts) => !facts.canRedo,
  },
  bold: mark("Bold", "strong", "bold", "Mod-b"),
  italic: mark("Italic", "em", "italic", "Mod-i"),
  underline: mark("Underline", "underline", "underline", "Mod-u"),
  strike: mark("Strikethrough", "strike", "strike", "Mod-Shift-x"),
  code: mark("Inline code", "code", "code", "Mod-e"),
  sub: mark("Subscript", "sub", "sub", "Mod-,"),
  sup: mark("Superscript", "sup", "sup", "Mod-."),
  heading2: {
    name: "Heading 2",
    icon: "heading2",
    keys: "Mod-Alt-2",
    command: toggleHeading(2),
    pressed: (facts) => facts.heading === 2,
  },
  bullets: {
    name: "Bullet list",
    icon: "bullets",
    keys: "Mod-Shift-8",
    command: toggleList(nodes.bullet_list),
    pressed: (facts) => facts.bulletList,
  },
  numbers: {
    name: "Numbered list",
    icon: "numbers",
    keys: "Mod-Shift-7",
    command: toggleList(nodes.ordered_list),
    pressed: (facts) => facts.orderedList,
  },
  outdent: {
    name: "Outdent",
    icon: "outdent",
    keys: "Mod-[",
    command: indent(-1),
    disabled: (facts) => !facts.canOutdent,
  },
  indent: {
    name: "Indent",
    icon: "indent",
    keys: "Mod-]",
    command: indent(1),
    disabled: (facts) => !facts.canIndent,
  },
  quote: {
    name: "Blockquote",
    icon: "quote",
    keys: "Mod-Shift-9",
    command: toggleBlockquote,
    pressed: (facts) => facts.blockquote,
  },
  codeBlock: {
    name: "Code block",
    icon: "codeBlock",
    keys: "Mod-Alt-c",
    command: toggleCodeBlock,
    pressed: (facts) => facts.codeBlock,
  },
  rule: { name: "Horizontal rule", icon: "rule", command: insertRule },
  clean: { name: "Clean formatting", icon: "clean", keys: "Mod-\\", command: cleanFormatting },
} satisfies Record<string, Tool>;
