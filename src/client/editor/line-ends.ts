import { Plugin } from "prosemirror-state";
import { schema } from "../../shared/document/schema.ts";
import { changedRanges } from "./changed-ranges.ts";

/**
 * Makes line breaks of the line ends of code that is pasted or dropped into other text. The editor shows the characters as
 * lines too, but a reader's browser would not.
 */
export function lineEndsPlugin(): Plugin {
  return new Plugin({
    appendTransaction(transactions, _before, { doc, tr }) {
      const events: unknown[] = transactions.map((one) => one.getMeta("uiEvent"));
      if (!events.includes("paste") && !events.includes("drop")) return null;
      for (const { from, to } of changedRanges(transactions)) {
        doc.nodesBetween(from, to, (node, pos, parent) => {
          if (!node.isText || parent?.type.whitespace === "pre") return;
          for (const { index } of node.text!.matchAll(/\n/g)) {
            const lineBreak = schema.nodes.hard_break.create(null, null, node.marks);
            tr.replaceWith(pos + index, pos + index + 1, lineBreak);
          }
        });
      }
      return tr.docChanged ? tr : null;
    },
  });
}
