import { setBlockType } from "prosemirror-commands";
import { InputRule } from "prosemirror-inputrules";
import { liftListItem } from "prosemirror-schema-list";
import type { Command } from "prosemirror-state";
import { schema } from "../../../shared/document/schema.ts";
import type { Align } from "../../../shared/document/text-blocks.ts";
import type { EditorBlock, Tool } from "../block.ts";
import { withoutSigns } from "../block-rules.ts";
import { ancestor, combineCommands, textblocks } from "../commands.ts";
import { itemTypes } from "../selected-items.ts";

const { nodes } = schema;

export type Level = 0 | 1 | 2 | 3 | 4 | 5 | 6;

/** Makes a paragraph (0) or a heading. A list item leaves its list first, since items begin with a paragraph. */
export function setHeading(level: Level): Command {
  const type = level === 0 ? nodes.paragraph : nodes.heading;
  return (state, dispatch) => {
    const { align = null, indent: depth = 0 } = state.selection.$from.parent.attrs as {
      align?: Align | null;
      indent?: number;
    };
    const set = setBlockType(type, level === 0 ? { align, indent: depth } : { level, align, indent: depth });
    if (set(state, dispatch)) return true;
    if (level === 0 || !ancestor(state, ...itemTypes)) return false;
    return combineCommands(liftListItem(itemTypes), setHeading(level))(state, dispatch);
  };
}

/** Makes a heading or, when all blocks already are, a paragraph. */
export function toggleHeading(level: Exclude<Level, 0>): Command {
  return (state, dispatch) => {
    const isOne = textblocks(state).every(
      ({ node }) => node.type === nodes.heading && node.attrs.level === level,
    );
    return setHeading(isOne ? 0 : level)(state, dispatch);
  };
}

const rule = new InputRule(/^(#{1,4})\s$/, (state, match, start, end) => {
  const $start = state.doc.resolve(start);
  const { heading: type } = nodes;
  if (!$start.node(-1).canReplaceWith($start.index(-1), $start.indexAfter(-1), type)) return null;
  return withoutSigns(state, start, end).setBlockType(start, start, type, { level: match[1]!.length });
});

const icons = {
  1: "M4 6v12M12 6v12M4 12h8M16.5 14.8l2.2-1.3v6.6",
  2: "M4 6v12M12 6v12M4 12h8M16 13.5c.3-.9 1-1.5 2-1.5s1.9.7 1.9 1.6c0 1.7-3.9 2.6-3.9 4.9h4",
  3: "M4 6v12M12 6v12M4 12h8M16 13.6h4l-2.3 2.5c1.6 0 2.5.7 2.5 1.9 0 1.3-1 2.1-2.2 2.1-1 0-1.8-.4-2.1-1.2",
};

const levels: readonly Level[] = [0, 1, 2, 3, 4, 5, 6];

export const headingBlock: EditorBlock = {
  keys: Object.fromEntries(levels.map((level) => [`Mod-Alt-${level}`, setHeading(level)])),
  rules: [rule],
  items: [
    { name: "Heading 1", keywords: "title h1", icon: icons[1], command: setHeading(1) },
    { name: "Heading 2", keywords: "section h2", icon: icons[2], command: setHeading(2) },
    { name: "Heading 3", keywords: "h3", icon: icons[3], command: setHeading(3) },
  ],
};

export const heading2Tool: Tool = {
  name: "Heading 2",
  icon: icons[2],
  keys: "Mod-Alt-2",
  command: toggleHeading(2),
  pressed: (facts) => facts.heading === 2,
};
