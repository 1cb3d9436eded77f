import { limits } from "../../shared/limits.ts";
import type { Viewer } from "../../shared/users.ts";
import { trpc } from "../api/trpc.ts";
import { PasswordField } from "../ui/field.tsx";
import AskPasswordDialog from "../sign-in/ask-password-dialog.tsx";

const { min, max } = limits.password;

export default function PasswordDialog({ viewer, onClose }: { viewer: Viewer; onClose: () => void }) {
  const changePassword = trpc.users.changePassword.useMutation();
  return (
    <AskPasswordDialog
      viewer={viewer}
      title="Change your password"
      action="Change password"
      name="current"
      label="Current password"
      problems={(textOf) => ({
        password: textOf("password").length < min && `Use at least ${min} characters.`,
      })}
      onClose={onClose}
      onPassword={(current, { textOf }) =>
        changePassword.mutateAsync({ current, password: textOf("password") })
      }
    >
      {({ password, box }) => (
        <>
          {password}
          <PasswordField
            label="New password"
            autoComplete="new-password"
            maxLength={max}
            hint={`At least ${min} characters. You’ll be signed out everywhere else.`}
            {...box("password")}
          />
        </>
      )}
    </AskPasswordDialog>
  );
}
