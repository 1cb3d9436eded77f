/* Writes tags, with everything escaped. */

export type Attributes = Record<string, unknown>;

const voidTags = new Set(["img", "br", "hr"]);

/** Returns the tags around the content of a `toDOM` specification. */
export function tagsOf(spec: unknown, extra: Attributes): { open: string; close: string } {
  if (!Array.isArray(spec) || typeof spec[0] !== "string")
    throw new RangeError("The schema's toDOM must give an array");
  const [tag, ...rest] = spec as [string, ...unknown[]];
  const hasAttributes = typeof rest[0] === "object" && rest[0] !== null && !Array.isArray(rest[0]);
  const attributes = { ...(hasAttributes ? (rest.shift() as Attributes) : {}), ...extra };
  const inner = Array.isArray(rest[0]) ? tagsOf(rest[0], {}) : { open: "", close: "" };
  return {
    open: openTag(tag, attributes) + inner.open,
    close: voidTags.has(tag) ? "" : `${inner.close}</${tag}>`,
  };
}

/** Attributes that are null or undefined are left out. */
export function openTag(tag: string, attributes: Attributes): string {
  const presentAttributes = Object.entries(attributes).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  return `<${tag}${presentAttributes.map(([name, value]) => ` ${name}="${escapeHtml(String(value))}"`).join("")}>`;
}

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const characters: Record<string, string> = Object.fromEntries(
  Object.entries(entities).map(([character, entity]) => [entity, character]),
);

/** Escapes text, also for double-quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? "");
}

/** Reverses `escapeHtml`. */
export const unescapeHtml = (html: string): string =>
  html.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => characters[entity]!);
