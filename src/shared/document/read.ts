import { Node } from "prosemirror-model";
import { schema, type NodeJson } from "./schema.ts";
import { documentToText } from "./to-text.ts";

/**
 * Reads a stored document. If its version is outdated or broken, its text becomes plain paragraphs, so that no text is lost.
 */
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
