import { Schema } from "prosemirror-model";
import { nodes, type NodeName } from "./blocks.ts";
import { marks } from "./marks.ts";

/** Used by the editor, the store, the API and the importer. */
export const schema = new Schema<NodeName, keyof typeof marks>({ nodes, marks });

export interface MarkJson {
  type: string;
  attrs?: Record<string, unknown>;
}

export interface NodeJson {
  type: string;
  attrs?: Record<string, unknown>;
  content?: NodeJson[];
  marks?: MarkJson[];
  text?: string;
}

/** As stored and sent: ProseMirror's JSON. */
export interface DocumentJson extends NodeJson {
  type: "doc";
}
