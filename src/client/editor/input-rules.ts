import { InputRule, inputRules } from "prosemirror-inputrules";
import type { Attrs, MarkType, NodeType } from "prosemirror-model";
import { TextSelection } from "prosemirror-state";
import type { Command, EditorState, Plugin, Transaction } from "prosemirror-state";
import { canJoin, findWrapping } from "prosemirror-transform";
import { calloutKind } from "../../shared/document/blocks/callout.ts";
import { schema } from "../../shared/document/schema.ts";
import { insertFold } from "./boxes.ts";
import { codeInstead, typedLanguage } from "./code-keys.ts";
import { withFootnote } from "./footnotes.ts";
import { formulaBlockRule, formulaRule } from "./formulas.ts";
import { typedLink } from "./links.ts";
import { composedInLink, linkBefore } from "./typed-links.ts";
import { lookBehindLength, typeset } from "../../shared/typography.ts";

const { nodes, marks } = schema;

/** What can precede a delimiter: `2*3*4` and `snake_case_name` are not emphasis. */
const before = String.raw`(?:^|[\s([{"'“‘„—–-])`;

/**
 * Marks the text between two delimiters. The pattern's group is what precedes the opening one; pictures and other marks in the
 * text stay.
 */
function between(sign: string, ...types: MarkType[]): InputRule {
  const escaped = sign.replace(/[*`~_]/g, String.raw`\$&`);
  const one = `\\${sign[0]}`;
  const pattern = new RegExp(
    `(${before})${escaped}(?:[^\\s${one}]|[^\\s${one}][^${one}]*[^\\s${one}])${escaped}$`,
  );
  return new InputRule(pattern, (state, match, start, end) => {
    if (
      !types.every((type) => state.doc.resolve(start).parent.type.allowsMarkType(type)) ||
      state.doc.rangeHasMark(start, end, schema.marks.code)
    )
      return null;
    const opening = start + match[1]!.length;
    // Unless composed (IME, phones), the closing delimiter's end is not in the document yet.
    const closing = start + match[0].length - sign.length;
    const tr = state.tr;
    if (end > closing) tr.delete(closing, end);
    for (const type of types) tr.addMark(opening + sign.length, closing, type.create());
    tr.delete(opening, opening + sign.length);
    // Text after it is plain again.
    for (const type of types) tr.removeStoredMark(type);
    return tr;
  });
}

/** Replaces a paragraph of only a rule's signs; null where there can be no rule. */
function ruleInstead(state: EditorState, start: number, end: number): Transaction | null {
  const $start = state.doc.resolve(start);
  if ($start.parent.type !== nodes.paragraph || end !== $start.end()) return null;
  if (!$start.node(-1).canReplaceWith($start.index(-1), $start.indexAfter(-1), nodes.horizontal_rule))
    return null;
  const tr = state.tr.delete(start, end).insert($start.before(), nodes.horizontal_rule.create());
  return tr.setSelection(TextSelection.create(tr.doc, $start.before() + 2));
}

// Asterisks alone can become `***bold italics***`.
const rule = new InputRule(/^(?:---|—-|\*\*\*\s)$/, (state, _match, start, end) =>
  ruleInstead(state, start, end),
);

/** Enter after `***` makes a rule. */
export const enterRule: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  if (!empty || $from.parent.textContent !== "***" || $from.parentOffset !== 3) return false;
  const tr = ruleInstead(state, $from.start(), $from.pos);
  if (tr) dispatch?.(tr.scrollIntoView());
  return tr !== null;
};

const code = new InputRule(/^```([a-zA-Z0-9+#._-]*)\s$/, (state, match, start, end) => {
  const $start = state.doc.resolve(start);
  return $start.parent.type === nodes.paragraph || $start.parent.type === nodes.heading
    ? codeInstead(state.tr.delete(start, end), $start, typedLanguage(match[1]))
    : null;
});

/** `[ ] ` and `[x] ` at the start of a line make a task of a bullet item, and a task list of a paragraph. */
const task = new InputRule(/^\[([ xX]?)\]\s$/, (state, match, start, end) => {
  const $start = state.doc.resolve(start);
  if ($start.parent.type !== nodes.paragraph) return null;
  const attrs = { checked: /x/i.test(match[1]!) };
  const tr = state.tr.delete(start, end);
  const item = $start.depth > 1 && $start.index(-1) === 0 ? $start.node(-1) : null;
  if (item?.type === nodes.list_item || item?.type === nodes.task_item)
    return $start.node(-2).type === nodes.bullet_list
      ? tr.setNodeMarkup($start.before(-1), nodes.task_item, attrs)
      : null;
  const range = tr.doc.resolve(start).blockRange();
  if (!range || !findWrapping(range, nodes.bullet_list)) return null;
  tr.wrap(range, [{ type: nodes.bullet_list }, { type: nodes.task_item, attrs }]);
  const at = range.start;
  if (tr.doc.resolve(at).nodeBefore?.type === nodes.bullet_list && canJoin(tr.doc, at)) tr.join(at);
  return tr;
});

/** Deletes a block rule's signs. At the very top the rule is for a new line above: the paragraph stays as it is. */
function withoutSigns(state: EditorState, start: number, end: number): Transaction {
  const tr = state.tr.delete(start, end);
  const { parent, depth } = tr.doc.resolve(start);
  const isAtTop = depth === 1 && parent === tr.doc.firstChild && parent.type === nodes.paragraph;
  if (isAtTop && parent.content.size > 0) tr.split(start).setSelection(TextSelection.create(tr.doc, start));
  return tr;
}

const heading = new InputRule(/^(#{1,4})\s$/, (state, match, start, end) => {
  const $start = state.doc.resolve(start);
  const { heading: type } = nodes;
  if (!$start.node(-1).canReplaceWith($start.index(-1), $start.indexAfter(-1), type)) return null;
  return withoutSigns(state, start, end).setBlockType(start, start, type, { level: match[1]!.length });
});

/** Wraps the line, and joins it with such a block before. */
function wrapped(
  tr: Transaction,
  start: number,
  type: NodeType,
  attrs: Attrs | null = null,
): Transaction | null {
  const range = tr.doc.resolve(start).blockRange();
  const wrapping = range && findWrapping(range, type, attrs);
  if (!wrapping) return null;
  tr.wrap(range, wrapping);
  const at = range.start;
  const previous = tr.doc.resolve(at).nodeBefore;
  const isNext =
    previous?.type === type && (!attrs || previous.childCount + Number(previous.attrs.order) === attrs.order);
  return isNext && canJoin(tr.doc, at) ? tr.join(at) : tr;
}

const wrap = (pattern: RegExp, type: NodeType): InputRule =>
  new InputRule(pattern, (state, _match, start, end) =>
    wrapped(withoutSigns(state, start, end), start, type),
  );

/** `1. `, or the next number of the list before, which can have other blocks after it: a line can begin with a date. */
const ordered = new InputRule(/^(\d{1,6})[.)]\s$/, (state, match, start, end) => {
  const $start = state.doc.resolve(start);
  const order = Number(match[1]);
  const list = $start
    .node(-1)
    .children.slice(0, $start.index(-1))
    .findLast(({ type }) => type === nodes.ordered_list);
  if (order !== 1 && (!list || list.childCount + Number(list.attrs.order) !== order)) return null;
  return wrapped(withoutSigns(state, start, end), start, nodes.ordered_list, { order });
});

/** GitHub's `[!NOTE]`, in a quote or alone. */
const callout = new InputRule(/^\[!(note|tip|important|warning|caution)\]$/i, (state, match, start, end) => {
  const $start = state.doc.resolve(start);
  if ($start.parent.type !== nodes.paragraph) return null;
  const attrs = { kind: calloutKind(match[1]) };
  const tr = state.tr.delete(start, end);
  if ($start.depth > 1 && $start.index(-1) === 0 && $start.node(-1).type === nodes.blockquote)
    return tr.setNodeMarkup($start.before(-1), nodes.callout, attrs);
  const range = tr.doc.resolve(start).blockRange();
  const wrapping = range && findWrapping(range, nodes.callout, attrs);
  return wrapping ? tr.wrap(range, wrapping) : null;
});

const fold = new InputRule(/^<details>$/, (state, _match, start, end) => {
  let insertion: Transaction | null = null;
  const cleared = state.apply(state.tr.delete(start, end));
  if (!insertFold(cleared, (tr) => (insertion = tr))) return null;
  const combined = state.tr.delete(start, end);
  for (const step of (insertion as unknown as Transaction).steps) combined.step(step);
  return combined.setSelection(TextSelection.create(combined.doc, start + 1));
});

/** `[^1]` refers to the first footnote, if there is one; otherwise, as `[^]`, to a new one. */
const footnote = new InputRule(/\[\^([\w-]{0,20})\]$/, (state, match, start, end) =>
  state.doc.rangeHasMark(start, end, marks.code) ? null : withFootnote(state, start, end, match[1]),
);

/** `[words](address)`. A picture's `![]()` stays. */
const linked = new InputRule(
  /(?<!!)\[([^[\]\n]+)\]\(((?:[^\s()]|\([^\s()]*\))+)\)$/,
  (state, match, start, end) => {
    const href = typedLink(match[2]!);
    const isCode = state.doc.rangeHasMark(start, end, marks.code);
    if (!href || isCode || !state.doc.resolve(start).parent.type.allowsMarkType(marks.link)) return null;
    const words = start + 1 + match[1]!.length;
    const tr = state.tr.delete(words, end).removeMark(start + 1, words, marks.link);
    tr.addMark(start + 1, words, marks.link.create({ href })).delete(start, start + 1);
    return tr.removeStoredMark(marks.link);
  },
);

/** Quotes, dashes and the like as in `language`, read for each character; null turns it off. */
const typographic = (language: () => string | null): InputRule =>
  new InputRule(
    /[^\n]$/u,
    (state, [typed], start, end) => {
      const languageTag = language();
      const $start = state.doc.resolve(start);
      const { parent, parentOffset } = $start;
      const text = parent.textBetween(
        Math.max(0, parentOffset - lookBehindLength),
        parentOffset,
        null,
        "\ufffc",
      );
      const replaced = languageTag === null ? null : typeset(text, typed, languageTag);
      if (!replaced) return null;
      const from = start - replaced.drop;
      const isCode =
        marks.code.isInSet(state.storedMarks ?? $start.marks()) ||
        state.doc.rangeHasMark(from, start, marks.code);
      return isCode ? null : state.tr.insertText(replaced.text, from, end);
    },
    { inCodeMark: false },
  );

const spaced = new InputRule(/\S $/, (state, _match, start, end) => {
  const tr = linkBefore(state, start + 1);
  return tr && tr.insertText(" ", start + 1, end).removeMark(start + 1, start + 2, marks.link);
});

/** Markdown, and smart quotes and dashes. `Backspace` right after a rule undoes it (see keys.ts). */
export function markdownRules(language: () => string | null): Plugin {
  return inputRules({
    rules: [
      heading,
      wrap(/^\s*>\s$/, nodes.blockquote),
      wrap(/^\s*[-+*]\s$/, nodes.bullet_list),
      ordered,
      code,
      rule,
      wrap(/^\s*>>\s$/, nodes.pull_quote),
      task,
      callout,
      fold,
      footnote,
      formulaBlockRule,
      formulaRule,
      linked,
      between("***", marks.strong, marks.em),
      between("___", marks.strong, marks.em),
      between("**", marks.strong),
      between("__", marks.strong),
      between("*", marks.em),
      between("_", marks.em),
      between("`", marks.code),
      between("~~", marks.strike),
      spaced,
      composedInLink,
      typographic(language),
    ],
  });
}
