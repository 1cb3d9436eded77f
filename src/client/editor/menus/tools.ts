import { redo, undo } from "prosemirror-history";
import type { Tool } from "../block.ts";
import { codeTool } from "../blocks/code.ts";
import { dividerTool } from "../blocks/divider.ts";
import { heading2Tool } from "../blocks/heading.ts";
import { bulletsTool, numbersTool } from "../blocks/list.ts";
import { quoteTool } from "../blocks/quote.ts";
import { cleanFormatting, indent, toggle } from "../commands.ts";
import type { SelectionState, ToggledMark } from "../selection-state.ts";
import { icons } from "./icons.ts";

const noMarks = (facts: SelectionState) => !facts.canMark;
const mark = (name: string, type: ToggledMark, icon: keyof typeof icons, keys: string): Tool => ({
  name,
  icon: icons[icon],
  keys,
  command: toggle(type),
  pressed: (facts) => facts[type],
  disabled: noMarks,
});

export const tools = {
  undo: { name: "Undo", icon: icons.undo, keys: "Mod-z", command: undo, disabled: (facts) => !facts.canUndo },
  redo: {
    name: "Redo",
    icon: icons.redo,
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
  heading2: heading2Tool,
  bullets: bulletsTool,
  numbers: numbersTool,
  outdent: {
    name: "Outdent",
    icon: icons.outdent,
    keys: "Mod-[",
    command: indent(-1),
    disabled: (facts) => !facts.canOutdent,
  },
  indent: {
    name: "Indent",
    icon: icons.indent,
    keys: "Mod-]",
    command: indent(1),
    disabled: (facts) => !facts.canIndent,
  },
  quote: quoteTool,
  codeBlock: codeTool,
  rule: dividerTool,
  clean: { name: "Clean formatting", icon: icons.clean, keys: "Mod-\\", command: cleanFormatting },
} satisfies Record<string, Tool>;
