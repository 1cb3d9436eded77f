import type { FormEvent } from "react";
import { messages } from "../../shared/errors.ts";
import { unsureMessage } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import { Button } from "../ui/button.tsx";
import { EmailField } from "./email-field.tsx";

/** Sends the verification email again, to `email` or an address that it asks for. */
export function ResendVerification({ email }: { email?: string }) {
  const { mutate, isPending, data, error } = trpc.users.resendVerification.useMutation();
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const field = new FormData(event.currentTarget).get("email");
    mutate({ email: email ?? (typeof field === "string" ? field.trim() : "") });
  };
  return (
    <form className="stack gap-4" method="post" noValidate onSubmit={send}>
      {email === undefined && <EmailField />}
      <p className={error ? "alert" : "note"} role="status">
        {error ? unsureMessage(error, messages.wrong) : data?.message}
      </p>
      <Button type="submit" busy={isPending}>
        Send the email again
      </Button>
    </form>
  );
}
