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
} from "prosemirror-commands";
import { closeHistory, redo, undo } from "prosemirror-history";
import { undoInputRule } from "prosemirror-inputrules";
import { keydownHandler } from "prosemirror-keymap";
import { liftListItem } from "prosemirror-schema-list";
import { AllSelection, Plugin, Selection, TextSelection } from "prosemirror-state";
import type { Node, NodeType } from "prosemirror-model";
import type { Command } from "prosemirror-state";
import { schema } from "../../shared/document/schema.ts";
import { blocks } from "./blocks.ts";
import { boxTypes, cleanFormatting, indent, insertHardBreak, setAlign, toggle } from "./commands.ts";
import { itemTypes } from "./selected-items.ts";
import { linkBefore } from "./typed-links.ts";

const { nodes, marks } = schema;

/** A new paragraph keeps alignment and indentation. */
const splitLikeBefore = splitBlockAs((node) =>
  node.type === nodes.paragraph ? { type: nodes.paragraph, attrs: node.attrs } : null,
);

/** At the edge of a text, an arrow key inserts a paragraph outside code, a quote, a table or the like. */
const leaveAtEdge =
  (direction: "up" | "down"): Command =>
  (state, dispatch, view) => {
    const { $from, empty } = state.selection;
    const { doc } = state;
    const edgeOf = (node: Node) => (direction === "up" ? node.firstChild : node.lastChild);
    const edge = edgeOf(doc);
    if (!empty || !edge || !enclosingTypes.has(edge.type) || $from.node(1) !== edge) return false;
    if (edge.type === nodes.table && $from.node(2) !== edgeOf(edge)) return false;
    // Its first or last line, or that of a cell in the first or last row.
    let line: Node | null | undefined = edge.type === nodes.table ? $from.node(3) : edge;
    while (line && !line.isTextblock) line = edgeOf(line);
    if ($from.parent !== line || !view?.endOfTextblock(direction)) return false;
    const at = direction === "up" ? 0 : doc.content.size;
    const tr = state.tr.insert(at, nodes.paragraph.create());
    dispatch?.(tr.setSelection(TextSelection.create(tr.doc, at + 1)).scrollIntoView());
    return true;
  };
/** Blocks of code or around others, but lists: Enter leaves those. */
const enclosingTypes: ReadonlySet<NodeType> = new Set(
  Object.values(nodes).filter(
    (type) =>
      type.spec.group === "block" &&
      (type.spec.code || !(type.isTextblock || type.isLeaf)) &&
      type !== nodes.bullet_list &&
      type !== nodes.ordered_list,
  ),
);

/**
 * Mod-A, from the first to the last character. The whole document, which prosemirror-commands would select, is in no list,
 * quote, code or link: toolbar buttons would not know of them, and would put lists into lists. Not applicable if the text
 * begins or ends with a table or a rule.
 */
const selectText: Command = (state, dispatch) => {
  const [first, last] = [Selection.atStart(state.doc), Selection.atEnd(state.doc)];
  const isText = [first, last].every(
    ({ $from }) => $from.parent.isTextblock && $from.node(1).type !== nodes.table,
  );
  if (isText) dispatch?.(state.tr.setSelection(TextSelection.create(state.doc, first.from, last.to)));
  return isText;
};

/** Deletes everything if everything is selected, including the first block. */
const deleteText: Command = (state, dispatch) => {
  const { selection, doc } = state;
  const { $from, $to, from, to } = selection;
  const isAll = from <= Selection.atStart(doc).from && to >= Selection.atEnd(doc).to;
  if (!isAll || selection.empty || !(selection instanceof TextSelection)) return false;
  const { tr } = state;
  if ($from.sameParent($to)) tr.deleteSelection();
  else tr.setSelection(new AllSelection(doc)).deleteSelection();
  // So that text typed next is not bold like the deleted text.
  dispatch?.(tr.setStoredMarks([]).scrollIntoView());
  return true;
};

/** Enter after an address also links it; one `Backspace` undoes both. */
const withAddressLinked =
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

/** Begins an undo step: an undo takes back a paragraph, however quickly several were typed. */
const asNewStep =
  (command: Command): Command =>
  (state, dispatch, view) =>
    command(state, dispatch && ((tr) => dispatch(closeHistory(tr))), view);

const atStart: Command = (state) => state.selection.empty && state.selection.$from.parentOffset === 0;

/** Backspace at the start of a block first removes its type, indent, list or box. */
const removeBlockType: Command = (state, dispatch, view) => {
  if (!atStart(state)) return false;
  const { $from } = state.selection;
  const { parent } = $from;
  if (Number(parent.attrs.indent ?? 0) > 0) return indent(-1)(state, dispatch, view);
  if (parent.type === nodes.heading || parent.type.spec.code) {
    return setBlockType(nodes.paragraph, { align: parent.attrs.align ?? null })(state, dispatch);
  }
  const first = $from.depth > 1 && $from.index(-1) === 0;
  if (first && itemTypes.some((type) => type === $from.node(-1).type))
    return liftListItem(itemTypes)(state, dispatch);
  if (first && boxTypes.includes($from.node(-1).type)) return lift(state, dispatch);
  return false;
};

