import type { Node } from "prosemirror-model";
import type { NodeJson } from "../../shared/document/schema.ts";
import { countWords, documentToText, excerpt } from "../../shared/document/to-text.ts";

/** Characters of an excerpt, and of the blocks read for it. */
const [excerptLength, mostRead] = [220, 1_000];

/** Words of unchanged blocks, which a text shares with the one before a commit. */
const wordsOfBlocks = new WeakMap<Node, number>();

/** Returns what lists show of an unpublished text. Costs what its changed blocks have, not the whole text. */
export function beginningOf(document: Node): { excerpt: string; words: number } {
  const first: NodeJson[] = [];
  let [length, words] = [0, 0];
  for (const block of document.children) {
    if (length < mostRead) first.push(block.toJSON() as NodeJson);
    length += block.nodeSize;
    let count = wordsOfBlocks.get(block);
    if (count === undefined) {
      count = countWords(documentToText(block.toJSON() as NodeJson));
      wordsOfBlocks.set(block, count);
    }
    words += count;
  }
  return { excerpt: excerpt({ type: "doc", content: first }, excerptLength), words };
}
