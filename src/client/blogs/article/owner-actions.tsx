import type { FormEvent } from "react";
import { Form, useNavigate } from "react-router-dom";
import type { BlogPage } from "../../../shared/blogs.ts";
import { messages } from "../../../shared/errors.ts";
import { routes } from "../../../shared/routes.ts";
import { errorMessage } from "../../api/errors.ts";
import { trpc } from "../../api/trpc.ts";
import { Button } from "../../ui/button.tsx";
import { withCode } from "../../ui/on-demand.tsx";
import { useNavigateFromHere } from "../../ui/navigate-from-here.ts";
import { toast } from "../../ui/toasts.tsx";

const loadQuestion = () => import("../confirm.ts");

/** Blogs that this tab deletes, with the page to go to once the response or the live event arrives. */
export const pageAfterDeletion = new Map<string, string>();

export function OwnerActions({ blog }: { blog: BlogPage }) {
  const navigate = useNavigate();
  const leave = useNavigateFromHere();
  const { id } = blog;
  const next = blog.draft ? routes.profile(blog.author.username, "draft-blogs") : routes.home();
  const deletion = trpc.blogs.remove.useMutation({
    onMutate: () => void pageAfterDeletion.set(id, next),
    onSuccess: ({ message }) => {
      toast({ kind: "success", message });
      leave(next, { replace: true });
    },
    onError: (error, input) => {
      pageAfterDeletion.delete(id);
      toast({
        kind: "error",
        message: errorMessage(error, messages.blogDelete),
        action: { label: "Retry", run: () => deletion.mutate(input) },
      });
    },
  });

  const edit = (event: FormEvent): void => {
    event.preventDefault();
    void navigate(routes.edit(blog.slug));
  };
  const remove = (): void =>
    withCode(
      loadQuestion,
      ({ confirmDeleteBlog }) =>
        void confirmDeleteBlog(blog).then((isConfirmed) => isConfirmed && deletion.mutate({ id })),
    );
  return (
    <div className="article-owner row wrap">
      {/* A form, to work without JavaScript. */}
      <Form action={routes.edit(blog.slug)} onSubmit={edit}>
        <Button type="submit" size="s">
          Edit Blog
        </Button>
      </Form>
      {blog.mine && (
        <Button
          size="s"
          kind="quiet"
          className="article-delete danger"
          busy={deletion.isPending || deletion.isSuccess}
          onClick={remove}
        >
          Delete Blog
        </Button>
      )}
    </div>
  );
}
