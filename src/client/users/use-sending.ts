import { useRef, useState } from "react";
import { messages } from "../../shared/errors.ts";
import { errorField, unsureMessage } from "../api/errors.ts";

/**
 * A small form whose boxes are the browser's own: what is wrong stands at its field, which gets the focus; what was typed stays.
 * `general` is what no field of the form is to blame for.
 */
export function useSending() {
  const form = useRef<HTMLFormElement>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<{ field: string | undefined; message: string } | null>(null);
  const boxOf = (field: string) => form.current?.elements.namedItem(field);

  const refuse = (field: string | undefined, message: string): void => {
    const box = field === undefined ? null : boxOf(field);
    setProblem({ field: box ? field : undefined, message });
    if (box instanceof HTMLInputElement) box.focus();
  };
  const send = async (call: () => Promise<void>): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setProblem(null);
    try {
      await call();
    } catch (error) {
      refuse(errorField(error), unsureMessage(error, messages.wrong));
    } finally {
      setBusy(false);
    }
  };
  const textOf = (field: string): string => {
    const box = boxOf(field);
    return box instanceof HTMLInputElement ? box.value : "";
  };
  /** What a box of the form is given. */
  const box = (field: string) => ({
    name: field,
    error: problem?.field === field ? problem.message : null,
    onInput: () => problem && setProblem(null),
    required: true,
  });
  const general = problem?.field === undefined ? (problem?.message ?? "") : "";
  return { form, busy, general, send, refuse, textOf, box };
}

export type Sending = ReturnType<typeof useSending>;
