import { audienceOf, type Audience } from "../../../shared/audience.ts";
import { searchEngineLimits, normalizeWebUrl } from "../../../shared/search-engine-fields.ts";
import { limits } from "../../../shared/limits.ts";
import { trimDocument } from "../../../shared/document/trim-document.ts";
import { slugForm, slugHint } from "../../../shared/slug.ts";
import { scheduledTimeProblem } from "./schedule-time.ts";
import { sameFields } from "../draft-fields.ts";
import type { BlogFields, ForSearch } from "../draft-fields.ts";
import { useEffect, useEffectEvent } from "react";
import type { RefObject } from "react";

export type FieldErrors = Partial<
  Record<
    "title" | "description" | "tags" | "cover" | "content" | "address" | "later" | "language" | ForSearch,
    string
  >
>;

/** Whether the server would have stored the one as the other. */
export function isStoredAs(one: BlogFields, other: BlogFields): boolean {
  const stored = (fields: BlogFields): BlogFields => ({
    ...fields,
    title: fields.title.trim().replace(/\s+/g, " "),
    description: fields.description.trim(),
    address: "",
    canonicalUrl: normalizeWebUrl(fields.canonicalUrl.trim()) ?? fields.canonicalUrl.trim(),
    searchTitle: fields.searchTitle.trim().replace(/\s+/g, " "),
    searchDescription: fields.searchDescription.trim().replace(/\s+/g, " "),
    document: trimDocument(fields.document),
  });
  return sameFields(stored(one), stored(other));
}

/** Returns who can read the blog by its fields alone; nobody before a scheduled publication. */
export const audienceOfFields = (
  fields: Pick<BlogFields, "draft" | "private"> & Partial<Pick<BlogFields, "later">>,
): Audience =>
  audienceOf({ draft: fields.draft || Boolean(fields.later), private: fields.private, authorPrivate: false });

/** Returns the label of the submit button (docs/specification.md, 4.13). */
export function submitLabel(
  fields: Pick<BlogFields, "draft" | "private"> & Partial<Pick<BlogFields, "later">>,
  editing: boolean,
  startsLive = false,
): string {
  if (fields.later) return "Schedule";
  if (fields.draft) return "Save as draft";
  if (startsLive) return "Go Live";
  if (editing) return "Update Blog";
  return fields.private ? "Publish Privately" : "Publish Blog";
}

export function busySubmitLabel(fields: Pick<BlogFields, "draft" | "later">, editing: boolean): string {
  if (fields.later) return "Scheduling…";
  if (fields.draft) return "Saving…";
  return editing ? "Updating…" : "Publishing…";
}

/** Returns what the server would refuse. */
export function validateFields({
  title,
  description,
  later = null,
  address = "",
  canonicalUrl = "",
  searchTitle = "",
  searchDescription = "",
}: Pick<BlogFields, "title" | "description"> &
  Partial<Pick<BlogFields, "address" | "later" | ForSearch>>): FieldErrors {
  const problems: FieldErrors = {};
  if (title.trim() === "") problems.title = "Please give your blog a title.";
  else if ([...title.trim()].length > limits.title.max)
    problems.title = `The title is too long. Use at most ${limits.title.max} characters.`;
  if ([...description.trim()].length > limits.description.max)
    problems.description = `The description is too long. Use at most ${limits.description.max} characters.`;
  if (address !== "" && !(slugForm.test(address) && address.length <= limits.slug.max))
    problems.address = `${slugHint} At most ${limits.slug.max}.`;
  if (canonicalUrl.trim() !== "" && normalizeWebUrl(canonicalUrl.trim()) === null)
    problems.canonicalUrl = "Enter the full address, such as https://example.org/a-text.";
  const timeProblem = later && scheduledTimeProblem(later, Date.now());
  if (timeProblem) problems.later = timeProblem;
  const long = (name: string, max: number) =>
    `The ${name} in search results is too long. Use at most ${max} characters.`;
  if ([...searchTitle.trim()].length > searchEngineLimits.title)
    problems.searchTitle = long("name", searchEngineLimits.title);
  if ([...searchDescription.trim()].length > searchEngineLimits.description)
    problems.searchDescription = long("summary", searchEngineLimits.description);
  return problems;
}

/** Returns the `maxlength`, in UTF-16 units, for a limit in characters. */
export function maxLength(value: string, max: number): number {
  return max + value.length - [...value].length;
}

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
