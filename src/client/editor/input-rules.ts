import { InputRule, inputRules } from "prosemirror-inputrules";
import type { MarkType } from "prosemirror-model";
import type { Plugin } from "prosemirror-state";
import { schema } from "../../shared/document/schema.ts";
import { lookBehindLength, typeset } from "../../shared/typography.ts";
import { blocks } from "./blocks.ts";
import { typedLink } from "./links.ts";
import { composedInLink, linkBefore } from "./typed-links.ts";

const { marks } = schema;

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
      ...blocks.flatMap(({ rules = [] }) => rules),
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
