import { useRef } from "react";
import { limits } from "../../shared/limits.ts";
import type { Viewer } from "../../shared/users.ts";
import { trpc } from "../api/trpc.ts";
import { PasswordField } from "../ui/field.tsx";
import { toast } from "../ui/toasts.tsx";
import { FormDialog } from "./form-dialog.tsx";
import { OwnPasswordField } from "./own-password-field.tsx";
import { useSending } from "./use-sending.ts";

/** Asks for the password there is, and for another. */
export default function PasswordDialog({ viewer, onClose }: { viewer: Viewer; onClose: () => void }) {
  const first = useRef<HTMLInputElement>(null);
  const changePassword = trpc.users.changePassword.useMutation();
  const sending = useSending();
  const { send, refuse, textOf, box } = sending;

  const change = (): void => {
    const [current, password] = [textOf("current"), textOf("password")];
    const isWrong = refuse({
      current: current === "" && "Please enter your password.",
      password:
        password.length < limits.password.min && `A password has at least ${limits.password.min} characters.`,
    });
    if (isWrong) return;
    send(async () => {
      const { message } = await changePassword.mutateAsync({ current, password });
      onClose();
      toast({ kind: "success", message });
    });
  };
  return (
    <FormDialog
      title="Change your password"
      action="Change password"
      sending={sending}
      first={first}
      onClose={onClose}
      onSubmit={change}
    >
      <OwnPasswordField viewer={viewer} ref={first} label="Your password now" {...box("current")} />
      <PasswordField
        label="New password"
        autoComplete="new-password"
        maxLength={limits.password.max}
        hint={`At least ${limits.password.min} characters. Every other session ends.`}
        {...box("password")}
      />
    </FormDialog>
  );
}
