import type { LinkedBlog } from "../../../shared/linked-blogs.ts";
import { codeLoader } from "../../ui/fetch-code.ts";

const loadDrawing = codeLoader(() => import("../article/linked/draw.ts"));

/** Draws the card of a blog of the site into its place in a text that is written, once it is known whether its writer may see it. */
export async function showLinked(place: Element, asked: Promise<{ blogs: LinkedBlog[] }>): Promise<void> {
  const [{ blogs }, { drawLinked }] = await Promise.all([asked, loadDrawing()]);
  for (const blog of blogs) drawLinked(place, blog);
}
