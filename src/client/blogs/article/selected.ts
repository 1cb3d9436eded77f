import { useEffect } from "react";
import type { BlogPage } from "../../../shared/blogs.ts";
import type { CommentList } from "../../../shared/comments.ts";
import { SELECTED_BLOG } from "../../users/stored-user.ts";

const mostComments = 200;
/** Characters. Browsers give a site about five million for everything it keeps. */
const mostText = 1_000_000;
const quiet = 1_000;

/**
 * Keeps the blog being read, with its comments, in the local storage (specification, 3), from where an offline reader
 * gets it; away with it when the page is left. `_id` and `blogId` are the specification's names for id and slug.
 */
export function useSelectedBlog(blog: BlogPage, list: CommentList | undefined): void {
  useEffect(() => {
    const timer = setTimeout(() => store(blog, list), quiet);
    return () => clearTimeout(timer);
  }, [blog, list]);
  useEffect(() => forget, [blog.id]);
}

function store(blog: BlogPage, list: CommentList | undefined): void {
  const selected = {
    ...blog,
    _id: blog.id,
    blogId: blog.slug,
    comments: list?.comments.slice(0, mostComments) ?? [],
  };
  for (const kept of [selected, { ...selected, comments: [] }, { ...selected, comments: [], html: "" }]) {
    const text = JSON.stringify(kept);
    if (text.length > mostText) continue;
    try {
      localStorage.setItem(SELECTED_BLOG, text);
      return;
    } catch {
      // Full: less of it may fit.
    }
  }
  forget();
}

function forget(): void {
  try {
    localStorage.removeItem(SELECTED_BLOG);
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}
