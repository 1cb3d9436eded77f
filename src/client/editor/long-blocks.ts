import type { Node } from "prosemirror-model";
import type { Plugin } from "prosemirror-state";
import { Decoration, DecorationSet } from "prosemirror-view";
import { documentDecorations } from "./document-decorations.ts";

/** Characters from which a block is long. */
const longBlockLength = 2_000;

function decorations(doc: Node): DecorationSet {
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
export const longBlocks = (): Plugin<DecorationSet> => documentDecorations(decorations);
