import type { BlogPage } from "../../../shared/blogs.ts";
import { messages } from "../../../shared/errors.ts";
import { routes } from "../../../shared/routes.ts";
import { errorMessage } from "../../api/errors.ts";
import { ownHands } from "../../live/live.ts";
import { confirm } from "../../ui/confirm.tsx";
import { toast } from "../../ui/toasts.tsx";
import { deletedHere } from "./owner.tsx";

/** Asks, and deletes a blog that is open; `leave` leads away from it. */
export async function deleteBlog(
  blog: BlogPage,
  { leave, setBusy }: { leave: (to: string) => void; setBusy: (busy: boolean) => void },
): Promise<void> {
  const { commentsCount: comments } = blog;
  const lost =
    comments === 0
      ? ""
      : ` Its ${comments === 1 ? "comment goes" : `${comments.toLocaleString("en")} comments go`} with it.`;
  const yes = await confirm({
    title: "Delete this blog?",
    body: `“${blog.title}” will be gone for good.${lost}`,
    action: "Delete",
    danger: true,
  });
  if (!yes) return;
  setBusy(true);
  const next = blog.draft ? routes.profile(blog.author.username, "draft-blogs") : routes.home();
  deletedHere.set(blog.id, next);
  try {
    const { message } = await ownHands().client.blogs.remove.mutate({ id: blog.id });
    toast({ kind: "success", message });
    leave(next);
  } catch (error) {
    setBusy(false);
    deletedHere.delete(blog.id);
    toast({
      kind: "error",
      message: errorMessage(error, messages.blogDelete),
      action: { label: "Retry", run: () => void deleteBlog(blog, { leave, setBusy }) },
    });
  }
}
