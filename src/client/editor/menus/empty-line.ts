import { Plugin } from "prosemirror-state";
import type { EditorState } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { isInTable } from "prosemirror-tables";
import { schema } from "../../../shared/document/schema.ts";
import { isSlashOpen } from "./slash.ts";

/** An empty paragraph with the caret. */
export interface EmptyLine {
  pos: number;
}

/** Returns the empty paragraph with the caret; null in a table or with an open slash menu. */
export function emptyLineAt(state: EditorState): number | null {
  const { $from, empty } = state.selection;
  const isEmpty = empty && $from.parent.type === schema.nodes.paragraph && $from.parent.content.size === 0;
  return isEmpty && !isInTable(state) && !isSlashOpen(state) ? $from.before() : null;
}

/** Reports the empty line with the caret, again after each change of the text. */
export function emptyLinePlugin(onLine: (line: EmptyLine | null) => void): Plugin {
  let reportedPos: number | null = null;
  const report = (view: EditorView, isMoved: boolean) => {
    const pos = view.editable && view.hasFocus() ? emptyLineAt(view.state) : null;
    if (pos === reportedPos && !(isMoved && pos !== null)) return;
    reportedPos = pos;
    onLine(pos === null ? null : { pos });
  };
  return new Plugin({
    view: () => ({ update: (view, before) => report(view, view.state.doc !== before.doc) }),
    props: {
      handleDOMEvents: {
        focus: (view) => report(view, false),
        // Later: now the view still has the focus.
        blur: (view) => void setTimeout(() => !view.isDestroyed && report(view, false)),
      },
    },
  });
}
