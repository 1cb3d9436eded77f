import { dropCursor } from "prosemirror-dropcursor";
import { gapCursor } from "prosemirror-gapcursor";
import { history } from "prosemirror-history";
import { Node } from "prosemirror-model";
import { EditorState } from "prosemirror-state";
import type { Command, Plugin } from "prosemirror-state";
import { tableEditing } from "prosemirror-tables";
import { documentToText } from "../../shared/document/to-text.ts";
import { schema } from "../../shared/document/schema.ts";
import type { NodeJson } from "../../shared/document/schema.ts";
import { markdownRules } from "./input-rules.ts";
import { keys } from "./keys.ts";

/** The document in this JSON. What an older or broken version of it can't be read as becomes plain paragraphs: no text is lost. */
export function readDocument(json: unknown): Node {
  try {
    const document = Node.fromJSON(schema, json);
    document.check();
    return document;
  } catch {
    const text = typeof json === "object" && json !== null ? documentToText(json as NodeJson) : "";
    const paragraphs = text
      .split(/\n+/)
      .map((line) => schema.nodes.paragraph.create(null, line ? schema.text(line) : null));
    return schema.nodes.doc.create(null, paragraphs);
  }
}

/** The state of an editor with this document; `more` are keys and plugins that need the page around it. */
export function createState(
  document: Node,
  more: { keys?: Record<string, Command>; plugins?: Plugin[] } = {},
): EditorState {
  return EditorState.create({
    doc: document,
    plugins: [
      ...(more.plugins ?? []),
      markdownRules(),
      keys(more.keys ?? {}),
      tableEditing(),
      history({ depth: 1000 }),
      dropCursor({ color: false, class: "editor-drop" }),
      gapCursor(),
    ],
  });
}
