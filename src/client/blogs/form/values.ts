import type { EditableBlog, Picture } from "../../../shared/blogs.ts";
import { limits } from "../../../shared/limits.ts";
import { slugForm, slugHint } from "../../../shared/slug.ts";
import type { NodeJson } from "../../../shared/document/schema.ts";

/** What the form holds. */
export interface BlogFields {
  title: string;
  description: string;
  tags: string[];
  cover: Picture | null;
  draft: boolean;
  private: boolean;
  /** The address that is wished for; empty leaves the one that it has, or has it made of the title. */
  address: string;
  document: NodeJson;
}

/** What is wrong, by the field it is about. */
export type FieldErrors = Partial<
  Record<"title" | "description" | "tags" | "cover" | "content" | "address", string>
>;

export const emptyFields = (): BlogFields => ({
  title: "",
  description: "",
  tags: [],
  cover: null,
  draft: false,
  private: false,
  address: "",
  document: { type: "doc", content: [{ type: "paragraph", attrs: { align: null, indent: 0 } }] },
});

export function fieldsOf(blog: EditableBlog): BlogFields {
  const { title, description, tags, cover, draft } = blog;
  return {
    title,
    description,
    tags,
    cover,
    draft,
    private: blog.private,
    address: "",
    document: blog.document as NodeJson,
  };
}

/** Whether there is nothing worth keeping: the switches alone are no work. */
export function isBlank({ title, description, tags, cover, document }: BlogFields): boolean {
  return (
    title.trim() === "" &&
    description.trim() === "" &&
    tags.length === 0 &&
    cover === null &&
    isBlankDocument(document)
  );
}

function isBlankDocument(node: NodeJson): boolean {
  if (node.text || node.type === "image" || node.type === "horizontal_rule" || node.type === "table")
    return false;
  return (node.content ?? []).every(isBlankDocument);
}

/** The document without the empty paragraphs at its end, which are only there to go on writing in. */
export function trimmed(document: NodeJson): NodeJson {
  const content = [...(document.content ?? [])];
  while (
    content.length > 1 &&
    content.at(-1)!.type === "paragraph" &&
    (content.at(-1)!.content ?? []).length === 0
  )
    content.pop();
  return { ...document, content };
}

export function sameFields(one: BlogFields, other: BlogFields): boolean {
  const key = ({ title, description, tags, cover, draft, private: closed, address, document }: BlogFields) =>
    JSON.stringify([title, description, tags, cover?.id ?? null, draft, closed, address, document]);
  return key(one) === key(other);
}

/** Whether the server, given the one, would have stored the other. */
export function savedAs(one: BlogFields, other: BlogFields): boolean {
  const stored = (fields: BlogFields): BlogFields => ({
    ...fields,
    title: fields.title.trim().replace(/\s+/g, " "),
    description: fields.description.trim(),
    address: "",
    document: trimmed(fields.document),
  });
  return sameFields(stored(one), stored(other));
}

/** Who may read it, from nobody but its author to everybody. */
export const audienceOf = (fields: Pick<BlogFields, "draft" | "private">): 0 | 1 | 2 =>
  fields.draft ? 0 : fields.private ? 1 : 2;

/** What the one button says (docs/specification.md, 4.13). */
export function submitLabel(fields: Pick<BlogFields, "draft" | "private">, editing: boolean): string {
  if (fields.draft) return "Save as draft";
  if (editing) return "Update Blog";
  return fields.private ? "Publish Privately" : "Publish Blog";
}

/** What the server would refuse, said before it is asked. */
export function problemsOf({
  title,
  description,
  address = "",
}: Pick<BlogFields, "title" | "description"> & { address?: string }): FieldErrors {
  const problems: FieldErrors = {};
  if (title.trim() === "") problems.title = "Please give your blog a title.";
  else if ([...title.trim()].length > limits.title.max)
    problems.title = `The title is too long: at most ${limits.title.max} characters.`;
  if ([...description.trim()].length > limits.description.max)
    problems.description = `The description is too long: at most ${limits.description.max} characters.`;
  if (address !== "" && !(slugForm.test(address) && address.length <= limits.slug.max))
    problems.address = `${slugHint} At most ${limits.slug.max}.`;
  return problems;
}

/** `maxlength` counts UTF-16 units, people and the server count characters: an emoji takes one of its own. */
export function maxLength(value: string, max: number): number {
  return max + value.length - [...value].length;
}
