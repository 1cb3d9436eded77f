import { useEffect, useRef } from "react";
import type { FormEvent } from "react";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { useFormSubmit } from "./use-form-submit.ts";

/** Asks for the code after the password. */
export function SecondStepForm({ onCode }: { onCode: (code: string) => Promise<void> }) {
  const first = useRef<HTMLInputElement>(null);
  const { form, busy, general, send, refuse, textOf, box } = useFormSubmit();
  useEffect(() => first.current?.focus(), []);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const code = textOf("code").trim();
    if (refuse({ code: code === "" && "Enter the code from your app." })) return;
    send(() => onCode(code));
  };
  return (
    <form ref={form} className="stack gap-4" method="post" noValidate onSubmit={submit}>
      <TextField
        ref={first}
        label="Code"
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={40}
        hint="From your authenticator app, or one of your recovery codes."
        {...box("code")}
      />
      <p className="alert" role="alert">
        {general}
      </p>
      <Button type="submit" kind="primary" className="target" busy={busy}>
        Continue
      </Button>
    </form>
  );
}
