import type { EditorBlock } from "./block.ts";
import { calloutBlock } from "./blocks/callout.ts";
import { codeBlock } from "./blocks/code.ts";
import { dividerBlock } from "./blocks/divider.ts";
import { embedBlock } from "./blocks/embed.ts";
import { figureBlock } from "./blocks/figure.ts";
import { foldBlock } from "./blocks/fold.ts";
import { footnoteBlock } from "./blocks/footnote.ts";
import { formulaBlock } from "./blocks/formula.ts";
import { headingBlock } from "./blocks/heading.ts";
import { listBlock } from "./blocks/list.ts";
import { pullQuoteBlock } from "./blocks/pull-quote.ts";
import { quoteBlock } from "./blocks/quote.ts";
import { tableBlock } from "./blocks/table.ts";
import { tasksBlock } from "./blocks/tasks.ts";

/** The blocks in the order of the menu. A key goes from the last to the first, so that code is asked before the list it is in. */
export const blocks: readonly EditorBlock[] = [
  headingBlock,
  listBlock,
  quoteBlock,
  codeBlock,
  figureBlock,
  tableBlock,
  dividerBlock,
  tasksBlock,
  pullQuoteBlock,
  calloutBlock,
  foldBlock,
  footnoteBlock,
  formulaBlock,
  embedBlock,
];
