import type { BlogCard } from "../../shared/blogs.ts";
import { confirm } from "../ui/confirm.tsx";

/** Asks for confirmation to delete a blog. */
export function confirmDeleteBlog({
  title,
  draft,
  commentsCount: comments,
}: Pick<BlogCard, "title" | "draft" | "commentsCount">): Promise<boolean> {
  const rest =
    comments === 0
      ? ""
      : ` Its ${comments === 1 ? "comment goes" : `${comments.toLocaleString("en")} comments go`} with it.`;
  return confirm({
    title: "Delete this blog?",
    body: `${draft ? "The draft " : ""}“${title}” will be deleted for good.${rest}`,
    action: "Delete",
    danger: true,
  });
}
