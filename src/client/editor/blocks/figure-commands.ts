import type { Node, ResolvedPos } from "prosemirror-model";
import { NodeSelection, Selection, TextSelection } from "prosemirror-state";
import type { Command, EditorState, Transaction } from "prosemirror-state";
import type { FigureSize } from "../../../shared/document/blocks/picture.ts";
import { schema } from "../../../shared/document/schema.ts";

const { nodes } = schema;

/** The figure that is selected or whose caption has the caret. */
export interface FigureAt {
  pos: number;
  node: Node;
  pair: { pos: number; node: Node } | null;
}

const at = ($pos: ResolvedPos, node: Node): FigureAt => ({
  pos: $pos.pos,
  node,
  pair: $pos.parent.type === nodes.figure_pair ? { pos: $pos.before(), node: $pos.parent } : null,
});

export function figureAt({ selection, doc }: EditorState): FigureAt | null {
  if (selection instanceof NodeSelection && selection.node.type === nodes.figure)
    return at(selection.$from, selection.node);
  const { $from, $to } = selection;
  if ($from.parent.type !== nodes.figure_caption || !$from.sameParent($to)) return null;
  return at(doc.resolve($from.before(-1)), $from.node(-1));
}

/** Returns a selected picture alone in its line (as in older texts), if it can become a figure. */
export function lonePicture({ selection }: EditorState): { pos: number; node: Node } | null {
  if (!(selection instanceof NodeSelection) || selection.node.type !== nodes.image) return null;
  const { $from } = selection;
  if (!figureOf($from.parent)) return null;
  const index = $from.index(-1);
  return $from.node(-1).canReplaceWith(index, index + 1, nodes.figure)
    ? { pos: $from.before(), node: $from.parent }
    : null;
}

/** Returns the figure that a block is, or that a paragraph with only a picture can become. */
function figureOf(block: Node | null | undefined): Node | null {
  if (block?.type === nodes.figure) return block;
  const image = block?.firstChild;
  if (block?.type !== nodes.paragraph || block.childCount !== 1 || image?.type !== nodes.image) return null;
  const links = image.marks.filter(({ type }) => type === schema.marks.link);
  return nodes.figure.create(null, [
    nodes.figure_image.create(image.attrs, null, links),
    nodes.figure_caption.create(),
  ]);
}

/** Returns the selected figure; first makes one of a lone picture. */
function asFigure(state: EditorState, tr: Transaction): FigureAt | null {
  const figure = figureAt(state);
  if (figure) return figure;
  const lone = lonePicture(state);
  const node = lone && figureOf(lone.node);
  if (!lone || !node) return null;
  tr.replaceWith(lone.pos, lone.pos + lone.node.nodeSize, node);
  return at(tr.doc.resolve(lone.pos), node);
}

/** Sets the width of the figure or its pair. */
export const setFigureSize =
  (size: FigureSize): Command =>
  (state, dispatch) => {
    const { tr } = state;
    const figure = asFigure(state, tr);
    if (!figure) return false;
    const selected = state.selection instanceof NodeSelection;
    tr.setNodeAttribute((figure.pair ?? figure).pos, "size", size);
    if (selected) tr.setSelection(NodeSelection.create(tr.doc, figure.pos));
    dispatch?.(tr);
    return true;
  };

export const toCaption: Command = (state, dispatch) => {
  const { tr } = state;
  const figure = asFigure(state, tr);
  if (!figure) return false;
  const end = figure.pos + figure.node.nodeSize - 2;
  dispatch?.(tr.setSelection(TextSelection.create(tr.doc, end)).scrollIntoView());
  return true;
};

/** Returns the address that a figure's picture, or a picture alone in a paragraph, is a link to. */
export function figureLink(block: Node): string | null {
  const link = schema.marks.link.isInSet(block.firstChild?.marks ?? []);
  return (link?.attrs.href as string | undefined) ?? null;
}

/** Makes the figure's picture a link; null removes the link. */
export const setFigureLink =
  (href: string | null): Command =>
  (state, dispatch) => {
    const { tr } = state;
    const figure = asFigure(state, tr);
    if (!figure) return false;
    const picture = figure.pos + 1;
    tr.removeNodeMark(picture, schema.marks.link);
    if (href !== null) tr.addNodeMark(picture, schema.marks.link.create({ href }));
    if (state.selection instanceof NodeSelection) tr.setSelection(NodeSelection.create(tr.doc, figure.pos));
    dispatch?.(tr);
    return true;
  };

