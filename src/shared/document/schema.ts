import { Schema } from "prosemirror-model";
import { marks } from "./marks.ts";
import { nodes } from "./nodes.ts";

/** What a text on this site may consist of. The editor, the store, the API and the importer all go through it. */
export const schema = new Schema<keyof typeof nodes, keyof typeof marks>({ nodes, marks });

/** A mark on a piece of text, as stored. */
export interface MarkJson {
  type: string;
  attrs?: Record<string, unknown>;
}

/** A node, as stored. */
export interface NodeJson {
  type: string;
  attrs?: Record<string, unknown>;
  content?: NodeJson[];
  marks?: MarkJson[];
  text?: string;
}

/** A whole document, as stored and sent: ProseMirror's own JSON. */
export interface DocumentJson extends NodeJson {
  type: "doc";
}

/** A document in which nothing has been written yet. */
export function emptyDocument(): DocumentJson {
  return { type: "doc", content: [{ type: "paragraph", attrs: { align: null, indent: 0 } }] };
}
