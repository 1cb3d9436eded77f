import type { Node } from "prosemirror-model";
import { Plugin, Selection } from "prosemirror-state";
import type { EditorState, Transaction } from "prosemirror-state";
import { Decoration, DecorationSet } from "prosemirror-view";
import { documentLimits } from "../../../shared/document/limits.ts";
import { schema } from "../../../shared/document/schema.ts";
import { figureAt } from "./figures.ts";

const { nodes } = schema;

/** Marks the selected figure, limits captions, and repairs figures without a picture. */
export function figuresPlugin(): Plugin {
  return new Plugin({
    props: {
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

/**
 * Repairs figures whose picture was cut or dragged out, and pairs that lost a figure, which ProseMirror filled with an empty
 * node: the caption and the other figure stay. Looks only at changed ranges.
 */
function repairFigures(transactions: readonly Transaction[], state: EditorState): Transaction | null {
  const broken: { pos: number; node: Node }[] = [];
  for (const [at, { mapping, docChanged }] of transactions.entries()) {
    if (!docChanged) continue;
    for (const [step, map] of mapping.maps.entries()) {
      const later = [mapping.slice(step + 1), ...transactions.slice(at + 1).map((one) => one.mapping)];
      const now = (pos: number, side: number) => later.reduce((place, one) => one.map(place, side), pos);
      map.forEach((_from, _to, from, to) => {
        const [start, end] = [now(from, -1), now(to, 1)];
        state.doc.nodesBetween(
          Math.max(0, start - 1),
          Math.min(state.doc.content.size, end + 1),
          (node, pos) => {
            if (isBroken(node) && !broken.some((one) => one.pos <= pos && pos < one.pos + one.node.nodeSize))
              broken.push({ pos, node });
            return !node.isTextblock && node.type !== nodes.figure;
          },
        );
      });
    }
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
