import type { CoverPoint, Picture } from "../../../shared/blogs.ts";
import { searchEngineLimits, normalizeWebUrl } from "../../../shared/search-engine-fields.ts";
import { limits } from "../../../shared/limits.ts";
import { trimDocument } from "../../../shared/document/trim-document.ts";
import { slugForm, slugHint } from "../../../shared/slug.ts";
import { scheduleKey, scheduledTimeProblem, type ScheduledTime } from "./schedule-time.ts";
import { isPictureName } from "../../../shared/document/picture-names.ts";
import type { NodeJson } from "../../../shared/document/schema.ts";
import type { Intent, DraftFields } from "../../../shared/drafts.ts";
import type { WorkingCopy } from "./working-copy.ts";

/** The content of the form. */
export interface BlogFields {
  title: string;
  description: string;
  tags: string[];
  cover: Picture | null;
  draft: boolean;
  private: boolean;
  /** The schedule; until then the blog is a draft, though `draft` is false. */
  later: ScheduledTime | null;
  /** The requested slug; empty keeps the current one or derives it from the title. */
  address: string;
  /** Where it appeared first, and texts for search results; empty for the defaults. */
  canonicalUrl: string;
  searchTitle: string;
  searchDescription: string;
  /** The language tag; empty to detect it from the text. */
  language: string;
  document: NodeJson;
}

/** The fields for search engines only. */
export const forSearch = ["canonicalUrl", "searchTitle", "searchDescription"] as const;
export type ForSearch = (typeof forSearch)[number];

export type FieldErrors = Partial<
  Record<
    "title" | "description" | "tags" | "cover" | "content" | "address" | "later" | "language" | ForSearch,
    string
  >
>;

export const emptyFields = (): BlogFields => ({
  title: "",
  description: "",
  tags: [],
  cover: null,
  draft: false,
  private: false,
  later: null,
  address: "",
  canonicalUrl: "",
  searchTitle: "",
  searchDescription: "",
  language: "",
  document: { type: "doc", content: [{ type: "paragraph", attrs: { align: null, indent: 0 } }] },
});

/** Whether there is nothing worth keeping; the switches do not count. */
export function isBlank({ tags, cover, document, ...fields }: BlogFields): boolean {
  return (
    (["title", "description", ...forSearch] as const).every((name) => fields[name].trim() === "") &&
    tags.length === 0 &&
    cover === null &&
    isBlankDocument(document)
  );
}

/** The nodes that count as content without words. */
const wordlessContent: ReadonlySet<unknown> = new Set(["horizontal_rule", "table", "formula", "embed"]);

function isBlankDocument(node: NodeJson): boolean {
  if (node.text || isPictureName(node.type) || wordlessContent.has(node.type)) return false;
  return (node.content ?? []).every(isBlankDocument);
}

/** Returns the identity of a cover, with its focus point. */
export const coverKey = ({ id, focus }: Picture): unknown => [id, focus ?? null];

/** Returns the cover with another focus point; null for the centre. */
export function withFocus(
  { focus: _focus, ...cover }: Picture,
  focus: CoverPoint | null | undefined,
): Picture {
  return focus ? { ...cover, focus } : cover;
}

export function sameFields(one: BlogFields, other: BlogFields): boolean {
  const key = ({
    title,
    description,
    tags,
    cover,
    draft,
    private: closed,
    later,
    address,
    document,
    ...rest
  }: BlogFields) =>
    JSON.stringify([
      title,
      description,
      tags,
      cover && coverKey(cover),
      draft,
      closed,
      scheduleKey(later),
      address,
      document,
      ...forSearch.map((name) => rest[name]),
      rest.language,
    ]);
  return key(one) === key(other);
}

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

/** Returns who can read it: 0 its authors, 1 followers, 2 everyone. */
export const audienceOf = (
  fields: Pick<BlogFields, "draft" | "private"> & Partial<Pick<BlogFields, "later">>,
): 0 | 1 | 2 => (fields.draft || fields.later ? 0 : fields.private ? 1 : 2);

/** Returns the label of the submit button (docs/specification.md, 4.13). */
export function submitLabel(
  fields: Pick<BlogFields, "draft" | "private"> & Partial<Pick<BlogFields, "later">>,
  editing: boolean,
): string {
  if (fields.later) return "Schedule";
  if (fields.draft) return "Save as draft";
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

/** Returns the form's fields for a working copy's; the editor has the text. `blogIntent`: what the blog is without a choice. */
export const toFormFields = (
  { coverId: _id, coverFocus, restores: _restores, intent, ...fields }: DraftFields,
  cover: BlogFields["cover"],
  blogIntent: Intent,
): BlogFields => {
  const { draft, later } = intent ?? blogIntent;
  return { ...emptyFields(), ...fields, cover: cover && withFocus(cover, coverFocus), draft, later };
};

/** Returns what a save makes of a working copy without a choice: a new blog is published, others stay as they are. */
export const blogIntentOf = ({
  isUnsaved,
  isDraft,
  schedule,
}: Pick<WorkingCopy, "isUnsaved" | "isDraft" | "schedule">): Intent => ({
  draft: isDraft && !isUnsaved && schedule === null,
  later: schedule,
});

/** Returns the choice to store; null if it is what the blog is. */
export function intentToStore({ draft, later }: Intent, blogIntent: Intent): Intent | null {
  const isSame = draft === blogIntent.draft && scheduleKey(later) === scheduleKey(blogIntent.later);
  return isSame ? null : { draft, later };
}

export function newDraftFields(): DraftFields {
  const { document: _text, cover: _cover, draft: _draft, later: _later, ...fields } = emptyFields();
  return { ...fields, coverId: null, coverFocus: null, restores: null, intent: null };
}

/** Returns the working copy's fields for the form's, without an unchanged cover and the intent. */
export function toDraftFields(change: Partial<BlogFields>, coverId?: string | null): Partial<DraftFields> {
  const { document: _text, draft: _draft, later: _later, cover, ...fields } = change;
  if (cover === undefined) return fields;
  const id = cover?.id ?? null;
  return { ...fields, ...(id !== coverId && { coverId: id }), coverFocus: cover?.focus ?? null };
}
