import type { Node } from "prosemirror-model";
import type { NodeJson } from "../../shared/document/schema.ts";
import { trimDocument } from "../../shared/document/trim-document.ts";
import type { WritingHead } from "./writing-queries.ts";

/** The title of a draft without one. */
export const untitled = "Untitled";

export const nameOf = ({ fields }: Pick<WritingHead, "fields">): string => fields.title.trim() || untitled;

/** Returns the document to store, without the empty paragraphs at its end. */
export const savedForm = (document: Node): NodeJson => trimDocument(document.toJSON() as NodeJson);
