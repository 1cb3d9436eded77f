import type { FormEvent } from "react";
import { Form, useNavigate } from "react-router-dom";
import type { BlogPage } from "../../../shared/blogs.ts";
import { messages } from "../../../shared/errors.ts";
import { routes } from "../../../shared/routes.ts";
import { errorMessage } from "../../api/errors.ts";
import { trpc } from "../../api/trpc.ts";
import { Button } from "../../ui/button.tsx";
import { useNavigateFromHere } from "../../ui/navigate-from-here.ts";
import { toast } from "../../ui/toasts.tsx";
import { askToDelete } from "../ask-to-delete.ts";

/** Blogs that this tab deletes, and where whoever does it is led: by the answer or by the stream, whichever tells it first. */
export const deletedHere = new Map<string, string>();

/** Edit Blog, and Delete Blog for whom it came from. */
export function OwnerActions({ blog }: { blog: BlogPage }) {
  const navigate = useNavigate();
  const leave = useNavigateFromHere();
  const { id } = blog;
  const next = blog.draft ? routes.profile(blog.author.username, "draft-blogs") : routes.home();
  const deletion = trpc.blogs.remove.useMutation({
    onMutate: () => void deletedHere.set(id, next),
    onSuccess: ({ message }) => {
      toast({ kind: "success", message });
      leave(next, { replace: true });
    },
    onError: (error, asked) => {
      deletedHere.delete(id);
      toast({
        kind: "error",
        message: errorMessage(error, messages.blogDelete),
        action: { label: "Retry", run: () => deletion.mutate(asked) },
      });
    },
  });

  const edit = (event: FormEvent): void => {
    event.preventDefault();
    void navigate(routes.edit(blog.slug));
  };
  const remove = async (): Promise<void> => {
    if (await askToDelete(blog)) deletion.mutate({ id });
  };
  return (
    <div className="article-owner">
      {/* A form, so that it leads there before its script has come. */}
      <Form action={routes.edit(blog.slug)} onSubmit={edit}>
        <Button type="submit" size="s">
          Edit Blog
        </Button>
      </Form>
      {blog.mine && (
        <Button
          size="s"
          kind="quiet"
          className="article-delete"
          busy={deletion.isPending || deletion.isSuccess}
          onClick={() => void remove()}
        >
          Delete Blog
        </Button>
      )}
    </div>
  );
}
