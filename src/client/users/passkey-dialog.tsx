import { useId, useRef } from "react";
import type { FormEvent } from "react";
import { limits } from "../../shared/limits.ts";
import type { Viewer } from "../../shared/users.ts";
import { trpc } from "../api/trpc.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { PasswordField, TextField } from "../ui/field.tsx";
import { toast } from "../ui/toasts.tsx";
import { deviceName } from "../../shared/device.ts";
import { makePasskey } from "./passkey-browser.ts";
import { useSending } from "./use-sending.ts";
import "./auth.css";

/** Has the device make a passkey, under a name that its owner knows it by. */
export default function PasskeyDialog({ viewer, onClose }: { viewer: Viewer; onClose: () => void }) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const first = useRef<HTMLInputElement>(null);
  const { client } = trpc.useUtils();
  const { busy, general, send, refuse, textOf, box } = useSending(form);

  const add = (event: FormEvent): void => {
    event.preventDefault();
    const [name, password] = [textOf("name").trim(), textOf("password")];
    if (name === "") return refuse("name", "Please give it a name.");
    if (password === "") return refuse("password", "Please enter your password.");
    void send(async () => {
      const { options } = await client.users.beginPasskey.mutate({ password });
      const made = await makePasskey(options);
      if (!made.answer) return refuse(undefined, made.problem);
      const { message } = await client.users.addPasskey.mutate({ name, response: made.answer });
      onClose();
      toast({ kind: "success", message });
    });
  };
  return (
    <Dialog
      title="Add a passkey"
      onClose={onClose}
      initialFocus={first}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={id} kind="primary" busy={busy}>
            Add
          </Button>
        </>
      }
    >
      <form id={id} ref={form} className="auth-form" noValidate onSubmit={add}>
        <p>
          Your device keeps it, and asks for your finger, face or PIN when you sign in. No password is needed
          then.
        </p>
        <input hidden readOnly autoComplete="username" value={viewer.email} />
        <TextField
          label="Name"
          autoComplete="off"
          maxLength={limits.passkeys.name}
          defaultValue={deviceName(navigator.userAgent)}
          {...box("name")}
        />
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
