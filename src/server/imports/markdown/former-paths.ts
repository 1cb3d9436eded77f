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

/** Returns the language in the name of a translation: `index.fa.md`, and on a site with languages `other.fr.md`. */
export function languageInName(file: string, { languages }: Pick<Site, "languages">): string | null {
  const [, name = "", language = ""] =
    /^(.+)\.([a-z]{2,3}(?:-[a-z]{2,4})?)\.\w+$/i.exec(posix.basename(file)) ?? [];
  const isLanguage = name === "index" || languages.has(language.toLowerCase());
  return language && isLanguage ? language.toLowerCase() : null;
}

/** Returns a file's name without the language of a translation. */
export const withoutLanguage = (file: string, language: string | null): string =>
  language === null ? file : file.replace(/\.[^./]+(\.\w+)$/, "$1");

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
  wholeName: string,
  fields: Fields,
  { date, path: fieldPath, categories, title = "" }: PostLocation,
  site: FormerSite = noSite,
): string[] {
  const { base, permalinks, isHugo } = site;
  const language = languageInName(wholeName, site);
  const file = withoutLanguage(wholeName, language);
  const prefix = language === null || language === site.unprefixedLanguage ? "" : `/${language}`;
  const folders = posix
    .dirname(posix.basename(file).startsWith("index.") ? posix.dirname(file) : file)
    .split("/")
    .filter((folder) => folder !== ".");
  const permalink = textField(fields, "permalink", "url");
  const aliases = listField(fields, "aliases", "alias", "redirectfrom");
  const candidates = [fieldPath, permalink, ...aliases].filter((candidate) => candidate !== null);
  const paths = candidates.filter((candidate) => !candidate.includes(":") && !candidate.includes("{"));
  const [name, whole, slug] = [nameWithoutDate(file), nameWithoutExtension(file), textField(fields, "slug")];
  const parts: Omit<PatternParts, "day"> = { name, whole, slug, title, categories, folders };
  const days = daysOf(file, fields, date);
  const expand = (pattern: string, extra: Partial<PatternParts> = {}) =>
    days.flatMap((day) => expandPermalink(pattern, { ...parts, ...extra, day }, isHugo) ?? []);
  const at = folders.indexOf("_posts");
  if (at !== -1) {
    const parentFolders = folders.slice(0, at);
    const pattern = permalink?.includes(":") ? permalink : permalinks.get("");
    const extra = { categories: [...parentFolders, ...categories] };
    if (pattern !== undefined) paths.push(...expand(pattern, extra));
    else if (date) paths.push(...expand("date", extra), ...expand("pretty", extra));
  } else {
    const root = folders.findIndex(
      (folder) => folder === "content" || folder === "pages" || folder === "posts",
    );
    // The folder of Eleventy's and Hexo's input is no part of an address.
    const start = root === -1 && /^(?:src|source)$/.test(folders[0] ?? "") ? 0 : root;
    const innerFolders = folders[start] === "posts" ? folders.slice(start) : folders.slice(start + 1);
    // In Hugo relative to the page's folder.
    for (const alias of aliases)
      if (/^[^/:{]+(?:\/[^:{]*)?$/.test(alias)) paths.push(posix.join("/", ...innerFolders, alias));
    const pattern = permalinks.get(innerFolders[0] ?? "/");
    if (pattern !== undefined && fieldPath === null)
      paths.push(...expand(pattern, { folders: innerFolders }));
    else if (fieldPath === null) {
      const variants = [...new Set([slug ?? whole, slug ?? name])].map((baseName) => [
        ...innerFolders,
        baseName,
      ]);
      paths.push(
        ...variants.map((segments) => segments.join("/")),
        ...variants.map((segments) => segments.map(slugify).join("/")),
      );
    }
  }
  const absolute = paths.map((candidate) => {
    const plain = `/${candidate.replace(/^(?:\.?\/)+/, "")}`;
    return plain.startsWith(`${prefix}/`) || candidates.includes(candidate) ? plain : prefix + plain;
  });
  const all = [...absolute, ...(base ? absolute.map((candidate) => base + candidate) : [])];
  return [...new Set(all)].filter((candidate) => candidate !== "/");
}

type FormerSite = Pick<Site, "base" | "permalinks" | "isHugo" | "languages" | "unprefixedLanguage">;
const noSite: FormerSite = {
  base: "",
  permalinks: new Map(),
  isHugo: false,
  languages: new Set(),
  unprefixedLanguage: null,
};

/** Returns the days as written and in UTC, which may differ. */
function daysOf(file: string, fields: Fields, date: Date | null): (string | null)[] {
  const value = Object.entries(fields).find(([name]) => name.toLowerCase() === "date")?.[1];
  const text =
    value instanceof TomlDate ? value.toISOString() : typeof value === "string" ? value.trim() : "";
  const [, year, month = "", day = ""] = /^(\d{4})[-/.](\d\d?)[-/.](\d\d?)(?!\d)/.exec(text) ?? [];
  const [, nameDay] = /^(\d{4}-\d\d-\d\d)[-_]/.exec(posix.basename(file)) ?? [];
  const writtenDay = year && date ? `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}` : nameDay;
  const days = [...new Set([writtenDay, date?.toISOString().slice(0, 10)])].filter(
    (candidate) => candidate !== undefined,
  );
  return days.length > 0 ? days : [null];
}
