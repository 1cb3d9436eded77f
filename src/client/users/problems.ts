import { useState } from "react";
import type { FormEvent, RefObject } from "react";

/** What may be wrong with a form, by the names of its boxes; nothing where it is not. `""` is what no box is to blame for. */
export type Problems<Field extends string = string> = Partial<Record<Field | "", string | false | null>>;

/**
 * What is wrong with a form whose boxes are the browser's own: all of it at once, each at its box, and the focus at the first.
 * What is typed in a box takes back what was said of that one.
 */
export function useProblems<Field extends string = string>(form: RefObject<HTMLFormElement | null>) {
  const [problems, setProblems] = useState<Partial<Record<string, string>>>({});
  const boxes = (): (HTMLInputElement | HTMLTextAreaElement)[] =>
    [...(form.current?.elements ?? [])] as HTMLInputElement[];

  /** Shows what is found, in place of what was shown. True where there is something. */
  const refuse = (found: Problems<Field>): boolean => {
    const wrong = Object.entries<string | false | null | undefined>(found).filter(
      (one): one is [string, string] => Boolean(one[1]),
    );
    const names = new Set(boxes().map(({ name }) => name));
    // What is said of a box that the form has not is said of the form.
    const shown = Object.fromEntries(wrong.map(([name, said]) => [names.has(name) ? name : "", said]));
    setProblems(shown);
    boxes()
      .find(({ name }) => name !== "" && name in shown)
      ?.focus();
    return wrong.length > 0;
  };
  /** For the form's own `onInput`. */
  const onInput = ({ target }: FormEvent): void => {
    const { name } = target as HTMLInputElement;
    setProblems((now) =>
      Object.fromEntries(Object.entries(now).filter(([field]) => field !== name && field !== "")),
    );
  };
  /** What a box is given. */
  const box = (field: Field) => ({ name: field, error: problems[field] ?? null });
  return { refuse, onInput, box, general: problems[""] ?? "" };
}
