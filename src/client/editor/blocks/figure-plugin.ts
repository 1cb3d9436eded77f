import type { Node } from "prosemirror-model";
import { Plugin, Selection } from "prosemirror-state";
import type { EditorState, Transaction } from "prosemirror-state";
import { Decoration, DecorationSet } from "prosemirror-view";
import type { EditorView } from "prosemirror-view";
import { documentLimits } from "../../../shared/document/limits.ts";
import { schema } from "../../../shared/document/schema.ts";
import { changedRanges } from "../changed-ranges.ts";
import { caretBeside, figureAt } from "./figure-commands.ts";

const { nodes } = schema;

/**
 * Marks the selected figure, types beside it, limits captions, and repairs figures without a picture. Its place is before the
 * input rules, which would take the selected node for text.
 */
export function figuresPlugin(): Plugin {
  return new Plugin({
    props: {
      handleTextInput: (view, _from, _to, text) => typeBeside(view, text),
      // The keys of phones and input methods name no character: the browser itself would replace the selection.
      handleDOMEvents: {
        // A composition that has started would end by a move of the caret.
        keydown: (view, { key }) => ["Dead", "Process", "Unidentified"].includes(key) && moveBeside(view),
        compositionstart: moveBeside,
        beforeinput(view, event) {
          if (event.inputType !== "insertText" || !event.data || !typeBeside(view, event.data)) return false;
          event.preventDefault();
          return true;
        },
      },
      decorations(state) {
        const figure = figureAt(state);
        if (!figure) return null;
        const { pos, node } = figure;
        return DecorationSet.create(state.doc, [
          Decoration.node(pos, pos + node.nodeSize, { class: "figure-near" }),
        ]);
      },
    },
    filterTransaction(tr, { selection: { $head: before } }) {
      // Others' commits and restored steps must apply, or this text would differ from the server's.
      if (!tr.docChanged || tr.getMeta("addToHistory") === false) return true;
      const { parent } = tr.selection.$head;
      return (
        parent.type !== nodes.figure_caption ||
        parent.textContent.length <= documentLimits.caption ||
        parent.textContent.length <= before.parent.textContent.length
      );
    },
    appendTransaction: (transactions, _before, state) => repairFigures(transactions, state),
  });
}

/** Moves the caret beside what is selected; returns false, since the event is not handled. */
function moveBeside(view: EditorView): false {
  const tr = caretBeside(view.state);
  if (tr) view.dispatch(tr);
  return false;
}

/** Types text beside a selected picture, figure, card or rule, which it would replace otherwise; false if none is selected. */
function typeBeside(view: EditorView, text: string): boolean {
  const tr = caretBeside(view.state);
  if (!tr) return false;
  // Space alone begins no paragraph.
  if (text.trim() === "" && tr.docChanged) return true;
  view.dispatch(tr);
  const { from, to } = view.state.selection;
  const insert = () => view.state.tr.insertText(text, from, to).scrollIntoView();
  if (!view.someProp("handleTextInput", (handle) => handle(view, from, to, text, insert)))
    view.dispatch(insert());
  return true;
}

/**
 * Repairs figures whose picture was cut or dragged out, and pairs that lost a figure, which ProseMirror filled with an empty
 * node: the caption and the other figure stay. Looks only at changed ranges.
 */
function repairFigures(transactions: readonly Transaction[], state: EditorState): Transaction | null {
  const broken: { pos: number; node: Node }[] = [];
  for (const { from, to } of changedRanges(transactions)) {
    state.doc.nodesBetween(Math.max(0, from - 1), Math.min(state.doc.content.size, to + 1), (node, pos) => {
      if (isBroken(node) && !broken.some((one) => one.pos <= pos && pos < one.pos + one.node.nodeSize))
        broken.push({ pos, node });
      return !node.isTextblock && node.type !== nodes.figure;
    });
  }
  if (broken.length === 0) return null;
  const { tr } = state;
  for (const { pos, node } of broken.toSorted((one, other) => other.pos - one.pos)) {
    const left = remainingContent(node);
    const isAlone = tr.doc.resolve(pos).parent.childCount === 1;
    // An empty line in its place was not written by anyone.
    const hasContent = isAlone || left.some(({ type, content }) => type === nodes.figure || content.size > 0);
    tr.replaceWith(pos, pos + node.nodeSize, hasContent ? left : []);
  }
  const { head } = state.selection;
  const containing = broken.find(({ pos, node }) => pos < head && head < pos + node.nodeSize);
  // Text that replaces a pair's figure goes before the other figure.
  if (containing) tr.setSelection(Selection.near(tr.doc.resolve(tr.mapping.map(containing.pos, -1)), -1));
  return tr;
}

const hasNoPicture = (figure: Node): boolean =>
  figure.type === nodes.figure && figure.firstChild?.attrs.src === null;
const isBroken = (node: Node): boolean =>
  hasNoPicture(node) || (node.type === nodes.figure_pair && node.children.some(hasNoPicture));

function remainingContent(node: Node): Node[] {
  if (node.type === nodes.figure_pair) {
    const left = node.children.flatMap((figure) => (isBroken(figure) ? remainingContent(figure) : [figure]));
    const shown = left.filter(({ type, content }) => type === nodes.figure || content.size > 0);
    return shown.length > 0 ? shown : left.slice(0, 1);
  }
  return [nodes.paragraph.create(null, node.lastChild?.content)];
}
