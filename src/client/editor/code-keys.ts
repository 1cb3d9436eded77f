import { TextSelection } from "prosemirror-state";
import type { Command, EditorState } from "prosemirror-state";
import { schema } from "../../shared/document/schema.ts";
import { typedLanguage } from "./languages.ts";
import { keepPictures } from "./pictures-of-code.ts";

const { nodes } = schema;

/** Enter after ```` ```js ```` starts a code block. */
export const openCode: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  const match = /^```([a-zA-Z0-9+#._-]*)$/.exec($from.parent.textContent);
  if (!empty || !match || $from.parent.type !== nodes.paragraph || $from.pos !== $from.end()) return false;
  const tr = state.tr.delete($from.start(), $from.end());
  tr.setBlockType($from.start(), undefined, nodes.code_block, { language: typedLanguage(match[1]) });
  dispatch?.(keepPictures(tr, [{ node: $from.parent, pos: $from.before() }]).scrollIntoView());
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
  const lines = [text.slice(0, $from.parentOffset).lastIndexOf("\n") + 1];
  for (let end = text.indexOf("\n", lines[0]); end !== -1 && end + 1 < $to.parentOffset;) {
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

export const outdentCode: Command = (state, dispatch) => {
  const { parent } = state.selection.$from;
  const tr = state.tr;
  for (const at of codeLines(state)) {
    const text = parent.textContent.slice(at - state.selection.$from.start());
    const spaces = /^ {1,2}/.exec(text)?.[0].length ?? 0;
    if (spaces > 0) tr.delete(at, at + spaces);
  }
  if (!tr.docChanged) return false;
  dispatch?.(tr.scrollIntoView());
  return true;
};
