import { useEffect, useEffectEvent } from "react";
import type { RefObject } from "react";
import type { BlogFields } from "../../writing/draft-fields.ts";
import { validateFields } from "./blog-fields.ts";
import type { FieldErrors } from "./blog-fields.ts";

/** Shows what would hinder a publication at the field that was left. A missing title is no problem yet. */
export function useProblemsAtFields(
  form: RefObject<HTMLFormElement | null>,
  fields: () => BlogFields,
  onProblem: (problem: FieldErrors) => void,
): void {
  const left = useEffectEvent(({ target }: FocusEvent) => {
    const name = target instanceof Element ? target.getAttribute("name") : null;
    if (name === null || (name === "title" && fields().title.trim() === "")) return;
    const problem = validateFields(fields())[name as keyof FieldErrors];
    if (problem) onProblem({ [name]: problem });
  });
  useEffect(() => {
    const element = form.current;
    element?.addEventListener("focusout", left);
    return () => element?.removeEventListener("focusout", left);
  }, [form]);
}
