import { useId, useRef } from "react";
import type { FormEvent, ReactNode } from "react";
import { limits } from "../../shared/limits.ts";
import type { Viewer } from "../../shared/users.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { PasswordField } from "../ui/field.tsx";
import { useSending } from "./use-sending.ts";
import "./auth.css";

interface Props {
  viewer: Viewer;
  title: string;
  /** The button that does it. */
  action: string;
  danger?: boolean;
  children?: ReactNode;
  onClose: () => void;
  /** Rejects with the server's error; what was typed stays. */
  onPassword: (password: string) => Promise<void>;
}

/** Asks for the password before something that concerns how one signs in. */
export default function AskPasswordDialog({
  viewer,
  title,
  action,
  danger,
  children,
  onClose,
  onPassword,
}: Props) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const first = useRef<HTMLInputElement>(null);
  const { busy, general, send, refuse, textOf, box } = useSending(form);

  const act = (event: FormEvent): void => {
    event.preventDefault();
    const password = textOf("password");
    if (password === "") return refuse("password", "Please enter your password.");
    void send(() => onPassword(password));
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      initialFocus={first}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={id} kind={danger ? "danger" : "primary"} busy={busy}>
            {action}
          </Button>
        </>
      }
    >
      <form id={id} ref={form} className="auth-form" noValidate onSubmit={act}>
        {children}
        <input hidden readOnly autoComplete="username" value={viewer.email} />
        <PasswordField
          ref={first}
          label="Your password"
          autoComplete="current-password"
          maxLength={limits.password.max}
          {...box("password")}
        />
        <p className="auth-problem" role="alert">
          {general}
        </p>
      </form>
    </Dialog>
  );
}
