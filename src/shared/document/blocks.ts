import type { Block, BlockNode } from "./block.ts";
import { calloutBlock } from "./blocks/callout.ts";
import { codeBlock } from "./blocks/code.ts";
import { dividerBlock } from "./blocks/divider.ts";
import { embedBlock } from "./blocks/embed.ts";
import { figureBlock } from "./blocks/figure.ts";
import { foldBlock } from "./blocks/fold.ts";
import { footnoteBlock } from "./blocks/footnote.ts";
import { formulaBlock } from "./blocks/formula.ts";
import { headingBlock } from "./blocks/heading.ts";
import { inlineBlock } from "./blocks/inline.ts";
import { listBlock } from "./blocks/list.ts";
import { paragraphBlock } from "./blocks/paragraph.ts";
import { pullQuoteBlock } from "./blocks/pull-quote.ts";
import { quoteBlock } from "./blocks/quote.ts";
import { tableBlock } from "./blocks/table.ts";

/**
 * All kinds of blocks, in the order of their nodes in the schema: what fills an empty place comes first. Another order is another
 * schema (schema-mark.ts).
 */
const all = [
  paragraphBlock,
  headingBlock,
  quoteBlock,
  listBlock,
  codeBlock,
  dividerBlock,
  pullQuoteBlock,
  calloutBlock,
  foldBlock,
  figureBlock,
  tableBlock,
  footnoteBlock,
  formulaBlock,
  embedBlock,
  inlineBlock,
] as const satisfies readonly Block[];

export const blocks: readonly Block[] = all;

type KeysOf<B> = B extends { nodes: infer Nodes } ? keyof Nodes : never;
export type NodeName = KeysOf<(typeof all)[number]>;

export const nodes = Object.assign({}, ...blocks.map((block) => block.nodes)) as Record<NodeName, BlockNode>;

/** Returns the specification of a node in JSON, whose type may be unknown. */
export const specOf = (name: string): BlockNode | undefined =>
  Object.hasOwn(nodes, name) ? nodes[name as NodeName] : undefined;
