import { useState } from "react";
import type { FormEvent } from "react";
import type { BlogPage } from "../../../shared/blogs.ts";
import { messages } from "../../../shared/errors.ts";
import { routes } from "../../../shared/routes.ts";
import { errorMessage } from "../../api/errors.ts";
import { trpc } from "../../api/trpc.ts";
import { Button } from "../../ui/button.tsx";
import { useConfirm } from "../../ui/confirm.tsx";
import { useNavigate, useNavigateFromHere } from "../../ui/location.ts";
import { toast } from "../../ui/toasts.tsx";

/** Blogs that this tab deletes, and where whoever does it is led: by the answer or by the stream, whichever tells it first. */
export const deletedHere = new Map<string, string>();

/** Edit Blog and Delete Blog. */
export function OwnerActions({ blog }: { blog: BlogPage }) {
  const navigate = useNavigate();
  const leave = useNavigateFromHere();
  const confirm = useConfirm();
  const cache = trpc.useUtils();
  const [deleting, setDeleting] = useState(false);

  const edit = (event: FormEvent): void => {
    event.preventDefault();
    void navigate(routes.edit(blog.slug));
  };
  const remove = async (): Promise<void> => {
    const { commentsCount: comments } = blog;
    const lost =
      comments === 0
        ? ""
        : ` Its ${comments === 1 ? "comment goes" : `${comments.toLocaleString("en")} comments go`} with it.`;
    if (
      !(await confirm({
        title: "Delete this blog?",
        body: `“${blog.title}” will be gone for good.${lost}`,
        action: "Delete",
        danger: true,
      }))
    )
      return;
    setDeleting(true);
    const next = blog.draft ? routes.profile(blog.author.username, "draft-blogs") : routes.home();
    deletedHere.set(blog.id, next);
    try {
      const { message } = await cache.client.blogs.remove.mutate({ id: blog.id });
      toast({ kind: "success", message });
      leave(next, { replace: true });
    } catch (error) {
      setDeleting(false);
      deletedHere.delete(blog.id);
      toast({
        kind: "error",
        message: errorMessage(error, messages.blogDelete),
        action: { label: "Retry", run: () => void remove() },
      });
    }
  };

  return (
    <div className="article-owner">
      {/* A form, so that it leads there before its script has come. */}
      <form action={routes.edit(blog.slug)} onSubmit={edit}>
        <Button type="submit" size="s">
          Edit Blog
        </Button>
      </form>
      <Button size="s" kind="quiet" className="article-delete" busy={deleting} onClick={() => void remove()}>
        Delete Blog
      </Button>
    </div>
  );
}
