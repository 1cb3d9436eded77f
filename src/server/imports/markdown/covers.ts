import { asFields } from "./matter.ts";
import type { Fields } from "./not-public.ts";

/* The picture above a text, by the names that generators and their themes have for it. */

const names =
  `cover coverimage image heroimage hero featuredimage featureimage featured banner thumbnail images
  header ogimage socialimage`.split(/\s+/);
/** Where in a table of one of those it stands. */
const within = "image src url path file overlayimage teaser".split(" ");
const tables = ["extra", "params"];

const plain = (name: string) => name.toLowerCase().replace(/[_-]/g, "");

/** Its path or address, as it is written; null where none is named. */
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
