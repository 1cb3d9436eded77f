import type { BlogCard, BlogList } from "./blogs.ts";
import type { ViewerComment } from "./comments.ts";
import { limits } from "./limits.ts";

/** The page count of a list; with `more`, there are more than are counted. */
export interface Pages {
  count: number;
  more?: true;
}

export interface CountedList extends BlogList {
  pages: Pages;
}

/** Blogs of followed people and with followed tags, which are `tags`. */
export interface FollowingList extends CountedList {
  tags: string[];
}

/** Returns the page count; counts at most `most` blogs. */
export const pagesOf = (blogs: number, most: number): Pages =>
  blogs > most
    ? { count: Math.ceil(most / limits.page.feed), more: true }
    : { count: Math.max(1, Math.ceil(blogs / limits.page.feed)) };

/** Popular recent tags, beside the fixed ones. */
export interface TopicsInUse {
  tags: string[];
}

/**
 * For guests: the most liked recent blog first, with its newest comments, then other liked blogs. Empty if nothing was
 * published.
 */
export interface Showcase {
  blogs: BlogCard[];
  comments: ViewerComment[];
}
