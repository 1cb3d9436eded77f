import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { messages } from "../../shared/errors.ts";
import { errorField, unsureMessage } from "../api/errors.ts";
import { useProblems } from "./problems.ts";

type Box = HTMLInputElement | HTMLTextAreaElement | RadioNodeList;

/**
 * A small form with uncontrolled fields: errors are shown at their fields, the first of which gets the focus; the input stays.
 * `general` is the error of no field.
 */
export function useFormSubmit() {
  const form = useRef<HTMLFormElement>(null);
  const { refuse, onInput, box: fieldProps, general } = useProblems(form);
  const sending = useMutation({
    mutationFn: (call: () => Promise<unknown>) => call(),
    onMutate: () => void refuse({}),
    onError: (error) => void refuse({ [errorField(error) ?? ""]: unsureMessage(error, messages.wrong) }),
  });
  const busy = sending.isPending;

  const send = (call: () => Promise<unknown>): void => {
    if (!busy) sending.mutate(call);
  };
  /** A field's text, or the chosen option. */
  const textOf = (field: string): string =>
    (form.current?.elements.namedItem(field) as Box | null | undefined)?.value ?? "";
  /** The props of a field. */
  const box = (field: string) => ({ ...fieldProps(field), onInput, required: true });
  return { form, busy, general, send, refuse, textOf, box };
}

export type FormSubmit = ReturnType<typeof useFormSubmit>;
