import {
  baseKeymap,
  chainCommands,
  createParagraphNear,
  deleteSelection,
  joinBackward,
  joinForward,
  lift,
  liftEmptyBlock,
  newlineInCode,
  selectNodeBackward,
  setBlockType,
  splitBlockAs,
  toggleMark,
} from "prosemirror-commands";
import { redo, undo } from "prosemirror-history";
import { undoInputRule } from "prosemirror-inputrules";
import { keydownHandler } from "prosemirror-keymap";
import { liftListItem, sinkListItem, splitListItem } from "prosemirror-schema-list";
import { AllSelection, Plugin, Selection, TextSelection } from "prosemirror-state";
import type { Command, EditorState } from "prosemirror-state";
import { goToNextCell } from "prosemirror-tables";
import { schema } from "../../shared/document/schema.ts";
import type { ToggledMark } from "./facts.ts";
import {
  ancestor,
  cleanFormatting,
  indent,
  insertHardBreak,
  setAlign,
  setHeading,
  toggleBlockquote,
  toggleCodeBlock,
  toggleList,
} from "./commands.ts";
import { typedLanguage } from "./languages.ts";

const { nodes, marks } = schema;

/** Adds the mark where some of the selection has it, and takes it away where all has. */
export const toggle = (name: ToggledMark): Command =>
  toggleMark(marks[name], null, { removeWhenPresent: false });

/** A new paragraph goes on with the alignment and indentation of the one before. */
const splitLikeBefore = splitBlockAs((node) =>
  node.type === nodes.paragraph ? { type: nodes.paragraph, attrs: node.attrs } : null,
);

