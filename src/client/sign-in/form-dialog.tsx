import { useEffect, useId, useRef } from "react";
import type { FormEvent, ReactNode, RefObject } from "react";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import type { FormSubmit } from "./use-form-submit.ts";
import "../ui/sections.css";

interface Props {
  title: string;
  /** The label of the submit button. */
  action: string;
  /** Hard to undo: an alert dialog. */
  danger?: boolean | undefined;
  sending: FormSubmit;
  /** The initial focus; the first control by default. */
  first?: RefObject<HTMLElement | null> | undefined;
  children: ReactNode;
  /** The server's message, which replaces the form. */
  message?: string | undefined;
  onClose: () => void;
  onSubmit: () => void;
}

/** A small form in a dialog. Errors of no field are shown at its end. */
export function FormDialog({
  title,
  action,
  danger = false,
  sending: { form, busy, general },
  first,
  children,
  message = "",
  onClose,
  onSubmit,
}: Props) {
  const id = useId();
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (message) close.current?.focus();
  }, [message]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Dialog
      alert={danger}
      title={title}
      onClose={onClose}
      {...(first ? { initialFocus: first } : {})}
      actions={
        <>
          <Button ref={close} onClick={onClose}>
            {message ? "Close" : "Cancel"}
          </Button>
          {!message && (
            <Button type="submit" form={id} kind={danger ? "danger" : "primary"} busy={busy}>
              {action}
            </Button>
          )}
        </>
      }
    >
      <p role="status">{message}</p>
      {!message && (
        <form id={id} ref={form} className="stack gap-4" noValidate onSubmit={submit}>
          {children}
          <p className="alert" role="alert">
            {general}
          </p>
        </form>
      )}
    </Dialog>
  );
}
