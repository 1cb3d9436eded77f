import { useMutation } from "@tanstack/react-query";
import type { MouseEvent } from "react";
import { useNavigate } from "react-router-dom";
import { willBeReadText } from "../../shared/audience.ts";
import { messages } from "../../shared/errors.ts";
import { routes } from "../../shared/routes.ts";
import type { Preview } from "../../shared/drafts.ts";
import { errorMessage } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import { useViewer } from "../session/viewer.ts";
import { Button, LinkButton } from "../ui/button.tsx";
import { confirm } from "../ui/confirm.tsx";
import { useNavigateFromHere } from "../ui/navigate-from-here.ts";
import { toast } from "../ui/toasts.tsx";
import { showSavedToast } from "./form/saved-toast.ts";
import "../ui/notice.css";

export function PreviewStrip({ preview }: { preview: Preview }) {
  const { slug, isDraft, isChanged, problem } = preview;
  const [isSending, publish] = usePublish(preview);
  const isSeen = !isDraft && !isChanged;
  return (
    <aside className="preview-strip notice" aria-label="Preview">
      <p role="status">
        {problem ? (
          <>
            <strong>Preview.</strong> We can’t show the text yet: {problem}
          </>
        ) : (
          <>
            <strong>Preview:</strong> {isSeen ? "readers see this version" : "readers don’t see this yet"}
          </>
        )}
      </p>
      <div className="row">
        <LinkButton size="s" to={routes.edit(slug)} onClick={backToForm}>
          Back to writing
        </LinkButton>
        {!isSeen && (
          <Button size="s" kind="primary" busy={isSending} onClick={() => void publish()}>
            {isDraft ? "Publish" : "Update"}
          </Button>
        )}
      </div>
    </aside>
  );
}

/** If the form is still open in the opener, returns there. */
function backToForm(event: MouseEvent): void {
  const opener = window.opener as Window | null;
  try {
    if (!opener || opener.closed || !/^\/(add-blog$|edit\/)/.test(opener.location.pathname)) return;
  } catch {
    // It shows another site.
    return;
  }
  event.preventDefault();
  // The router listens too.
  event.stopPropagation();
  opener.focus();
  window.close();
}

/** Publishes this version after a confirmation that names the readers. */
function usePublish({
  blog,
  isDraft,
  forFollowers,
}: Preview): [isSending: boolean, publish: () => Promise<void>] {
  const viewer = useViewer();
  const navigate = useNavigate();
  const leave = useNavigateFromHere();
  const openDraft = trpc.blogs.openDraft.useMutation();
  const publication = trpc.blogs.publish.useMutation();
  const sending = useMutation({
    mutationFn: async ({ id }: { id: string }) => {
      // Creates the draft if no one has edited since the last save.
      await openDraft.mutateAsync({ id });
      return publication.mutateAsync({ id, draft: false });
    },
    onSuccess: (saved) => {
      showSavedToast(saved, { title: blog.title, isPublished: true, navigate });
      leave(routes.blog(saved.slug), { replace: true });
    },
    onError: (error) => toast({ message: errorMessage(error, messages.blogPost), kind: "error" }),
  });
  const publish = async (): Promise<void> => {
    const owner = blog.author.id === viewer?.id ? null : blog.author.name;
    const isConfirmed = await confirm({
      title: isDraft ? "Publish this blog?" : "Update this blog?",
      body: willBeReadText(forFollowers ? "followers" : "everyone", { owner }),
      action: isDraft ? "Publish" : "Update",
    });
    if (isConfirmed) sending.mutate(blog);
  };
  return [sending.isPending, publish];
}
