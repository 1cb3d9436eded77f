import { readDocument } from "../../../shared/document/read.ts";
import type { NodeJson } from "../../../shared/document/schema.ts";
import { WritingSync } from "./sync.ts";
import { headless, replace } from "./text.ts";

/** A document as this editor would give it back: what was stored compares with what it says only in that form. */
export const normalDocument = (json: unknown): NodeJson => readDocument(json).toJSON() as NodeJson;

/** What keeps a text in step, which is of no use without the editor. */
export const code = { normalDocument, Sync: WritingSync, headless, replace };
