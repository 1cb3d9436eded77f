import { Node } from "prosemirror-model";
import { schema, type NodeJson } from "./schema.ts";
import { documentToText } from "./to-text.ts";

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
