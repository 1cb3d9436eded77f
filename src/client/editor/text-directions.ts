import type { Node, NodeType } from "prosemirror-model";
import { Plugin } from "prosemirror-state";
import { Decoration, DecorationSet } from "prosemirror-view";
import { rightToLeft } from "../../shared/document/right-to-left.ts";
import { schema } from "../../shared/document/schema.ts";
import { itemTypes } from "./selected-items.ts";
import { documentDecorations } from "./document-decorations.ts";

const { nodes } = schema;

/** By node, so that a key costs one block. */
const results = new WeakMap<Node, boolean>();

function hasRightToLeft(node: Node): boolean {
  if (node.isText) return rightToLeft.test(node.text!);
  if (node.isLeaf) return rightToLeft.test(Object.values(node.attrs).join());
  let result = results.get(node);
  if (result === undefined) results.set(node, (result = node.children.some(hasRightToLeft)));
  return result;
}

const lists: readonly NodeType[] = [nodes.bullet_list, nodes.ordered_list];

/**
 * Returns decorations for top-level blocks that may begin at the right, and for their list items but the first, which gives a
 * list its direction; except those at `known` positions.
 */
function decorations(doc: Node, known: ReadonlySet<number>): Decoration[] {
  const found: Decoration[] = [];
  const add = (node: Node, pos: number) => {
    if (!known.has(pos)) found.push(Decoration.node(pos, pos + node.nodeSize, { dir: "auto" }));
  };
  doc.forEach((block, pos) => {
    if (block.type.spec.code || !hasRightToLeft(block)) return;
    add(block, pos);
    if (!lists.includes(block.type)) return;
    block.descendants((node, offset) => {
      if (offset > 0 && itemTypes.some((type) => type === node.type)) add(node, pos + 1 + offset);
      return !node.isTextblock;
    });
  });
  return found;
}

/**
 * Gives top-level blocks and list items the direction of their first word, as articles have it
 * (server/text/render-blocks.ts): on that side are bullets, boxes and bars. Blocks without right-to-left letters need no
 * attribute.
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

/** Characters from which a block is long. */
const longBlockLength = 2_000;

function longBlockDecorations(doc: Node): DecorationSet {
  const long: Decoration[] = [];
  doc.descendants((node, pos) => {
    if (!node.isTextblock) return node.nodeSize > longBlockLength;
    if (node.content.size > longBlockLength)
      long.push(Decoration.node(pos, pos + node.nodeSize, { class: "editor-long", dir: "auto" }));
    return false;
  });
  return long.length > 0 ? DecorationSet.create(doc, long) : DecorationSet.empty;
}

/**
 * Gives long blocks one direction, from their first word. In others each line has its own (ui/prose.css), and a browser scans
 * the whole block with each key: a second for 400,000 characters, otherwise a twentieth.
 */
export const longBlocks = (): Plugin<DecorationSet> => documentDecorations(longBlockDecorations);
