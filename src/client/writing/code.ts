import { readDocument } from "../../shared/document/read.ts";
import type { NodeJson } from "../../shared/document/schema.ts";
import { DraftSync } from "./draft-sync.ts";
import { headless, replace } from "./text.ts";

/** Normalizes a document as the editor does, to compare it with a stored one. */
export const normalDocument = (json: unknown): NodeJson => readDocument(json).toJSON() as NodeJson;

/** Loaded only together with the editor. */
export const code = { normalDocument, Sync: DraftSync, headless, replace };
