import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import type { FormEvent } from "react";
import { useParams } from "react-router-dom";
import { Link } from "../ui/link.tsx";
import { messages } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { errorField, unsureMessage } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import type { PageFacts } from "./page.ts";
import { ScriptButton } from "../ui/button.tsx";
import { PasswordField } from "../ui/field.tsx";
import { toast } from "../ui/toasts.tsx";
import { AuthFrame } from "../sign-in/auth-frame.tsx";
import { useProblems } from "../sign-in/problems.ts";
import { endSession } from "../session/session.ts";

export function loader(): PageFacts {
  return { title: "Choose a new password" };
}

/** Target of the emailed link. The old password's sessions end, so the person signs in again. */
export default function ResetPasswordPage() {
  const { token = "" } = useParams();
  const form = useRef<HTMLFormElement>(null);
  const { refuse, onInput, box, general } = useProblems<"password">(form);

  const reset = trpc.users.resetPassword.useMutation();
  const { mutate, isPending } = useMutation({
    mutationFn: (password: string) =>
      endSession(() => reset.mutateAsync({ token, password }), { keepsWork: true }),
    onSuccess: ({ message }) => toast({ kind: "success", message }),
    onError: (error) => void refuse({ [errorField(error) ?? ""]: unsureMessage(error, messages.wrong) }),
  });
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (isPending) return;
    const field = new FormData(event.currentTarget).get("password");
    const password = typeof field === "string" ? field : "";
    const isShort = password.length < limits.password.min;
    if (!refuse({ password: isShort && `Use at least ${limits.password.min} characters.` })) mutate(password);
  };
  return (
    <AuthFrame title="Choose a new password">
      <form ref={form} className="stack gap-4" method="post" noValidate onSubmit={send} onInput={onInput}>
        <PasswordField
          label="New password"
          {...box("password")}
          autoComplete="new-password"
          maxLength={limits.password.max}
          hint={`At least ${limits.password.min} characters. You’ll be signed out everywhere.`}
          required
        />
        <p className="alert" role="alert">
          {general}
        </p>
        <ScriptButton type="submit" kind="primary" busy={isPending}>
          Change password
        </ScriptButton>
        <noscript>
          <p className="note">Choosing a password needs JavaScript.</p>
        </noscript>
      </form>
      <p className="muted hairline-top auth-switch">
        Link expired?{" "}
        <Link className="target ink medium" to="/forgot-password">
          Ask for a new one
        </Link>
      </p>
    </AuthFrame>
  );
}
