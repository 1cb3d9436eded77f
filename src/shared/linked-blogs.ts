import type { BlogCard } from "./blogs.ts";

/** Cards of the site's own blogs that a page shows at most within a text, and asks for at once; the rest are links. */
export const mostLinked = 12;

/** A blog that a text leads to by the address `asked`, which may be an old one. */
export interface LinkedBlog extends Pick<
  BlogCard,
  "slug" | "title" | "cover" | "language" | "readingMinutes"
> {
  asked: string;
  /** The name of its author. */
  author: string;
}
