import { useRef, useState } from "react";
import { messages } from "../../shared/errors.ts";
import { errorField, unsureMessage } from "../api/errors.ts";
import { useProblems } from "./problems.ts";

type Box = HTMLInputElement | HTMLTextAreaElement | RadioNodeList;

/**
 * A small form whose boxes are the browser's own: all that is wrong stands at its fields, the first of which gets the focus; what
 * was typed stays. `general` is what no field of the form is to blame for.
 */
export function useSending() {
  const form = useRef<HTMLFormElement>(null);
  const [busy, setBusy] = useState(false);
  const { refuse, onInput, box: boxOf, general } = useProblems(form);

  const send = async (call: () => Promise<void>): Promise<void> => {
    if (busy) return;
    setBusy(true);
    refuse({});
    try {
      await call();
    } catch (error) {
      refuse({ [errorField(error) ?? ""]: unsureMessage(error, messages.wrong) });
    } finally {
      setBusy(false);
    }
  };
  /** What was entered, or which of several was chosen. */
  const textOf = (field: string): string =>
    (form.current?.elements.namedItem(field) as Box | null | undefined)?.value ?? "";
  /** What a box of the form is given. */
  const box = (field: string) => ({ ...boxOf(field), onInput, required: true });
  return { form, busy, general, send, refuse, textOf, box };
}

export type Sending = ReturnType<typeof useSending>;
