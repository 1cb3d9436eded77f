import { useId, useRef, useState } from "react";
import type { FormEvent, ReactNode } from "react";
import type { BlogStats } from "../../shared/blogs.ts";
import { messages } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import type { Viewer } from "../../shared/users.ts";
import { errorField, errorMessage, unsureMessage } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { PasswordField } from "../ui/field.tsx";
import { toast } from "../ui/toasts.tsx";
import { endSession } from "../session/session.ts";
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
  const form = useId();
  const box = useRef<HTMLInputElement>(null);
  const [password, setPassword] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const { client } = trpc.useUtils();
  const [sending, setSending] = useState(false);

  const refuse = (message: string): void => {
    setProblem(message);
    box.current?.focus();
  };
  const remove = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (sending) return;
    if (password === "") return refuse("Please enter your password.");
    setSending(true);
    try {
      const { message } = await endSession(() => client.users.remove.mutate({ password }));
      onClose();
      toast({ kind: "success", message });
    } catch (error) {
      setSending(false);
      const message = unsureMessage(error, messages.wrong);
      if (errorField(error) === "password") refuse(message);
      else toast({ kind: "error", message });
    }
  };
  return (
    <Dialog
      alert
      title="Delete your account?"
      onClose={onClose}
      initialFocus={box}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} kind="danger" busy={sending}>
            Delete Account
          </Button>
        </>
      }
    >
      <WhatGoes>
        <form id={form} noValidate onSubmit={(event) => void remove(event)}>
          {/* For the browser's own list of passwords: it fills in the one of this account. */}
          <input hidden readOnly autoComplete="username" value={viewer.email} />
          <PasswordField
            ref={box}
            label="Your password"
            autoComplete="current-password"
            maxLength={limits.password.max}
            value={password}
            onChange={(event) => {
              setPassword(event.target.value);
              setProblem(null);
            }}
            error={problem}
            required
          />
        </form>
      </WhatGoes>
    </Dialog>
  );
}

function ByMail({ viewer, onClose }: Props) {
  const cancel = useRef<HTMLButtonElement>(null);
  const { client } = trpc.useUtils();
  const [sending, setSending] = useState(false);
  const [said, setSaid] = useState<{ message: string; failed: boolean } | null>(null);
  const isSent = said?.failed === false;

  const send = async (): Promise<void> => {
    setSending(true);
    try {
      const { message } = await client.users.mailRemoval.mutate();
      setSaid({ message, failed: false });
    } catch (error) {
      setSaid({ message: errorMessage(error, messages.wrong), failed: true });
    }
    setSending(false);
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
            {isSent ? "Close" : "Cancel"}
          </Button>
          {!isSent && (
            <Button kind="danger" busy={sending} onClick={() => void send()}>
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
        <p role="status" className={said?.failed ? "delete-account-problem" : "delete-account-said"}>
          {said?.message}
        </p>
      </WhatGoes>
    </Dialog>
  );
}

function WhatGoes({ children }: { children: ReactNode }) {
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
