import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
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
  const { refuse, onInput, box: boxOf, general } = useProblems(form);
  const sending = useMutation({
    mutationFn: (call: () => Promise<unknown>) => call(),
    onMutate: () => void refuse({}),
    onError: (error) => void refuse({ [errorField(error) ?? ""]: unsureMessage(error, messages.wrong) }),
  });
  const busy = sending.isPending;

  const send = (call: () => Promise<unknown>): void => {
    if (!busy) sending.mutate(call);
  };
  /** What was entered, or which of several was chosen. */
  const textOf = (field: string): string =>
    (form.current?.elements.namedItem(field) as Box | null | undefined)?.value ?? "";
  /** What a box of the form is given. */
  const box = (field: string) => ({ ...boxOf(field), onInput, required: true });
  return { form, busy, general, send, refuse, textOf, box };
}

export type Sending = ReturnType<typeof useSending>;
