import { useState } from "react";
import type { FormEvent, RefObject } from "react";

/** Errors by field name, if any; `""` for errors of no field. */
export type Problems<Field extends string = string> = Partial<Record<Field | "", string | false | null>>;

/**
 * The errors of a form with uncontrolled fields, all shown at once; the first field gets the focus. Input in a field clears its
 * error.
 */
export function useProblems<Field extends string = string>(form: RefObject<HTMLFormElement | null>) {
  const [problems, setProblems] = useState<Partial<Record<string, string>>>({});
  const boxes = (): (HTMLInputElement | HTMLTextAreaElement)[] =>
    [...(form.current?.elements ?? [])] as HTMLInputElement[];

  /** Replaces the shown errors. Returns whether there are any. */
  const refuse = (newProblems: Problems<Field>): boolean => {
    const errors = Object.entries<string | false | null | undefined>(newProblems).filter(
      (entry): entry is [string, string] => Boolean(entry[1]),
    );
    const names = new Set(boxes().map(({ name }) => name));
    // Errors of fields that the form lacks are shown as general.
    const errorsByField = Object.fromEntries(
      errors.map(([name, message]) => [names.has(name) ? name : "", message]),
    );
    setProblems(errorsByField);
    boxes()
      .find(({ name }) => name !== "" && name in errorsByField)
      ?.focus();
    return errors.length > 0;
  };
  const onInput = ({ target }: FormEvent): void => {
    const { name } = target as HTMLInputElement;
    setProblems((now) =>
      Object.fromEntries(Object.entries(now).filter(([field]) => field !== name && field !== "")),
    );
  };
  /** The props of a field. */
  const box = (field: Field) => ({ name: field, error: problems[field] ?? null });
  return { refuse, onInput, box, general: problems[""] ?? "" };
}