/** An arrow key at the end of a text that ends with code first leaves the code: what is typed next is plain. */
const leaveCodeMark =
  (key: "left" | "right"): Command =>
  (state, dispatch, view) => {
    const { $from, empty } = state.selection;
    const here = state.storedMarks ?? $from.marks();
    if (!empty || !$from.parent.inlineContent || $from.pos !== $from.end() || !marks.code.isInSet(here))
      return false;
    // In right-to-left text ArrowLeft moves forward.
    if (!view?.endOfTextblock(key)) return false;
    dispatch?.(state.tr.setStoredMarks(marks.code.removeFromSet(here)));
    return true;
  };

/** Keys that leave the text at its start: Backspace before the first character, ArrowUp in the first line. */
export function leaveAtStartKeys(leave: () => void): Record<string, Command> {
  const isFirst: Command = ({ selection: { $from, empty }, doc }) =>
    empty && $from.depth === 1 && $from.parent === doc.firstChild;
  const back: Command = (state, dispatch) => {
    const { $from } = state.selection;
    // Otherwise Backspace first makes the block plain.
    const isPlain = $from.parent.type === nodes.paragraph && !$from.parent.attrs.indent;
    if (!isFirst(state) || !isPlain || $from.parentOffset > 0) return false;
    if (dispatch) leave();
    return true;
  };
  const up: Command = (state, dispatch, view) => {
    const isText = [nodes.paragraph, nodes.heading].includes(state.selection.$from.parent.type);
    if (!isFirst(state) || !isText || !view?.endOfTextblock("up")) return false;
    if (dispatch) leave();
    return true;
  };
  return { Backspace: chainCommands(undoInputRule, back), ArrowUp: up };
}

/** Returns what blocks do with a key, from the last block to the first. */
const inBlocks = (key: string, part: "keys" | "earlyKeys" = "keys"): Command =>
  chainCommands(...blocks.toReversed().flatMap((block) => block[part]?.[key] ?? []));

const blockKeys = Object.fromEntries(
  blocks.flatMap(({ keys: own = {} }) => Object.keys(own)).map((key) => [key, inBlocks(key)]),
);

const bindings: Record<string, Command> = {
  ...blockKeys,
  "Mod-b": toggle("strong"),
  "Mod-i": toggle("em"),
  "Mod-u": toggle("underline"),
  "Mod-Shift-x": toggle("strike"),
  "Mod-e": toggle("code"),
  "Mod-,": toggle("sub"),
  "Mod-.": toggle("sup"),
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
  // Always handled: without a change to redo, the keymap would try Mod-z, which undoes one.
  "Mod-Shift-z": (state, dispatch) => redo(state, dispatch) || true,
  Enter: asNewStep(
    chainCommands(
      inBlocks("Enter", "earlyKeys"),
      withAddressLinked(
        chainCommands(inBlocks("Enter"), createParagraphNear, liftEmptyBlock, splitLikeBefore),
      ),
    ),
  ),
  "Shift-Enter": chainCommands(newlineInCode, insertHardBreak),
  Backspace: chainCommands(
    undoInputRule,
    deleteText,
    inBlocks("Backspace", "earlyKeys"),
    deleteSelection,
    removeBlockType,
    inBlocks("Backspace"),
    joinBackward,
    selectNodeBackward,
  ),
  Delete: chainCommands(
    deleteText,
    inBlocks("Delete", "earlyKeys"),
    deleteSelection,
    inBlocks("Delete"),
    joinForward,
    baseKeymap.Delete!,
  ),
  ArrowUp: chainCommands(inBlocks("ArrowUp"), leaveAtEdge("up")),
  ArrowDown: chainCommands(inBlocks("ArrowDown"), leaveAtEdge("down")),
  ArrowLeft: chainCommands(leaveCodeMark("left"), inBlocks("ArrowLeft")),
  ArrowRight: chainCommands(leaveCodeMark("right"), inBlocks("ArrowRight")),
};

/**
 * The editor's keys. Mod-Enter is left to the form, which publishes with it. After Escape the next Tab leaves the text:
 * keyboard users are never trapped in a list.
 */
export function keys(more: Record<string, Command>): Plugin {
  const {
    "Mod-Enter": _exitCode,
    "Ctrl-Enter": _exitCodeToo,
    ...base
  } = baseKeymap as Record<string, Command>;
  const outer = keydownHandler(more);
  const handleKeys = keydownHandler(bindings);
  const rest = keydownHandler(base);
  let isLeaving = false;
  return new Plugin({
    props: {
      handleKeyDown(view, event) {
        if (isLeaving && event.key === "Tab") return false;
        if (event.key !== "Shift") isLeaving = event.key === "Escape";
        return outer(view, event) || handleKeys(view, event) || rest(view, event);
      },
    },
  });
}
