import { useRef } from "react";
import type { Viewer } from "../../shared/users.ts";
import { trpc } from "../api/trpc.ts";
import AskPasswordDialog from "../sign-in/ask-password-dialog.tsx";
import type { FormSubmit } from "../sign-in/use-form-submit.ts";
import { EmailField } from "../sign-in/email-field.tsx";

/** The change takes effect once the emailed link is opened. */
export default function EmailDialog({ viewer, onClose }: { viewer: Viewer; onClose: () => void }) {
  const first = useRef<HTMLInputElement>(null);
  const changeEmail = trpc.users.changeEmail.useMutation();

  const change = async (password: string, { textOf }: FormSubmit): Promise<void> => {
    const email = textOf("email").trim();
    await changeEmail.mutateAsync(viewer.hasPassword ? { email, password } : { email });
  };
  return (
    <AskPasswordDialog
      viewer={viewer}
      title="Change your email address"
      action="Send the link"
      first={first}
      problems={(textOf) => ({
        email:
          (textOf("email").trim() === "" || !first.current?.validity.valid) &&
          "Please enter a valid email address.",
      })}
      message={changeEmail.data?.message}
      onClose={onClose}
      onPassword={change}
    >
      {({ password, box }) => (
        <>
          <p>
            You sign in as <bdi className="ink medium">{viewer.email}</bdi>.{" "}
            {viewer.hasPassword
              ? "We’ll send a link to the new address. Your address changes when you open it."
              : "Your account has no password, so we’ll send a link there first to make sure it’s you."}
          </p>
          <EmailField ref={first} label="New email address" {...box("email")} />
          {password}
        </>
      )}
    </AskPasswordDialog>
  );
}
