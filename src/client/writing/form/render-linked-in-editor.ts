import type { LinkedBlog } from "../../../shared/linked-blogs.ts";
import { codeLoader } from "../../ui/fetch-code.ts";

const loadDrawing = codeLoader(() => import("../../blogs/article/linked/render-linked-card.ts"));

/** Renders a linked blog's card into a text being edited, if its author may see it. */
export async function renderLinkedInEditor(
  place: Element,
  response: Promise<{ blogs: LinkedBlog[] }>,
): Promise<void> {
  const [{ blogs }, { renderLinkedCard }] = await Promise.all([response, loadDrawing()]);
  for (const blog of blogs) renderLinkedCard(place, blog);
}
