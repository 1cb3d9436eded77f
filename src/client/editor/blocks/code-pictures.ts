import type { Node } from "prosemirror-model";
import type { Transaction } from "prosemirror-state";
import { schema } from "../../../shared/document/schema.ts";

const { nodes } = schema;

/** Returns the pictures between two positions, each in a paragraph. */
export function pictureParagraphs(doc: Node, from: number, to: number): Node[] {
  const found: Node[] = [];
  doc.nodesBetween(from, to, (node) => {
    if (node.type === nodes.image) found.push(nodes.paragraph.create(null, node));
  });
  return found;
}

/** Inserts the pictures of blocks that `tr` turned into code after that code, which cannot contain them. */
export function keepPictures(tr: Transaction, blocks: readonly { node: Node; pos: number }[]): Transaction {
  for (const { node, pos } of blocks.toReversed()) {
    const pictures = pictureParagraphs(node, 0, node.content.size);
    const at = tr.mapping.map(pos, -1);
    const code = tr.doc.nodeAt(at);
    if (pictures.length > 0 && code?.type === nodes.code_block) tr.insert(at + code.nodeSize, pictures);
  }
  return tr;
}
