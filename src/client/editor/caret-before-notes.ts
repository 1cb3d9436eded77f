import { Plugin, TextSelection } from "prosemirror-state";
import type { EditorState } from "prosemirror-state";
import { schema } from "../../shared/document/schema.ts";

/**
 * Puts the caret before the footnotes that a paste ends with: the writer continues the text, not the last note. A paste into a
 * footnote leaves it there.
 */
export function caretBeforePastedNotesPlugin(): Plugin {
  return new Plugin({
    appendTransaction(transactions, before, { doc, selection, tr }) {
      if (!transactions.some((one) => one.getMeta("paste"))) return null;
      const notes = notesAround({ selection });
      if (notes === null || notesAround(before) !== null) return null;
      const caret = TextSelection.findFrom(doc.resolve(notes), -1, true);
      return caret && tr.setSelection(caret).scrollIntoView();
    },
  });
}

/** Returns where the list of footnotes around the caret begins; null outside one. */
function notesAround({ selection: { $head } }: Pick<EditorState, "selection">): number | null {
  for (let depth = $head.depth; depth > 0; depth--)
    if ($head.node(depth).type === schema.nodes.footnotes) return $head.before(depth);
  return null;
}
