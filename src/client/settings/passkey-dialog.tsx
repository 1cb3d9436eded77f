import { deviceName } from "../../shared/user-agent.ts";
import { limits } from "../../shared/limits.ts";
import type { Viewer } from "../../shared/users.ts";
import { trpc } from "../api/trpc.ts";
import { TextField } from "../ui/field.tsx";
import AskPasswordDialog from "../sign-in/ask-password-dialog.tsx";
import { createPasskey } from "../sign-in/passkey-browser.ts";
import type { FormSubmit } from "../sign-in/use-form-submit.ts";

export default function PasskeyDialog({ viewer, onClose }: { viewer: Viewer; onClose: () => void }) {
  const beginPasskey = trpc.users.beginPasskey.useMutation();
  const addPasskey = trpc.users.addPasskey.useMutation();

  const add = async (password: string, { textOf, refuse }: FormSubmit) => {
    const name = textOf("name").trim();
    const { options } = await beginPasskey.mutateAsync({ password });
    const result = await createPasskey(options);
    if (!result.answer) return void refuse({ "": result.problem });
    return addPasskey.mutateAsync({ name, response: result.answer });
  };
  return (
    <AskPasswordDialog
      viewer={viewer}
      title="Add a passkey"
      action="Add"
      problems={(textOf) => ({ name: textOf("name").trim() === "" && "Enter a name for it." })}
      onClose={onClose}
      onPassword={add}
    >
      {({ password, box }) => (
        <>
          <p>
            Sign in with your fingerprint, face or PIN instead of a password. Your device stores the passkey.
          </p>
          <TextField
            label="Name"
            autoComplete="off"
            maxLength={limits.passkeys.name}
            defaultValue={deviceName(navigator.userAgent)}
            {...box("name")}
          />
          {password}
        </>
      )}
    </AskPasswordDialog>
  );
}
