import type { Client } from "./browser.ts";
import { newId } from "../../src/server/runtime/ids.ts";
import { schemaMark } from "../../src/shared/document/schema-mark.ts";

/** Returns a document of paragraphs. */
export const paragraphs = (...texts: string[]) => ({
  type: "doc",
  content: texts.map((text) => ({ type: "paragraph", content: text ? [{ type: "text", text }] : [] })),
});

/** Returns a blog as the form sends it. */
export const aBlog = (change: Record<string, unknown> = {}) => ({
  id: newId(),
  title: "A walk at night",
  description: "What one hears.",
  tags: ["night"],
  document: paragraphs("Owls, mostly."),
  draft: false,
  private: false,
  coverId: null,
  ...change,
});

/** Returns a comment as the form sends it. */
export const aComment = (blog: { id: string }, change: Record<string, unknown> = {}) => ({
  id: newId(),
  blogId: blog.id,
  parentId: null,
  text: "Lovely.",
  ...change,
});

/** Returns a commit of a draft as a page sends it, of fields alone; `epoch` comes from the opened text. */
export const aCommit = (id: string, change: Record<string, unknown> = {}) => ({
  id,
  seq: 1,
  client: newId(),
  number: 1,
  steps: "[]",
  fields: { description: "What one hears." },
  schema: schemaMark,
  ...change,
});

/** Returns the document of an own blog as its form opens it. */
export async function documentAt({ api }: { api: Client }, slug: string): Promise<unknown> {
  const { id } = await api.blogs.forEdit.query({ slug });
  return (await api.blogs.openDraft.mutate({ id })).document;
}
