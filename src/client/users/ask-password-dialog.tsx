import { useRef } from "react";
import type { ReactNode, RefObject } from "react";
import { limits } from "../../shared/limits.ts";
import type { Viewer } from "../../shared/users.ts";
import { PasswordField } from "../ui/field.tsx";
import { toast } from "../ui/toasts.tsx";
import { FormDialog } from "./form-dialog.tsx";
import type { Problems } from "./problems.ts";
import { useSending } from "./use-sending.ts";
import type { Sending } from "./use-sending.ts";

interface Props {
  viewer: Viewer;
  title: string;
  /** The button that does it. */
  action: string;
  danger?: boolean;
  /** What the password is called, by the server and in the form. */
  name?: "password" | "current";
  label?: string;
  /** What it is about, above the password; or all of the form, given the password's field and what the other fields get. */
  children?: ReactNode | ((form: { password: ReactNode; box: Sending["box"] }) => ReactNode);
  /** What has the focus when it opens; otherwise the password. */
  first?: RefObject<HTMLInputElement | null>;
  /** What is wrong with the other fields. */
  problems?: (textOf: Sending["textOf"]) => Problems;
  /** What was answered, in place of the form. */
  said?: string | undefined;
  onClose: () => void;
  /**
   * Does it; the password is empty for an account that has none. What was typed stays where it rejects. A message that it
   * resolves with is shown once the dialog is closed.
   */
  onPassword: (password: string, sending: Sending) => Promise<{ message?: string | undefined } | void>;
}

/** Asks whoever is signed in for their password, before something that concerns their account. */
export default function AskPasswordDialog({
  viewer,
  title,
  action,
  danger,
  name = "password",
  label = "Your password",
  children,
  first,
  problems,
  said,
  onClose,
  onPassword,
}: Props) {
  const own = useRef<HTMLInputElement>(null);
  const sending = useSending();
  const { send, refuse, textOf, box } = sending;
  const { hasPassword } = viewer;

  const submit = (): void => {
    const typed = textOf(name);
    const missing = hasPassword && typed === "" && "Please enter your password.";
    if (refuse({ ...problems?.(textOf), [name]: missing })) return;
    send(async () => {
      const answer = await onPassword(typed, sending);
      if (!answer?.message) return;
      onClose();
      toast({ kind: "success", message: answer.message });
    });
  };
  const password = hasPassword && (
    <>
      {/* For the browser's own list of passwords: it fills in, and keeps, the one of this account. */}
      <input hidden readOnly autoComplete="username" value={viewer.email} />
      <PasswordField
        ref={own}
        label={label}
        autoComplete="current-password"
        maxLength={limits.password.max}
        {...box(name)}
      />
    </>
  );
  return (
    <FormDialog
      title={title}
      action={action}
      danger={danger}
      sending={sending}
      first={first ?? (hasPassword ? own : undefined)}
      said={said}
      onClose={onClose}
      onSubmit={submit}
    >
      {typeof children === "function" ? (
        children({ password, box })
      ) : (
        <>
          {children}
          {password}
        </>
      )}
    </FormDialog>
  );
}
