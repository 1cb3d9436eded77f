import { dropCursor } from "prosemirror-dropcursor";
import { gapCursor } from "prosemirror-gapcursor";
import { history } from "prosemirror-history";
import type { Node } from "prosemirror-model";
import { EditorState, Plugin } from "prosemirror-state";
import type { Command } from "prosemirror-state";
import { tableEditing } from "prosemirror-tables";
import { blocks } from "./blocks.ts";
import { markdownRules } from "./input-rules.ts";
import { keys } from "./keys.ts";
import { linkedWords } from "./typed-links.ts";
import { schema } from "../../shared/document/schema.ts";
import { changedRanges } from "./changed-ranges.ts";

/** `more`: keys and plugins that need the page, and the language for smart quotes and dashes. */
export function createState(
  document: Node,
  more: { keys?: Record<string, Command>; plugins?: Plugin[]; language?: () => string | null } = {},
): EditorState {
  return EditorState.create({
    doc: document,
    plugins: [
      ...(more.plugins ?? []),
      ...blocks.flatMap((block) => block.plugins?.() ?? []),
      linkedWords(),
      markdownRules(more.language ?? (() => null)),
      keys(more.keys ?? {}),
      lineEndsPlugin(),
      tableEditing(),
      history({ depth: 1000 }),
      dropCursor({ color: false, class: "editor-drop" }),
      gapCursor(),
    ],
  });
}

/**
 * Makes line breaks of the line ends of code that is pasted or dropped into other text. The editor shows the characters as
 * lines too, but a reader's browser would not.
 */
function lineEndsPlugin(): Plugin {
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
