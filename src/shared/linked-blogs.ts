import type { BlogCard } from "./blogs.ts";

/** Cards of the site's own blogs in a text, fetched at once; the rest stay links. */
export const maxLinkedCards = 12;

/** A blog linked by the slug `asked`, which may be an old one. */
export interface LinkedBlog extends Pick<
  BlogCard,
  "slug" | "title" | "cover" | "language" | "readingMinutes"
> {
  asked: string;
  /** Its name. */
  author: string;
}
