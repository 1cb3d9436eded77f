import { asFields } from "./fenced-front-matter.ts";
import type { Fields } from "./visibility.ts";

/* Covers by the field names of generators and themes. */

const names =
  `cover coverimage image heroimage hero featuredimage featureimage featured banner thumbnail images
  header ogimage socialimage`.split(/\s+/);
/** The address fields of a cover table. */
const addressFields = "image src url path file overlayimage teaser".split(" ");
const tableNames = ["extra", "params"];

const normalized = (name: string) => name.toLowerCase().replace(/[_-]/g, "");

/** Returns the cover's path or address as written, or null. */
export function coverOf(fields: Fields): string | null {
  for (const table of [fields, ...tableNames.map((name) => asFields(fields[name]) ?? {})])
    for (const name of names)
      for (const [key, value] of Object.entries(table)) {
        const picture = normalized(key) === name ? pictureIn(value) : null;
        if (picture !== null) return picture;
      }
  return null;
}

function pictureIn(value: unknown): string | null {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof first === "string") return first.trim() || null;
  const table = asFields(first) ?? {};
  for (const name of addressFields)
    for (const [key, inner] of Object.entries(table))
      if (normalized(key) === name && typeof inner === "string" && inner.trim()) return inner.trim();
  return null;
}
