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

export const confirmLeave = (title: string, owner: string): Promise<boolean> =>
  confirm({
    title: "Leave this blog?",
    body: `You’ll no longer be able to write “${title}”, and we’ll remove your name from it. What you wrote stays in it. Only ${owner} can invite you again.`,
    action: "Leave",
    danger: true,
  });
