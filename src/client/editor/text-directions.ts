import type { Node } from "prosemirror-model";
import { Plugin } from "prosemirror-state";
import { Decoration, DecorationSet } from "prosemirror-view";
import { schema } from "../../shared/document/schema.ts";

const { nodes } = schema;

/** Letters of scripts that are written from right to left, and their digits. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** By node, so that a key costs one block. */
const results = new WeakMap<Node, boolean>();

function hasRightToLeft(node: Node): boolean {
  if (node.isText) return rightToLeft.test(node.text!);
  if (node.isLeaf) return rightToLeft.test(Object.values(node.attrs).join());
  let result = results.get(node);
  if (result === undefined) results.set(node, (result = node.children.some(hasRightToLeft)));
  return result;
}

/** Returns decorations for top-level blocks that may begin at the right, except those at `known` positions. */
function decorations(doc: Node, known: ReadonlySet<number>): Decoration[] {
  const found: Decoration[] = [];
  doc.forEach((block, pos) => {
    const isCode = block.type === nodes.code_block || block.type === nodes.formula_block;
    if (!isCode && !known.has(pos) && hasRightToLeft(block))
      found.push(Decoration.node(pos, pos + block.nodeSize, { dir: "auto" }));
  });
  return found;
}

/**
 * Gives top-level blocks the direction of their first word, as articles have it (server/blogs/render-blocks.ts): on that side
 * are bullets, boxes and bars. Blocks without right-to-left letters need no attribute.
 */
export const textDirections = (): Plugin<DecorationSet> =>
  new Plugin<DecorationSet>({
    state: {
      init: (_, { doc }) => DecorationSet.create(doc, decorations(doc, new Set())),
      apply(tr, before) {
        if (!tr.docChanged) return before;
        const mapped = before.map(tr.mapping, tr.doc);
        const added = decorations(tr.doc, new Set(mapped.find().map(({ from }) => from)));
        return added.length > 0 ? mapped.add(tr.doc, added) : mapped;
      },
    },
    props: {
      decorations(state) {
        return this.getState(state);
      },
    },
  });
