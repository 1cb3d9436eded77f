import { useState } from "react";
import type { FormEvent } from "react";
import type { BlogPage } from "../../../shared/blogs.ts";
import { routes } from "../../../shared/routes.ts";
import { Button } from "../../ui/button.tsx";
import { useNavigate, useNavigateFromHere } from "../../ui/location.ts";
import { withCode } from "../../ui/on-demand.tsx";

/** Blogs that this tab deletes, and where whoever does it is led: by the answer or by the stream, whichever tells it first. */
export const deletedHere = new Map<string, string>();

/** Edit Blog, and Delete Blog for whom it came from. */
export function OwnerActions({ blog }: { blog: BlogPage }) {
  const navigate = useNavigate();
  const leave = useNavigateFromHere();
  const [deleting, setDeleting] = useState(false);

  const edit = (event: FormEvent): void => {
    event.preventDefault();
    void navigate(routes.edit(blog.slug));
  };
  const remove = (): void =>
    withCode(
      () => import("./delete-blog.ts"),
      ({ deleteBlog }) =>
        void deleteBlog(blog, { leave: (to) => leave(to, { replace: true }), setBusy: setDeleting }),
    );

  return (
    <div className="article-owner">
      {/* A form, so that it leads there before its script has come. */}
      <form action={routes.edit(blog.slug)} onSubmit={edit}>
        <Button type="submit" size="s">
          Edit Blog
        </Button>
      </form>
      {blog.mine && (
        <Button size="s" kind="quiet" className="article-delete" busy={deleting} onClick={remove}>
          Delete Blog
        </Button>
      )}
    </div>
  );
}
