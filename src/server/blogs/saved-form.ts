import type { Node } from "prosemirror-model";
import type { z } from "zod";
import { BlogUpdate } from "../../shared/blogs.ts";
import type { NodeJson } from "../../shared/document/schema.ts";
import { trimDocument } from "../../shared/document/trim-document.ts";
import type { DraftFields } from "../../shared/drafts.ts";

/* A draft as a save stores it. */

/** The title of a draft without one. */
export const untitled = "Untitled";

export const nameOf = ({ fields }: { fields: DraftFields }): string => fields.title.trim() || untitled;

/** Returns the document to store, without the empty paragraphs at its end. */
export const savedForm = (document: Node): NodeJson => trimDocument(document.toJSON() as NodeJson);

const shapes: Partial<Record<string, z.ZodType>> = BlogUpdate.shape;

/** Returns fields as stored, such as a title without spaces at its end; those that a save would refuse, as typed. */
export const fieldsAsSaved = <T extends object>(fields: T): T =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, shapes[name]?.safeParse(value).data ?? value]),
  ) as T;
