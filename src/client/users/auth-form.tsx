import { useRef, useState } from "react";
import type { FormEvent, ReactNode, RefObject } from "react";
import { messages } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { staffLimits } from "../../shared/staff-limits.ts";
import { errorField, unsureMessage } from "../api/errors.ts";
import { Button } from "../ui/button.tsx";
import { PasswordField, TextArea, TextField } from "../ui/field.tsx";
import { useHydrated } from "../ui/hydrated.ts";
import "./auth.css";

export interface Credentials {
  name: string;
  email: string;
  password: string;
  /** To the site's question, where there is one. */
  answer: string;
}
/** What is sent: also a box that no person sees. */
export type SentCredentials = Credentials & { contact_url: string };
type FieldName = keyof Credentials;
const fields: readonly FieldName[] = ["name", "email", "password", "answer"];
type Problem = { field?: FieldName | undefined; message: string };

interface Props {
  kind: "sign-in" | "sign-up";
  /** Rejects with the server's error; what was typed stays. */
  onSend: (credentials: SentCredentials) => Promise<void>;
  /** The address that is known already. */
  email?: string | undefined;
  /** What whoever signs up is asked. */
  question?: string;
  /** For the sample logins, which fill it in. */
  form?: RefObject<HTMLFormElement | null>;
  children?: ReactNode;
}

/**
 * The one form of both pages (docs/specification.md, 2.17). Its fields are the browser's own until it is sent, so that
 * nothing typed or filled in before the script has come is lost; until then its button waits, and so does Enter.
 */
export function AuthForm({ kind, onSend, form: given, email, question = "", children }: Props) {
  const own = useRef<HTMLFormElement>(null);
  const form = given ?? own;
  const hydrated = useHydrated();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const isNew = kind === "sign-up";

  const refuse = (found: Problem): void => {
    setProblem(found);
    if (found.field) (form.current?.elements.namedItem(found.field) as HTMLElement | null)?.focus();
  };
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy || !form.current) return;
    const credentials = readForm(form.current);
    const found = problemOf(credentials, form.current, isNew, question !== "");
    if (found) return refuse(found);
    setBusy(true);
    setProblem(null);
    try {
      await onSend(credentials);
    } catch (error) {
      const field = errorField(error);
      const message = unsureMessage(error, messages.wrong);
      refuse({
        message,
        field: fields.find((one) => one === field),
      });
    } finally {
      setBusy(false);
    }
  };

  const box = (field: FieldName) => ({
    name: field,
    error: problem?.field === field ? problem.message : null,
    required: true,
  });
  return (
    <form
      ref={form}
      className="auth-form"
      method="post"
      noValidate
      onSubmit={(event) => void send(event)}
      onInput={() => problem && setProblem(null)}
    >
      {isNew && <TextField label="Name" autoComplete="name" maxLength={limits.name.max} {...box("name")} />}
      <TextField
        label="Email"
        type="email"
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        autoComplete={isNew ? "email" : "username"}
        maxLength={limits.email.max}
        defaultValue={email}
        {...box("email")}
      />
      <PasswordField
        label="Password"
        autoComplete={isNew ? "new-password" : "current-password"}
        maxLength={limits.password.max}
        hint={isNew ? `At least ${limits.password.min} characters.` : undefined}
        {...box("password")}
      />
      {isNew && (
        <label className="visually-hidden" aria-hidden="true">
          Leave this empty
          <input name="contact_url" tabIndex={-1} autoComplete="off" />
        </label>
      )}
      {question && (
        <TextArea label={question} maxLength={staffLimits.applications.answer} {...box("answer")} />
      )}
      <p className="auth-problem" role="alert">
        {problem && !problem.field ? problem.message : ""}
      </p>
      <Button
        type="submit"
        kind="primary"
        className="auth-submit"
        busy={busy}
        disabled={!hydrated}
        data-waiting={!hydrated || undefined}
      >
        {isNew ? "Sign Up" : "Log In"}
      </Button>
      <noscript>
        <p className="auth-note">{isNew ? "Signing up" : "Logging in"} needs JavaScript. Reading does not.</p>
      </noscript>
      {children}
    </form>
  );
}

function readForm(form: HTMLFormElement): SentCredentials {
  const data = new FormData(form);
  const text = (name: keyof SentCredentials): string => {
    const value = data.get(name);
    return typeof value === "string" ? value : "";
  };
  return {
    name: text("name").trim(),
    email: text("email").trim(),
    password: text("password"),
    answer: text("answer").trim(),
    contact_url: text("contact_url"),
  };
}

/** What can be said without asking the server, in its words (shared/users.ts). */
function problemOf(
  { name, email, password, answer }: Credentials,
  form: HTMLFormElement,
  isNew: boolean,
  isAsked: boolean,
): Problem | null {
  if (isNew && name === "") return { field: "name", message: "Please enter a name." };
  const box = form.elements.namedItem("email") as HTMLInputElement;
  if (email === "" || !box.validity.valid)
    return { field: "email", message: "Please enter a valid e-mail address." };
  if (password === "")
    return {
      field: "password",
      message: isNew ? "Please choose a password." : "Please enter your password.",
    };
  if (isNew && password.length < limits.password.min)
    return { field: "password", message: `A password has at least ${limits.password.min} characters.` };
  if (isAsked && answer === "") return { field: "answer", message: "Please answer this." };
  return null;
}
