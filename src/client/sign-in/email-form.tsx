import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { FormEvent } from "react";
import { messages } from "../../shared/errors.ts";
import { unsureMessage } from "../api/errors.ts";
import { ScriptButton } from "../ui/button.tsx";
import { EmailField } from "./email-field.tsx";

/** Asks for an email address and shows the server's message. The input stays, to be sent again. */
export function EmailForm({
  action,
  onSend,
}: {
  action: string;
  onSend: (email: string) => Promise<{ message: string }>;
}) {
  const [problem, setProblem] = useState<string | null>(null);
  const { mutate, reset, isPending, data, error } = useMutation({ mutationFn: onSend });

  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const input = event.currentTarget.elements.namedItem("email") as HTMLInputElement;
    if (isPending) return;
    reset();
    if (input.value.trim() === "" || !input.validity.valid) {
      setProblem("Please enter a valid email address.");
      input.focus();
      return;
    }
    mutate(input.value.trim());
  };
  return (
    <form
      className="stack gap-4"
      method="post"
      noValidate
      onSubmit={send}
      onInput={() => problem && setProblem(null)}
    >
      <EmailField autoComplete="username" error={problem} />
      <p className={error ? "alert" : "note"} role="status">
        {error ? unsureMessage(error, messages.wrong) : data?.message}
      </p>
      <ScriptButton type="submit" kind="primary" busy={isPending}>
        {action}
      </ScriptButton>
      <noscript>
        <p className="note">This page needs JavaScript. You can read blogs without it.</p>
      </noscript>
    </form>
  );
}
