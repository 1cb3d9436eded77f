import type { Command, EditorState } from "prosemirror-state";
import { isInTable } from "prosemirror-tables";
import { insertFold, toggleCallout, togglePullQuote } from "../boxes.ts";
import { insertTable, setHeading } from "../commands.ts";
import { insertFootnote } from "../footnotes.ts";
import { toggleFormula } from "../formulas.ts";
import { toggleTasks } from "../lists.ts";
import type { Slash } from "./slash.ts";
import type { ToolIconName } from "./tool-icons.tsx";
import { tools } from "./tools.ts";

/** A block that the menu inserts. */
export interface SlashItem {
  name: string;
  /** Other search words. */
  keywords: string;
  icon: ToolIconName;
  /** Absent for pictures, which are chosen first. */
  command?: Command;
}

const items: readonly SlashItem[] = [
  { name: "Heading 1", keywords: "title h1", icon: "heading1", command: setHeading(1) },
  { name: "Heading 2", keywords: "section h2", icon: "heading2", command: setHeading(2) },
  { name: "Heading 3", keywords: "h3", icon: "heading3", command: setHeading(3) },
  { name: "Bullet list", keywords: "ul unordered points", icon: "bullets", command: tools.bullets.command },
  { name: "Numbered list", keywords: "ol ordered", icon: "numbers", command: tools.numbers.command },
  { name: "Blockquote", keywords: "quote citation", icon: "quote", command: tools.quote.command },
  { name: "Code block", keywords: "pre program", icon: "codeBlock", command: tools.codeBlock.command },
  { name: "Image", keywords: "picture photo upload", icon: "image" },
  { name: "Table", keywords: "rows columns", icon: "table", command: insertTable },
  { name: "Horizontal rule", keywords: "line divider hr", icon: "rule", command: tools.rule.command },
  { name: "Task list", keywords: "todo checkbox check", icon: "tasks", command: toggleTasks },
  { name: "Pull quote", keywords: "big stand out", icon: "pullQuote", command: togglePullQuote },
  { name: "Note", keywords: "callout info box", icon: "note", command: toggleCallout("note") },
  { name: "Tip", keywords: "callout hint box", icon: "tip", command: toggleCallout("tip") },
  { name: "Warning", keywords: "callout caution box", icon: "warning", command: toggleCallout("warning") },
  { name: "Fold-out", keywords: "details toggle summary spoiler", icon: "fold", command: insertFold },
  { name: "Footnote", keywords: "endnote reference", icon: "footnote", command: insertFootnote },
  { name: "Formula", keywords: "math tex latex equation", icon: "formula", command: toggleFormula },
];

/** Returns the items that match the text after the slash and can be inserted in its place. */
export function slashItems(state: EditorState, { from, query }: Slash): SlashItem[] {
  const matching = items.filter(({ name, keywords }) => {
    const words = `${name} ${keywords}`.toLowerCase().split(" ");
    return words.some((word) => word.startsWith(query)) || name.toLowerCase().startsWith(query);
  });
  const withoutQuery = state.apply(state.tr.delete(from, state.selection.to));
  return matching.filter(({ command }) => {
    // No table in a table.
    if (command === insertTable && isInTable(state)) return false;
    return !command || command(withoutQuery);
  });
}
