import { useRef } from "react";
import type { ReactNode } from "react";
import type { Viewer } from "../../shared/users.ts";
import { FormDialog } from "./form-dialog.tsx";
import { OwnPasswordField } from "./own-password-field.tsx";
import { useSending } from "./use-sending.ts";

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
  const first = useRef<HTMLInputElement>(null);
  const sending = useSending();
  const { send, refuse, textOf, box } = sending;

  const act = (): void => {
    const password = textOf("password");
    if (refuse({ password: password === "" && "Please enter your password." })) return;
    send(() => onPassword(password));
  };
  return (
    <FormDialog
      title={title}
      action={action}
      danger={danger}
      sending={sending}
      first={first}
      onClose={onClose}
      onSubmit={act}
    >
      {children}
      <OwnPasswordField viewer={viewer} ref={first} {...box("password")} />
    </FormDialog>
  );
}
