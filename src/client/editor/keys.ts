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
import { liftListItem, sinkListItem } from "prosemirror-schema-list";
import { AllSelection, NodeSelection, Plugin, Selection, TextSelection } from "prosemirror-state";
import type { Node, NodeType } from "prosemirror-model";
import type { Command } from "prosemirror-state";
import { addRowAfter, goToNextCell, isInTable } from "prosemirror-tables";
import { schema } from "../../shared/document/schema.ts";
import type { ToggledMark } from "./facts.ts";
import {
  ancestor,
  cleanFormatting,
  indent,
  insertHardBreak,
  items,
  setAlign,
  setHeading,
  toggleCodeBlock,
} from "./commands.ts";
import { indentCode, leaveCode, openCode, outdentCode } from "./code-keys.ts";
import { boxTypes, enterFold, leaveFold, toggleBlockquote } from "./boxes.ts";
import { enterEmbed } from "./embeds.ts";
import { leaveFormula, openFormula } from "./formulas.ts";
import { dropNote, insertFootnote, leaveNote } from "./footnotes.ts";
import { splitItem, tick, toggleList, toggleTasks } from "./lists.ts";
import {
  arrow,
  backToFigure,
  deleteFigure,
  figureAt,
  leaveCaption,
  stayInCaption,
  toCaption,
} from "./figures/figures.ts";
import { linkBefore } from "./typed-links.ts";

const { nodes, marks } = schema;

/** Adds the mark where some of the selection has it, and takes it away where all has. */
export const toggle = (name: ToggledMark): Command =>
  toggleMark(marks[name], null, { removeWhenPresent: false });

/** A new paragraph goes on with the alignment and indentation of the one before. */
const splitLikeBefore = splitBlockAs((node) =>
  node.type === nodes.paragraph ? { type: nodes.paragraph, attrs: node.attrs } : null,
);

/** Enter on a selected figure goes to what stands below it. */
const toCaptionIfSelected: Command = (state, dispatch) =>
  state.selection instanceof NodeSelection && figureAt(state) !== null && toCaption(state, dispatch);

/** An arrow at an edge of the text, where that is code, a quote, a table or the like, makes a paragraph to go on in. */
const beyond =
  (way: "up" | "down"): Command =>
  (state, dispatch, view) => {
    const { $from, empty } = state.selection;
    const { doc } = state;
    const edgeOf = (node: Node) => (way === "up" ? node.firstChild : node.lastChild);
    const edge = edgeOf(doc);
    if (!empty || !edge || !enclosing.has(edge.type) || $from.node(1) !== edge) return false;
    if (edge.type === nodes.table && $from.node(2) !== edgeOf(edge)) return false;
    // Its first or last line, or that of a cell in the first or last row.
    let line: Node | null | undefined = edge.type === nodes.table ? $from.node(3) : edge;
    while (line && !line.isTextblock) line = edgeOf(line);
    if ($from.parent !== line || !view?.endOfTextblock(way)) return false;
    const at = way === "up" ? 0 : doc.content.size;
    const tr = state.tr.insert(at, nodes.paragraph.create());
    dispatch?.(tr.setSelection(TextSelection.create(tr.doc, at + 1)).scrollIntoView());
    return true;
  };
/** What one can be caught in. */
const enclosing: ReadonlySet<NodeType> = new Set([
  nodes.code_block,
  nodes.formula_block,
  nodes.table,
  nodes.fold,
  nodes.footnotes,
  nodes.figure,
  nodes.figure_pair,
  ...boxTypes,
]);

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

/** Where all is selected nothing is left of it: of several blocks not the first one, either. */
const deleteText: Command = (state, dispatch) => {
  const { selection, doc } = state;
  const { $from, $to, from, to } = selection;
  const isAll = from <= Selection.atStart(doc).from && to >= Selection.atEnd(doc).to;
  if (!isAll || selection.empty || !(selection instanceof TextSelection)) return false;
  const { tr } = state;
  if ($from.sameParent($to)) tr.deleteSelection();
  else tr.setSelection(new AllSelection(doc)).deleteSelection();
  // An empty text is plain: what is written next is not bold for what was there.
  dispatch?.(tr.setStoredMarks([]).scrollIntoView());
  return true;
};

