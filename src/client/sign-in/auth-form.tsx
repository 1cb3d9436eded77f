import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import type { FormEvent, ReactNode, RefObject } from "react";
import { messages } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { staffLimits } from "../../shared/staff-limits.ts";
import { errorField, unsureMessage } from "../api/errors.ts";
import { ScriptButton } from "../ui/button.tsx";
import { PasswordField, TextArea, TextField } from "../ui/field.tsx";
import { useProblems, type Problems } from "./problems.ts";
import { EmailField } from "./email-field.tsx";

export interface Credentials {
  name: string;
  email: string;
  password: string;
  answer: string;
}
/** With a honeypot field. */
export type SentCredentials = Credentials & { contact_url: string };
type FieldName = keyof Credentials;

interface Props {
  kind: "sign-in" | "sign-up";
  /** The label of the submit button. */
  action?: string;
  /** Rejects with the server's error; the input stays. */
  onSend: (credentials: SentCredentials) => Promise<void>;
  onType?: () => void;
  /** The initial email address. */
  email?: string | undefined;
  /** The site's sign-up question. */
  question?: string;
  /** The sample logins fill it in. */
  form?: RefObject<HTMLFormElement | null>;
  children?: ReactNode;
}

/**
 * The form of both pages (docs/specification.md, 2.17). Its fields are uncontrolled, so that input before hydration is kept;
 * until then it cannot be submitted.
 */
export function AuthForm({
  kind,
  action,
  onSend,
  onType,
  form: givenForm,
  email,
  question = "",
  children,
}: Props) {
  const ownForm = useRef<HTMLFormElement>(null);
  const form = givenForm ?? ownForm;
  const { refuse, onInput, box: fieldProps, general } = useProblems<FieldName>(form);
  const isNew = kind === "sign-up";

  const { mutate, isPending } = useMutation({
    mutationFn: onSend,
    onError: (error) => {
      const field = errorField(error);
      if (field === "contact_url") refuse({ "": emptyHoneypot(form.current) });
      else refuse({ [field ?? ""]: unsureMessage(error, messages.wrong) });
    },
  });
  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (isPending || !form.current) return;
    const credentials = readForm(form.current);
    if (!refuse(problemsOf(credentials, form.current, isNew, question !== ""))) mutate(credentials);
  };

  const box = (field: FieldName) => ({ ...fieldProps(field), required: true });
  return (
    <form
      ref={form}
      className="stack gap-4"
      method="post"
      noValidate
      onSubmit={send}
      onInput={(event) => {
        onType?.();
        onInput(event);
      }}
    >
      {isNew && <TextField label="Name" autoComplete="name" maxLength={limits.name.max} {...box("name")} />}
      <EmailField autoComplete={isNew ? "email" : "username"} defaultValue={email} {...box("email")} />
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
        <TextArea label={question} maxLength={staffLimits.signupRequests.answer} {...box("answer")} />
      )}
      <p className="alert" role="alert">
        {general}
      </p>
      <ScriptButton type="submit" kind="primary" busy={isPending}>
        {action ?? (isNew ? "Sign Up" : "Log In")}
      </ScriptButton>
      <noscript>
        <p className="note">{isNew ? "Signing up" : "Logging in"} needs JavaScript. Reading does not.</p>
      </noscript>
      {children}
    </form>
  );
}

/** Empties the field that a browser filled in unseen. Returns what to do next. */
function emptyHoneypot(form: HTMLFormElement | null): string {
  const field = form?.elements.namedItem("contact_url");
  if (field instanceof HTMLInputElement) field.value = "";
  return "Your browser filled in a hidden field that only bots fill in. We’ve emptied it. Please press Sign Up again.";
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

/** Validates without the server, in its words (shared/users.ts). */
function problemsOf(
  { name, email, password, answer }: Credentials,
  form: HTMLFormElement,
  isNew: boolean,
  hasQuestion: boolean,
): Problems<FieldName> {
  const input = form.elements.namedItem("email") as HTMLInputElement;
  return {
    name: isNew && name === "" && "Please enter a name.",
    email: (email === "" || !input.validity.valid) && "Please enter a valid email address.",
    password: passwordProblem(password, isNew),
    answer: hasQuestion && answer === "" && "Please answer this.",
  };
}

function passwordProblem(password: string, isNew: boolean): string | false {
  if (password === "") return isNew ? "Please choose a password." : "Please enter your password.";
  return isNew && password.length < limits.password.min && `Use at least ${limits.password.min} characters.`;
}
