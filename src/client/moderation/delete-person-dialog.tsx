import { useRef } from "react";
import type { StaffPerson } from "../../shared/moderation.ts";
import { trpc } from "../api/trpc.ts";
import { TextField } from "../ui/field.tsx";
import { toast } from "../ui/toasts.tsx";
import { FormDialog } from "../sign-in/form-dialog.tsx";
import { useFormSubmit } from "../sign-in/use-form-submit.ts";

/** Deletes a person's account after an administrator typed its username. */
export default function DeletePersonDialog({
  person,
  onClose,
}: {
  person: StaffPerson;
  onClose: () => void;
}) {
  const { id: userId, name, username } = person;
  const first = useRef<HTMLInputElement>(null);
  const deletePerson = trpc.moderation.deletePerson.useMutation();
  const sending = useFormSubmit();
  const remove = (): void =>
    sending.send(async () => {
      const typedUsername = sending.textOf("username");
      const { message } = await deletePerson.mutateAsync({ userId, username: typedUsername });
      onClose();
      toast({ kind: "success", message });
    });
  return (
    <FormDialog
      title={`Delete the account of ${name}?`}
      action="Delete account"
      danger
      sending={sending}
      first={first}
      onClose={onClose}
      onSubmit={remove}
    >
      <p>
        This can’t be undone. We’ll delete all their blogs, drafts, comments and pictures. To lock the account
        instead, suspend it.
      </p>
      <TextField
        ref={first}
        label={`Type ${username} to confirm`}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...sending.box("username")}
      />
    </FormDialog>
  );
}