/** Enter behind an address makes a link of it as well; one `Backspace` takes both back. */
const linked =
  (enter: Command): Command =>
  (state, dispatch, view) => {
    const { $from, empty } = state.selection;
    const tr = empty ? linkBefore(state, $from.pos) : null;
    if (!tr) return enter(state, dispatch, view);
    const isTaken = enter(state.apply(tr), (then) => {
      for (const step of then.steps) tr.step(step);
      tr.setSelection(Selection.fromJSON(tr.doc, then.selection.toJSON() as object));
    });
    if (!isTaken) return false;
    const rules = state.plugins.find(({ spec }) => spec.isInputRules === true);
    if (rules) tr.setMeta(rules, { transform: tr, from: $from.pos, to: $from.pos, text: "" });
    dispatch?.(tr.scrollIntoView());
    return true;
  };

const atStart: Command = (state) => state.selection.empty && state.selection.$from.parentOffset === 0;

/** Backspace at the start of a block first takes away what the block is, then joins it with the one before. */
const plainer: Command = (state, dispatch, view) => {
  if (!atStart(state)) return false;
  const { $from } = state.selection;
  const { parent } = $from;
  if (Number(parent.attrs.indent ?? 0) > 0) return indent(-1)(state, dispatch, view);
  if (parent.type === nodes.heading || parent.type.spec.code) {
    return setBlockType(nodes.paragraph, { align: parent.attrs.align ?? null })(state, dispatch);
  }
  const first = $from.depth > 1 && $from.index(-1) === 0;
  if (first && items.some((type) => type === $from.node(-1).type))
    return liftListItem(items)(state, dispatch);
  if (first && boxTypes.includes($from.node(-1).type)) return lift(state, dispatch);
  return false;
};

/** Tab in the last cell of a table goes on in a new row. */
const addRow: Command = (state, dispatch) =>
  addRowAfter(state, (tr) => {
    goToNextCell(1)(state.apply(tr), ({ selection }) => {
      dispatch?.(
        tr.setSelection(TextSelection.create(tr.doc, selection.from, selection.to)).scrollIntoView(),
      );
    });
  });

/** Tab stays inside: it indents what can be indented, and in lists and code it never leaves by accident. */
const tab = (direction: 1 | -1): Command => {
  const move = direction > 0 ? sinkListItem(items) : liftListItem(items);
  return (state, dispatch, view) => {
    if (goToNextCell(direction)(state, dispatch)) return true;
    if (direction > 0 && isInTable(state)) return addRow(state, dispatch);
    if (ancestor(state, ...items)) return move(state, dispatch, view) || direction > 0;
    if (state.selection.$from.parent.type.spec.code)
      return direction > 0 ? indentCode(state, dispatch) : outdentCode(state, dispatch);
    return false;
  };
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
  "Mod-Shift-6": toggleTasks,
  "Alt-Enter": tick,
  "Mod-Alt-f": insertFootnote,
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
    enterEmbed,
    linked(
      chainCommands(
        openCode,
        toCaptionIfSelected,
        leaveCaption,
        openFormula,
        leaveCode,
        leaveFormula,
        newlineInCode,
        enterFold,
        leaveNote,
        splitItem,
        createParagraphNear,
        liftEmptyBlock,
        splitLikeBefore,
      ),
    ),
  ),
  "Shift-Enter": chainCommands(newlineInCode, insertHardBreak),
  Backspace: chainCommands(
    undoInputRule,
    deleteText,
    deleteFigure,
    deleteSelection,
    backToFigure,
    plainer,
    leaveFold,
    dropNote,
    joinBackward,
    selectNodeBackward,
  ),
  Delete: chainCommands(
    deleteText,
    deleteFigure,
    deleteSelection,
    stayInCaption,
    joinForward,
    baseKeymap.Delete!,
  ),
  ArrowUp: chainCommands(arrow("up"), beyond("up")),
  ArrowDown: chainCommands(arrow("down"), beyond("down")),
  ArrowLeft: arrow("left"),
  ArrowRight: arrow("right"),
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
  const outer = keydownHandler(more);
  const own = keydownHandler(bindings);
  const rest = keydownHandler(base);
  let leaving = false;
  return new Plugin({
    props: {
      handleKeyDown(view, event) {
        if (leaving && event.key === "Tab") return false;
        if (event.key !== "Shift") leaving = event.key === "Escape";
        return outer(view, event) || own(view, event) || rest(view, event);
      },
    },
  });
}
