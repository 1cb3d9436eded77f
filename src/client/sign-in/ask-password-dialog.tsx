import { useRef } from "react";
import type { ReactNode, RefObject } from "react";
import { limits } from "../../shared/limits.ts";
import type { Viewer } from "../../shared/users.ts";
import { PasswordField } from "../ui/field.tsx";
import { toast } from "../ui/toasts.tsx";
import { FormDialog } from "./form-dialog.tsx";
import type { Problems } from "./problems.ts";
import { useFormSubmit } from "./use-form-submit.ts";
import type { FormSubmit } from "./use-form-submit.ts";

interface Props {
  viewer: Viewer;
  title: string;
  /** The label of the submit button. */
  action: string;
  danger?: boolean;
  /** The password field's name, also in server errors. */
  name?: "password" | "current";
  label?: string;
  /** Content above the password field, or a function that renders the whole form. */
  children?: ReactNode | ((form: { password: ReactNode; box: FormSubmit["box"] }) => ReactNode);
  /** The initial focus; the password by default. */
  first?: RefObject<HTMLInputElement | null>;
  /** Errors of the other fields. */
  problems?: (textOf: FormSubmit["textOf"]) => Problems;
  /** The server's message, which replaces the form. */
  message?: string | undefined;
  onClose: () => void;
  /**
   * Submits; the password is empty for an account without one. If it rejects, the input stays; a message that it returns closes
   * the dialog and is shown.
   */
  onPassword: (password: string, sending: FormSubmit) => Promise<{ message?: string | undefined } | void>;
}

/** Asks for the viewer's password before an account change. */
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
  message,
  onClose,
  onPassword,
}: Props) {
  const passwordField = useRef<HTMLInputElement>(null);
  const sending = useFormSubmit();
  const { send, refuse, textOf, box } = sending;
  const { hasPassword } = viewer;

  const submit = (): void => {
    const typedPassword = textOf(name);
    const missing = hasPassword && typedPassword === "" && "Please enter your password.";
    if (refuse({ ...problems?.(textOf), [name]: missing })) return;
    send(async () => {
      const answer = await onPassword(typedPassword, sending);
      if (!answer?.message) return;
      onClose();
      toast({ kind: "success", message: answer.message });
    });
  };
  const password = hasPassword && (
    <>
      {/* Password managers fill in and save this account's password by it. */}
      <input hidden readOnly autoComplete="username" value={viewer.email} />
      <PasswordField
        ref={passwordField}
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
      first={first ?? (hasPassword ? passwordField : undefined)}
      message={message}
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
