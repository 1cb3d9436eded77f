import { TextSelection } from "prosemirror-state";
import type { Command, EditorState, Transaction } from "prosemirror-state";
import type { ResolvedPos } from "prosemirror-model";
import { schema } from "../../shared/document/schema.ts";
import { pictureParagraphs } from "./pictures-of-code.ts";
import { fullLanguage } from "../../shared/document/code-languages.ts";
import { codeLanguage } from "../../shared/document/values.ts";

/** Returns the language typed after three backticks. */
export const typedLanguage = (text: string | undefined): string | null =>
  codeLanguage(text === undefined ? text : fullLanguage(text));

const { nodes } = schema;
const { code } = schema.marks;

/**
 * Makes code of a paragraph, whose fence `tr` has deleted; null where code cannot be. A list item begins with a paragraph: its
 * code is below an empty one.
 */
export function codeInstead(
  tr: Transaction,
  $from: ResolvedPos,
  language: string | null,
): Transaction | null {
  const [outer, index] = [$from.node(-1), $from.index(-1)];
  let start = $from.start();
  if (!outer.canReplaceWith(index, index + 1, nodes.code_block)) {
    if (!outer.canReplaceWith(index + 1, index + 1, nodes.code_block)) return null;
    tr.split(start);
    start += 2;
  }
  tr.setBlockType(start, undefined, nodes.code_block, { language });
  const after = start + tr.doc.nodeAt(start - 1)!.nodeSize - 1;
  tr.insert(after, pictureParagraphs($from.parent, 0, $from.parent.content.size));
  return tr.setSelection(TextSelection.create(tr.doc, start));
}

/** Enter after ```` ```js ```` starts a code block. */
export const openCode: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  const match = /^```([a-zA-Z0-9+#._-]*)$/.exec($from.parent.textContent);
  if (!empty || !match || $from.parent.type !== nodes.paragraph || $from.pos !== $from.end()) return false;
  const tr = codeInstead(state.tr.delete($from.start(), $from.end()), $from, typedLanguage(match[1]));
  if (tr) dispatch?.(tr.scrollIntoView());
  return tr !== null;
};

/** Backspace at the start of a block enters the code above it, which does not get its text. */
export const enterCodeAbove: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  // An empty block is deleted.
  if (!empty || $from.parentOffset > 0 || $from.parent.content.size === 0 || $from.depth === 0) return false;
  const before = state.doc.resolve($from.before());
  if (!before.nodeBefore?.type.spec.code) return false;
  dispatch?.(state.tr.setSelection(TextSelection.create(state.doc, before.pos - 1)).scrollIntoView());
  return true;
};

/** An arrow key at the end of a text that ends with code first leaves the code: what is typed next is plain. */
export const leaveCodeMark =
  (key: "left" | "right"): Command =>
  (state, dispatch, view) => {
    const { $from, empty } = state.selection;
    const marks = state.storedMarks ?? $from.marks();
    if (!empty || !$from.parent.inlineContent || $from.pos !== $from.end() || !code.isInSet(marks))
      return false;
    // In right-to-left text ArrowLeft moves forward.
    if (!view?.endOfTextblock(key)) return false;
    dispatch?.(state.tr.setStoredMarks(code.removeFromSet(marks)));
    return true;
  };

/** Enter after two empty lines at the end of a code block leaves it. */
export const leaveCode: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  if (
    !empty ||
    $from.parent.type !== nodes.code_block ||
    $from.pos !== $from.end() ||
    !$from.parent.textContent.endsWith("\n\n")
  )
    return false;
  const tr = state.tr.delete($from.pos - 2, $from.pos);
  const after = tr.mapping.map($from.after());
  tr.insert(after, nodes.paragraph.create());
  dispatch?.(tr.setSelection(TextSelection.create(tr.doc, after + 1)).scrollIntoView());
  return true;
};

/** Returns where the selected lines start, last first. */
function codeLines({ selection: { $from, $to } }: EditorState): number[] {
  const text = $from.parent.textContent;
  const to = $from.sameParent($to) ? $to.parentOffset : text.length;
  const lines = [text.slice(0, $from.parentOffset).lastIndexOf("\n") + 1];
  for (let end = text.indexOf("\n", lines[0]); end !== -1 && end + 1 < to;) {
    lines.unshift(end + 1);
    end = text.indexOf("\n", end + 1);
  }
  return lines.map((line) => $from.start() + line);
}

/** Never replaces the selection, but indents each of its lines. */
export const indentCode: Command = (state, dispatch) => {
  const tr = state.tr;
  for (const at of state.selection.empty ? [state.selection.from] : codeLines(state)) tr.insertText("  ", at);
  dispatch?.(tr.scrollIntoView());
  return true;
};

/** Also handles the key in lines that are not indented: it would leave the text. */
export const outdentCode: Command = (state, dispatch) => {
  const { parent } = state.selection.$from;
  const tr = state.tr;
  for (const at of codeLines(state)) {
    const text = parent.textContent.slice(at - state.selection.$from.start());
    const spaces = /^ {1,2}/.exec(text)?.[0].length ?? 0;
    if (spaces > 0) tr.delete(at, at + spaces);
  }
  if (tr.docChanged) dispatch?.(tr.scrollIntoView());
  return true;
};
