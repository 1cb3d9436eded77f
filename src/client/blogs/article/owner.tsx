import { useState } from "react";
import type { FormEvent } from "react";
import type { BlogPage } from "../../../shared/blogs.ts";
import { routes } from "../../../shared/routes.ts";
import { Button } from "../../ui/button.tsx";
import { fetchCode } from "../../ui/fetch-code.ts";
import { useNavigate, useNavigateFromHere } from "../../ui/location.ts";
import { toast } from "../../ui/toasts.tsx";

/** Blogs that this tab deletes, and where whoever does it is led: by the answer or by the stream, whichever tells it first. */
export const deletedHere = new Map<string, string>();

/** Edit Blog and Delete Blog. */
export function OwnerActions({ blog }: { blog: BlogPage }) {
  const navigate = useNavigate();
  const leave = useNavigateFromHere();
  const [deleting, setDeleting] = useState(false);

  const edit = (event: FormEvent): void => {
    event.preventDefault();
    void navigate(routes.edit(blog.slug));
  };
  const remove = (): void => {
    fetchCode(() => import("./delete-blog.ts")).then(
      ({ deleteBlog }) =>
        void deleteBlog(blog, { leave: (to) => leave(to, { replace: true }), setBusy: setDeleting }),
      () => toast({ kind: "error", message: "That could not be loaded. Please try again." }),
    );
  };

  return (
    <div className="article-owner">
      {/* A form, so that it leads there before its script has come. */}
      <form action={routes.edit(blog.slug)} onSubmit={edit}>
        <Button type="submit" size="s">
          Edit Blog
        </Button>
      </form>
      <Button size="s" kind="quiet" className="article-delete" busy={deleting} onClick={remove}>
        Delete Blog
      </Button>
    </div>
  );
}
