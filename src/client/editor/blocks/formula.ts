import { chainCommands, setBlockType } from "prosemirror-commands";
import { InputRule, textblockTypeInputRule } from "prosemirror-inputrules";
import { TextSelection } from "prosemirror-state";
import type { Command } from "prosemirror-state";
import { schema } from "../../../shared/document/schema.ts";
import { cleanTex, isBetweenDollars } from "../../../shared/document/tex.ts";
import type { EditorBlock } from "../block.ts";
import { FormulaBlockView, FormulaView } from "./formula-view.ts";

const { nodes, marks } = schema;

export const toggleFormula: Command = (state, dispatch) =>
  setBlockType(
    state.selection.$from.parent.type === nodes.formula_block ? nodes.paragraph : nodes.formula_block,
  )(state, dispatch);

/** Enter after `$$` starts a formula block. */
const openFormula: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  if (!empty || $from.parent.type !== nodes.paragraph || $from.parent.textContent !== "$$") return false;
  if ($from.parent.childCount !== 1 || $from.pos !== $from.end()) return false;
  const cleared = state.tr.delete($from.start(), $from.end());
  return setBlockType(nodes.formula_block)(state.apply(cleared), (made) => {
    for (const step of made.steps) cleared.step(step);
    dispatch?.(cleared.scrollIntoView());
  });
};

/** Whether TeX continues on another line: in braces, between `\begin` and `\end`, or after `\\`. */
const isOpen = (tex: string): boolean => {
  const count = (sign: RegExp) => tex.match(sign)?.length ?? 0;
  return (
    count(/\\begin\{/g) > count(/\\end\{/g) ||
    count(/(?<!\\)\{/g) > count(/(?<!\\)\}/g) ||
    /\\\\\s*$/.test(tex)
  );
};

/** Enter at the end of complete TeX continues below it; an empty formula becomes a paragraph. */
const leaveFormula: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  if (!empty || $from.parent.type !== nodes.formula_block || $from.pos !== $from.end()) return false;
  const tex = $from.parent.textContent;
  if (tex.trim() === "") return setBlockType(nodes.paragraph)(state, dispatch);
  if (isOpen(tex)) return false;
  const after = $from.after();
  const tr = state.tr.insert(after, nodes.paragraph.create());
  dispatch?.(tr.setSelection(TextSelection.create(tr.doc, after + 1)).scrollIntoView());
  return true;
};

/** `$$ ` on an empty line. */
const blockRule = textblockTypeInputRule(/^\$\$\s$/, nodes.formula_block);

/** `$x$`, but not a price. */
const rule = new InputRule(
  /(^|[\s([{"'“‘„«—–:>-])\$([^\s$](?:[^$\ufffc]{0,400}[^\s$])?)\$$/,
  (state, match, start, end) => {
    const [, before = "", tex = ""] = match;
    const from = start + before.length;
    const $from = state.doc.resolve(from);
    if (tex.includes("\ufffc") || !isBetweenDollars(tex) || state.doc.rangeHasMark(start, end, marks.code))
      return null;
    if (!$from.parent.canReplaceWith($from.index(), $from.indexAfter(), nodes.formula)) return null;
    const otherMarks = $from.marks().filter(({ type }) => type !== marks.link);
    return state.tr.replaceWith(from, end, nodes.formula.create({ tex: cleanTex(tex) }, null, otherMarks));
  },
);

export const formulaBlock: EditorBlock = {
  keys: { Enter: chainCommands(openFormula, leaveFormula) },
  rules: [blockRule, rule],
  items: [
    {
      name: "Formula",
      keywords: "math tex latex equation",
      icon: "M17 7V5H6l6 7-6 7h11v-2",
      command: toggleFormula,
    },
  ],
  views: () => ({
    formula: (node, view, getPos) => new FormulaView(node, view, getPos),
    formula_block: (node) => new FormulaBlockView(node),
  }),
  copied: {
    formula: ({ attrs: { tex } }) => [
      "span",
      { class: "ql-formula", "data-value": tex as string },
      `$${tex}$`,
    ],
  },
};