/** Enter behind ```` ```js ```` begins a block of code. */
const openCode: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  const match = /^```([a-zA-Z0-9+#._-]*)$/.exec($from.parent.textContent);
  if (!empty || !match || $from.parent.type !== nodes.paragraph || $from.pos !== $from.end()) return false;
  const tr = state.tr.delete($from.start(), $from.end());
  dispatch?.(
    tr
      .setBlockType($from.start(), undefined, nodes.code_block, { language: typedLanguage(match[1]) })
      .scrollIntoView(),
  );
  return true;
};

/** Enter on the second empty line at the end of code leaves it. */
const leaveCode: Command = (state, dispatch) => {
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

/** ArrowDown at the end of the text, where that is code, a quote or a table, makes a paragraph to go on in. */
const belowLast: Command = (state, dispatch, view) => {
  const { $from, empty } = state.selection;
  const last = state.doc.lastChild?.type;
  if (!empty || (last !== nodes.code_block && last !== nodes.blockquote && last !== nodes.table))
    return false;
  if (!$from.sameParent(TextSelection.atEnd(state.doc).$from) || !view?.endOfTextblock("down")) return false;
  const tr = state.tr.insert(state.doc.content.size, nodes.paragraph.create());
  dispatch?.(tr.setSelection(TextSelection.atEnd(tr.doc)).scrollIntoView());
  return true;
};

/**
 * Mod-A, from the first letter to the last. The document itself, which prosemirror-commands would select, is in no list,
 * quote, code or link: their buttons would not know of them, and put lists into lists. Left to it where a table or a line
 * is the first or the last.
 */
const selectText: Command = (state, dispatch) => {
  const [first, last] = [Selection.atStart(state.doc), Selection.atEnd(state.doc)];
  const isText = [first, last].every(
    ({ $from }) => $from.parent.isTextblock && $from.node(1).type !== nodes.table,
  );
  if (isText) dispatch?.(state.tr.setSelection(TextSelection.create(state.doc, first.from, last.to)));
  return isText;
};

/** Where all of several blocks is selected nothing is left of the first one, either. */
const deleteText: Command = (state, dispatch) => {
  const { selection, doc } = state;
  const { $from, $to, from, to } = selection;
  const isAll = from <= Selection.atStart(doc).from && to >= Selection.atEnd(doc).to;
  if (!isAll || $from.sameParent($to) || !(selection instanceof TextSelection)) return false;
  dispatch?.(state.tr.setSelection(new AllSelection(doc)).deleteSelection().scrollIntoView());
  return true;
};

const atStart: Command = (state) => state.selection.empty && state.selection.$from.parentOffset === 0;

/** Backspace at the start of a block first takes away what the block is, then joins it with the one before. */
const plainer: Command = (state, dispatch, view) => {
  if (!atStart(state)) return false;
  const { $from } = state.selection;
  const { parent } = $from;
  if (Number(parent.attrs.indent ?? 0) > 0) return indent(-1)(state, dispatch, view);
  if (parent.type === nodes.heading || parent.type === nodes.code_block) {
    return setBlockType(nodes.paragraph, { align: parent.attrs.align ?? null })(state, dispatch);
  }
  const first = $from.depth > 1 && $from.index(-1) === 0;
  if (first && $from.node(-1).type === nodes.list_item) return liftListItem(nodes.list_item)(state, dispatch);
  if (first && $from.node(-1).type === nodes.blockquote) return lift(state, dispatch);
  return false;
};

/** Tab stays inside: it indents what can be indented, and in lists and code it never leaves by accident. */
const tab = (direction: 1 | -1): Command => {
  const move = direction > 0 ? sinkListItem(nodes.list_item) : liftListItem(nodes.list_item);
  return (state, dispatch, view) => {
    if (goToNextCell(direction)(state, dispatch)) return true;
    if (ancestor(state, nodes.list_item)) return move(state, dispatch, view) || direction > 0;
    if (ancestor(state, nodes.code_block))
      return direction > 0 ? indentCode(state, dispatch) : outdentCode(state, dispatch);
    return false;
  };
};

/** Where the lines of code begin that the selection is in, the last first. */
function codeLines({ selection: { $from, $to } }: EditorState): number[] {
  const text = $from.parent.textContent;
  const lines = [text.slice(0, $from.parentOffset).lastIndexOf("\n") + 1];
  for (let end = text.indexOf("\n", lines[0]); end !== -1 && end + 1 < $to.parentOffset;) {
    lines.unshift(end + 1);
    end = text.indexOf("\n", end + 1);
  }
  return lines.map((line) => $from.start() + line);
}

/** At the cursor; what is selected is moved in, line by line, and never replaced. */
const indentCode: Command = (state, dispatch) => {
  const tr = state.tr;
  for (const at of state.selection.empty ? [state.selection.from] : codeLines(state)) tr.insertText("  ", at);
  dispatch?.(tr.scrollIntoView());
  return true;
};

const outdentCode: Command = (state, dispatch) => {
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

const bindings: Record<string, Command> = {
  "Mod-b": toggle("strong"),
  "Mod-i": toggle("em"),
  "Mod-u": toggle("underline"),
  "Mod-Shift-x": toggle("strike"),
  "Mod-e": toggle("code"),
  "Mod-,": toggle("sub"),
  "Mod-.": toggle("sup"),
  "Mod-Alt-0": setHeading(0),
  "Mod-Alt-1": setHeading(1),
  "Mod-Alt-2": setHeading(2),
  "Mod-Alt-3": setHeading(3),
  "Mod-Alt-4": setHeading(4),
  "Mod-Alt-c": toggleCodeBlock,
  "Mod-Shift-7": toggleList(nodes.ordered_list),
  "Mod-Shift-8": toggleList(nodes.bullet_list),
  "Mod-Shift-9": toggleBlockquote,
  "Mod-]": indent(1),
  "Mod-[": indent(-1),
  "Mod-Shift-l": setAlign(null),
  "Mod-Shift-e": setAlign("center"),
  "Mod-Shift-r": setAlign("right"),
  "Mod-Shift-j": setAlign("justify"),
  "Mod-\\": cleanFormatting,
  "Mod-a": selectText,
  "Mod-z": undo,
  "Mod-y": redo,
  "Mod-Shift-z": redo,
  Enter: chainCommands(
    openCode,
    leaveCode,
    newlineInCode,
    splitListItem(nodes.list_item),
    createParagraphNear,
    liftEmptyBlock,
    splitLikeBefore,
  ),
  "Shift-Enter": chainCommands(newlineInCode, insertHardBreak),
  Backspace: chainCommands(
    undoInputRule,
    deleteText,
    deleteSelection,
    plainer,
    joinBackward,
    selectNodeBackward,
  ),
  Delete: chainCommands(deleteText, deleteSelection, joinForward, baseKeymap.Delete!),
  ArrowDown: belowLast,
  Tab: tab(1),
  "Shift-Tab": tab(-1),
};

/**
 * The editor's keys. Mod-Enter is left to the form, which publishes with it; after Escape the next Tab leaves the text, so
 * that the keyboard is never caught in a list.
 */
export function keys(more: Record<string, Command>): Plugin {
  const {
    "Mod-Enter": _exitCode,
    "Ctrl-Enter": _exitCodeToo,
    ...base
  } = baseKeymap as Record<string, Command>;
  const own = keydownHandler({ ...bindings, ...more });
  const rest = keydownHandler(base);
  let leaving = false;
  return new Plugin({
    props: {
      handleKeyDown(view, event) {
        if (leaving && event.key === "Tab") return false;
        if (event.key !== "Shift") leaving = event.key === "Escape";
        return own(view, event) || rest(view, event);
      },
    },
  });
}
