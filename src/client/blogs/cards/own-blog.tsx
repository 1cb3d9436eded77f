import { useRef, useState } from "react";
import type { BlogCard as Blog } from "../../../shared/blogs.ts";
import { messages } from "../../../shared/errors.ts";
import { routes } from "../../../shared/routes.ts";
import { errorCode, errorMessage } from "../../api/errors.ts";
import { trpc } from "../../api/trpc.ts";
import { Button } from "../../ui/button.tsx";
import { confirm } from "../../ui/confirm.tsx";
import { useKeptFocus } from "../../ui/keep-focus.ts";
import { useNavigate } from "../../ui/location.ts";
import { toast } from "../../ui/toasts.tsx";
import { BlogCard } from "./blog-card.tsx";
import "../kept.ts";

/** One of the viewer's own blogs in their list, with what only they can do. */
export function OwnBlog({ blog }: { blog: Blog }) {
  const { client, blogs } = trpc.useUtils();
  const navigate = useNavigate();
  const [deleting, setDeleting] = useState(false);
  const row = useRef<HTMLLIElement>(null);
  const deleted = useRef(false);
  useKeptFocus(row, deleted);

  const remove = async (): Promise<void> => {
    setDeleting(true);
    deleted.current = true;
    try {
      const { message } = await client.blogs.remove.mutate({ id: blog.id });
      toast({ kind: "success", message });
    } catch (error) {
      setDeleting(false);
      deleted.current = false;
      if (errorCode(error) === "NOT_FOUND") void blogs.mine.invalidate();
      toast({
        kind: "error",
        message: errorMessage(error, messages.blogDelete),
        action: { label: "Retry", run: () => void remove() },
      });
    }
  };
  const ask = async (): Promise<void> => {
    if (await confirm({ title: "Delete this blog?", body: lossOf(blog), action: "Delete", danger: true }))
      await remove();
  };
  const which = <span className="visually-hidden"> “{blog.title}”</span>;
  return (
    <li className="own-blog" ref={row}>
      <BlogCard blog={blog} byline={false} />
      {/* A form, so that it leads there before its script has come. */}
      <form
        className="own-blog-acts"
        action={routes.edit(blog.slug)}
        onSubmit={(event) => {
          event.preventDefault();
          void navigate(routes.edit(blog.slug));
        }}
      >
        <Button type="submit" size="s">
          Edit Blog{which}
        </Button>
        <Button size="s" kind="quiet" busy={deleting} onClick={() => void ask()}>
          Delete Blog{which}
        </Button>
      </form>
    </li>
  );
}

function lossOf({ title, draft, commentsCount: comments }: Blog): string {
  const rest =
    comments === 0
      ? ""
      : ` Its ${comments === 1 ? "comment goes" : `${comments.toLocaleString("en")} comments go`} with it.`;
  return `${draft ? "The draft " : ""}“${title}” will be gone for good.${rest}`;
}
