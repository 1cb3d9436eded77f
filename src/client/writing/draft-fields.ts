import type { CoverPoint, Picture } from "../../shared/blogs.ts";
import { isPictureName } from "../../shared/document/picture-names.ts";
import type { NodeJson } from "../../shared/document/schema.ts";
import type { Intent, DraftFields } from "../../shared/drafts.ts";
import type { Draft } from "./draft.ts";

/** The schedule of a blog in the form. */
export interface ScheduledTime {
  /** ISO 8601; null if the field holds no time. */
  at: string | null;
  zone: string;
  /** The field's value in this device's zone; absent if unedited. */
  typed?: string;
}

/** Returns a key to compare by: the time, or what was typed. */
export const scheduleKey = (later: ScheduledTime | null): string | null =>
  later && (later.at ?? `typed ${later.typed}`);

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

/** Returns the form's fields for a draft's; the editor has the text. `blogIntent`: what the blog is without a choice. */
export const toFormFields = (
  { coverId: _id, coverFocus, restores: _restores, intent, ...fields }: DraftFields,
  cover: BlogFields["cover"],
  blogIntent: Intent,
): BlogFields => {
  const { draft, later } = intent ?? blogIntent;
  return { ...emptyFields(), ...fields, cover: cover && withFocus(cover, coverFocus), draft, later };
};

/** Returns what a save makes of a draft without a choice: a new blog is published, others stay as they are. */
export const blogIntentOf = ({
  isUnsaved,
  isDraft,
  schedule,
}: Pick<Draft, "isUnsaved" | "isDraft" | "schedule">): Intent => ({
  draft: isDraft && !isUnsaved && schedule === null,
  later: schedule,
});

/** Returns the choice to store; null if it is what the blog is. */
export function intentToStore({ draft, later }: Intent, blogIntent: Intent): Intent | null {
  const isSame = draft === blogIntent.draft && scheduleKey(later) === scheduleKey(blogIntent.later);
  return isSame ? null : { draft, later };
}

/** Returns the draft's fields for the form's, without an unchanged cover and the intent. */
export function toDraftFields(change: Partial<BlogFields>, coverId?: string | null): Partial<DraftFields> {
  const { document: _text, draft: _draft, later: _later, cover, ...fields } = change;
  if (cover === undefined) return fields;
  const id = cover?.id ?? null;
  return { ...fields, ...(id !== coverId && { coverId: id }), coverFocus: cover?.focus ?? null };
}
