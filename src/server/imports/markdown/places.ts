import path from "node:path";
import { TomlDate } from "smol-toml";
import type { Fields } from "./not-public.ts";
import { patterned, slugged, type PatternParts } from "./permalinks.ts";
import type { Site } from "./site.ts";

const { posix } = path;

/** A field's text by any of these names, compared small and without `_` and `-`. */
export function textField(fields: Fields, ...names: string[]): string | null {
  for (const [name, value] of Object.entries(fields))
    if (names.includes(name.toLowerCase().replace(/[_-]/g, "")) && typeof value === "string" && value.trim())
      return value.trim();
  return null;
}

const listField = (fields: Fields, ...names: string[]): string[] =>
  Object.entries(fields)
    .filter(([name]) => names.includes(name.toLowerCase().replace(/[_-]/g, "")))
    .flatMap(([, value]) => (Array.isArray(value) ? (value as unknown[]) : [value]))
    .filter((value) => typeof value === "string");

/** A file's name without its ending, or that of the folder whose page it is. */
function wholeName(file: string): string {
  const name = posix.basename(file).replace(/\.\w+$/, "");
  return name === "index" ? posix.basename(posix.dirname(file)) : name;
}

/** The same without the date that Jekyll and Zola put before it. */
export const plainName = (file: string): string => wholeName(file).replace(/^\d{4}-\d\d-\d\d[-_]/, "");

interface Known {
  date: Date | null;
  path: string | null;
  categories: string[];
  title?: string;
}

/** Where a post of this file stood on the site that was made of it, as far as that can be told. */
export function pathsOf(
  file: string,
  fields: Fields,
  { date, path: own, categories, title = "" }: Known,
  { base, permalinks, isHugo }: Pick<Site, "base" | "permalinks" | "isHugo"> = nothing,
): string[] {
  const folders = posix
    .dirname(posix.basename(file).startsWith("index.") ? posix.dirname(file) : file)
    .split("/")
    .filter((folder) => folder !== ".");
  const permalink = textField(fields, "permalink", "url");
  const aliases = listField(fields, "aliases", "alias", "redirectfrom");
  const given = [own, permalink, ...aliases].filter((one) => one !== null);
  const paths = given.filter((one) => !one.includes(":") && !one.includes("{"));
  const [name, whole, slug] = [plainName(file), wholeName(file), textField(fields, "slug")];
  const parts: Omit<PatternParts, "day"> = { name, whole, slug, title, categories, folders };
  const days = daysOf(file, fields, date);
  const byPattern = (pattern: string, more: Partial<PatternParts> = {}) =>
    days.flatMap((day) => patterned(pattern, { ...parts, ...more, day }, isHugo) ?? []);
  const at = folders.indexOf("_posts");
  if (at !== -1) {
    const below = folders.slice(0, at);
    const pattern = permalink?.includes(":") ? permalink : permalinks.get("");
    const more = { categories: [...below, ...categories] };
    if (pattern !== undefined) paths.push(...byPattern(pattern, more));
    else if (date) paths.push(...byPattern("date", more), ...byPattern("pretty", more));
  } else {
    const root = folders.findIndex(
      (folder) => folder === "content" || folder === "pages" || folder === "posts",
    );
    const behind = folders[root] === "posts" ? folders.slice(root) : folders.slice(root + 1);
    // Hugo has what does not begin with a slash beside the page.
    for (const alias of aliases)
      if (/^[^/:{]+(?:\/[^:{]*)?$/.test(alias)) paths.push(posix.join("/", ...behind, alias));
    const pattern = permalinks.get(behind[0] ?? "/");
    if (pattern !== undefined && own === null) paths.push(...byPattern(pattern, { folders: behind }));
    else if (own === null) {
      const written = [...new Set([slug ?? whole, slug ?? name])].map((one) => [...behind, one]);
      paths.push(...written.map((one) => one.join("/")), ...written.map((one) => one.map(slugged).join("/")));
    }
  }
  const rooted = paths.map((one) => `/${one.replace(/^(?:\.?\/)+/, "")}`);
  const all = [...rooted, ...(base ? rooted.map((one) => base + one) : [])];
  return [...new Set(all)].filter((one) => one !== "/");
}

const nothing = { base: "", permalinks: new Map<string, string>(), isHugo: false };

/** The days that may stand in a post's address: as it is written, and the same moment's in UTC, which may be another. */
function daysOf(file: string, fields: Fields, date: Date | null): (string | null)[] {
  const value = Object.entries(fields).find(([name]) => name.toLowerCase() === "date")?.[1];
  const text =
    value instanceof TomlDate ? value.toISOString() : typeof value === "string" ? value.trim() : "";
  const [, year, month = "", day = ""] = /^(\d{4})[-/.](\d\d?)[-/.](\d\d?)(?!\d)/.exec(text) ?? [];
  const [, inName] = /^(\d{4}-\d\d-\d\d)[-_]/.exec(posix.basename(file)) ?? [];
  const written = year && date ? `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}` : inName;
  const days = [...new Set([written, date?.toISOString().slice(0, 10)])].filter((one) => one !== undefined);
  return days.length > 0 ? days : [null];
}
