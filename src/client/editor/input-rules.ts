import { InputRule, inputRules, textblockTypeInputRule, wrappingInputRule } from "prosemirror-inputrules";
import type { MarkType } from "prosemirror-model";
import { TextSelection } from "prosemirror-state";
import type { Plugin } from "prosemirror-state";
import { schema } from "../../shared/document/schema.ts";
import { typedLanguage } from "./languages.ts";

const { nodes, marks } = schema;

/** What may stand before an opening sign: `2*3*4` and `snake_case_name` are no emphasis. */
const before = String.raw`(?:^|[\s([{"'“‘„—–-])`;

/**
 * Text between two signs gets a mark when the closing sign is typed. The pattern has one group for what stands before the
 * opening sign; the text itself may hold pictures and other marks, which stay.
 */
function between(sign: string, type: MarkType): InputRule {
  const escaped = sign.replace(/[*`~_]/g, String.raw`\$&`);
  const one = `\\${sign[0]}`;
  const pattern = new RegExp(
    `(${before})${escaped}(?:[^\\s${one}]|[^\\s${one}][^${one}]*[^\\s${one}])${escaped}$`,
  );
  return new InputRule(pattern, (state, match, start, end) => {
    if (
      !state.doc.resolve(start).parent.type.allowsMarkType(type) ||
      state.doc.rangeHasMark(start, end, schema.marks.code)
    )
      return null;
    const opening = start + match[1]!.length;
    // As typed, the end of the closing sign is not in the document yet; as composed (IME, phones), it is.
    const closing = start + match[0].length - sign.length;
    const tr = state.tr;
    if (end > closing) tr.delete(closing, end);
    tr.addMark(opening + sign.length, closing, type.create());
    tr.delete(opening, opening + sign.length);
    // What is typed behind it is plain again.
    return tr.removeStoredMark(type);
  });
}

const rule = new InputRule(/^(?:---|—-|\*\*\*)$/, (state, _match, start, end) => {
  const $start = state.doc.resolve(start);
  if (!$start.node(-1).canReplaceWith($start.index(-1), $start.indexAfter(-1), nodes.horizontal_rule))
    return null;
  if ($start.parent.type !== nodes.paragraph || end !== $start.end()) return null;
  const tr = state.tr.delete(start, end).insert($start.before(), nodes.horizontal_rule.create());
  return tr.setSelection(TextSelection.create(tr.doc, $start.before() + 2));
});

/** Markdown as it is typed. `Backspace` right after one takes it back (see keys.ts). */
export function markdownRules(): Plugin {
  return inputRules({
    rules: [
      textblockTypeInputRule(/^(#{1,4})\s$/, nodes.heading, (match) => ({ level: match[1]!.length })),
      wrappingInputRule(/^\s*>\s$/, nodes.blockquote),
      wrappingInputRule(/^\s*[-+*]\s$/, nodes.bullet_list),
      wrappingInputRule(
        /^(\d{1,6})[.)]\s$/,
        nodes.ordered_list,
        (match) => ({ order: Number(match[1]) }),
        (match, node) => node.childCount + Number(node.attrs.order) === Number(match[1]),
      ),
      textblockTypeInputRule(/^```([a-zA-Z0-9+#._-]*)\s$/, nodes.code_block, (match) => ({
        language: typedLanguage(match[1]),
      })),
      rule,
      between("**", marks.strong),
      between("__", marks.strong),
      between("*", marks.em),
      between("_", marks.em),
      between("`", marks.code),
      between("~~", marks.strike),
    ],
  });
}
