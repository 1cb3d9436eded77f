import type { Node } from "prosemirror-model";
import type { Plugin } from "prosemirror-state";
import { Decoration, DecorationSet } from "prosemirror-view";
import { drawnOver } from "./drawn-over.ts";

/** So many characters are much for one block. */
const many = 2_000;

function decorations(doc: Node): DecorationSet {
  const long: Decoration[] = [];
  doc.descendants((node, pos) => {
    if (!node.isTextblock) return node.nodeSize > many;
    if (node.content.size > many)
      long.push(Decoration.node(pos, pos + node.nodeSize, { class: "editor-long", dir: "auto" }));
    return false;
  });
  return long.length > 0 ? DecorationSet.create(doc, long) : DecorationSet.empty;
}

/**
 * Has long blocks take their direction from their first word alone. In others each line has its own (ui/prose.css), for which a browser
 * looks through the whole block with each key: a second for 400,000 characters, where without it takes a twentieth.
 */
export const longBlocks = (): Plugin<DecorationSet> => drawnOver(decorations);
