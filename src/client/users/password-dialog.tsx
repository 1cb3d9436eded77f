import { useId, useRef } from "react";
import type { FormEvent } from "react";
import { limits } from "../../shared/limits.ts";
import type { Viewer } from "../../shared/users.ts";
import { trpc } from "../api/trpc.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { PasswordField } from "../ui/field.tsx";
import { toast } from "../ui/toasts.tsx";
import { useSending } from "./use-sending.ts";
import "./auth.css";

/** Asks for the password there is, and for another. */
export default function PasswordDialog({ viewer, onClose }: { viewer: Viewer; onClose: () => void }) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const first = useRef<HTMLInputElement>(null);
  const { client } = trpc.useUtils();
  const { busy, general, send, refuse, textOf, box } = useSending(form);

  const change = (event: FormEvent): void => {
    event.preventDefault();
    const [current, password] = [textOf("current"), textOf("password")];
    if (current === "") return refuse("current", "Please enter your password.");
    if (password.length < limits.password.min)
      return refuse("password", `A password has at least ${limits.password.min} characters.`);
    void send(async () => {
      const { message } = await client.users.changePassword.mutate({ current, password });
      onClose();
      toast({ kind: "success", message });
    });
  };
  return (
    <Dialog
      title="Change your password"
      onClose={onClose}
      initialFocus={first}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={id} kind="primary" busy={busy}>
            Change password
          </Button>
        </>
      }
    >
      <form id={id} ref={form} className="auth-form" noValidate onSubmit={change}>
        {/* For the browser's own list of passwords: it keeps the new one for this account. */}
        <input hidden readOnly autoComplete="username" value={viewer.email} />
        <PasswordField
          ref={first}
          label="Your password now"
          autoComplete="current-password"
          maxLength={limits.password.max}
          {...box("current")}
        />
        <PasswordField
          label="New password"
          autoComplete="new-password"
          maxLength={limits.password.max}
          hint={`At least ${limits.password.min} characters. Every other session ends.`}
          {...box("password")}
        />
        <p className="auth-problem" role="alert">
          {general}
        </p>
      </form>
    </Dialog>
  );
}
