import type { Node } from "prosemirror-model";
import { readDocument } from "../../shared/document/read.ts";
import { hasTagPage } from "../../shared/tags.ts";
import type { DraftFields } from "../../shared/drafts.ts";
import type { Connection } from "../database/connection.ts";
import { cardById } from "./card-queries.ts";
import { blogDocument, type BlogFacts } from "./queries.ts";

/** Returns what a draft of the blog has without changes. */
export const contentOfBlog = async (
  connection: Connection,
  blog: BlogFacts,
): Promise<[DraftFields, Node]> => [await fieldsOfBlog(connection, blog), await textOfBlog(connection, blog)];

/** Returns the text of a blog. */
export async function textOfBlog(connection: Connection, { id }: BlogFacts): Promise<Node> {
  const body = await blogDocument(connection, id);
  return readDocument(JSON.parse(body?.document ?? "null"));
}

/** Returns the fields of a blog beside its text. */
export async function fieldsOfBlog(connection: Connection, blog: BlogFacts): Promise<DraftFields> {
  const row = await cardById(connection, blog.id, blog.authorId);
  const { title, private: isPrivate, coverId, canonicalUrl, searchTitle, searchDescription, language } = blog;
  const { description = "", tags = [], coverFocus = null } = row ?? {};
  const fields = {
    title,
    description,
    tags: tags.filter(hasTagPage),
    coverId,
    coverFocus,
    private: isPrivate,
  };
  return {
    ...fields,
    address: "",
    restores: null,
    intent: null,
    canonicalUrl,
    searchTitle,
    searchDescription,
    language,
  };
}
