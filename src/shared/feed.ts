import type { BlogCard, BlogList } from "./blogs.ts";
import type { SeenComment } from "./comments.ts";
import { limits } from "./limits.ts";

/** How many pages a list has; `more`: so many and more, they are counted no further. */
export interface Pages {
  count: number;
  more?: true;
}

/** A page of a list that says how many it has. */
export interface CountedList extends BlogList {
  pages: Pages;
}

/** The pages of so many blogs, of which `most` are counted at most. */
export const pagesOf = (blogs: number, most: number): Pages =>
  blogs > most
    ? { count: Math.ceil(most / limits.page.feed), more: true }
    : { count: Math.max(1, Math.ceil(blogs / limits.page.feed)) };

/** Tags that many use lately, beside those that always stand there. */
export interface TopicsInUse {
  tags: string[];
}

/**
 * What guests are shown of the site: first the blog that is liked most of late, with its newest comments, then others that are
 * liked. Empty where nothing was published.
 */
export interface Showcase {
  blogs: BlogCard[];
  comments: SeenComment[];
}
