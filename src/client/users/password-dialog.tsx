import { useRef } from "react";
import { limits } from "../../shared/limits.ts";
import type { Viewer } from "../../shared/users.ts";
import { trpc } from "../api/trpc.ts";
import { PasswordField } from "../ui/field.tsx";
import { toast } from "../ui/toasts.tsx";
import { FormDialog } from "./form-dialog.tsx";
import { useSending } from "./use-sending.ts";

/** Asks for the password there is, and for another. */
export default function PasswordDialog({ viewer, onClose }: { viewer: Viewer; onClose: () => void }) {
  const first = useRef<HTMLInputElement>(null);
  const { client } = trpc.useUtils();
  const sending = useSending();
  const { send, refuse, textOf, box } = sending;

  const change = (): void => {
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
    <FormDialog
      title="Change your password"
      action="Change password"
      sending={sending}
      first={first}
      onClose={onClose}
      onSubmit={change}
    >
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
    </FormDialog>
  );
}
