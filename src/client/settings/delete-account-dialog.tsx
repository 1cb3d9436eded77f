import { countText } from "../../shared/count-text.ts";
import type { BlogStats } from "../../shared/blogs.ts";
import type { Viewer } from "../../shared/users.ts";
import { trpc } from "../api/trpc.ts";
import { endSession } from "../session/session.ts";
import AskPasswordDialog from "../sign-in/ask-password-dialog.tsx";

interface Props {
  viewer: Viewer;
  onClose: () => void;
}

/** Lists what is deleted with the account, and deletes it after the password or, without one, by an emailed link. */
export default function DeleteAccountDialog({ viewer, onClose }: Props) {
  const removal = trpc.users.remove.useMutation();
  const linkRequest = trpc.users.sendDeletionLink.useMutation();
  const { hasPassword } = viewer;
  return (
    <AskPasswordDialog
      viewer={viewer}
      title="Delete your account?"
      action={hasPassword ? "Delete Account" : "Send the link"}
      danger
      message={linkRequest.data?.message}
      onClose={onClose}
      onPassword={async (password) => {
        if (hasPassword) return endSession(() => removal.mutateAsync({ password }));
        await linkRequest.mutateAsync();
      }}
    >
      <DeletedContent />
      {!hasPassword && (
        <p>
          Your account has no password. We’ll send a link to <bdi>{viewer.email}</bdi>, and the page it opens
          deletes the account.
        </p>
      )}
    </AskPasswordDialog>
  );
}

function DeletedContent() {
  const { data: stats } = trpc.blogs.stats.useQuery();
  return (
    <div className="stack">
      <p>This can’t be undone. We’ll also delete:</p>
      <ul>
        <li>{blogsText(stats)}</li>
        <li>your likes, saved blogs, interests and drafts</li>
        <li>your followers and follows</li>
        <li>your comments (those with replies stay as “deleted”)</li>
      </ul>
    </div>
  );
}

function blogsText(stats: BlogStats | undefined): string {
  if (!stats || stats.blogs === 0) return "everything you wrote";
  const { blogs, likes, comments } = stats;
  return `${countText(blogs, "blog")}, with ${countText(likes, "like")} and ${countText(comments, "comment")} on ${blogs === 1 ? "it" : "them"}`;
}
