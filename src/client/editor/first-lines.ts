import { Selection } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { schema } from "../../shared/document/schema.ts";

const { paragraph } = schema.nodes;

/** What was typed before the editor was loaded. */
export interface FirstLines {
  lines: string;
  /** The author is typing there. */
  hasFocus: boolean;
}

/** Inserts the lines at the beginning of the text, with the caret after them if the author is typing. */
export function insertFirstLines(view: EditorView, { lines, hasFocus }: FirstLines): void {
  const { tr, doc } = view.state;
  let caret = Selection.atStart(doc).from;
  if (lines !== "") {
    const paragraphs = lines
      .split("\n")
      .map((line) => paragraph.create(null, line === "" ? null : schema.text(line)));
    const first = doc.firstChild;
    const isEmpty = first?.type === paragraph && first.content.size === 0;
    tr.replaceWith(0, isEmpty ? first.nodeSize : 0, paragraphs);
    caret = paragraphs.reduce((size, { nodeSize }) => size + nodeSize, 0) - 1;
  }
  if (hasFocus) tr.setSelection(Selection.near(tr.doc.resolve(caret))).scrollIntoView();
  view.dispatch(tr);
  if (hasFocus) view.focus();
}
