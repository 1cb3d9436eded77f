import { useRef } from "react";
import { limits } from "../../shared/limits.ts";
import type { Viewer } from "../../shared/users.ts";
import { trpc } from "../api/trpc.ts";
import { TextField } from "../ui/field.tsx";
import { toast } from "../ui/toasts.tsx";
import { deviceName } from "../../shared/device.ts";
import { makePasskey } from "./passkey-browser.ts";
import { FormDialog } from "./form-dialog.tsx";
import { OwnPasswordField } from "./own-password-field.tsx";
import { useSending } from "./use-sending.ts";

/** Has the device make a passkey, under a name that its owner knows it by. */
export default function PasskeyDialog({ viewer, onClose }: { viewer: Viewer; onClose: () => void }) {
  const first = useRef<HTMLInputElement>(null);
  const beginPasskey = trpc.users.beginPasskey.useMutation();
  const addPasskey = trpc.users.addPasskey.useMutation();
  const sending = useSending();
  const { send, refuse, textOf, box } = sending;

  const add = (): void => {
    const [name, password] = [textOf("name").trim(), textOf("password")];
    const isWrong = refuse({
      name: name === "" && "Please give it a name.",
      password: password === "" && "Please enter your password.",
    });
    if (isWrong) return;
    send(async () => {
      const { options } = await beginPasskey.mutateAsync({ password });
      const made = await makePasskey(options);
      if (!made.answer) return void refuse({ "": made.problem });
      const { message } = await addPasskey.mutateAsync({ name, response: made.answer });
      onClose();
      toast({ kind: "success", message });
    });
  };
  return (
    <FormDialog
      title="Add a passkey"
      action="Add"
      sending={sending}
      first={first}
      onClose={onClose}
      onSubmit={add}
    >
      <p>
        Your device keeps it, and asks for your finger, face or PIN when you sign in. No password is needed
        then.
      </p>
      <TextField
        label="Name"
        autoComplete="off"
        maxLength={limits.passkeys.name}
        defaultValue={deviceName(navigator.userAgent)}
        {...box("name")}
      />
      <OwnPasswordField viewer={viewer} ref={first} {...box("password")} />
    </FormDialog>
  );
}
