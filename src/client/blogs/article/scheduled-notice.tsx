import type { BlogPage } from "../../../shared/blogs.ts";
import { messages } from "../../../shared/errors.ts";
import { routes } from "../../../shared/routes.ts";
import { errorMessage } from "../../api/errors.ts";
import { trpc } from "../../api/trpc.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { confirm } from "../../ui/confirm.tsx";
import { toast } from "../../ui/toasts.tsx";
import "./scheduled-notice.css";

/** The notice that a draft is scheduled, for its authors. */
export function ScheduledNotice({ blog, when }: { blog: BlogPage; when: string }) {
  const publishing = trpc.blogs.update.useMutation({
    onSuccess: ({ message }) => toast({ kind: "success", message }),
    onError: (error) => toast({ kind: "error", message: errorMessage(error, messages.update) }),
  });
  const publish = async (): Promise<void> => {
    const readers = blog.private ? "Your followers" : "Everyone";
    const isConfirmed = await confirm({
      title: "Publish this blog now?",
      body: `${readers} will be able to read it as it is now.`,
      action: "Publish now",
    });
    if (isConfirmed) publishing.mutate({ id: blog.id, draft: false });
  };
  return (
    <aside className="scheduled" aria-label="Scheduled">
      <p>
        <strong>{when}.</strong> Until then it is a draft that {blog.coAuthors ? "its authors" : "you"} alone
        can read.
      </p>
      <div className="scheduled-acts">
        <LinkButton size="s" to={routes.edit(blog.slug)}>
          Change
        </LinkButton>
        <Button size="s" kind="quiet" busy={publishing.isPending} onClick={() => void publish()}>
          Publish now
        </Button>
      </div>
    </aside>
  );
}