/** Deletes the figure with its caption; the other figure of a pair stays. */
export const removeFigure: Command = (state, dispatch) => {
  const figure = figureAt(state);
  const block = figure ?? lonePicture(state);
  if (!block) return false;
  const { pos, node } = block;
  const pair = figure?.pair;
  const { tr, doc } = state;
  if (pair) {
    const other = pair.node.child(pos === pair.pos + 1 ? 1 : 0);
    tr.replaceWith(pair.pos, pair.pos + pair.node.nodeSize, other);
    tr.setSelection(NodeSelection.create(tr.doc, pair.pos));
  } else {
    // There is always a line to write in above the footnotes.
    const isAlone = doc
      .resolve(pos)
      .parent.children.every((one) => one === node || one.type === nodes.footnotes);
    tr.replaceWith(pos, pos + node.nodeSize, isAlone ? nodes.paragraph.create() : []);
    const $gap = tr.doc.resolve(pos);
    tr.setSelection(Selection.near($gap, $gap.nodeAfter?.type === nodes.footnotes ? -1 : 1));
  }
  dispatch?.(tr.scrollIntoView());
  return true;
};

/** Returns the figure that can be paired with the selected one, and its end. */
export function nextPairable(state: EditorState): { end: number; next: Node } | null {
  const figure = figureAt(state);
  if (!figure || figure.pair) return null;
  const { parent } = state.doc.resolve(figure.pos);
  let index = state.doc.resolve(figure.pos).index() + 1;
  let end = figure.pos + figure.node.nodeSize;
  // An empty line between them is dropped.
  const between = parent.maybeChild(index);
  if (between?.type === nodes.paragraph && between.content.size === 0) {
    end += between.nodeSize;
    index++;
  }
  const block = parent.maybeChild(index);
  const next = figureOf(block);
  return next && block ? { end: end + block.nodeSize, next } : null;
}

export const pairWithNext: Command = (state, dispatch) => {
  const figure = figureAt(state);
  const beside = nextPairable(state);
  if (!figure || !beside) return false;
  const pair = nodes.figure_pair.create({ size: figure.node.attrs.size }, [figure.node, beside.next]);
  const tr = state.tr.replaceWith(figure.pos, beside.end, pair);
  dispatch?.(tr.setSelection(NodeSelection.create(tr.doc, figure.pos + 1)));
  return true;
};

export const splitPair: Command = (state, dispatch) => {
  const figure = figureAt(state);
  if (!figure?.pair) return false;
  const { pos, node } = figure.pair;
  const tr = state.tr.replaceWith(pos, pos + node.nodeSize, node.content);
  dispatch?.(tr.setSelection(NodeSelection.create(tr.doc, figure.pos - 1)));
  return true;
};

/** Deletes a selected figure from its pair. */
export const deleteFigure: Command = (state, dispatch) =>
  state.selection instanceof NodeSelection && Boolean(figureAt(state)?.pair) && removeFigure(state, dispatch);

/** A caption never joins the text around it: Backspace at its start selects the figure, Delete at its end does nothing. */
export const backToFigure: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  if (!empty || $from.parent.type !== nodes.figure_caption || $from.parentOffset > 0) return false;
  dispatch?.(state.tr.setSelection(NodeSelection.create(state.doc, $from.before(-1))).scrollIntoView());
  return true;
};
export const stayInCaption: Command = ({ selection: { $from, empty } }) =>
  empty && $from.parent.type === nodes.figure_caption && $from.pos === $from.end();

/** Enter in a caption continues below the figure. */
export const leaveCaption: Command = (state, dispatch) => {
  const { $from, $to } = state.selection;
  const figure = $from.parent.type === nodes.figure_caption && $from.sameParent($to) ? figureAt(state) : null;
  if (!figure) return false;
  const { pos, node } = figure.pair ?? figure;
  dispatch?.(toLine(state.tr, pos + node.nodeSize).scrollIntoView());
  return true;
};

