import { useEffect } from "react";
import type { BlogPage } from "../../../shared/blogs.ts";
import type { CommentList } from "../../../shared/comments.ts";
import { SELECTED_BLOG } from "../../session/stored-user.ts";
import { useViewer } from "../../session/viewer.ts";
import { codeLoader } from "../../ui/fetch-code.ts";

const quiet = 1_000;
const loadSelected = codeLoader(() => import("./selected-blog.ts"));

/**
 * Keeps the blog being read, with its comments, in the local storage for as long as it is read. What it is kept as comes
 * after the page.
 */
export function useSelectedBlog(blog: BlogPage, list: CommentList | undefined): void {
  const viewerId = useViewer()?.id;
  useEffect(() => {
    let isOver = false;
    const keep = async () => {
      const { keepSelected } = await loadSelected();
      if (!isOver) keepSelected(blog, list, viewerId);
    };
    const timer = setTimeout(() => void keep().catch(() => undefined), quiet);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
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
