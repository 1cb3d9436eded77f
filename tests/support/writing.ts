import { newId } from "../../src/server/ids.ts";

/** A document of paragraphs. */
export const paragraphs = (...texts: string[]) => ({
  type: "doc",
  content: texts.map((text) => ({ type: "paragraph", content: text ? [{ type: "text", text }] : [] })),
});

/** A blog as the form would send it. */
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

/** A comment as the form would send it. */
export const aComment = (blog: { id: string }, change: Record<string, unknown> = {}) => ({
  id: newId(),
  blogId: blog.id,
  parentId: null,
  text: "Lovely.",
  ...change,
});
