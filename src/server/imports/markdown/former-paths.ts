import path from "node:path";
import { TomlDate } from "smol-toml";
import type { Fields } from "./visibility.ts";
import { expandPermalink, slugify, type PatternParts } from "./permalinks.ts";
import type { Site } from "./site.ts";

const { posix } = path;

/** Returns the first of these fields, compared in lower case without `_` and `-`. */
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

/** Returns a name without extension, or the folder's for an index. */
function nameWithoutExtension(file: string): string {
  const name = posix.basename(file).replace(/\.\w+$/, "");
  return name === "index" ? posix.basename(posix.dirname(file)) : name;
}

/** Removes the date of Jekyll and Zola. */
export const nameWithoutDate = (file: string): string =>
  nameWithoutExtension(file).replace(/^\d{4}-\d\d-\d\d[-_]/, "");

interface PostLocation {
  date: Date | null;
  path: string | null;
  categories: string[];
  title?: string;
}

/** Returns the likely paths of a post on the old site. */
export function formerPathsOf(
  file: string,
  fields: Fields,
  { date, path: own, categories, title = "" }: PostLocation,
  { base, permalinks, isHugo }: Pick<Site, "base" | "permalinks" | "isHugo"> = noSite,
): string[] {
  const folders = posix
    .dirname(posix.basename(file).startsWith("index.") ? posix.dirname(file) : file)
    .split("/")
    .filter((folder) => folder !== ".");
  const permalink = textField(fields, "permalink", "url");
  const aliases = listField(fields, "aliases", "alias", "redirectfrom");
  const given = [own, permalink, ...aliases].filter((one) => one !== null);
  const paths = given.filter((one) => !one.includes(":") && !one.includes("{"));
  const [name, whole, slug] = [nameWithoutDate(file), nameWithoutExtension(file), textField(fields, "slug")];
  const parts: Omit<PatternParts, "day"> = { name, whole, slug, title, categories, folders };
  const days = daysOf(file, fields, date);
  const byPattern = (pattern: string, more: Partial<PatternParts> = {}) =>
    days.flatMap((day) => expandPermalink(pattern, { ...parts, ...more, day }, isHugo) ?? []);
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
    // In Hugo relative to the page's folder.
    for (const alias of aliases)
      if (/^[^/:{]+(?:\/[^:{]*)?$/.test(alias)) paths.push(posix.join("/", ...behind, alias));
    const pattern = permalinks.get(behind[0] ?? "/");
    if (pattern !== undefined && own === null) paths.push(...byPattern(pattern, { folders: behind }));
    else if (own === null) {
      const written = [...new Set([slug ?? whole, slug ?? name])].map((one) => [...behind, one]);
      paths.push(...written.map((one) => one.join("/")), ...written.map((one) => one.map(slugify).join("/")));
    }
  }
  const rooted = paths.map((one) => `/${one.replace(/^(?:\.?\/)+/, "")}`);
  const all = [...rooted, ...(base ? rooted.map((one) => base + one) : [])];
  return [...new Set(all)].filter((one) => one !== "/");
}

const noSite = { base: "", permalinks: new Map<string, string>(), isHugo: false };

/** Returns the days as written and in UTC, which may differ. */
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
