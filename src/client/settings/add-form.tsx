import { useState } from "react";
import type { FormEvent, RefObject } from "react";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";

/** A field whose text is added to a list at once, or refused with a reason. */
export function AddForm({
  input,
  label,
  action,
  maxLength,
  problemOf,
  onAdd,
}: {
  input: RefObject<HTMLInputElement | null>;
  label: string;
  action: string;
  maxLength: number;
  problemOf: (text: string) => string | null;
  onAdd: (text: string) => void;
}) {
  const [problem, setProblem] = useState<string | null>(null);
  const add = (event: FormEvent): void => {
    event.preventDefault();
    const { current } = input;
    if (!current) return;
    const text = current.value;
    const newProblem = problemOf(text);
    setProblem(newProblem);
    current.focus();
    if (newProblem) return;
    current.value = "";
    onAdd(text);
  };
  return (
    <form className="interest-add" noValidate onSubmit={add} onInput={() => problem && setProblem(null)}>
      <TextField ref={input} label={label} error={problem} maxLength={maxLength} autoComplete="off" />
      <Button type="submit">{action}</Button>
    </form>
  );
}
