import { useEffect, useId, useRef } from "react";
import type { FormEvent, ReactNode, RefObject } from "react";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import type { Sending } from "./use-sending.ts";
import "./auth.css";

interface Props {
  title: string;
  /** The button that sends it. */
  action: string;
  /** It can hardly be undone: it is asked as a question. */
  danger?: boolean | undefined;
  sending: Sending;
  /** What has the focus when it opens; otherwise the first control. */
  first?: RefObject<HTMLElement | null> | undefined;
  children: ReactNode;
  /** What was answered, in place of the form. */
  said?: string | undefined;
  onClose: () => void;
  onSubmit: () => void;
}

/** A small form in a dialog: what no field is to blame for stands at its end. */
export function FormDialog({
  title,
  action,
  danger = false,
  sending: { form, busy, general },
  first,
  children,
  said = "",
  onClose,
  onSubmit,
}: Props) {
  const id = useId();
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (said) close.current?.focus();
  }, [said]);
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
            {said ? "Close" : "Cancel"}
          </Button>
          {!said && (
            <Button type="submit" form={id} kind={danger ? "danger" : "primary"} busy={busy}>
              {action}
            </Button>
          )}
        </>
      }
    >
      <p role="status">{said}</p>
      {!said && (
        <form id={id} ref={form} className="auth-form" noValidate onSubmit={submit}>
          {children}
          <p className="auth-problem" role="alert">
            {general}
          </p>
        </form>
      )}
    </Dialog>
  );
}
