import { useState } from "react";
import type { FormEvent } from "react";
import { messages } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { unsureMessage } from "../api/errors.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { useHydrated } from "../ui/hydrated.ts";
import "./auth.css";

/** Asks for an address, and says what the server answers. What was typed stays, so that it can be sent once more. */
export function EmailForm({
  action,
  onSend,
}: {
  action: string;
  onSend: (email: string) => Promise<{ message: string }>;
}) {
  const hydrated = useHydrated();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [said, setSaid] = useState<{ message: string; failed: boolean } | null>(null);

  const send = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const box = event.currentTarget.elements.namedItem("email") as HTMLInputElement;
    if (busy) return;
    setSaid(null);
    if (box.value.trim() === "" || !box.validity.valid) {
      setProblem("Please enter a valid e-mail address.");
      box.focus();
      return;
    }
    setBusy(true);
    try {
      const { message } = await onSend(box.value.trim());
      setSaid({ message, failed: false });
    } catch (error) {
      setSaid({
        message: unsureMessage(error, messages.wrong),
        failed: true,
      });
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      className="auth-form"
      method="post"
      noValidate
      onSubmit={(event) => void send(event)}
      onInput={() => problem && setProblem(null)}
    >
      <TextField
        label="Email"
        name="email"
        type="email"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={limits.email.max}
        error={problem}
        required
      />
      <p className={said?.failed ? "auth-problem" : "auth-note"} role="status">
        {said?.message ?? ""}
      </p>
      <Button
        type="submit"
        kind="primary"
        className="auth-submit"
        busy={busy}
        disabled={!hydrated}
        data-waiting={!hydrated || undefined}
      >
        {action}
      </Button>
      <noscript>
        <p className="auth-note">This needs JavaScript. Reading does not.</p>
      </noscript>
    </form>
  );
}
