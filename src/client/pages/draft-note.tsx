import type { BlogPage } from "../../shared/blogs.ts";
import TakedownNotice from "../moderation/takedown-notice.tsx";
import { audienceOf, readersText, willBeReadText } from "../../shared/audience.ts";
import { messages } from "../../shared/errors.ts";
import { routes } from "../../shared/routes.ts";
import { errorMessage } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import { Button, LinkButton } from "../ui/button.tsx";
import { confirm } from "../ui/confirm.tsx";
import { toast } from "../ui/toasts.tsx";
import "../ui/notice.css";

/** The note above a draft: when it will be published, or that moderators took it down. */
export default function DraftNote({ blog }: { blog: BlogPage }) {
  if (blog.takedownReason !== null) return <TakedownNotice blog={blog} reason={blog.takedownReason} />;
  return blog.draft && blog.scheduled ? <ScheduledNotice blog={blog} when={blog.scheduled} /> : null;
}

/** The notice that a draft is scheduled, for its authors. */
function ScheduledNotice({ blog, when }: { blog: BlogPage; when: string }) {
  const utils = trpc.useUtils();
  const publishing = trpc.blogs.update.useMutation({
    onSuccess: ({ message }) => toast({ kind: "success", message }),
    onError: (error) => toast({ kind: "error", message: errorMessage(error, messages.update) }),
  });
  const publish = async (): Promise<void> => {
    const known = await utils.blogs.authors.fetch({ id: blog.id }).catch(() => null);
    if (!known) return toast({ kind: "error", message: messages.update });
    const { authors, closed, mine } = known;
    const audience = audienceOf({ draft: false, private: blog.private, authorPrivate: closed });
    const isConfirmed = await confirm({
      title: "Publish this blog now?",
      body: willBeReadText(audience, { owner: mine ? null : (authors[0]?.name ?? null) }),
      action: "Publish now",
    });
    if (isConfirmed) publishing.mutate({ id: blog.id, draft: false });
  };
  return (
    <aside className="scheduled notice" aria-label="Scheduled">
      <p>
        <strong>{when}.</strong> {readersText("nobody", blog.coAuthors ? { owner: null } : null)} can read it
        until then.
      </p>
      <div className="row">
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
