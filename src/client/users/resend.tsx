import { useState } from "react";
import type { FormEvent } from "react";
import { messages } from "../../shared/errors.ts";
import { unsureMessage } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";

/** Sends the verification mail again: to an address that is known, or to one that is asked for. */
export function ResendVerification({ email }: { email?: string }) {
  const { client } = trpc.useUtils();
  const [sending, setSending] = useState(false);
  const [said, setSaid] = useState<{ message: string; failed: boolean } | null>(null);
  const send = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const entered = new FormData(event.currentTarget).get("email");
    setSending(true);
    try {
      const { message } = await client.users.resendVerification.mutate({
        email: email ?? (typeof entered === "string" ? entered.trim() : ""),
      });
      setSaid({ message, failed: false });
    } catch (error) {
      setSaid({ message: unsureMessage(error, messages.wrong), failed: true });
    }
    setSending(false);
  };
  return (
    <form className="auth-form" method="post" noValidate onSubmit={(event) => void send(event)}>
      {email === undefined && (
        <TextField
          label="Email"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
      )}
      <p className={said?.failed ? "auth-problem" : "auth-note"} role="status">
        {said?.message ?? ""}
      </p>
      <Button type="submit" busy={sending}>
        Send the mail again
      </Button>
    </form>
  );
}
