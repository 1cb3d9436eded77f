import type { CoverPoint, Picture } from "../../../shared/blogs.ts";
import { searchLimits, webAddress } from "../../../shared/for-search.ts";
import { limits } from "../../../shared/limits.ts";
import { trimmed } from "../../../shared/document/trimmed.ts";
import { slugForm, slugHint } from "../../../shared/slug.ts";
import { keyOf, problemOfLater, type Later } from "./later.ts";
import { isPictureName } from "../../../shared/document/picture-names.ts";
import type { NodeJson } from "../../../shared/document/schema.ts";
import type { WritingFields } from "../../../shared/writing.ts";

/** What the form holds. */
export interface BlogFields {
  title: string;
  description: string;
  tags: string[];
  cover: Picture | null;
  draft: boolean;
  private: boolean;
  /** When it is to be published by itself; then it is no draft in the form's sense, and one until then. */
  later: Later | null;
  /** The address that is wished for; empty leaves the one that it has, or has it made of the title. */
  address: string;
  /** Where it appeared first, and what search engines show of it; empty for nothing of their own. */
  canonicalUrl: string;
  searchTitle: string;
  searchDescription: string;
  /** What it is written in; empty: as the text tells. */
  language: string;
  document: NodeJson;
}

/** What a blog says to search engines alone. */
export const forSearch = ["canonicalUrl", "searchTitle", "searchDescription"] as const;
export type ForSearch = (typeof forSearch)[number];

/** What is wrong, by the field it is about. */
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

/** Whether there is nothing worth keeping: the switches alone are no work. */
export function isBlank({ tags, cover, document, ...fields }: BlogFields): boolean {
  return (
    (["title", "description", ...forSearch] as const).every((name) => fields[name].trim() === "") &&
    tags.length === 0 &&
    cover === null &&
    isBlankDocument(document)
  );
}

/** What is something without any words. */
const said: ReadonlySet<unknown> = new Set(["horizontal_rule", "table", "formula", "embed"]);

function isBlankDocument(node: NodeJson): boolean {
  if (node.text || isPictureName(node.type) || said.has(node.type)) return false;
  return (node.content ?? []).every(isBlankDocument);
}

/** Which picture it is, and which point of it stays in view. */
export const whichCover = ({ id, focus }: Picture): unknown => [id, focus ?? null];

/** The same cover with another point that stays in view; null: its middle. */
export function aimed({ focus: _focus, ...cover }: Picture, focus: CoverPoint | null | undefined): Picture {
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
      cover && whichCover(cover),
      draft,
      closed,
      keyOf(later),
      address,
      document,
      ...forSearch.map((name) => rest[name]),
      rest.language,
    ]);
  return key(one) === key(other);
}

/** Whether the server, given the one, would have stored the other. */
export function savedAs(one: BlogFields, other: BlogFields): boolean {
  const stored = (fields: BlogFields): BlogFields => ({
    ...fields,
    title: fields.title.trim().replace(/\s+/g, " "),
    description: fields.description.trim(),
    address: "",
    canonicalUrl: webAddress(fields.canonicalUrl.trim()) ?? fields.canonicalUrl.trim(),
    searchTitle: fields.searchTitle.trim().replace(/\s+/g, " "),
    searchDescription: fields.searchDescription.trim().replace(/\s+/g, " "),
    document: trimmed(fields.document),
  });
  return sameFields(stored(one), stored(other));
}

/** Who may read it, from nobody but its author to everybody. */
export const audienceOf = (
  fields: Pick<BlogFields, "draft" | "private"> & Partial<Pick<BlogFields, "later">>,
): 0 | 1 | 2 => (fields.draft || fields.later ? 0 : fields.private ? 1 : 2);

/** What the one button says (docs/specification.md, 4.13). */
export function submitLabel(
  fields: Pick<BlogFields, "draft" | "private"> & Partial<Pick<BlogFields, "later">>,
  editing: boolean,
): string {
  if (fields.later) return "Schedule";
  if (fields.draft) return "Save as draft";
  if (editing) return "Update Blog";
  return fields.private ? "Publish Privately" : "Publish Blog";
}

/** What the same button says until that is done. */
export function busySubmitLabel(fields: Pick<BlogFields, "draft" | "later">, editing: boolean): string {
  if (fields.later) return "Scheduling…";
  if (fields.draft) return "Saving…";
  return editing ? "Updating…" : "Publishing…";
}

/** What the server would refuse, said before it is asked. */
export function problemsOf({
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
  if (canonicalUrl.trim() !== "" && webAddress(canonicalUrl.trim()) === null)
    problems.canonicalUrl = "Enter the full address, such as https://example.org/a-text.";
  const ofTime = later && problemOfLater(later, Date.now());
  if (ofTime) problems.later = ofTime;
  const long = (name: string, max: number) =>
    `The ${name} in search results is too long. Use at most ${max} characters.`;
  if ([...searchTitle.trim()].length > searchLimits.title)
    problems.searchTitle = long("name", searchLimits.title);
  if ([...searchDescription.trim()].length > searchLimits.description)
    problems.searchDescription = long("summary", searchLimits.description);
  return problems;
}

/** `maxlength` counts UTF-16 units, people and the server count characters: an emoji takes one of its own. */
export function maxLength(value: string, max: number): number {
  return max + value.length - [...value].length;
}

/** Those of the fields outside the text that are not as they were. */
export function changesOf(now: BlogFields, before: BlogFields): Partial<BlogFields> {
  const { document: _text, ...fields } = now;
  const same = (name: keyof typeof fields) => JSON.stringify(now[name]) === JSON.stringify(before[name]);
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !same(name as keyof typeof fields)));
}

/** The fields of a working copy as the form has them; its text stands in the editor. */
export const shownAs = (
  { coverId: _id, coverFocus, restores: _restores, ...fields }: WritingFields,
  cover: BlogFields["cover"],
  { draft, later }: Meant,
): BlogFields => ({
  ...emptyFields(),
  ...fields,
  cover: cover && aimed(cover, coverFocus),
  draft,
  later,
});

/** What a form is to make of the blog: a draft, or one until a time to come. It is the form's alone until then. */
export type Meant = Pick<BlogFields, "draft" | "later">;

/** The fields of a new working copy. */
export function newFields(): WritingFields {
  const { document: _text, cover: _cover, draft: _draft, later: _later, ...fields } = emptyFields();
  return { ...fields, coverId: null, coverFocus: null, restores: null };
}

/** Those of the form's fields that are the working copy's. A cover that stands there already is not named again. */
export function writtenOf(change: Partial<BlogFields>, coverId?: string | null): Partial<WritingFields> {
  const { document: _text, draft: _draft, later: _later, cover, ...fields } = change;
  if (cover === undefined) return fields;
  const id = cover?.id ?? null;
  return { ...fields, ...(id !== coverId && { coverId: id }), coverFocus: cover?.focus ?? null };
}
