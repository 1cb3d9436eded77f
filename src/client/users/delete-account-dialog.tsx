import { useId, useRef, useState } from "react";
import type { FormEvent } from "react";
import type { BlogStats } from "../../shared/blogs.ts";
import { messages } from "../../shared/errors.ts";
import type { Viewer } from "../../shared/users.ts";
import { errorMessage } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { toast } from "../ui/toasts.tsx";
import { endSession } from "./session.ts";
import "./delete-account.css";

/** Says what goes with the account, and deletes it for whoever types their username (specification, 7). */
export default function DeleteAccountDialog({ viewer, onClose }: { viewer: Viewer; onClose: () => void }) {
  const form = useId();
  const cancel = useRef<HTMLButtonElement>(null);
  const [typed, setTyped] = useState("");
  const { data: stats } = trpc.blogs.stats.useQuery();
  const { mutateAsync, isPending } = trpc.users.remove.useMutation();
  const isMeant = typed.trim().toLowerCase() === viewer.username;

  const remove = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!isMeant || isPending) return;
    try {
      const { message } = await endSession(mutateAsync);
      onClose();
      toast({ kind: "success", message });
    } catch (error) {
      toast({ kind: "error", message: errorMessage(error, messages.wrong) });
    }
  };
  return (
    <Dialog
      alert
      title="Delete your account?"
      onClose={onClose}
      initialFocus={cancel}
      actions={
        <>
          <Button ref={cancel} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={form} kind="danger" disabled={!isMeant} busy={isPending}>
            Delete Account
          </Button>
        </>
      }
    >
      <div className="delete-account">
        <p>This can’t be undone. What goes with it:</p>
        <ul>
          <li>{blogsText(stats)}</li>
          <li>your likes, saved blogs, interests and drafts</li>
          <li>your followers, and whom you follow</li>
          <li>your comments; where others have answered one, “deleted” stays in its place</li>
        </ul>
        <form id={form} onSubmit={(event) => void remove(event)}>
          <TextField
            label={`Type ${viewer.username} to confirm`}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </form>
      </div>
    </Dialog>
  );
}

function blogsText(stats: BlogStats | undefined): string {
  if (!stats || stats.blogs === 0) return "everything you wrote";
  const count = (value: number, unit: string): string =>
    `${value.toLocaleString("en")} ${unit}${value === 1 ? "" : "s"}`;
  const { blogs, likes, comments } = stats;
  return `${count(blogs, "blog")}, with ${count(likes, "like")} and ${count(comments, "comment")} on ${blogs === 1 ? "it" : "them"}`;
}
