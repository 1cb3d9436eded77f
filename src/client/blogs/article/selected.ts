import { useEffect } from "react";
import type { BlogPage } from "../../../shared/blogs.ts";
import type { CommentList } from "../../../shared/comments.ts";
import { SELECTED_BLOG } from "../../session/stored-user.ts";
import { useViewer } from "../../session/viewer.ts";
import { keepSelected } from "./selected-blog.ts";

const quiet = 1_000;

/** Keeps the blog being read, with its comments, in the local storage for as long as it is read. */
export function useSelectedBlog(blog: BlogPage, list: CommentList | undefined): void {
  const viewerId = useViewer()?.id;
  useEffect(() => {
    const timer = setTimeout(() => keepSelected(blog, list, viewerId), quiet);
    return () => clearTimeout(timer);
  }, [blog, list, viewerId]);
  useEffect(() => forget, [blog.id]);
}

function forget(): void {
  try {
    localStorage.removeItem(SELECTED_BLOG);
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}
