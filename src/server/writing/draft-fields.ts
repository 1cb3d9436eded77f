import type { Node } from "prosemirror-model";
import type { z } from "zod";
import { BlogUpdate } from "../../shared/blogs.ts";
import { readDocument } from "../../shared/document/read.ts";
import type { NodeJson } from "../../shared/document/schema.ts";
import { trimDocument } from "../../shared/document/trim-document.ts";
import { newDraftFields, type DraftFields } from "../../shared/drafts.ts";
import { hasTagPage } from "../../shared/tags.ts";
import { untitled } from "../database/blog-title.ts";
import type { Connection } from "../database/connection.ts";
import { cardById } from "../blogs/card-queries.ts";
import { blogDocument, type BlogFacts } from "../blogs/queries.ts";

/* The fields and the text of a draft, and of a blog as a draft that equals it. */

export const nameOf = ({ fields }: { fields: DraftFields }): string => fields.title.trim() || untitled;

/** Returns the document to publish, without the empty paragraphs at its end. */
export const savedForm = (document: Node): NodeJson => trimDocument(document.toJSON() as NodeJson);

const shapes: Partial<Record<string, z.ZodType>> = BlogUpdate.shape;

/** Returns fields as stored, such as a title without spaces at its end; those that are not valid, as typed. */
export const validFields = <T extends object>(fields: T): T =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, shapes[name]?.safeParse(value).data ?? value]),
  ) as T;

/** Returns the text that readers of a blog see. */
export async function textOfBlog(connection: Connection, { id }: BlogFacts): Promise<Node> {
  const body = await blogDocument(connection, id);
  return readDocument(JSON.parse(body?.document ?? "null"));
}

/** Returns the fields that readers of a blog see, beside its text. */
export async function fieldsOfBlog(connection: Connection, blog: BlogFacts): Promise<DraftFields> {
  const row = await cardById(connection, blog.id, blog.authorId);
  const { title, private: isPrivate, coverId, canonicalUrl, searchTitle, searchDescription, language } = blog;
  const { description = "", tags = [], coverFocus = null } = row ?? {};
  const seen = { title, description, tags: tags.filter(hasTagPage), coverId, coverFocus, private: isPrivate };
  return { ...newDraftFields(), ...seen, canonicalUrl, searchTitle, searchDescription, language };
}
