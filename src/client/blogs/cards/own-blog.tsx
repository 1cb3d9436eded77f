import { useRef } from "react";
import type { BlogCard as Blog } from "../../../shared/blogs.ts";
import { messages } from "../../../shared/errors.ts";
import { routes } from "../../../shared/routes.ts";
import { errorCode, errorMessage } from "../../api/errors.ts";
import { trpc } from "../../api/trpc.ts";
import { useFocusAfterRemoval } from "../../ui/focus-after-removal.ts";
import { Menu } from "../../ui/menu.tsx";
import { toast } from "../../ui/toasts.tsx";
import { useViewer } from "../../session/viewer.ts";
import { confirmDeleteBlog, confirmLeave } from "../confirm.ts";
import { BlogCard } from "./blog-card.tsx";
import "../blog-queries.ts";

/** One of the viewer's blogs in their list, with a menu. Another author's can be left instead of deleted. */
export function OwnBlog({ blog }: { blog: Blog }) {
  const { blogs } = trpc.useUtils();
  const viewer = useViewer();
  const isMine = blog.author.id === viewer?.id;
  const row = useRef<HTMLLIElement>(null);
  const deleted = useRef(false);
  useFocusAfterRemoval(row, deleted);

  const options = {
    onMutate: () => void (deleted.current = true),
    onSuccess: ({ message }: { message: string }) => toast({ kind: "success", message }),
    onError: (error: unknown) => {
      deleted.current = false;
      if (errorCode(error) === "NOT_FOUND") void blogs.mine.invalidate();
      toast({
        kind: "error",
        message: errorMessage(error, isMine ? messages.blogDelete : messages.wrong),
        action: { label: "Retry", run: () => remove() },
      });
    },
  } as const;
  const deletion = trpc.blogs.remove.useMutation(options);
  const selfRemoval = trpc.blogs.removeAuthor.useMutation(options);
  const { id } = blog;
  const remove = (): void =>
    isMine ? deletion.mutate({ id }) : selfRemoval.mutate({ id, userId: viewer?.id ?? "" });
  // Until an event removes it from the list.
  const isRemoving = [deletion, selfRemoval].some(({ isPending, isSuccess }) => isPending || isSuccess);
  const confirmRemoval = async (): Promise<void> => {
    if (isRemoving) return;
    const isConfirmed = isMine
      ? await confirmDeleteBlog(blog)
      : await confirmLeave(blog.title, blog.author.name);
    if (isConfirmed) remove();
  };
  const end = isMine ? "Delete Blog" : "Leave";
  return (
    <li className="own-blog" ref={row} aria-busy={isRemoving || undefined}>
      <BlogCard blog={blog} byline={false} />
      <Menu
        label={`More about “${blog.title}”`}
        className="icon-button dots own-blog-acts"
        entries={[
          { label: "Edit Blog", icon: "pen", to: routes.edit(blog.slug) },
          {
            label: end,
            icon: isMine ? "trash" : "log-out",
            danger: isMine,
            run: () => void confirmRemoval(),
          },
        ]}
      >
        <span aria-hidden="true">•••</span>
      </Menu>
    </li>
  );
}
