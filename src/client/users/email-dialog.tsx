import { useId, useRef, useState } from "react";
import type { FormEvent } from "react";
import { limits } from "../../shared/limits.ts";
import type { Viewer } from "../../shared/users.ts";
import { trpc } from "../api/trpc.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { PasswordField, TextField } from "../ui/field.tsx";
import { useSending } from "./use-sending.ts";
import "./auth.css";

/** Asks for another address. It counts once the link of the mail that goes there was followed. */
export default function EmailDialog({ viewer, onClose }: { viewer: Viewer; onClose: () => void }) {
  const id = useId();
  const first = useRef<HTMLInputElement>(null);
  const close = useRef<HTMLButtonElement>(null);
  const changeEmail = trpc.users.changeEmail.useMutation();
  const { form, busy, general, send, refuse, textOf, box } = useSending();
  const [said, setSaid] = useState("");

  const change = (event: FormEvent): void => {
    event.preventDefault();
    const [email, password] = [textOf("email").trim(), textOf("password")];
    const isWrong = refuse({
      email: (email === "" || !first.current?.validity.valid) && "Please enter a valid e-mail address.",
      password: viewer.hasPassword && password === "" && "Please enter your password.",
    });
    if (isWrong) return;
    send(async () => {
      const asked = viewer.hasPassword ? { email, password } : { email };
      setSaid((await changeEmail.mutateAsync(asked)).message);
      close.current?.focus();
    });
  };
  return (
    <Dialog
      title="Change your e-mail address"
      onClose={onClose}
      initialFocus={first}
      actions={
        <>
          <Button ref={close} onClick={onClose}>
            {said ? "Close" : "Cancel"}
          </Button>
          {!said && (
            <Button type="submit" form={id} kind="primary" busy={busy}>
              Send the link
            </Button>
          )}
        </>
      }
    >
      <p role="status">{said}</p>
      {!said && (
        <form id={id} ref={form} className="auth-form" noValidate onSubmit={change}>
          <p>
            You sign in as <bdi className="settings-mail">{viewer.email}</bdi>.{" "}
            {viewer.hasPassword
              ? "We send a link to the new address; it is yours once you open it."
              : "Your account has no password: we send a link there first, to make sure that it is you."}
          </p>
          <TextField
            ref={first}
            label="New e-mail address"
            type="email"
            inputMode="email"
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={limits.email.max}
            {...box("email")}
          />
          {viewer.hasPassword && (
            <PasswordField
              label="Your password"
              autoComplete="current-password"
              maxLength={limits.password.max}
              {...box("password")}
            />
          )}
          <p className="auth-problem" role="alert">
            {general}
          </p>
        </form>
      )}
    </Dialog>
  );
}