/** Puts the caret into the empty paragraph at a position between blocks, which it inserts if there is none. */
function toLine(tr: Transaction, pos: number): Transaction {
  const next = tr.doc.resolve(pos).nodeAfter;
  if (next?.type !== nodes.paragraph || next.content.size > 0) tr.insert(pos, nodes.paragraph.create());
  return tr.setSelection(TextSelection.create(tr.doc, pos + 1));
}

/** Puts the caret after a selected picture in a line, or into a line below a selected figure, card or rule. */
export function caretBeside(state: EditorState): Transaction | null {
  const { selection, doc, tr } = state;
  if (!(selection instanceof NodeSelection)) return null;
  const { type } = selection.node;
  if (type === nodes.image) return tr.setSelection(TextSelection.create(doc, selection.to));
  const isFigure = type === nodes.figure || type === nodes.figure_pair;
  if (!isFigure && !(type.isBlock && type.isAtom)) return null;
  const pair = figureAt(state)?.pair;
  return toLine(tr, pair ? pair.pos + pair.node.nodeSize : selection.to);
}

/** Arrow keys select a figure on their way, then enter its caption. ProseMirror would skip the picture. */
export const arrow =
  (key: "up" | "down" | "left" | "right"): Command =>
  (state, dispatch, view) => {
    const { selection, doc } = state;
    let step: -1 | 1 = key === "up" || key === "left" ? -1 : 1;
    const select = (pos: number) => {
      dispatch?.(state.tr.setSelection(NodeSelection.create(doc, pos)).scrollIntoView());
      return true;
    };
    if (selection instanceof NodeSelection && selection.node.type === nodes.figure) {
      if (step > 0) return toCaption(state, dispatch && ((tr) => dispatch(atStart(tr))));
      return insertAboveFirst(state, dispatch);
    }
    const { $head, empty } = selection;
    if (!empty || !$head.parent.isTextblock || !view?.endOfTextblock(key)) return false;
    // In right-to-left text ArrowLeft moves forward.
    const isSideways = key === "left" || key === "right";
    if (isSideways && $head.parent.content.size > 0) step = $head.parentOffset === 0 ? -1 : 1;
    if (step < 0 && $head.parent.type === nodes.figure_caption) return select($head.before(-1));
    const pos = nextFigure($head, step);
    if (pos === null) return false;
    const caption = doc.nodeAt(pos)!.lastChild!;
    // From below, the caption comes first, unless it is empty.
    if (step > 0 || caption.content.size === 0) return select(pos);
    const end = pos + doc.nodeAt(pos)!.nodeSize - 2;
    dispatch?.(state.tr.setSelection(TextSelection.create(doc, end)).scrollIntoView());
    return true;
  };

const atStart = (tr: Transaction): Transaction =>
  tr.setSelection(TextSelection.create(tr.doc, tr.selection.$head.start()));

/** Inserts a paragraph above a figure that begins the text. */
function insertAboveFirst(state: EditorState, dispatch: Parameters<Command>[1]): boolean {
  const { $from } = state.selection;
  const first = state.doc.firstChild;
  if ($from.pos !== (first?.type === nodes.figure_pair ? 1 : 0)) return false;
  const tr = state.tr.insert(0, nodes.paragraph.create());
  dispatch?.(tr.setSelection(TextSelection.create(tr.doc, 1)).scrollIntoView());
  return true;
}

/** Returns the figure directly before or after a textblock, at any depth. */
function nextFigure($head: ResolvedPos, step: -1 | 1): number | null {
  for (let depth = $head.depth - 1; depth >= 0; depth--) {
    const parent = $head.node(depth);
    const index = $head.index(depth) + step;
    if (index < 0 || index >= parent.childCount) continue;
    let node: Node | null = parent.child(index);
    let pos = step > 0 ? $head.after(depth + 1) : $head.before(depth + 1) - node.nodeSize;
    while (node && !node.isTextblock && node.type !== nodes.figure) {
      const inner: Node | null = step > 0 ? node.firstChild : node.lastChild;
      pos = step > 0 ? pos + 1 : pos + node.nodeSize - 1 - (inner?.nodeSize ?? 0);
      node = inner;
    }
    return node?.type === nodes.figure ? pos : null;
  }
  return null;
}
