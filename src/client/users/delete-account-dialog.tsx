import { useRef } from "react";
import type { ReactNode } from "react";
import type { BlogStats } from "../../shared/blogs.ts";
import { messages } from "../../shared/errors.ts";
import type { Viewer } from "../../shared/users.ts";
import { errorMessage } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { toast } from "../ui/toasts.tsx";
import { endSession } from "../session/session.ts";
import AskPasswordDialog from "./ask-password-dialog.tsx";
import "./delete-account.css";

interface Props {
  viewer: Viewer;
  onClose: () => void;
}

/** Says what goes with the account, and deletes it for whoever knows its password; where it has none, by a mail's link. */
export default function DeleteAccountDialog(props: Props) {
  return props.viewer.hasPassword ? <ByPassword {...props} /> : <ByMail {...props} />;
}

function ByPassword({ viewer, onClose }: Props) {
  const removal = trpc.users.remove.useMutation();
  const remove = async (password: string): Promise<void> => {
    const { message } = await endSession(() => removal.mutateAsync({ password }));
    onClose();
    toast({ kind: "success", message });
  };
  return (
    <AskPasswordDialog
      viewer={viewer}
      title="Delete your account?"
      action="Delete Account"
      danger
      onClose={onClose}
      onPassword={remove}
    >
      <WhatGoes />
    </AskPasswordDialog>
  );
}

function ByMail({ viewer, onClose }: Props) {
  const cancel = useRef<HTMLButtonElement>(null);
  const mailing = trpc.users.mailRemoval.useMutation();
  const isSent = mailing.isSuccess;
  return (
    <Dialog
      alert
      title="Delete your account?"
      onClose={onClose}
      initialFocus={cancel}
      actions={
        <>
          <Button ref={cancel} onClick={onClose}>
            {isSent ? "Close" : "Cancel"}
          </Button>
          {!isSent && (
            <Button kind="danger" busy={mailing.isPending} onClick={() => mailing.mutate()}>
              Send the link
            </Button>
          )}
        </>
      }
    >
      <WhatGoes>
        {!isSent && (
          <p>
            Your account has no password: we send a link to <bdi>{viewer.email}</bdi>, and the page behind it
            deletes the account.
          </p>
        )}
        <p role="status" className={mailing.isError ? "delete-account-problem" : "delete-account-said"}>
          {mailing.isError ? errorMessage(mailing.error, messages.wrong) : mailing.data?.message}
        </p>
      </WhatGoes>
    </Dialog>
  );
}

function WhatGoes({ children }: { children?: ReactNode }) {
  const { data: stats } = trpc.blogs.stats.useQuery();
  return (
    <div className="delete-account">
      <p>This can’t be undone. What goes with it:</p>
      <ul>
        <li>{blogsText(stats)}</li>
        <li>your likes, saved blogs, interests and drafts</li>
        <li>your followers, and whom you follow</li>
        <li>your comments; where others have answered one, “deleted” stays in its place</li>
      </ul>
      {children}
    </div>
  );
}

function blogsText(stats: BlogStats | undefined): string {
  if (!stats || stats.blogs === 0) return "everything you wrote";
  const count = (value: number, unit: string): string =>
    `${value.toLocaleString("en")} ${unit}${value === 1 ? "" : "s"}`;
  const { blogs, likes, comments } = stats;
  return `${count(blogs, "blog")}, with ${count(likes, "like")} and ${count(comments, "comment")} on ${blogs === 1 ? "it" : "them"}`;
}
