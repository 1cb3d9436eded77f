import { asFields } from "./fenced-front-matter.ts";
import type { Fields } from "./visibility.ts";

/* Covers by the field names of generators and themes. */

const names =
  `cover coverimage image heroimage hero featuredimage featureimage featured banner thumbnail images
  header ogimage socialimage`.split(/\s+/);
/** The address fields of a cover table. */
const within = "image src url path file overlayimage teaser".split(" ");
const tables = ["extra", "params"];

const plain = (name: string) => name.toLowerCase().replace(/[_-]/g, "");

/** Returns the cover's path or address as written, or null. */
export function coverOf(fields: Fields): string | null {
  for (const table of [fields, ...tables.map((name) => asFields(fields[name]) ?? {})])
    for (const name of names)
      for (const [key, value] of Object.entries(table)) {
        const found = plain(key) === name ? pictureIn(value) : null;
        if (found !== null) return found;
      }
  return null;
}

function pictureIn(value: unknown): string | null {
  const one: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof one === "string") return one.trim() || null;
  const table = asFields(one) ?? {};
  for (const name of within)
    for (const [key, inner] of Object.entries(table))
      if (plain(key) === name && typeof inner === "string" && inner.trim()) return inner.trim();
  return null;
}
